"""A second judge, written the slow way: words in dictionaries, lines by brute force, limits by addition.

It shares nothing with the code under test, so that a fault has to be made twice to stay unseen.
"""

from itertools import combinations

FILES, RANKS, DIGITS = "abcd", "1234", "0123456789ABCDEF"
SQUARES = [file + rank for rank in RANKS for file in FILES]
OTHER = {1: 2, 2: 1}
WINS = {1: "1-0", 2: "0-1"}
BONUS_MS = 10_000
KNOWN = ("give", "place", "claim", "pass", "resign", "flag", "offer_draw", "accept_draw", "decline_draw")


def is_straight(squares):
    files, ranks = {s[0] for s in squares}, {s[1] for s in squares}
    return len(files) == 1 or len(ranks) == 1


def is_diagonal(squares):
    where = [(FILES.index(s[0]), RANKS.index(s[1])) for s in squares]
    return all(x == y for x, y in where) or all(x + y == 3 for x, y in where)


def is_block(squares):
    files = sorted({FILES.index(s[0]) for s in squares})
    ranks = sorted({RANKS.index(s[1]) for s in squares})
    return len(files) == len(ranks) == 2 and files[1] - files[0] == ranks[1] - ranks[0] == 1


def lines_of(code):
    """The lines of a line set, by name: every four of the sixteen squares are tried."""
    lines = {}
    for four in combinations(SQUARES, 4):
        straight, diagonal, block = is_straight(four), is_diagonal(four), is_block(four)
        if straight or (diagonal and code != "OS") or (block and code != "L"):
            name = "a4-d1" if set(four) == {"a4", "b3", "c2", "d1"} else f"{four[0]}-{four[3]}"
            lines[name] = set(four)
    return lines


LINES = {code: lines_of(code) for code in ("L", "LS", "OS")}


def cited_line(text):
    """The canonical name of a citation, None for one that is not of two squares."""
    ends = str(text).lower().split("-") if isinstance(text, str) else []
    if len(ends) != 2 or ends[0] == ends[1] or not all(end in SQUARES for end in ends):
        return None
    for name, squares in LINES["LS"].items():
        corners = [s for s in SQUARES if s in squares]
        pairs = [set(name.split("-"))] + ([{corners[1], corners[2]}] if is_block(squares) else [])
        if set(ends) in pairs:
            return name
    return "-".join(sorted(ends, key=SQUARES.index))


class NaiveGame:
    """One game. `step` takes what happens and returns the code of its refusal, None where it was accepted."""

    def __init__(self, rules, claims, turn, bank, inc, *, grace, no_show, tournament, draws):
        self.code, self.mask = rules.split(":")
        self.policy, self.turn, self.inc = claims, turn, inc
        self.grace, self.no_show, self.tournament, self.draws = grace, no_show, tournament, draws
        self.bank = {1: bank, 2: bank}
        self.board, self.hand, self.phase, self.actor, self.last = {}, None, "give", 1, None
        self.closed, self.false_claims, self.acted = set(), {1: 0, 2: 0}, set()
        self.events, self.unseen_events = [], 0
        self.offer = self.result = self.termination = self.paused_at = self.newest = None
        self.win_lines = []
        self.turn_began, self.extra, self.used = 0, 0, 0

    @property
    def seq(self):
        return len(self.events) + self.unseen_events

    @property
    def status(self):
        if self.phase == "over":
            return "over"
        if self.paused_at is not None:
            return "paused"
        return "live" if self.board or self.hand else "waiting"

    @property
    def deadline(self):
        if self.status in ("over", "paused"):
            return None
        if self.status == "waiting":
            limit = self.no_show
        elif self.phase == "reply":
            limit = self.turn or 60_000
        else:
            limit = self.turn + self.bank[self.actor]
        return self.turn_began + self.extra + limit

    def position(self):
        ranks = "/".join("".join(self.board.get(f + r, ".") for f in FILES) for r in reversed(RANKS))
        letter = {"give": "G", "place": "P", "end": "E", "reply": "F", "over": "X"}[self.phase]
        closed = "".join(str(s) for s in sorted(self.closed)) or "-"
        actor = "-" if self.phase == "over" else self.actor
        fields = (ranks, self.hand or "-", actor, letter, self.last or "-", closed)
        return " ".join(str(f) for f in (*fields, f"{self.code}:{self.mask}"))

    def claimable(self):
        found = []
        for name, squares in LINES[self.code].items():
            if self.last in squares and all(s in self.board for s in squares):
                bits = [f"{int(self.board[s], 16):04b}" for s in squares]
                wanted = f"{int(self.mask, 16):04b}"
                if any(w == "1" and len({b[i] for b in bits}) == 1 for i, w in enumerate(wanted)):
                    found.append(name)
        return sorted(found)

    def placer(self):
        return 2 if len(self.board) % 2 else 1

    # --- what happens ---

    def pass_time(self, at):
        while self.deadline is not None and at - self.grace > self.deadline:
            moment = self.deadline + self.grace
            if self.status == "waiting":
                self.unseen_events += 1
                self.end("0-1" if self.tournament else None, "no-show" if self.tournament else "aborted")
            elif self.phase in ("end", "reply"):
                self.do_pass(self.actor, moment)
                self.newest = None
            else:
                self.events.append(f"T{self.actor}")
                unseen = self.tournament and self.actor not in self.acted
                self.bank[self.actor], self.used = 0, 0
                self.end(WINS[OTHER[self.actor]], "no-show" if unseen else "time")

    def step(self, seat, do, argument, seq, at):
        if seat is None:
            return "not_a_player"
        same = (seat, do, self.canonical(do, argument), seq)
        if seq is not None and self.newest == same:
            return "repeat"
        if seq is not None and seq != self.seq:
            return "stale"
        sent, count, actor = self.seq, self.seq, self.actor
        self.pass_time(at)
        if do == "flag" and self.seq != count and actor != seat:
            self.newest = (*same[:3], sent)
            return None
        code = self.perform(seat, do, argument, at)
        if code is None:
            self.acted.add(seat)
            self.newest = (*same[:3], sent)
        return code

    def canonical(self, do, argument):
        if do == "give" and isinstance(argument, str) and argument.upper() in list(DIGITS):
            return argument.upper()
        if do == "place" and isinstance(argument, str) and argument.lower() in SQUARES:
            return argument.lower()
        if do == "claim" and cited_line(argument):
            return cited_line(argument)
        return f"not understood: {argument!r}" if do in ("give", "place", "claim") else None

    def perform(self, seat, do, argument, at):
        if self.phase == "over":
            return "game_over"
        if self.paused_at is not None:
            return "paused"
        if do not in KNOWN:
            return "bad_request"
        offer = self.offer
        code = getattr(self, f"do_{do}")(seat, at, *([argument] if do in ("give", "place", "claim") else []))
        if code is None and not do.endswith("_draw") and offer != seat:
            self.offer = None
        return code

    def do_give(self, seat, at, piece):
        if seat != self.actor:
            return "not_your_turn"
        if self.phase != "give":
            return "wrong_phase"
        piece = self.canonical("give", piece)
        if piece not in list(DIGITS):
            return "bad_request"
        if piece in self.board.values():
            return "piece_taken"
        waiting = self.status == "waiting"
        self.note(f"{len(self.board) + 1}.@{piece}", at)
        self.hand, self.phase = piece, "place"
        self.next_turn(at, waiting)
        return None

    def do_place(self, seat, at, square):
        if seat != self.actor:
            return "not_your_turn"
        if self.phase != "place":
            return "wrong_phase"
        square = self.canonical("place", square)
        if square not in SQUARES:
            return "bad_request"
        if square in self.board:
            return "square_taken"
        self.note(square, at)
        self.board[square], self.hand, self.last, self.closed = self.hand, None, square, set()
        self.phase = "give" if len(self.board) < 16 else "end"
        return None

    def do_claim(self, seat, at, text):
        if not self.board or seat != self.actor or seat in self.closed:
            return "no_window"
        if not text and (text is None or text == ""):
            return "line_required"
        line = cited_line(text)
        if line is None:
            return "bad_request"
        lines = self.claimable()
        self.note(f"Q{seat}({line}){'!' if line in lines else '?'}", at)
        if line in lines:
            self.win_lines = lines
            own = seat == self.placer()
            self.end(WINS[seat], "quarto-placer" if own else "quarto-opponent")
            return None
        self.false_claims[seat] += 1
        fatal = {"lose": 1, "void": 1000}.get(self.policy) or int(self.policy.split("=")[1])
        if self.false_claims[seat] >= fatal:
            self.end(WINS[OTHER[seat]], "false-claim")
        else:
            self.closed.add(seat)
        return None

    def do_pass(self, seat, at):
        if seat != self.actor:
            return "not_your_turn"
        if self.phase not in ("end", "reply"):
            return "wrong_phase"
        self.note("--", at)
        if self.phase == "reply":
            self.end("1/2-1/2", "board-full")
        else:
            self.phase = "reply"
            self.next_turn(at, waiting=False)
        return None

    def do_resign(self, seat, at):
        if seat == self.actor:
            self.note(f"R{seat}", at)
        else:
            self.events.append(f"R{seat}")
        self.end(WINS[OTHER[seat]], "resign")

    def do_flag(self, seat, at):
        return "flag_not_down"

    def do_offer_draw(self, seat, at):
        if not self.draws:
            return "not_allowed"
        if seat != self.actor:
            return "not_your_turn"
        if self.phase not in ("give", "place") or self.offer == seat:
            return "wrong_phase"
        self.events.append(f"D{seat}?")
        self.offer = seat
        return None

    def do_accept_draw(self, seat, at):
        code = self.answer(seat)
        if code is None:
            self.events.append("=")
            self.end("1/2-1/2", "agreement")
        return code

    def do_decline_draw(self, seat, at):
        code = self.answer(seat)
        if code is None:
            self.events.append(f"D{seat}-")
            self.offer = None
        return code

    def answer(self, seat):
        if not self.draws:
            return "not_allowed"
        if self.offer is None:
            return "wrong_phase"
        return "not_your_turn" if self.offer == seat else None

    def pause(self, at):
        self.pass_time(at)
        if self.status in ("over", "paused"):
            return {"over": "game_over", "paused": "paused"}[self.status]
        self.events.append("{arbiter: pause}")
        self.paused_at, self.newest = at, None
        return None

    def resume(self, at):
        self.pass_time(at)
        if self.status != "paused":
            return "game_over" if self.status == "over" else "not_paused"
        self.events.append("{arbiter: resume}")
        self.extra += at - self.paused_at
        self.paused_at = self.newest = None
        return None

    def add_time(self, seat, ms, at):
        self.pass_time(at)
        if self.phase in ("over", "reply"):
            return "game_over" if self.phase == "over" else "wrong_phase"
        self.events.append(f"{{arbiter: seat {seat} +{ms / 1000:.3f}}}")
        self.bank[seat] += ms
        self.newest = None
        return None

    def credit(self, ms):
        if self.status in ("over", "paused"):
            return {"over": "game_over", "paused": "paused"}[self.status]
        self.events.append(f"{{outage: +{(ms + BONUS_MS) / 1000:.3f}}}")
        self.extra += ms + BONUS_MS
        self.newest = None
        return None

    # --- bookkeeping ---

    def note(self, token, at):
        """Add a timed token: what has passed of the turn, without what was nobody's, and was not noted before."""
        used = max(0, at - self.turn_began - self.extra - self.used)
        self.used += used
        self.events.append(f"{token}{{{used / 1000:.3f}}}")

    def charge(self, *, waiting):
        if not waiting and self.phase != "reply":
            self.bank[self.actor] = max(0, self.bank[self.actor] - max(0, self.used - self.turn))

    def next_turn(self, at, waiting):
        if not waiting:
            self.bank[self.actor] = max(0, self.bank[self.actor] - max(0, self.used - self.turn))
        self.bank[self.actor] += self.inc
        self.actor, self.turn_began, self.extra, self.used = OTHER[self.actor], at, 0, 0

    def end(self, result, termination):
        begun = bool(self.board or self.hand)
        self.charge(waiting=not begun)
        self.phase, self.result, self.termination = "over", result, termination
        self.offer = self.paused_at = self.newest = None

    def view(self):
        return {
            "seq": self.seq,
            "status": self.status,
            "position": self.position(),
            "record": " ".join(self.events),
            "result": self.result,
            "termination": self.termination,
            "win_lines": self.win_lines,
            "offer": self.offer,
            "banks": (self.bank[1], self.bank[2]),
            "deadline": self.deadline,
            "false_claims": (self.false_claims[1], self.false_claims[2]),
            "acted": (1 in self.acted, 2 in self.acted),
        }
