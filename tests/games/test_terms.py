import pytest

from games.templatetags.terms import time_in_words


@pytest.mark.parametrize(
    ("control", "words"),
    [
        ("turn=60", "1 minute a turn"),
        ("bank=180 inc=5", "3 minutes a game and 5 seconds a turn"),
        ("turn=45", "45 seconds a turn"),
        ("turn=1", "1 second a turn"),
        ("turn=2.5", "2.5 seconds a turn"),
        ("turn=3600", "1 hour a turn"),
        ("turn=86400", "24 hours a turn"),
        ("bank=450", "7:30 minutes a game"),
        ("bank=3660", "61 minutes a game"),
        ("bank=300 inc=2", "5 minutes a game and 2 seconds a turn"),
        ("turn=20 bank=60", "20 seconds a turn and 1 minute in reserve"),
        (
            "turn=20 bank=60 inc=2",
            "20 seconds a turn and 1 minute in reserve, 2 seconds more after each turn",
        ),
    ],
)
def test_a_time_control_is_said_as_people_say_it(control, words):
    assert time_in_words(control) == words
