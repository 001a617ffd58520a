"""The simulation's own rules, held against published facts and against the judge that it doubts."""

import random
from itertools import combinations

import pytest

from games.clock import TimeControl
from games.judge import Action, ClaimPolicy, GameState, judge, settle
from games.notation import write_position
from games.rules import Rules
from quarto_site.simulation.board import LINES, PIECES, Board, Impossible, alike
from quarto_site.simulation.replay import Onlooker, replay
from quarto_site.simulation.tokens import Unreadable, split_movetext, split_record

HEADERS = (
    '[Event "Thursday"] [Round "1"] [Board "1"] [Player1 "ann"] [Player2 "ben"] '
    '[Rules "{rules}"] [Claims "{claims}"] [TimeControl "{control}"] [Result "{result}"] [Termination "{termination}"]'
)
CONTROL = "turn=30 bank=60 inc=2"
ROW = "1.@1{4.000} a1{6.000} 2.@3{2.000} b1{3.000} 3.@5{1.000} c1{2.000} 4.@9{1.000} d1{0.400}"


def record_text(movetext, result, termination="quarto-placer", claims="lose", rules="L:F", control="turn=60"):
    headers = HEADERS.format(
        result=result, termination=termination, claims=claims, rules=rules, control=control
    )
    return headers.replace("] [", "]\n[") + f"\n\n{movetext} {result}".replace("\n ", "\n")


@pytest.mark.parametrize(("code", "count"), [("L", 10), ("LS", 19), ("OS", 17)])
def test_line_sets_have_the_published_sizes(code, count):
    assert len(LINES[code]) == count


@pytest.mark.parametrize(("mask", "count"), [("1", 140), ("3", 276), ("7", 408), ("F", 536)])
def test_sets_of_four_alike_have_the_published_counts(mask, count):
    assert sum(alike(four, mask) for four in combinations(PIECES, 4)) == count


@pytest.mark.parametrize(
    ("claim", "result", "termination", "claims"),
    [
        ("Q1(a1-d1)!{0.900}", "1-0", "quarto-placer", "lose"),
        ("5.@0{1.000} Q2(a1-d1)!{0.900}", "0-1", "quarto-opponent", "lose"),
        ("Q1(a1-a4)?{0.900}", "0-1", "false-claim", "lose"),
        ("Q1(a1-a4)?{0.900}", "0-1", "false-claim", "strikes=1"),
        ("R2", "1-0", "resign", "lose"),
        ("T1", "0-1", "time", "lose"),
        ("5.@0{1.000} D2? =", "1/2-1/2", "agreement", "lose"),
        ("{arbiter: pause} {arbiter: resume} {arbiter: 1-0}", "1-0", "adjudication", "lose"),
    ],
)
def test_replay_reaches_the_outcome(claim, result, termination, claims):
    game = replay(split_record(record_text(f"{ROW} {claim}", result, termination, claims)))
    assert (game.result, game.termination) == (result, termination)


@pytest.mark.parametrize(
    ("movetext", "words"),
    [
        (f"{ROW} Q2(a1-d1)!{{0.900}}", "seat 2 has no window open"),
        (f"{ROW} Q1(a1-d1)?{{0.900}}", "the lines are a1-d1"),
        (f"{ROW} Q1(a1-d4)!{{0.900}}", "the lines are a1-d1"),
        (f"{ROW} 5.@9{{1.000}}", "a second time"),
        (f"{ROW} 6.@0{{1.000}}", "not that of the coming placement"),
        (f"{ROW} 5.@0{{1.000}} d1{{1.000}}", "occupied"),
        (f"{ROW} 5.@0{{1.000}} a2{{1.000}} Q1(a1-d1)!{{1.000}}", "no window open"),
        (f"{ROW} 5.@0{{63.000}}", "after the time was up"),
        (f"{ROW} 5.@0", "seconds are missing"),
        (f"{ROW} --{{1.000}}", "a pass"),
        (f"{ROW} {{arbiter: pause}} 5.@0{{1.000}}", "paused"),
        (f"{ROW} R2 R1", "over already"),
        (f"{ROW} Q1(a1-d1)!{{0.900}}", "says 0-1"),
        (f"{ROW}", "says 0-1"),
    ],
)
def test_replay_doubts_what_the_rules_forbid(movetext, words):
    with pytest.raises(Impossible, match=words):
        replay(split_record(record_text(movetext, "0-1")))


@pytest.mark.parametrize(
    "text",
    ["", '[Event "x"]\n\n1.@1  a1 *', "[Event x]\n\n1.@1 *", '[Event "x"]\n\n1.@1{1.0} *', '[A "x"]\n\n1.@1'],
)
def test_a_record_that_cannot_be_taken_apart_is_refused(text):
    with pytest.raises(Unreadable):
        split_record(text)


def test_a_missed_line_is_dead_once_the_opponent_has_placed():
    game = Onlooker.begin(rules="L:F", claims="lose", control="turn=60", tournament=True)
    game.follow(split_movetext(f"{ROW} 5.@0{{1.000}}"))
    assert game.dead_lines == 0
    game.follow(split_movetext("a2{1.000}"))
    assert game.dead_lines == 1
    assert game.board.claimable() == []


def played(seed, *, rules, claims):
    """A random game as the judge has it, with true and false claims, draw talk, silences and the end windows."""
    rng = random.Random(seed)
    at_ms = 1000
    state = GameState.start(
        Rules.parse(rules),
        ClaimPolicy.parse(claims),
        TimeControl.parse(CONTROL),
        at_ms=at_ms,
        grace_ms=500,
        no_show_ms=60_000,
        tournament=True,
        draws_allowed=True,
    )
    yield state
    while state.status != "over":
        at_ms += rng.choice([0, 1, 999, 5_000, 20_000]) if rng.random() < 0.99 else 100_000
        board = board_of(state)
        seat = rng.choice([state.position.to_act] * 9 + [3 - state.position.to_act])
        action = rng.choice([random_claim(rng, board), *[random_step(rng, board)] * 5, draw_talk(rng)])
        state = judge(state, seat, action, seq=None, at_ms=at_ms).state
        yield state
        if state.status != "over" and rng.random() < 0.02:
            at_ms += 120_000
            state = settle(state, at_ms=at_ms)
            yield state


def board_of(state):
    game = Onlooker.begin(
        rules=str(state.position.rules), claims=str(state.claims), control=CONTROL, tournament=True
    )
    game.follow(split_movetext(state.record))
    return game.board


def random_claim(rng, board):
    lines = board.claimable() if rng.random() < 0.8 else []
    return Action("claim", line=rng.choice(lines or ["a1-d1", "b2-c3", "a1-b4"]))


def random_step(rng, board):
    if board.phase == "give":
        return Action("give", piece=rng.choice(board.free_pieces()))
    if board.phase == "place":
        return Action("place", square=rng.choice(board.free_squares()))
    return Action("pass")


def draw_talk(rng):
    return Action(rng.choice(["offer_draw", "decline_draw"] * 8 + ["accept_draw", "resign"]))


@pytest.mark.parametrize("claims", ["lose", "void", "strikes=2"])
@pytest.mark.parametrize("rules", ["L:F", "LS:7", "OS:1"])
def test_onlooker_and_judge_agree_on_random_games(rules, claims):
    for seed in range(12):
        for state in played(f"{rules} {claims} {seed}", rules=rules, claims=claims):
            game = Onlooker.begin(rules=rules, claims=claims, control=CONTROL, tournament=True)
            game.follow(split_movetext(state.record))
            if state.termination == "no-show" and not game.begun:
                game.fail_to_begin()
            told = (game.seq, game.status, game.board.write(), game.board.phase, game.board.to_act)
            told += (game.offer, game.result, game.termination, tuple(game.lines_seen))
            position = state.position
            expected = (state.seq, state.status, write_position(position), position.phase, position.to_act)
            expected += (state.offer, state.result, state.termination, state.win_lines)
            assert told == expected
        text = record_text(state.record, state.result, state.termination, claims, rules, CONTROL)
        assert replay(split_record(text)).result == state.result


def test_board_offers_what_is_free():
    board = Board.of("L:F")
    board.give("A")
    assert "A" not in board.free_pieces()
    board.place("b2")
    assert "b2" not in board.free_squares()
    assert len(board.free_pieces()) == len(board.free_squares()) == 15
