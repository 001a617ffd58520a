"""Tournaments against their boards, their boards against the games, finished standings against both."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.models import Game, Status
from tournaments.models import BEGUN, Board, Entry, Participation, Result, Round, Tournament
from tournaments.outcomes import board_outcome
from tournaments.queries.field import Field, StoredRecord, field_of
from tournaments.queries.standings import Line, table

Kind = Participation.Kind


def tournament_differences(counts: Counter[str]) -> Iterator[str]:
    """Every tournament's rounds, records and boards; for each finished one, its final table too."""
    for tournament in Tournament.objects.order_by("pk").iterator(chunk_size=100):
        counts["tournaments"] += 1
        for difference in _differences_of(tournament, counts):
            yield f"tournament {tournament.slug}: {difference}"
    boardless = Game.objects.filter(event__isnull=False, board__isnull=True).order_by("pk")
    for game_id in boardless.values_list("pk", flat=True):
        yield f"game {game_id}: it belongs to an event and to no board"


def _differences_of(tournament: Tournament, counts: Counter[str]) -> Iterator[str]:
    field = field_of(tournament)
    boards = _begun_boards(tournament)
    counts["boards"] += len(boards)
    found = [
        *_round_differences(field, boards),
        *_record_differences(field, boards),
        *_result_differences(boards),
    ]
    yield from found
    if tournament.status == Tournament.Status.COMPLETE and not found:
        counts["final tables"] += 1
        yield from _table_differences(field)


def _begun_boards(tournament: Tournament) -> list[Board]:
    boards = Board.objects.filter(round__tournament=tournament, round__status__in=BEGUN)
    related = boards.select_related("round__tournament", "game", "starter", "second").defer("game__record")
    return list(related.order_by("round__number", "number"))


def _round_differences(field: Field, boards: Sequence[Board]) -> Iterator[str]:
    """Rounds are numbered from 1, one begins when the last is complete, a complete one is closed."""
    rounds = field.rounds
    if [one.number for one in rounds] != list(range(1, len(rounds) + 1)):
        yield f"its rounds are numbered {', '.join(str(one.number) for one in rounds)}"
    for earlier, later in pairwise(rounds):
        if later.is_begun and earlier.status != Round.Status.COMPLETE:
            yield f"round {later.number} has begun and round {earlier.number} is not complete"
    for board in boards:
        if board.round.status == Round.Status.COMPLETE and board.result is None:
            yield f"{_place(board)}: it has no result in a complete round"
    planned, complete = field.tournament.rounds, field.complete
    if field.tournament.status == Tournament.Status.COMPLETE and complete != planned:
        yield f"it is finished after {complete} complete rounds of {planned}"


def _record_differences(field: Field, boards: Sequence[Board]) -> Iterator[str]:
    """Every entry has one record in every round that has begun, and sits where his board says."""
    seated = {(board.pk, 1): board.starter_id for board in boards}
    seated |= {(board.pk, 2): board.second_id for board in boards}
    for round_ in field.rounds:
        if not round_.is_begun:
            continue
        for entry in field.entries:
            record = field.records[entry.pk].get(round_.number)
            if record is None:
                yield f"round {round_.number}: entry {entry.pk} has no record"
            elif record.board is not None and not _sits(record, round_, seated):
                yield f"round {round_.number}: entry {entry.pk} does not sit at his board"
    for entry_id in seated.values():
        yield f"entry {entry_id} sits at a board without a record of it"


def _sits(record: StoredRecord, round_: Round, seated: dict[tuple[int, int], int]) -> bool:
    """Whether board and record agree; takes the seat out of those to be accounted for."""
    assert record.board is not None and record.seat is not None
    sitting = seated.pop((record.board.pk, record.seat), None)
    return sitting == record.entry_id and record.board.round_id == round_.pk


def _result_differences(boards: Sequence[Board]) -> Iterator[str]:
    """A board has its own game; its result is the game's unless an arbiter entered another."""
    for board in boards:
        game = board.game
        if game is None:
            continue
        if (game.seat1_id, game.seat2_id) != (board.starter.player_id, board.second.player_id):
            yield f"{_place(board)}: game {game.pk} is of other players"
        if _address(game) != (board.round.tournament.slug, board.round.number, board.number):
            yield f"{_place(board)}: game {game.pk} was begun for another board"
        played = board_outcome(game)[0] if game.status == Status.OVER else None
        if board.result != played and not board.by_arbiter:
            yield f"{_place(board)}: result {board.result}, by game {game.pk} {played}"


def _place(board: Board) -> str:
    return f"round {board.round.number}, board {board.number}"


def _address(game: Game) -> tuple[object, ...]:
    event = game.event or {}
    return event.get("slug"), event.get("round"), event.get("board")


def _table_differences(field: Field) -> Iterator[str]:
    """The table has everybody once, with the points of his records, best first, ranked in order."""
    lines = table(field).lines
    if sorted(line.entry.pk for line in lines) != sorted(entry.pk for entry in field.entries):
        yield "its final table does not have every entry once"
        return
    counted = [line for line in lines if line.row.counts]
    left_out = {line.entry.pk for line in lines if not line.row.counts}
    for line in counted:
        half_points = _half_points(field, line.entry, left_out)
        if line.row.half_points != half_points:
            yield f"entry {line.entry.pk}: {line.row.half_points} half points, by its boards {half_points}"
    yield from _order_differences(counted)


def _order_differences(counted: Sequence[Line]) -> Iterator[str]:
    for place, (better, worse) in enumerate(pairwise(counted), 2):
        if better.row.half_points < worse.row.half_points:
            yield f"entry {worse.entry.pk} stands below entry {better.entry.pk} and has more points"
        if worse.row.rank not in (better.row.rank, place):
            yield f"entry {worse.entry.pk} is ranked {worse.row.rank} at place {place}"


def _half_points(field: Field, entry: Entry, left_out: set[int]) -> int:
    """Added up from boards and byes; games against early leavers of a round robin do not count."""
    unplayed = {
        Kind.PAIRING_BYE: field.tournament.bye_half_points,
        Kind.HALF_BYE: 1,
        Kind.NOT_ENTERED: field.tournament.late_half_points,
    }
    total = 0
    for record in field.records[entry.pk].values():
        board = record.board
        if board is None:
            total += unplayed.get(Kind(record.kind), 0)
        elif not {board.starter_id, board.second_id} & left_out and board.result is not None:
            assert record.seat is not None
            total += Result(board.result).half_points[record.seat - 1]
    return total
