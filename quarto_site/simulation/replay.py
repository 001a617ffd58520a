"""The second referee: follows a game token by token and says where it breaks the rules.

It shares nothing with the one that judged the game, so that a record which both accept is right unless two
independent mistakes agree.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from quarto_site.simulation.board import Board, Impossible
from quarto_site.simulation.tokens import Record, Token

MOST_GRACE_MS = 2000
DEFAULT_REPLY_MS = 60_000

_GIVE = re.compile(r"(\d{1,2})\.@([0-9A-F])")
_SQUARE = re.compile(r"[a-d][1-4]")
_CLAIM = re.compile(r"Q([12])\(([a-d][1-4]-[a-d][1-4])\)([!?])")
_SEAT = re.compile(r"([RT])([12])")
_OFFER = re.compile(r"D([12])([?-])")
_ADJUDICATION = re.compile(r"arbiter: (1-0|0-1|1/2-1/2)")


def wins(seat: int) -> str:
    return "1-0" if seat == 1 else "0-1"


@dataclass
class Allowance:
    """What a time control leaves to each seat, in milliseconds."""

    turn_ms: int = 0
    inc_ms: int = 0
    banks: list[int] = field(default_factory=lambda: [0, 0])
    used_ms: int = 0

    @classmethod
    def of(cls, control: str) -> "Allowance":
        given = {name: round(float(s) * 1000) for name, s in (part.split("=") for part in control.split())}
        bank = given.get("bank", 0)
        return cls(given.get("turn", 0), given.get("inc", 0), [bank, bank])

    def spend(self, seat: int, ms: int) -> bool:
        """Whether the turn so far, with this action, is within what the seat has and the longest grace."""
        self.used_ms += ms
        return self.used_ms <= self.turn_ms + self.banks[seat - 1] + MOST_GRACE_MS

    def next_turn(self, seat: int, *, charged: bool) -> None:
        over_ms = max(0, self.used_ms - self.turn_ms) if charged else 0
        self.banks[seat - 1] = max(0, self.banks[seat - 1] - over_ms) + self.inc_ms
        self.used_ms = 0


@dataclass
class Onlooker:
    """A game as followed so far.

    `seq` counts what has happened; `lines_seen` are the lines that could be claimed when the game was won;
    `dead_lines` how many lines nobody claimed in time.
    """

    board: Board
    claims: str
    clock: Allowance
    tournament: bool
    seq: int = 0
    acted: set[int] = field(default_factory=set)
    false_claims: list[int] = field(default_factory=lambda: [0, 0])
    offer: int | None = None
    paused: bool = False
    disturbed: bool = False
    result: str | None = None
    termination: str | None = None
    lines_seen: list[str] = field(default_factory=list)
    dead_lines: int = 0

    @classmethod
    def begin(cls, *, rules: str, claims: str, control: str, tournament: bool) -> "Onlooker":
        return cls(Board.of(rules), claims, Allowance.of(control), tournament)

    def follow(self, tokens: Iterable[Token]) -> None:
        """Go on by these tokens; raises Impossible with the number of the token that breaks the rules."""
        for token in tokens:
            try:
                if self.termination is not None:
                    raise Impossible("the game is over already")
                self._step(token)
            except Impossible as broken:
                raise Impossible(f"token {self.seq + 1} {token}: {broken}") from None
            self.seq += 1

    def fail_to_begin(self) -> None:
        """Seat 1 never gave the first piece: a forfeit that leaves no token; raises Impossible."""
        if self.begun or not self.tournament:
            raise Impossible("a no-show after the first piece was given")
        self.seq += 1
        self._end("0-1", "no-show")

    @property
    def status(self) -> str:
        if self.termination is not None:
            return "over"
        if self.paused:
            return "paused"
        return "live" if self.begun else "waiting"

    @property
    def begun(self) -> bool:
        """Whether the first piece has been given."""
        return bool(self.board.pieces or self.board.hand)

    def _step(self, token: Token) -> None:
        if token.note:
            self._note(token.note)
        elif self.paused:
            raise Impossible("the game is paused")
        elif match := _OFFER.fullmatch(token.word):
            self._draw_talk(int(match[1]), offers=match[2] == "?")
        elif token.word == "=":
            self._agree()
        elif match := _SEAT.fullmatch(token.word):
            self._give_up(match[1], int(match[2]), token)
        else:
            self._turn(token)

    def _note(self, note: str) -> None:
        self.disturbed = True
        if note == "arbiter: pause":
            self.paused = True
        elif note == "arbiter: resume":
            self.paused = False
        elif match := _ADJUDICATION.fullmatch(note):
            self._end(match[1], "adjudication")

    def _draw_talk(self, seat: int, *, offers: bool) -> None:
        if offers and (seat != self.board.to_act or self.board.phase not in ("give", "place")):
            raise Impossible("only the side to act may offer a draw, and only while it gives or places")
        if not offers and self.offer in (None, seat):
            raise Impossible("no offer of the other side stands")
        self.offer = seat if offers else None
        self.acted.add(seat)

    def _agree(self) -> None:
        if self.offer is None:
            raise Impossible("no offer stands")
        self._end("1/2-1/2", "agreement")

    def _give_up(self, letter: str, seat: int, token: Token) -> None:
        if letter == "R":
            self._end(wins(3 - seat), "resign")
            return
        if seat != self.board.to_act or self.board.phase not in ("give", "place"):
            raise Impossible(f"seat {seat} cannot run out of time in the phase {self.board.phase}")
        absent = self.tournament and seat not in self.acted
        self._end(wins(3 - seat), "no-show" if absent else "time")

    def _turn(self, token: Token) -> None:
        seat = self.board.to_act
        assert seat is not None  # the game is not over
        self._check_time(seat, token)
        if match := _CLAIM.fullmatch(token.word):
            self._claim(seat, int(match[1]), match[2], valid=match[3] == "!")
        elif match := _GIVE.fullmatch(token.word):
            if int(match[1]) != len(self.board.pieces) + 1:
                raise Impossible("the number is not that of the coming placement")
            self.clock.next_turn(seat, charged=self.begun)
            self.board.give(match[2])
        elif _SQUARE.fullmatch(token.word):
            dying = len(self.board.claimable())
            self.board.place(token.word)
            self.dead_lines += dying
        elif token.word == "--":
            self._pass()
        else:
            raise Impossible("this is no token")
        self.acted.add(seat)
        self.offer = None if self.offer == 3 - seat else self.offer

    def _pass(self) -> None:
        self.board.let_pass()
        self.clock.used_ms = 0
        if self.board.phase == "over":
            self.dead_lines += len(self.board.claimable())
            self._end("1/2-1/2", "board-full")

    def _claim(self, seat: int, claimant: int, line: str, *, valid: bool) -> None:
        if not self.board.window_open(claimant):
            raise Impossible(f"seat {claimant} has no window open")
        lines = self.board.claimable()
        if valid != (line in lines):
            raise Impossible(f"the lines are {' '.join(lines) or 'none'}")
        if valid:
            self.lines_seen = lines
            placer = self.board.phase in ("give", "end")
            self._end(wins(seat), "quarto-placer" if placer else "quarto-opponent")
            return
        self.false_claims[seat - 1] += 1
        if self._loses(self.false_claims[seat - 1]):
            self._end(wins(3 - seat), "false-claim")
        else:
            self.board.closed.add(seat)

    def _loses(self, false_claims: int) -> bool:
        if self.claims in ("lose", "void"):
            return self.claims == "lose"
        return false_claims >= int(self.claims.removeprefix("strikes="))

    def _check_time(self, seat: int, token: Token) -> None:
        if token.used_ms is None:
            raise Impossible("the seconds are missing")
        if self.disturbed or not self.begun:
            return  # an arbiter or an outage moved the deadline; the first give has a limit of its own
        if self.board.phase == "reply":
            limit = (self.clock.turn_ms or DEFAULT_REPLY_MS) + MOST_GRACE_MS
            in_time = token.used_ms <= limit
        else:
            in_time = self.clock.spend(seat, token.used_ms)
        if not in_time:
            raise Impossible("came after the time was up")

    def _end(self, result: str, termination: str) -> None:
        self.result, self.termination = result, termination
        self.board.phase = "over"
        self.offer = None


def replay(record: Record) -> Onlooker:
    """Follow a finished record to its end; raises Impossible where it breaks the rules or its own headers."""
    headers = record.headers
    missing = {"Rules", "Claims", "TimeControl", "Result", "Termination", "Player1", "Player2"} - set(headers)
    if missing:
        raise Impossible(f"the headers {' '.join(sorted(missing))} are missing")
    game = Onlooker.begin(
        rules=headers["Rules"],
        claims=headers["Claims"],
        control=headers["TimeControl"],
        tournament=headers.get("Round", "-") not in ("", "-", "?"),
    )
    game.follow(record.tokens)
    if headers["Termination"] == "no-show" and game.termination is None:
        game.fail_to_begin()
    told = (record.result, headers["Result"], headers["Termination"])
    if told != (game.result, game.result, game.termination):
        raise Impossible(f"says {' '.join(told)}, but it is {game.result} {game.termination}")
    return game
