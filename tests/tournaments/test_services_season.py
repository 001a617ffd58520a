"""Whole tournaments through the services: random fields, results, byes, leavers and late entries."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ratings.models import Player
from tests.tournaments.evening import actor, enter_players, enter_results, open_tournament, person
from tournaments.models import Board, Entry, Participation, Round, Tournament
from tournaments.queries.standings import table_of
from tournaments.services import entries, pairings, plans, rounds

Kind = Participation.Kind


class TestSeason(TestCase):
    @settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
    @given(size=st.integers(2, 40), seed=st.integers(0, 2**32), planned=st.integers(2, 5))
    def test_swiss_closes_every_record_and_nobody_meets_twice(self, size, seed, planned):
        organiser, rng = person("Ann"), Random(seed)
        rounds_planned = max(1, min(planned, size - 1))
        tournament = open_tournament(organiser, rounds=rounds_planned)
        enter_players(tournament, organiser, size)
        while tournament.status != Tournament.Status.COMPLETE:
            if not _play_round(tournament, organiser, rng):
                break
            tournament.refresh_from_db()
        _assert_sound(tournament)

    @settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
    @given(size=st.integers(2, 9), seed=st.integers(0, 2**32), double=st.booleans())
    def test_round_robin_with_leavers_closes_every_record(self, size, seed, double):
        organiser, rng = person("Ann"), Random(seed)
        tournament = open_tournament(organiser, format="double_round_robin" if double else "round_robin")
        enter_players(tournament, organiser, size)
        cycles = 2 if double else 1
        for _round in range((size - 1 + size % 2) * cycles):
            if tournament.round_set.exists() and rng.random() < 0.2:
                _somebody_leaves(tournament, organiser, rng)
            round_ = _pair_and_start(tournament, organiser)
            enter_results(tournament, organiser, round_, rng)
        tournament.refresh_from_db()
        assert tournament.status == Tournament.Status.COMPLETE
        assert Board.objects.count() == cycles * size * (size - 1) // 2
        _assert_closed(tournament)
        assert len(table_of(tournament).lines) == size


def _play_round(tournament: Tournament, organiser: Player, rng: Random) -> bool:
    """One round with everything that happens on an evening; False where none can be paired any more."""
    number = tournament.round_set.count() + 1
    if number > 1 and rng.random() < 0.3:
        _somebody_leaves(tournament, organiser, rng)
    if number > 1 and rng.random() < 0.3:
        entries.add(actor=actor(organiser), slug=tournament.slug, name=f"Late {number}")
    for entry in tournament.entries.filter(withdrawn_after=None):
        if rng.random() < 0.1:
            entries.request_absence(
                actor=actor(organiser),
                slug=tournament.slug,
                entry_id=entry.pk,
                round_number=number,
                kind=rng.choice(["half", "zero"]),
            )
    try:
        round_ = _pair_and_start(tournament, organiser)
    except (plans.TooFewPlayers, plans.CannotBePaired, plans.TooManyRounds):
        return False
    enter_results(tournament, organiser, round_, rng)
    return True


def _pair_and_start(tournament: Tournament, organiser: Player) -> Round:
    round_, _made = pairings.pair_next(actor=actor(organiser), slug=tournament.slug)
    return rounds.start(actor=actor(organiser), slug=tournament.slug, number=round_.number)


def _somebody_leaves(tournament: Tournament, organiser: Player, rng: Random) -> None:
    there = list(tournament.entries.filter(withdrawn_after=None).order_by("pk"))
    if len(there) > 2:
        leaver: Entry = rng.choice(there)
        entries.withdraw(actor=actor(organiser), slug=tournament.slug, entry_id=leaver.pk)


def _assert_closed(tournament: Tournament) -> None:
    """Exactly one record for every entry and round, and a result on every board."""
    records = Participation.objects.filter(round__tournament=tournament)
    assert records.count() == tournament.entries.count() * tournament.round_set.count()
    assert not Board.objects.filter(round__tournament=tournament, result=None).exists()


def _assert_sound(tournament: Tournament) -> None:
    _assert_closed(tournament)
    met = [
        frozenset((board.starter_id, board.second_id))
        for board in Board.objects.filter(round__tournament=tournament)
        if not str(board.result).endswith("F")
    ]
    assert len(set(met)) == len(met)
    byes = Participation.objects.filter(round__tournament=tournament, kind=Kind.PAIRING_BYE)
    assert byes.count() == byes.values("entry").distinct().count()
    table = table_of(tournament)
    scored = sum(line.row.half_points for line in table.lines)
    awarded = byes.count() * 2 + Participation.objects.filter(kind=Kind.HALF_BYE).count()
    awarded += 2 * Board.objects.exclude(result="0-0F").count()
    assert scored == awarded
