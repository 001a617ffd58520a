"""The phrases that the scripts of the game page say."""

import re
from pathlib import Path

from games import judge
from games.phrases import phrases
from games.refusals import REFUSALS

SCRIPTS = Path(__file__).resolve().parents[2] / "games/static/games"


def test_every_phrase_that_a_script_names_is_there() -> None:
    said = {
        key for script in SCRIPTS.glob("*.js") for key in re.findall(r'\bsay\("([\w-]+)"', script.read_text())
    }
    assert said
    assert said <= phrases().keys()


def test_there_are_sixteen_names_of_pieces() -> None:
    assert len(set(phrases()["pieces"])) == 16  # type: ignore[call-overload]


def test_every_refusal_has_words() -> None:
    assert set(judge.REFUSALS) - {"repeat"} <= REFUSALS.keys() == phrases()["refusals"].keys()  # type: ignore[attr-defined]
