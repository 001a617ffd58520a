import pytest

from games.bench import Bench
from games.judge import settle
from games.models import Game
from games.models import Status as GameStatus
from games.signals import game_finished
from ratings.models import RatingChange
from tests.tournaments.evening import (
    act,
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    person,
    play_round,
    resign,
)
from tournaments.errors import BadInput, Forbidden, NotFound
from tournaments.models import AuditEvent, Board, Round, Tournament
from tournaments.services import entries, pairings, results, rounds, tournaments
from tournaments.services.results import ResultStands, RoundNotBegun


@pytest.fixture
def live(ann, ben, cleo):
    """A running round of two live boards: ann, ben, cleo and dora."""
    tournament = open_tournament(ann, over_the_board=False, rounds=2)
    for player in (ann, ben, cleo, person("Dora")):
        entries.enter(actor=actor(player), slug=tournament.slug)
    pair_and_start(tournament, ann)
    return tournament


def board_of(tournament: Tournament, number: int = 1) -> Board:
    return Board.objects.select_related("game__seat1", "game__seat2", "round").get(
        round__tournament=tournament, round__number=1, number=number
    )


def enter(tournament, player, result, *, board=1, round_number=1, reason=""):
    return results.enter_result(
        actor=actor(player),
        slug=tournament.slug,
        round_number=round_number,
        board_number=board,
        result=result,
        reason=reason,
    )


def test_start_makes_one_game_a_board_with_its_event(live):
    for board in Board.objects.select_related("game", "starter", "second"):
        assert board.game.event == {"slug": "thursday", "name": "Thursday", "round": 1, "board": board.number}
        assert (board.game.seat1_id, board.game.seat2_id) == (board.starter.player_id, board.second.player_id)
        assert (board.game.no_show_ms, board.game.claims, board.game.rated) == (120_000, "lose", True)
    assert Game.objects.count() == 2


def test_a_second_start_makes_no_second_game(live, ann):
    rounds.start(actor=actor(ann), slug=live.slug, number=1)
    assert Game.objects.count() == 2


def test_a_finished_game_writes_its_board(live):
    board = board_of(live)
    resign(board.game, board.game.seat2)
    board.refresh_from_db()
    assert (board.result, board.reason, board.by_arbiter) == ("1-0", "resign", False)
    assert board_of(live, 2).result is None
    assert RatingChange.objects.count() == 2


def test_nobody_there_is_a_forfeit(live):
    board = board_of(live)
    bench = Bench([board.game_id])
    state = bench.states[board.game_id]
    bench.take(board.game_id, settle(state, at_ms=state.clock.deadline_ms + 501))
    bench.write()
    board.refresh_from_db()
    assert (board.result, board.reason) == ("0-1F", "no-show")
    assert not RatingChange.objects.exists()


def test_conclude_repairs_a_board_whose_result_was_not_noted(live):
    for number in (1, 2):
        board = board_of(live, number)
        resign(board.game, board.game.seat1)
        Board.objects.filter(pk=board.pk).update(result=None, reason="")
    rounds.conclude(slug=live.slug)
    assert [board_of(live, number).result for number in (1, 2)] == ["0-1", "0-1"]
    assert Round.objects.get().status == Round.Status.COMPLETE


def test_pairing_the_next_round_notes_what_has_ended(live, ann):
    for number in (1, 2):
        board = board_of(live, number)
        resign(board.game, board.game.seat1)
    draft, made = pairings.pair_next(actor=actor(ann), slug=live.slug)
    assert made
    assert draft.number == 2


@pytest.fixture
def broken_receiver():
    """A second receiver that raises, whatever the first has written."""

    def raises(**kwargs):
        raise RuntimeError("broken")

    game_finished.connect(raises)
    yield
    game_finished.disconnect(raises)


def test_a_failing_receiver_leaves_game_and_ratings_standing(live, broken_receiver, caplog):
    board = board_of(live)
    resign(board.game, board.game.seat1)
    assert "its end was not taken over" in caplog.text
    board.refresh_from_db()
    assert board.result is None
    assert board.game.status == GameStatus.OVER
    assert RatingChange.objects.count() == 2
    rounds.conclude(slug=live.slug)
    board.refresh_from_db()
    assert board.result == "0-1"


@pytest.mark.parametrize(
    ("entered", "game_result"),
    [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1-0F", "1-0"),
        ("0-1F", "0-1"),
        ("0-0F", "1/2-1/2"),
    ],
)
def test_an_arbiter_ends_a_running_game(live, ann, entered, game_result):
    board = enter(live, ann, entered, reason="left the hall")
    board.game.refresh_from_db()
    board.refresh_from_db()
    assert (board.result, board.reason, board.by_arbiter) == (entered, "left the hall", True)
    assert (board.game.result, board.game.termination) == (game_result, "adjudication")
    assert not RatingChange.objects.exists()


def test_a_correction_changes_the_board_only(live, ann):
    board = board_of(live)
    resign(board.game, board.game.seat2)
    enter(live, ann, "0-1", reason="touched the wrong board")
    board.refresh_from_db()
    board.game.refresh_from_db()
    assert (board.result, board.game.result) == ("0-1", "1-0")
    assert RatingChange.objects.count() == 2
    assert AuditEvent.objects.filter(verb="result").get().detail == {
        "round": 1, "board": 1, "before": "1-0", "result": "0-1", "reason": "touched the wrong board",
    }  # fmt: skip


def test_a_star_restores_what_the_game_says(live, ann):
    board = board_of(live)
    resign(board.game, board.game.seat2)
    enter(live, ann, "0-1F")
    restored = enter(live, ann, "*")
    assert (restored.result, restored.reason, restored.by_arbiter) == ("1-0", "resign", False)


def test_a_finished_game_does_not_overrule_the_arbiter(live, ann):
    enter(live, ann, "0-0F")
    board = board_of(live)
    results.record(board.game)
    board.refresh_from_db()
    assert board.result == "0-0F"


def test_the_same_result_twice_is_one_entry_in_the_log(ann):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    enter(tournament, ann, "1-0")
    enter(tournament, ann, "1-0")
    assert AuditEvent.objects.filter(verb="result").count() == 1


def test_a_star_takes_back_and_reopens_the_round(ann):
    tournament = open_tournament(ann, rounds=1)
    enter_players(tournament, ann, 4)
    play_round(tournament, ann)
    enter(tournament, ann, "*")
    tournament.refresh_from_db()
    assert (tournament.status, tournament.finished_at) == (Tournament.Status.RUNNING, None)
    assert Round.objects.get().status == Round.Status.RUNNING
    enter(tournament, ann, "0-1")
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.COMPLETE


def test_a_later_round_keeps_results_from_being_taken_back_not_from_being_corrected(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    play_round(tournament, ann)
    before = pair_and_start(tournament, ann)
    boards = list(before.boards.values("starter_id", "second_id"))
    with pytest.raises(ResultStands):
        enter(tournament, ann, "*")
    enter(tournament, ann, "0-1")
    assert list(before.boards.values("starter_id", "second_id")) == boards


@pytest.mark.parametrize(
    ("result", "reason", "error"),
    [
        ("2-0", "", BadInput),
        ("", "", BadInput),
        ("1-0", "x" * 201, BadInput),
        ("1-0", "\x00", BadInput),
        ("1-0", "right\u202eleft", BadInput),
    ],
)
def test_bad_results_are_refused(ann, result, reason, error):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    with pytest.raises(error):
        enter(tournament, ann, result, reason=reason)
    assert not Board.objects.exclude(result=None).exists()


def test_unknown_boards_and_drafts_are_refused(ann):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    with pytest.raises(RoundNotBegun):
        enter(tournament, ann, "1-0")
    rounds.start(actor=actor(ann), slug=tournament.slug, number=1)
    with pytest.raises(NotFound):
        enter(tournament, ann, "1-0", board=3)
    with pytest.raises(NotFound):
        enter(tournament, ann, "1-0", round_number=2)


def test_arbiters_enter_results_and_players_do_not(ann, ben, cleo):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    tournaments.appoint(actor=actor(ann), slug=tournament.slug, username="BEN", role="arbiter")
    assert enter(tournament, ben, "1-0").result == "1-0"
    with pytest.raises(Forbidden):
        enter(tournament, cleo, "0-1")
    with pytest.raises(Forbidden):
        pairings.pair_next(actor=actor(ben), slug=tournament.slug)


def test_a_board_with_a_guest_is_played_over_the_table(ann, ben):
    tournament = open_tournament(ann, over_the_board=False, rounds=1)
    entries.enter(actor=actor(ben), slug=tournament.slug)
    entries.add(actor=actor(ann), slug=tournament.slug, name="Maria")
    pair_and_start(tournament, ann)
    assert board_of(tournament).game is None
    assert enter(tournament, ann, "1-0").result == "1-0"
    assert Round.objects.get().status == Round.Status.COMPLETE


def test_all_games_pause_and_go_on_together(live, ann):
    assert tournaments.pause_games(actor=actor(ann), slug=live.slug, reason="fire alarm") == 2
    assert set(Game.objects.values_list("status", flat=True)) == {GameStatus.PAUSED}
    with pytest.raises(tournaments.NotNow):
        tournaments.pause_games(actor=actor(ann), slug=live.slug)
    assert tournaments.resume_games(actor=actor(ann), slug=live.slug) == 2
    assert set(Game.objects.values_list("status", flat=True)) == {GameStatus.WAITING}


def test_a_paused_board_can_be_adjudicated(live, ann):
    board = board_of(live)
    act(board.game, board.game.seat1, "give", piece="5")
    tournaments.pause_games(actor=actor(ann), slug=live.slug)
    assert enter(live, ann, "1/2-1/2").result == "1/2-1/2"
