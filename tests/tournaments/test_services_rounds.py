import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.evening import (
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    play_round,
)
from tournaments.errors import Forbidden, NotFound
from tournaments.models import AuditEvent, Board, Participation, Round, Tournament
from tournaments.services import entries, pairings, plans, results, rounds, tournaments

Kind = Participation.Kind


def kinds(round_: Round) -> dict[str, int]:
    counted: dict[str, int] = {}
    for kind in round_.participations.values_list("kind", flat=True):
        counted[kind] = counted.get(kind, 0) + 1
    return counted


def test_first_round_pairs_the_upper_half_with_the_lower(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 8)
    round_, made = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    pairs = {
        frozenset((b.starter.number, b.second.number))
        for b in round_.boards.select_related("starter", "second")
    }
    assert made
    assert pairs == {frozenset(pair) for pair in ((1, 5), (2, 6), (3, 7), (4, 8))}
    tournament.refresh_from_db()
    assert tournament.first_seat in (1, 2)
    assert round_.boards.get(number=1).starter.number == (1 if tournament.first_seat == 1 else 5)


def test_a_second_click_on_pair_changes_nothing(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 7)
    first, made_first = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    boards = list(first.boards.values())
    log = AuditEvent.objects.count()
    second, made_second = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert (made_first, made_second) == (True, False)
    assert first == second
    assert list(second.boards.values()) == boards
    assert AuditEvent.objects.count() == log


def test_an_odd_field_has_one_bye(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 7)
    assert kinds(pair_and_start(tournament, ann)) == {Kind.PAIRED: 6, Kind.PAIRING_BYE: 1}


def test_start_is_idempotent(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    round_ = pair_and_start(tournament, ann)
    tournament.refresh_from_db()
    again = rounds.start(actor=actor(ann), slug=tournament.slug, number=1)
    assert again.started_at == round_.started_at
    assert tournament.status == Tournament.Status.RUNNING
    assert Board.objects.count() == 2


def test_the_next_round_waits_for_named_boards(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    with pytest.raises(plans.RoundUnfinished, match=r"Round 1 waits for boards 1 \(G0\d – G0\d\), 2"):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    results.enter_result(actor=actor(ann), slug=tournament.slug, round_number=1, board_number=1, result="1-0")
    with pytest.raises(plans.RoundUnfinished, match="Round 1 waits for board 2"):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)


def test_last_result_completes_the_round_and_last_round_the_tournament(ann):
    tournament = open_tournament(ann, rounds=2)
    enter_players(tournament, ann, 4)
    assert play_round(tournament, ann).status == Round.Status.COMPLETE
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING
    play_round(tournament, ann)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.COMPLETE
    assert tournament.finished_at is not None
    with pytest.raises(plans.NothingToPair):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)


def test_rounds_follow_from_the_field_where_nobody_set_them(ann):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 9)
    pair_and_start(tournament, ann)
    tournament.refresh_from_db()
    assert tournament.rounds == 4


def test_more_rounds_than_can_be_played_are_refused_with_words(ann):
    tournament = open_tournament(ann, rounds=4)
    enter_players(tournament, ann, 4)
    with pytest.raises(plans.TooManyRounds, match="4 rounds are planned, but 4 players can play at most 3"):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert not Round.objects.exists()


def test_who_misses_round_one_counts_for_the_number_of_rounds(ann):
    for planned, most in ((5, 5), (None, 3)):
        tournament = open_tournament(ann, rounds=planned)
        away = enter_players(tournament, ann, 5)[0]
        entries.request_absence(
            actor=actor(ann), slug=tournament.slug, entry_id=away.pk, round_number=1, kind="zero"
        )
        pair_and_start(tournament, ann)
        tournament.refresh_from_db()
        assert tournament.rounds == most


def test_one_player_is_too_few(ann):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 1)
    with pytest.raises(plans.TooFewPlayers):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)


def test_no_legal_pairing_names_players_and_leaves_everything(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    first = play_round(tournament, ann)
    play_round(tournament, ann)
    # Two of those who are left have met already: nothing legal remains for them.
    pair = first.boards.get(number=1)
    for entry in tournament.entries.exclude(pk__in=[pair.starter_id, pair.second_id]):
        entries.withdraw(actor=actor(ann), slug=tournament.slug, entry_id=entry.pk)
    with pytest.raises(
        plans.CannotBePaired, match=r"nobody is left to meet G0\d, G0\d\. Pair this round by hand"
    ):
        pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING
    by_hand = pairings.pair_by_hand(
        actor=actor(ann), slug=tournament.slug, boards=[(pair.second_id, pair.starter_id)]
    )
    assert kinds(by_hand) == {Kind.PAIRED: 2, Kind.WITHDRAWN: 2}


def test_an_organiser_may_end_early_by_lowering_the_rounds(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    play_round(tournament, ann)
    changed = tournaments.change(actor=actor(ann), slug=tournament.slug, changes={"rounds": 1})
    assert changed.status == Tournament.Status.COMPLETE


def test_who_leaves_after_the_pairing_stops_the_start_until_it_is_paired_again(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 6)
    play_round(tournament, ann)
    draft, _made = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    leaver = draft.boards.get(number=1).starter
    entries.withdraw(actor=actor(ann), slug=tournament.slug, entry_id=leaver.pk)
    with pytest.raises(rounds.DraftOutdated, match=leaver.player.name):
        rounds.start(actor=actor(ann), slug=tournament.slug, number=2)
    again, made = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert made
    assert kinds(again) == {Kind.PAIRED: 4, Kind.PAIRING_BYE: 1, Kind.WITHDRAWN: 1}
    assert rounds.start(actor=actor(ann), slug=tournament.slug, number=2).status == Round.Status.RUNNING


def test_a_late_entry_does_not_stop_the_start_and_waits_for_the_next_round(ann, ben):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    late = entries.enter(actor=actor(ben), slug=tournament.slug)
    rounds.start(actor=actor(ann), slug=tournament.slug, number=1)
    late.refresh_from_db()
    assert late.entered_round == 2
    assert late.participations.get().kind == Kind.NOT_ENTERED


def test_pairing_again_takes_in_who_entered_since(ann, ben):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 5)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    entries.enter(actor=actor(ben), slug=tournament.slug)
    draft, made = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert made
    assert kinds(draft) == {Kind.PAIRED: 6}
    assert Round.objects.count() == 1


def test_discarding_is_for_rounds_that_have_not_begun(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    rounds.discard_draft(actor=actor(ann), slug=tournament.slug, number=1)
    assert not Round.objects.exists()
    with pytest.raises(NotFound):
        rounds.start(actor=actor(ann), slug=tournament.slug, number=1)
    pair_and_start(tournament, ann)
    with pytest.raises(rounds.RoundBegun):
        rounds.discard_draft(actor=actor(ann), slug=tournament.slug, number=1)


def test_published_pairings_can_still_be_started(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    for _click in range(2):
        shown = rounds.publish_pairings(actor=actor(ann), slug=tournament.slug, number=1)
        assert shown.status == Round.Status.PUBLISHED
    assert rounds.start(actor=actor(ann), slug=tournament.slug, number=1).status == Round.Status.RUNNING


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_round_robin_plays_everybody_once(ann, size):
    tournament = open_tournament(ann, format="round_robin")
    enter_players(tournament, ann, size)
    for _round in range(size - 1 + size % 2):
        play_round(tournament, ann)
    tournament.refresh_from_db()
    met = {frozenset((b.starter_id, b.second_id)) for b in Board.objects.all()}
    assert tournament.status == Tournament.Status.COMPLETE
    assert len(met) == Board.objects.count() == size * (size - 1) // 2
    assert Participation.objects.filter(kind=Kind.ZERO_BYE).count() == (size if size % 2 else 0)


def test_double_round_robin_plays_everybody_twice_with_seats_swapped(ann):
    tournament = open_tournament(ann, format="double_round_robin")
    enter_players(tournament, ann, 4)
    for _round in range(6):
        play_round(tournament, ann)
    seats = {(b.starter_id, b.second_id) for b in Board.objects.all()}
    assert len(seats) == Board.objects.count() == 12


def test_opponents_of_a_round_robin_leaver_win_by_forfeit(ann):
    tournament = open_tournament(ann, format="round_robin")
    made = enter_players(tournament, ann, 4)
    play_round(tournament, ann)
    entries.withdraw(actor=actor(ann), slug=tournament.slug, entry_id=made[0].pk)
    round_ = pair_and_start(tournament, ann)
    board = round_.boards.get(result__isnull=False)
    leaver_seat = 1 if board.starter_id == made[0].pk else 2
    assert board.result == ("0-1F" if leaver_seat == 1 else "1-0F")
    assert not board.by_arbiter


def test_a_round_robin_that_has_begun_takes_nobody_in(ann, ben):
    tournament = open_tournament(ann, format="round_robin")
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    with pytest.raises(entries.EntriesClosed, match="its schedule is fixed"):
        entries.enter(actor=actor(ben), slug=tournament.slug)


def test_only_organisers_pair_and_start(ann, ben):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    with pytest.raises(Forbidden):
        pairings.pair_next(actor=actor(ben), slug=tournament.slug)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    with pytest.raises(Forbidden):
        rounds.start(actor=actor(ben), slug=tournament.slug, number=1)


@pytest.mark.parametrize(
    ("boards", "bye", "words"),
    [
        ([], None, "at least one board"),
        ([(0, 0)], None, "named twice"),
        ([(0, 1), (1, 2)], None, "named twice"),
        ([(0, 1)], 1, "named twice"),
        ([(0, 99)], None, "does not play"),
    ],
)
def test_pairing_by_hand_refuses_what_is_no_round(ann, boards, bye, words):
    tournament = open_tournament(ann, rounds=3)
    ids = [entry.pk for entry in enter_players(tournament, ann, 5)]

    def entry_id(index: int) -> int:
        return ids[index] if index < len(ids) else 10**9

    with pytest.raises(Exception, match=words):
        pairings.pair_by_hand(
            actor=actor(ann),
            slug=tournament.slug,
            boards=[(entry_id(a), entry_id(b)) for a, b in boards],
            bye=None if bye is None else entry_id(bye),
        )
    assert not Round.objects.exists()


def test_pairing_by_hand_refuses_a_second_bye(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 3)
    first = play_round(tournament, ann)
    had_bye = first.participations.get(kind=Kind.PAIRING_BYE).entry_id
    others = tuple(tournament.entries.exclude(pk=had_bye).values_list("pk", flat=True))
    with pytest.raises(Exception, match="had a bye already"):
        pairings.pair_by_hand(actor=actor(ann), slug=tournament.slug, boards=[others], bye=had_bye)


def test_numbers_are_fixed_once_round_four_is_paired(ann, ben):
    tournament = open_tournament(ann, rounds=7)
    made = enter_players(tournament, ann, 8)
    for _round in range(3):
        play_round(tournament, ann)
    tournament.entries.filter(pk=made[7].pk).update(rating=2000)
    play_round(tournament, ann)
    made[7].refresh_from_db()
    assert made[7].number == 1
    ben_entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    tournament.entries.filter(pk=ben_entry.pk).update(rating=2500)
    play_round(tournament, ann)
    made[7].refresh_from_db()
    ben_entry.refresh_from_db()
    assert (made[7].number, ben_entry.number) == (1, 9)


def test_pairing_and_start_cost_the_same_queries_for_many_boards(ann):
    counts = []
    for size in (4, 40):
        tournament = open_tournament(ann, name=f"Field of {size}", rounds=3)
        enter_players(tournament, ann, size)
        with CaptureQueriesContext(connection) as captured:
            pair_and_start(tournament, ann)
        counts.append(len(captured))
    assert counts[0] == counts[1]
