"""Measures the server against a naive one on the same machine, in the same run. Nothing here is asserted in tests."""
