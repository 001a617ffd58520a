import json

import pytest
from hypothesis import HealthCheck, given, settings

from games import rows
from games.models import Game
from games.notation import write_position
from games.rows import columns_of, forget, known_state_of, put, remember, state_of, values_of
from games.services.games import Terms, new_game, start_games
from games.stored import WRITTEN, LostUpdate, StoredGame, read, write
from tests.games.played import played
from tests.games.random_games import LENGTHS, SEEDS, SETTINGS, Setting, events_of, happen, happen_naively

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
    return state._replace(clock=state.clock._replace(seat=1)) if state.status == "over" else state


ANY = Setting("L:F", "lose", "turn=60", 500, tournament=False, draws=False)
OTHERS = {
    "position": write_position(played("5").position),
    "control": "turn=9",
    "claims": "void",
    "last_action": "",
}


def row_stored(setting, state):
    """The row as the database gives it."""
    game = row_of(setting, state)
    values = {name: getattr(game, name) for name in StoredGame._fields}
    numbers = {name: int(value) for name, value in values.items() if isinstance(value, bool)}
    event = game.event and json.dumps(game.event)
    return StoredGame(**values | numbers | {"id": "k3J9xQ2a", "event": event})


@given(setting=SETTINGS, seed=SEEDS, length=LENGTHS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_remembered_of_a_row_is_what_it_stores(setting, seed, length):
    state, naive = setting.state(), setting.naive()
    row = row_stored(setting, state)
    for event in events_of(seed, length, naive):
        happen_naively(naive, event)
        state, _code = happen(state, event)
        row = row.after(values_of(state, None))
        assert row == row_stored(setting, state)
        remember(row, state)
        assert known_state_of(row) is state
        assert without_what_no_row_needs(state_of(row)) == without_what_no_row_needs(state)
    forget(row.id)


@pytest.mark.parametrize("name", sorted(set(StoredGame._fields) - {"id"}))
def test_what_is_remembered_is_nothing_to_a_row_that_differs_anywhere(name):
    state = played("1 a1 3")
    row = row_stored(ANY, state)
    remember(row, state)
    value = getattr(row, name)
    other = value + 1 if isinstance(value, int) else OTHERS.get(name, "other")
    assert known_state_of(row._replace(**{name: other})) is not state
    assert known_state_of(row) is state
    forget(row.id)
    assert known_state_of(row) is not state


def test_only_so_many_rows_are_remembered(monkeypatch):
    monkeypatch.setattr(rows, "_KNOWN_AT_MOST", 3)
    monkeypatch.setattr(rows, "_known", {})
    for number in range(9):
        remember(row_stored(ANY, played(""))._replace(id=f"g{number}"), played(""))
    assert list(rows._known) == ["g6", "g7", "g8"]


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


def written(state, game):
    return read([game.pk])[game.pk], values_of(state, 7 if state.status == "over" else None)


def test_what_is_written_is_read_again_with_the_orm_and_without(game):
    state = played("1 a1 3 b1", state_of(game), at_ms=game.mark_ms + 5)
    write([written(state, game)])
    assert state_of(Game.objects.get(pk=game.pk)) == state
    assert state_of(read([game.pk])[game.pk]) == state


def test_a_row_read_past_the_orm_says_what_its_model_says(ann, ben):
    game = new_game(
        seat1=ann, seat2=ben, terms=Terms(rated=True, draws_allowed=True), event={"slug": "thursday-12"}
    )
    put(game, played("1 a1", state_of(game), at_ms=game.created_ms), ended_ms=None)
    start_games([game])
    row = read([game.pk])[game.pk]
    assert json.loads(row.event) == game.event
    assert row._replace(event=game.event) == tuple(getattr(game, name) for name in StoredGame._fields)
    assert state_of(row) == state_of(game)
    assert [type(value) for value in state_of(row).acted] == [bool, bool]


def test_games_are_read_in_order_of_their_ids_and_only_those_that_there_are(ann, ben):
    games = [new_game(seat1=ann, seat2=ben, terms=Terms()) for _board in range(9)]
    start_games(games)
    ids = [game.pk for game in games]
    assert list(read([*ids, "nope", "'"])) == sorted(ids)
    assert read([]) == {}


def test_what_is_written_stands_in_the_order_of_its_columns(game):
    state = played("1 a1", state_of(game), at_ms=game.mark_ms)
    put(game, state, ended_ms=7)
    assert tuple(getattr(game, name) for name in WRITTEN) == values_of(state, 7)


@given(setting=SETTINGS, seed=SEEDS, length=LENGTHS)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_every_change_of_a_game_is_written_whole(game, setting, seed, length):
    state, naive = setting.state(), setting.naive()
    values = columns_of(state, None)
    Game.objects.filter(pk=game.pk).update(**values)
    for event in events_of(seed, length, naive):
        happen_naively(naive, event)
        before = state
        state, _code = happen(state, event)
        if state.seq != before.seq:
            change = written(state, game)
            write([change])
            assert Game.objects.filter(pk=game.pk).values_list(*WRITTEN).get() == change[1]


def test_a_row_that_has_changed_in_the_meantime_is_not_overwritten(game):
    change = written(played("1", state_of(game), at_ms=game.mark_ms), game)
    Game.objects.filter(pk=game.pk).update(seq=1, record="somebody else's")
    with pytest.raises(LostUpdate):
        write([change])
    assert Game.objects.get(pk=game.pk).record == "somebody else's"


def test_many_games_are_written_by_one_statement(ann, ben, django_assert_num_queries):
    games = [new_game(seat1=ann, seat2=ben, terms=Terms()) for _board in range(20)]
    start_games(games)
    changes = [written(played("1", state_of(game), at_ms=game.mark_ms), game) for game in games]
    with django_assert_num_queries(1):
        write(changes)
    assert set(Game.objects.values_list("seq", flat=True)) == {1}


def test_nothing_to_write_is_no_statement(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        write([])
