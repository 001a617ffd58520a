"""Working out the next round from the field: who is there, who meets whom, and why not. Writes nothing."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ratings.queries import ratings_of
from tournaments import engine
from tournaments.errors import TournamentError
from tournaments.models import Absence, Board, Entry, Format, Participation, Result, Round, Tournament
from tournaments.pairing import Pairing
from tournaments.pairing.round_robin import schedule
from tournaments.pairing.swiss import (
    LARGEST_FIELD,
    Advice,
    NoLegalPairing,
    Obstacle,
    check_rounds,
    most_rounds,
)
from tournaments.proposal import swiss_rounds
from tournaments.queries.field import Field, contestants, start_numbers

Kind = Participation.Kind


class NothingToPair(TournamentError):
    code = "nothing_to_pair"


class RoundUnfinished(TournamentError):
    """The boards of the running round that have no result."""

    code = "round_unfinished"

    def __init__(self, number: int, waiting_for: Sequence[Board]) -> None:
        boards = ", ".join(
            f"{board.number} ({board.starter.player.name} – {board.second.player.name})"
            for board in waiting_for
        )
        words = ngettext(
            "Round %(number)d waits for board %(boards)s.",
            "Round %(number)d waits for boards %(boards)s.",
            len(waiting_for),
        )
        super().__init__(words % {"number": number, "boards": boards})


class TooFewPlayers(TournamentError):
    code = "not_enough_players"
    message = _("A round needs at least two players.")


class TooManyRounds(TournamentError):
    code = "too_many_rounds"

    def __init__(self, players: int, rounds: int) -> None:
        words = _(
            "%(rounds)d rounds are planned, but %(players)d players can play at most %(most)d without "
            "meeting twice. Change the number of rounds, or add players."
        )
        super().__init__(words % {"rounds": rounds, "players": players, "most": most_rounds(players)})


class CannotBePaired(TournamentError):
    """No legal pairing exists; the organiser may pair by hand or end the tournament."""

    code = "no_legal_pairing"

    def __init__(self, obstacle: Obstacle, names: Sequence[str]) -> None:
        words = {
            Obstacle.NO_OPPONENT: _("No legal pairing exists: nobody is left to meet %(names)s."),
            Obstacle.LEFT_OVER: _("No legal pairing exists: somebody would be left over, such as %(names)s."),
            Obstacle.SEATS: _("No legal pairing exists: somebody would have the same seat too often."),
        }[obstacle] % {"names": ", ".join(names)}
        advice = _("Pair this round by hand, or let the tournament end with the rounds that were played.")
        super().__init__(f"{words} {advice}")


@dataclass(frozen=True, slots=True)
class Plan:
    """A round that is worked out and not stored. Boards and the rest are entries, by id.

    `kinds` has every entry without a board; `results` those boards that are decided before they begin.
    """

    number: int
    numbers: Mapping[int, int]
    ratings: Mapping[int, int]
    first_seat: int | None
    boards: tuple[tuple[int, int], ...]
    kinds: Mapping[int, str]
    results: Mapping[tuple[int, int], str]


def unavailable(field: Field, number: int) -> dict[int, str]:
    """Who does not play in round `number`, and as what that counts."""
    away: dict[int, str] = {}
    for entry in field.entries:
        if entry.is_withdrawn:
            away[entry.pk] = Kind.WITHDRAWN
        elif (entry.pk, number) in field.absences:
            half = field.absences[entry.pk, number] == Absence.Kind.HALF
            away[entry.pk] = Kind.HALF_BYE if half else Kind.ZERO_BYE
    return away


def outdated(field: Field) -> list[Entry]:
    """The entries whose place in the draft is not what it would be now."""
    draft = field.draft
    assert draft is not None
    away = unavailable(field, draft.number)
    return [entry for entry in field.entries if not _still_fits(field, entry, draft.number, away)]


def _still_fits(field: Field, entry: Entry, number: int, away: Mapping[int, str]) -> bool:
    record = field.records[entry.pk].get(number)
    if record is None:
        return False
    if field.tournament.is_swiss:
        there = (Kind.PAIRED, Kind.PAIRING_BYE, Kind.ABSENT)
        return record.kind == away[entry.pk] if entry.pk in away else record.kind in there
    if record.board is None:
        return True
    forfeits = {Result.STARTER_FORFEITED: {1}, Result.SECOND_FORFEITED: {2}, Result.BOTH_FORFEITED: {1, 2}}
    lost = record.board.result is not None and record.seat in forfeits[Result(record.board.result)]
    return lost == (entry.pk in away)


def next_round(field: Field) -> Plan:
    """Raises NothingToPair, RoundUnfinished, TooFewPlayers, TooManyRounds and CannotBePaired."""
    number = next_number(field)
    ratings = seeding(field)
    numbers = start_numbers(field, for_round=number)
    if field.tournament.is_swiss:
        return _swiss(field, number, numbers, ratings)
    return _round_robin(field, number, numbers, ratings)


def seeding(field: Field) -> dict[int, int]:
    """Everybody's rating as it is before round 1, and as it was at his entry afterwards."""
    if field.begun:
        return {entry.pk: entry.rating for entry in field.entries}
    now = ratings_of([entry.player_id for entry in field.entries], field.tournament.rules.split(":")[0])
    for entry in field.entries:
        entry.rating = now[entry.player_id].rating
    return {entry.pk: entry.rating for entry in field.entries}


def next_number(field: Field) -> int:
    """Raises NothingToPair or RoundUnfinished where the time for another round has not come."""
    tournament = field.tournament
    if tournament.status == Tournament.Status.DRAFT:
        raise NothingToPair(_("Open the tournament for entries first."))
    if tournament.status == Tournament.Status.COMPLETE:
        raise NothingToPair(_("This tournament is over."))
    for round_ in field.rounds:
        if round_.status == Round.Status.RUNNING:
            boards = Board.objects.filter(round=round_, result=None).order_by("number")
            waiting_for = list(boards.select_related("starter__player", "second__player"))
            raise RoundUnfinished(round_.number, waiting_for)
    if tournament.rounds is not None and field.begun >= tournament.rounds:
        raise NothingToPair(_("All rounds have been played."))
    return field.begun + 1


def settled_rounds(field: Field, number: int) -> int:
    """The number of rounds: a round robin's follows from its field, a Swiss's does where nobody set it."""
    if field.tournament.is_swiss:
        return max(number, field.tournament.rounds or swiss_rounds(_size(field)))
    double = field.tournament.format == Format.DOUBLE_ROUND_ROBIN
    return most_rounds(len(field.entries)) * (2 if double else 1)


def _size(field: Field) -> int:
    """How many are in the tournament, those who miss the coming round included."""
    return sum(not entry.is_withdrawn for entry in field.entries)


def _swiss(field: Field, number: int, numbers: Mapping[int, int], ratings: Mapping[int, int]) -> Plan:
    tournament = field.tournament
    away = unavailable(field, number)
    present = len(field.entries) - len(away)
    if present < 2:
        raise TooFewPlayers
    if present > LARGEST_FIELD:
        words = _("A Swiss is paired for at most %(most)d players.")
        raise NothingToPair(words % {"most": LARGEST_FIELD})
    rounds = settled_rounds(field, number)
    if number == 1 and Advice.IMPOSSIBLE in check_rounds(_size(field), rounds):
        raise TooManyRounds(_size(field), rounds)
    first_seat = tournament.first_seat or secrets.choice((1, 2))
    pairing = _engine_pairing(field, number, numbers, rounds, first_seat, away)
    entry_of = {start: entry_id for entry_id, start in numbers.items()}
    kinds: dict[int, str] = dict(away)
    if pairing.bye is not None:
        kinds[entry_of[pairing.bye]] = Kind.PAIRING_BYE
    return Plan(
        number=number,
        numbers=numbers,
        ratings=ratings,
        first_seat=first_seat,
        boards=tuple((entry_of[starter], entry_of[second]) for starter, second in pairing.boards),
        kinds=kinds,
        results={},
    )


def _engine_pairing(
    field: Field,
    number: int,
    numbers: Mapping[int, int],
    rounds: int,
    first_seat: int,
    away: Mapping[int, str],
) -> Pairing:
    try:
        return engine.swiss_round(
            contestants(field, numbers, through=number - 1),
            round_number=number,
            rounds_total=rounds,
            first_seat=first_seat,
            absent={numbers[entry_id] for entry_id in away},
            points=field.points,
        )
    except NoLegalPairing as error:
        name_of = {numbers[entry.pk]: entry.player.name for entry in field.entries}
        raise CannotBePaired(error.obstacle, [name_of[start] for start in error.numbers]) from error


def _round_robin(field: Field, number: int, numbers: Mapping[int, int], ratings: Mapping[int, int]) -> Plan:
    """Everybody who ever entered has his place in the schedule; who is away loses by forfeit."""
    if len(field.entries) < 2:
        raise TooFewPlayers
    tournament = field.tournament
    double = tournament.format == Format.DOUBLE_ROUND_ROBIN
    table = schedule(len(field.entries), double=double, swap=tournament.swap_last_rounds)
    pairing = table[number - 1]
    entry_of = {start: entry_id for entry_id, start in numbers.items()}
    boards = tuple((entry_of[starter], entry_of[second]) for starter, second in pairing.boards)
    away = unavailable(field, number)
    return Plan(
        number=number,
        numbers=numbers,
        ratings=ratings,
        first_seat=None,
        boards=boards,
        kinds={} if pairing.bye is None else {entry_of[pairing.bye]: Kind.ZERO_BYE},
        results={board: result for board in boards if (result := _forfeit(board, away)) is not None},
    )


def _forfeit(board: tuple[int, int], away: Mapping[int, str]) -> str | None:
    return {
        (True, True): Result.BOTH_FORFEITED,
        (True, False): Result.STARTER_FORFEITED,
        (False, True): Result.SECOND_FORFEITED,
    }.get((board[0] in away, board[1] in away))
