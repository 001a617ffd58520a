"""Games to play in tests, in the notation of `tests.clients.Match.play`."""

FILES = "abcd"

DARK_ROW = "@1 a1 @3 b1 @5 c1 @9 d1"
"""Four dark pieces on the first rank; seat 1 places the last, so the line is his first."""

NO_LINE = "@1 a1 @3 b1 @5 c1 @A d1"
"""The same with a light piece at the end: nothing is shared."""

FULL_WITHOUT_LINE = "2897/1FE5/C360/4BAD"
FULL_WITH_LINE_AT_THE_END = "0762/93D8/FC5B/4A1E"
"""The sixteenth piece, on d4, makes the only line of this board: a4-d4."""


def filling(board: str) -> str:
    """The placements that fill a board, from a1 to d4."""
    ranks = reversed(board.split("/"))
    return " ".join(
        f"@{piece} {FILES[file]}{rank}"
        for rank, pieces in enumerate(ranks, start=1)
        for file, piece in enumerate(pieces)
    )
