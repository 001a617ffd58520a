"""Tournament report files: FIDE's TRF16 with the usual XX records, and TRF26 (in force since 1 September 2025).

Columns are counted from 1. White is the starter (``w``), Black the second player (``b``).
"""

from tournaments.trf.reader import read_trf
from tournaments.trf.report import (
    Abnormal,
    Dialect,
    PlannedBye,
    Prohibition,
    ReportPlayer,
    TournamentReport,
    TrfError,
)
from tournaments.trf.writer import write_trf

__all__ = [
    "Abnormal",
    "Dialect",
    "PlannedBye",
    "Prohibition",
    "ReportPlayer",
    "TournamentReport",
    "TrfError",
    "read_trf",
    "write_trf",
]
