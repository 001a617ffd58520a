"""A board with a line that nobody has claimed looks like one without, to everybody and on every channel.

Two servers play the same games; only the pieces differ. What each of them says, to players and
watchers, on sockets, over REST and in pages, must be the same bytes once the pieces, the moments and
the random names are masked.
"""

import json
import re
from contextlib import ExitStack

import pytest

from games.pieces import NAMES
from tests.clients import Match, Person, http_client
from tests.positions import DARK_ROW, FULL_WITH_LINE_AT_THE_END, FULL_WITHOUT_LINE, NO_LINE, filling
from tests.server import serving

FULL_TWINS = filling(FULL_WITH_LINE_AT_THE_END), filling(FULL_WITHOUT_LINE)
TWINS = {
    "the window of the placer": (DARK_ROW, NO_LINE),
    "the window of the opponent": (f"{DARK_ROW} @0", f"{NO_LINE} @0"),
    "a dead line": (f"{DARK_ROW} @0 a2", f"{NO_LINE} @0 a2"),
    "a dead line later on": (f"{DARK_ROW} @0 a2 @2", f"{NO_LINE} @0 a2 @2"),
    "the window after the last placement": FULL_TWINS,
    "the last window": tuple(f"{script} --" for script in FULL_TWINS),
}

MASKS = [
    (r"[0-9A-F.]{4}(/[0-9A-F.]{4}){3} [0-9A-F-] ", "BOARD "),
    (r"@[0-9A-F]", "@P"),
    (r"#piece-[0-9A-F]\b", "#piece-P"),
    ("|".join(sorted(map(str, NAMES), key=len, reverse=True)), "PIECE"),
    (r"\{\d+\.\d{3}\}", "{S}"),
    (r"\b\d{13}\b|<time .*?</time>|\b\d{4}-\d\d-\d\dT[0-9:.+Z]*", "MOMENT"),
    (r"127\.0\.0\.1:\d+", "HOST"),
    (r"\b[A-Za-z0-9]{64}\b", "FORM TOKEN"),
]
VARYING_HEADERS = {"date", "expires", "content-length", "set-cookie", "x-request-id"}


class Side:
    """One of the two servers, its players, and the games played there so far.

    The lot says who starts the first game; from then on they take turns, here and there.
    """

    def __init__(self, stack, folder, database):
        folder.mkdir()
        self.server = stack.enter_context(serving(folder, database))
        ann, ben = Person(self.server, "ann"), Person(self.server, "ben")
        first = Match(self.server, ann.challenge(ben), ann, ben)
        first.play("R1")
        first.close()
        self.ids = [first.id]
        self.persons = first.persons[1], first.persons[2]
        self.clients = [person.browser() for person in self.persons] + [http_client(self.server)]
        for client in (ann.http, ben.http, *self.clients):
            stack.callback(client.close)

    def play(self, script):
        """What everybody hears and sees of the next game once a script was played, by channel."""
        one, two = self.persons if len(self.ids) % 2 == 0 else reversed(self.persons)
        match = Match(
            self.server, one.challenge(two, claims="void", control="turn=3600", draws_allowed=True), one, two
        )
        assert match.persons[1] is one
        self.ids.append(match.id)
        match.play(script)
        seen = self._socket_texts(match) | self._answers(match.id)
        seen["the answer to a post"] = one.post_action(match.id, "give", match.one.seq, piece="G").text
        match.close()
        return {channel: self._mask(text) for channel, text in seen.items()}

    def _socket_texts(self, match):
        for board in match.everybody:
            board.sync()
            board.act("place", square="e5")  # refused, with the state
        return {
            f"socket {number}": "\n".join(text for text in board.texts if '"presence"' not in text)
            for number, board in enumerate(match.everybody)
        }

    def _answers(self, game_id):
        addresses = {
            "game": f"/api/games/{game_id}/",
            "record": f"/api/games/{game_id}/record/",
            "events": f"/api/games/{game_id}/events/?since=1",
            "live games": "/api/games/?status=live",
            "games": "/api/games/",
            "page of the game": f"/games/{game_id}/",
            "lobby": "/",
            "page of a player": f"/players/{self.persons[0].name}/",
            "player": f"/api/players/{self.persons[0].name}/",
        }
        return {
            f"{channel} for {number}": answer_text(client.get(address))
            for channel, address in addresses.items()
            for number, client in enumerate(self.clients)
        }

    def _mask(self, text):
        names = [(game_id, f"GAME {number}") for number, game_id in enumerate(self.ids)]
        names += [(f"(?i:{person.name})", f"PERSON {number}") for number, person in enumerate(self.persons)]
        for pattern, word in [*((rf"\b{name}\b", word) for name, word in names), *MASKS]:
            text = re.sub(pattern, word, text)
        return text


def answer_text(answer):
    assert answer.status_code == 200, answer.url
    headers = {name: value for name, value in answer.headers.items() if name not in VARYING_HEADERS}
    return json.dumps(headers) + "\n" + answer.text


@pytest.fixture(scope="module")
def sides(empty_database, tmp_path_factory):
    with ExitStack() as stack:
        yield [Side(stack, tmp_path_factory.mktemp("side") / "server", empty_database) for _side in range(2)]


@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_nothing_tells_that_there_is_a_line(sides, twins):
    with_line, without_line = (side.play(script) for side, script in zip(sides, twins, strict=True))
    assert with_line.keys() == without_line.keys()
    for channel, text in with_line.items():
        assert text.splitlines() == without_line[channel].splitlines(), channel
        assert len(text) > 100
