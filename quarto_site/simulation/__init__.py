"""Plays whole tournaments against a running server and doubts everything it is told.

Law: nothing here imports the games, the tournaments or the ratings. What a board, a line, a clock, a table
and a rating are is written a second time, from the rules alone, so that two mistakes would have to agree.
"""
