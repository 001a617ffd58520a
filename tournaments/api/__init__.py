"""Tournaments for programs: one service or query call a method."""
