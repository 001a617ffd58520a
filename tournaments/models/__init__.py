"""The rows of tournaments. Only the services write them."""

from tournaments.models.events import (
    EDITION,
    Absence,
    AuditEvent,
    Club,
    Entry,
    Format,
    Staff,
    Tournament,
)
from tournaments.models.rounds import BEGUN, Board, Participation, Result, Round

__all__ = [
    "BEGUN",
    "EDITION",
    "Absence",
    "AuditEvent",
    "Board",
    "Club",
    "Entry",
    "Format",
    "Participation",
    "Result",
    "Round",
    "Staff",
    "Tournament",
]
