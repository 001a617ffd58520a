"""What was seen of one game by its players and a spectator, held against each other and against the rules."""

import json
from typing import Any

from quarto_site.simulation.board import Impossible
from quarto_site.simulation.replay import Onlooker
from quarto_site.simulation.tokens import RESULTS, Unreadable, split_movetext

GAME_KEYS = {"type", "id", "rules", "claims", "control", "rated", "players", "you", "tournament", "state"}
STATE_KEYS = {
    *("type", "id", "seq", "status", "phase", "to_act", "position", "record", "offer", "clock"),
    *("result", "termination", "win_lines"),
}
CLOCK_KEYS = {"now", "deadline", "turn_ms", "bank_ms", "paused"}
CLOCK_SLACK_MS = 50


class Doubts:
    """Everything that contradicted the rules or itself, in the order in which it was noticed."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def raise_unless(self, fact: bool, words: str) -> None:
        if not fact and words not in self.found:
            self.found.append(words)

    def same(self, where: str, what: str, told: object, expected: object) -> None:
        self.raise_unless(told == expected, f"{where}: {what} is {told!r}, expected {expected!r}")


class Witness:
    """Hears every frame about one game. `states` holds what was said for each seq."""

    def __init__(self, game_id: str, terms: dict[str, Any], doubts: Doubts) -> None:
        self.game_id = game_id
        self.terms = terms
        self.doubts = doubts
        self.game: dict[str, Any] | None = None
        self.states: dict[int, dict[str, Any]] = {}
        self._sent: dict[int, str] = {}

    @property
    def last(self) -> dict[str, Any]:
        """The latest state anybody saw."""
        return self.states[max(self.states)]

    def hear_game(self, frame: dict[str, Any], *, who: str, seat: int | None) -> None:
        """The opening frame: the same for everybody but for `you` and the moment of its state."""
        where = f"game {self.game_id} as told to {who}"
        self.doubts.same(where, "set of keys", set(frame), GAME_KEYS)
        self.doubts.same(where, "you", frame.get("you"), seat)
        facts = {key: value for key, value in frame.items() if key not in ("you", "state")}
        for key, value in self.terms.items():
            self.doubts.same(where, key, facts.get(key), value)
        self.game = self.game or facts
        self.doubts.same(where, "the game object", facts, self.game)
        if "state" in frame:
            self.hear_state(frame["state"], who=who)

    def hear_state(self, state: dict[str, Any], *, who: str, sent: str | None = None) -> None:
        """A state; `sent` is its text where a change sent it, which everybody gets byte for byte."""
        seq = state["seq"]
        if sent is not None and sent == self._sent.get(seq):
            return
        where = f"game {self.game_id} seq {seq} as told to {who}"
        if seq not in self.states:
            self.states[seq] = state
            self._check(where, state)
        self.doubts.same(where, "the state", _timeless(state), _timeless(self.states[seq]))
        if sent is not None:
            self.doubts.same(where, "the text of the state", sent, self._sent.setdefault(seq, sent))

    def _check(self, where: str, state: dict[str, Any]) -> None:
        self.doubts.same(where, "set of keys", set(state), STATE_KEYS)
        self.doubts.same(where, "set of clock keys", set(state["clock"]), CLOCK_KEYS)
        self._check_clock(where, state)
        game = Onlooker.begin(
            rules=self.terms["rules"],
            claims=self.terms["claims"],
            control=self.terms["control"],
            tournament=True,
        )
        record = state["record"]
        if state["result"] in RESULTS and record.endswith(state["result"]):
            record = record.removesuffix(state["result"]).rstrip()
        try:
            game.follow(split_movetext(record))
            if state["termination"] == "no-show" and game.termination is None:
                game.fail_to_begin()
        except (Impossible, Unreadable) as broken:
            self.doubts.raise_unless(False, f"{where}: the record {record!r}: {broken}")
            return
        told = {key: state[key] for key in STATE_KEYS - {"type", "id", "record", "clock"}}
        self.doubts.same(where, "what the record leads to", told, _facts(game))

    def _check_clock(self, where: str, state: dict[str, Any]) -> None:
        clock, running = state["clock"], state["status"] in ("waiting", "live")
        self.doubts.same(where, "whether a deadline runs", clock["deadline"] is not None, running)
        self.doubts.same(
            where, "whether the clock is paused", clock["paused"] is not None, state["status"] == "paused"
        )
        if state["status"] == "live" and clock["deadline"] is not None and "{" not in _notes(state["record"]):
            left_ms = clock["deadline"] - clock["now"]
            most_ms = clock["turn_ms"] + max(clock["bank_ms"])
            self.doubts.raise_unless(
                left_ms <= most_ms + CLOCK_SLACK_MS, f"{where}: {left_ms} ms are left of at most {most_ms}"
            )


def _notes(record: str) -> str:
    """The part of a record from its first note on, where an arbiter or an outage moved a deadline."""
    starts = [at for name in ("{arbiter", "{outage") if (at := record.find(name)) >= 0]
    return record[min(starts) :] if starts else ""


def _timeless(state: dict[str, Any]) -> str:
    """A state without the moment at which it was told."""
    clock = {key: value for key, value in state["clock"].items() if key != "now"}
    return json.dumps({**state, "clock": clock}, sort_keys=True)


def _facts(game: Onlooker) -> dict[str, Any]:
    return {
        "seq": game.seq,
        "status": game.status,
        "phase": game.board.phase,
        "to_act": game.board.to_act,
        "position": game.board.write(),
        "offer": game.offer,
        "result": game.result,
        "termination": game.termination,
        "win_lines": game.lines_seen,
    }
