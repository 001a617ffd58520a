from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from games.models import Game
from games.rows import LostUpdate, columns_of, put, state_of, write
from games.services.games import Terms, new_game, start_games
from tests.games.played import played
from tests.games.random_games import LENGTHS, SEEDS, SETTINGS, events_of, happen, happen_naively

LONGEST = {
    field.name: field.max_length for field in Game._meta.fields if field.max_length and field.name != "id"
}


def row_of(setting, state):
    return Game(
        rules=setting.rules,
        claims=setting.claims,
        control=setting.control,
        draws_allowed=setting.draws,
        grace_ms=setting.grace_ms,
        no_show_ms=30_000,
        event={"slug": "thursday-12"} if setting.tournament else None,
        **columns_of(state, None),
    )


def without_what_no_row_needs(state):
    """A stopped clock is nobody's."""
    return replace(state, clock=replace(state.clock, seat=1)) if state.status == "over" else state


@given(setting=SETTINGS, seed=SEEDS, length=LENGTHS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_row_holds_the_whole_state(setting, seed, length):
    state, naive = setting.state(), setting.naive()
    assert state_of(row_of(setting, state)) == state
    for event in events_of(seed, length, naive):
        happen_naively(naive, event)
        state, _code = happen(state, event)
        row = row_of(setting, state)
        assert without_what_no_row_needs(state_of(row)) == without_what_no_row_needs(state)
        assert all(len(getattr(row, name) or "") <= longest for name, longest in LONGEST.items())
        assert row.deadline_ms == state.deadline_ms


@pytest.fixture
def game(ann, ben):
    game = new_game(seat1=ann, seat2=ben, terms=Terms())
    start_games([game])
    return Game.objects.get(pk=game.pk)


def test_what_is_written_is_read_again(game):
    state = played("1 a1 3 b1", state_of(game), at_ms=game.mark_ms + 5)
    put(game, state, ended_ms=None)
    write([(game, 0)])
    assert state_of(Game.objects.get(pk=game.pk)) == state


def test_a_row_that_has_changed_in_the_meantime_is_not_overwritten(game):
    Game.objects.filter(pk=game.pk).update(seq=1, record="somebody else's")
    put(game, played("1", state_of(game), at_ms=game.mark_ms), ended_ms=None)
    with pytest.raises(LostUpdate):
        write([(game, 0)])
    assert Game.objects.get(pk=game.pk).record == "somebody else's"


def test_many_games_are_written_by_one_statement(ann, ben, django_assert_num_queries):
    games = [new_game(seat1=ann, seat2=ben, terms=Terms()) for _board in range(20)]
    start_games(games)
    for game in games:
        put(game, played("1", state_of(game), at_ms=game.mark_ms), ended_ms=None)
    with django_assert_num_queries(1):
        write([(game, 0) for game in games])
    assert set(Game.objects.values_list("seq", flat=True)) == {1}


def test_nothing_to_write_is_no_statement(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        write([])
