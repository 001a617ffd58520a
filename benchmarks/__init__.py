"""Measures the server beside others on the same machine, in the same run. Nothing here is asserted in tests."""
