"""Frames that are nearly what a program would send. Chance comes in as an argument."""

import json
import string
from random import Random
from typing import Any

FRAME_LIMIT = 8 * 1024
ACTIONS = ["give", "place", "claim", "pass", "resign", "offer_draw", "accept_draw", "decline_draw", "flag"]
USUAL = ["give", "give", "place", "place", "place", "claim", "claim", "sync", "ping", "ping", *ACTIONS]

# Texts that have broken programs elsewhere, each for a reason of its own.
TEXTS = [
    "", " ", "\x00", "a\x00b", "\ufeff", "\ud800", "\udc00x", "\U0001f600", "é", "e\u0301", "５", "٥", "ﬁ",
    "\u202egnp.exe", "\u2066x", "\u200d", "\u200b", "<script>alert(1)</script>", "'\"><img src=x>", "{{ 7*7 }}",
    "{% debug %}", "${7*7}", "%s%n", "'; DROP TABLE games_game; --", "../../etc/passwd", "=1+1", "\t=1", "\r=1",
    "a\r\nSet-Cookie: x=1", "a\nERROR forged", "null", "None", "true", "NaN", "1e999", "0x10", "__proto__",
    "constructor", "toString", "x" * 64, "x" * 65, "x" * 300, "a1-a1", "d1-a1", "b2-c3", "a5", "A1", "f", "F",
]  # fmt: skip
NUMBERS: list[Any] = [
    0, -0.0, -1, 1, 2, 1.0, 0.5, 2**31, 2**53 - 1, 2**53, 2**63, -(2**63), 10**18, 10**40, 1e308, 1e-320,
    float("nan"), float("inf"), float("-inf"),
]  # fmt: skip

# What stands for a value in raw text and is no JSON, or hardly any.
RAW = [
    "NaN", "-Infinity", "1e999", "-1e999", "9" * 400, "-0", "01", "+1", ".5", "1.", "0x10", "1_000", "'a'",
    "undefined", '"\\x"', '"\\ud800"', '"\\u0000"', '"\x01"', "", "tru", "/**/1", "[" * 600, '{"a":' * 200,
    "1" + "0" * 5_000, "[" * 40 + "]" * 40, "9007199254740993", "1.0000000000000000000000001",
]  # fmt: skip
PUT = ["", "\x00", "\ufeff", "{", "}", '"', ",", "\\", "\n", "[" * 2_000]


def some_value(chance: Random, depth: int = 0) -> Any:
    """Any value of JSON, and some that are none."""
    match chance.randrange(10 if depth < 3 else 8):
        case 0:
            return None
        case 1:
            return chance.random() < 0.5
        case 2 | 3:
            return chance.choice(NUMBERS)
        case 4:
            return chance.randrange(-5, 40)
        case 8:
            return [some_value(chance, depth + 1) for _item in range(chance.randrange(3))]
        case 9:
            return {
                chance.choice(TEXTS): some_value(chance, depth + 1) for _item in range(chance.randrange(3))
            }
    return chance.choice(TEXTS)


def some_frame(chance: Random, seq: int) -> str | bytes:
    """Anything that may come in by a socket, mostly nearly right for a game that is near this `seq`."""
    text = _rendered(_changed(_right(chance, seq), chance), chance)
    if chance.randrange(20) == 0:
        return text.encode(errors="surrogatepass")[:FRAME_LIMIT]  # a binary frame
    return text.encode(errors="replace")[:FRAME_LIMIT].decode(errors="ignore")


def _right(chance: Random, seq: int) -> dict[str, Any]:
    square = chance.choice("abcd") + chance.choice("1234")
    do = chance.choice(USUAL)
    frame: dict[str, Any] = {"do": do, "seq": seq + chance.choice([-1, 0, 0, 0, 1]), "id": _some_id(chance)}
    match do:
        case "give":
            frame["piece"] = chance.choice("0123456789ABCDEFabcdef")
        case "place":
            frame["square"] = square
        case "claim":
            frame["line"] = f"{square}-{chance.choice('abcd')}{chance.choice('1234')}"
        case "ping":
            frame["t"] = chance.choice(NUMBERS[:10])
    return frame


def _some_id(chance: Random) -> Any:
    if chance.random() < 0.1:
        return some_value(chance)
    return chance.choice(string.ascii_letters) + str(chance.randrange(100))


def _changed(frame: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A frame with one of its values, or names, changed, lost, or added, or none."""
    name = chance.choice(list(frame))
    match chance.randrange(12):
        case 0 | 1 | 2:
            frame[name] = some_value(chance)
        case 3:
            del frame[name]
        case 4:
            frame[chance.choice([*TEXTS, name.upper(), f" {name}"])] = frame.pop(name)
        case 5:
            frame[chance.choice(TEXTS)] = some_value(chance)
    return frame


def _rendered(frame: dict[str, Any], chance: Random) -> str:
    """A frame as text: plainly, or in one of the ways in which texts go wrong."""
    plain = json.dumps(frame, ensure_ascii=chance.random() < 0.7)
    match chance.randrange(14):
        case 0:  # a second value under a name that is there
            name = json.dumps(chance.choice([*frame, "x"]))
            value = chance.choice(RAW) if chance.random() < 0.5 else json.dumps(some_value(chance))
            return f"{plain[:-1]}{', ' if frame else ''}{name}: {value}}}"
        case 1:  # torn
            at = chance.randrange(len(plain))
            return plain[:at] + chance.choice(PUT) + plain[at + chance.randrange(4) :]
        case 2:  # as long as it may be
            return plain.ljust(
                FRAME_LIMIT - chance.randrange(3) - (len(plain.encode(errors="replace")) - len(plain))
            )
        case 3:
            return f"[{plain}]"
    return plain
