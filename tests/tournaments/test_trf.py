"""Report files: the reference positions in both dialects, every record, and errors that say where."""

import contextlib
import random
from dataclasses import replace

import pytest

from tests.tournaments.fields import CASES, PAIRING_CASES, case, field, random_swiss
from tournaments.pairing.swiss import NoLegalPairing, pair_round
from tournaments.records import Contestant, Kind, Penalty, PointSystem, RoundRecord
from tournaments.trf import (
    Abnormal,
    Dialect,
    PlannedBye,
    Prohibition,
    ReportPlayer,
    TournamentReport,
    TrfError,
    read_trf,
    write_trf,
)

TRF16, TRF26 = Dialect.TRF16, Dialect.TRF26
FOLDERS = {TRF16: PAIRING_CASES, TRF26: PAIRING_CASES / "trf26"}


def source(name, dialect):
    return (FOLDERS[dialect] / f"{name}.trf").read_bytes()


def player(number, *cells, points="    ", rank="    "):
    """A 001 line; cells such as "   2 w 1"."""
    name = f"Player {number}"
    line = f"001 {number:4}      {name:33} {2000 - number:4}{'':28}{points:>4} {rank:>4}"
    return line + "".join(f"  {cell}" for cell in cells)


def lines(*texts):
    return "\n".join(texts)


PAIR = (player(1, "   2 w 1"), player(2, "   1 b 0"))


# --- the reference positions ---


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("name", CASES)
def test_a_reference_position_is_read_and_paired(name, dialect):
    report, position = read_trf(source(name, dialect)), case(name)
    assert (report.coming_round, report.rounds_total) == (position["round_to_pair"], position["rounds_total"])
    assert report.rounds_total and report.first_seat
    try:
        pairing = pair_round(
            report.contestants,
            round_number=report.coming_round,
            rounds_total=report.rounds_total,
            first_seat=report.first_seat,
            absent=report.absent,
            forbidden=report.forbidden,
            acceleration=report.acceleration,
            points=report.points,
        )
    except NoLegalPairing:
        boards = None
    else:
        boards = [list(board) for board in pairing.boards] + ([[pairing.bye, 0]] if pairing.bye else [])
    assert boards == position["expected"]


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("name", CASES)
def test_what_was_read_is_written_again(name, dialect):
    text = source(name, dialect)
    report = read_trf(text)
    written = write_trf(report, dialect)
    assert read_trf(written) == report
    if b"\n250 " not in text:  # a run of rounds and numbers is one record here
        assert written.replace("\r", "\n").encode() == text


@pytest.mark.parametrize("name", CASES)
def test_both_dialects_say_the_same(name):
    report = replace(read_trf(source(name, TRF26)), type_code="")
    assert report == read_trf(source(name, TRF16))
    assert read_trf(write_trf(report, TRF16)) == report


@pytest.mark.parametrize("name", CASES)
def test_the_initial_side_is_inferred_from_the_first_round(name):
    report = read_trf(source(name, TRF16))
    if report.rounds_played:
        assert report.inferred_first_seat == report.first_seat


# --- reading ---


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_every_line_end_is_read(end):
    report = read_trf(end.join(("012 Thursday", *PAIR, "")))
    assert (report.name, report.rounds_played) == ("Thursday", 1)


def test_a_player_has_what_the_columns_say():
    line = (
        "001   17 wWIM Popescu, Ștefania                 1912 ROU     1234567 2001/02/03  1.0    2    18 b +"
    )
    report = read_trf(lines(line, player(18, "  17 w -")))
    record = RoundRecord(Kind.FORFEIT_WIN, 18, 2, 2)
    assert report.players[0] == ReportPlayer(
        Contestant(17, "Popescu, Ștefania", 1912, (record,)),
        half_points=2,
        rank=2,
        sex="w",
        title="WIM",
        federation="ROU",
        identifier="1234567",
        birth="2001/02/03",
    )


@pytest.mark.parametrize(
    ("cell", "other", "record"),
    [
        ("   2 w 1", "   1 b 0", RoundRecord(Kind.PLAYED, 2, 1, 2, rated=True)),
        ("   2 b =", "   1 w =", RoundRecord(Kind.PLAYED, 2, 2, 1, rated=True)),
        ("   2 w 0", "   1 b 0", RoundRecord(Kind.PLAYED, 2, 1, 0, rated=True)),
        ("   2 w W", "   1 b L", RoundRecord(Kind.PLAYED, 2, 1, 2)),
        ("   2 w d", "   1 b d", RoundRecord(Kind.PLAYED, 2, 1, 1)),
        ("   2 w L", "   1 b W", RoundRecord(Kind.PLAYED, 2, 1, 0)),
        ("   2 w +", "   1 b -", RoundRecord(Kind.FORFEIT_WIN, 2, 1, 2)),
        ("   2 w -", "   1 b +", RoundRecord(Kind.FORFEIT_LOSS, 2, 1, 0)),
        ("   2 - -", "   1 - -", RoundRecord(Kind.DOUBLE_FORFEIT, 2)),
        ("   2 w ?", "   1 b ?", RoundRecord(Kind.ADJOURNED, 2, 1)),
        ("0000 - U", "0000 - Z", RoundRecord(Kind.PAIRING_BYE, half_points=2)),
        ("0000 - F", "0000 - Z", RoundRecord(Kind.FULL_BYE, half_points=2)),
        ("0000 - H", "0000 - Z", RoundRecord(Kind.HALF_BYE, half_points=1)),
        ("0000 - Z", "0000 - U", RoundRecord(Kind.ZERO_BYE)),
        ("        ", "0000 - U", RoundRecord(Kind.ZERO_BYE)),
        ("0000   =", "0000 - U", RoundRecord(Kind.HALF_BYE, half_points=1)),
        ("     - -", "0000 - U", RoundRecord(Kind.ZERO_BYE)),
    ],
)
def test_result_codes(cell, other, record):
    report = read_trf(lines(player(1, cell), player(2, other)))
    assert report.contestants[0].records == (record,)


def test_a_last_column_of_byes_belongs_to_the_coming_round():
    report = read_trf(
        lines(
            player(1, "   2 w 1", points="1.0"),
            player(2, "   1 b 0", "0000 - H", points="0.5"),
            player(3, "0000 - U", "0000 - Z", points="1.0"),
        )
    )
    assert report.rounds_played == 1
    assert report.byes == (PlannedBye(2, 2, Kind.HALF_BYE), PlannedBye(2, 3, Kind.ZERO_BYE))
    assert report.absent == {2, 3}


def test_a_last_column_in_which_everybody_has_a_bye_was_a_round():
    report = read_trf(lines(player(1, "   2 w 1", "0000 - H"), player(2, "   1 b 0", "0000 - Z")))
    assert (report.rounds_played, report.byes) == (2, ())


@pytest.mark.parametrize(
    "record", ["XXZ 2 3", "XXZ    2\nXXZ 3", "240 Z   2    2    3", "240     2    2    3"]
)
def test_absences_of_the_coming_round(record):
    report = read_trf(lines(*PAIR, player(3, "0000 - U"), record))
    assert report.absent == {2, 3}


def test_byes_are_planned_for_later_rounds_too():
    report = read_trf(lines("142 5", *PAIR, "240 H   4    2"))
    assert report.byes == (PlannedBye(4, 2, Kind.HALF_BYE),)
    assert report.absent == frozenset()


def test_a_bye_record_of_a_past_round_only_repeats_it():
    report = read_trf(lines(*PAIR, player(3, "0000 - H"), "240 H   1    3"))
    assert report.byes == ()


def test_bans_of_both_dialects():
    text = lines(*PAIR, player(3, "0000 - U"), "XXP 1 2 3", "260   1   1    1    3", "260   2   4    1    2")
    report = read_trf(text)
    assert report.prohibitions == (
        Prohibition((1, 2, 3)),
        Prohibition((1, 3), 1, 1),
        Prohibition((1, 2), 2, 4),
    )
    assert report.forbidden == {frozenset((1, 2)), frozenset((1, 3)), frozenset((2, 3))}


def test_a_ban_holds_in_its_rounds_only():
    assert read_trf(lines(*PAIR, "260   1   1    1    2")).forbidden == frozenset()


@pytest.mark.parametrize(
    "records",
    [
        "XXA    1  1.0  1.0  0.5\nXXA    2  1.0  1.0  0.5",
        "250       1.0   1   2    1    2\n250       0.5   3   3    1    2",
        "250       1.0   1   3    1    2\n250       0.5   3        2\n250  0.0  0.5   3   3    1    1",
    ],
)
def test_acceleration_of_both_dialects(records):
    assert read_trf(lines(*PAIR, records)).acceleration == {1: (2, 2, 1), 2: (2, 2, 1)}


@pytest.mark.parametrize("record", ["162  W 3.0    D 1.0", "162  W 3.0    D 1.0    X 1.0", "XXS W=3 D=1.0"])
def test_point_systems_of_both_dialects(record):
    report = read_trf(lines(player(1, "   2 w 1", points="3.0"), player(2, "   1 b 0", points="0.0"), record))
    assert report.points == PointSystem(win=6, draw=2, bye=6)
    assert report.contestants[0].score() == 6


def test_a_bye_may_be_worth_less_than_a_win():
    report = read_trf(lines("162  P 0.5", *PAIR, player(3, "0000 - U", points="0.5")))
    assert report.points == PointSystem(bye=1)


def test_points_besides_and_points_of_a_result():
    report = read_trf(
        lines(
            player(1, "   2 w 1", points="0.5"),
            player(2, "   1 b 0", points="0.5"),
            "299          -0.5    1    1",
            "299 L         0.5    1    2",
        )
    )
    assert report.abnormal == (Abnormal("", -1, 1, (1,)), Abnormal("L", 1, 1, (2,)))
    assert [entry.score() for entry in report.contestants] == [1, 1]
    assert report.contestants[0].penalties == (Penalty(1, -1),)


def test_points_for_the_final_standings_alone_do_not_count_for_pairing():
    report = read_trf(lines(player(1, "   2 w 1", points="0.0"), PAIR[1], "299          -1.0  999    1"))
    assert report.contestants[0].score() == 2


def test_headers_of_both_dialects():
    text = lines(
        "### a comment",
        "012 Thursday 12",
        "022 Cluj-Napoca",
        "032 ROU",
        "042 2026/11/26",
        "052 2026/11/27",
        "062 2",
        "072 2",
        "092 Individual: Swiss-System",
        "102 ann",
        "112 ben",
        "112 cleo",
        "122 60 seconds a turn",
        "132" + " " * 88 + "26/11/26  26/11/27",
        "142 5",
        "152 B",
        "172 FIDE",
        "182 by hand",
        "192 FIDE_DUTCH_2026",
        "202 BH/C1,BH, SB",
        "212 PTS,BH/C1",
        "222 60",
        *PAIR,
        "ROU    1 something of a federation",
    )
    report = read_trf(text)
    assert report == replace(
        read_trf(lines(*PAIR)),
        rounds_total=5,
        first_seat=2,
        name="Thursday 12",
        city="Cluj-Napoca",
        federation="ROU",
        starts_on="2026/11/26",
        ends_on="2026/11/27",
        players_stated="2",
        rated_players_stated="2",
        kind_of_event="Individual: Swiss-System",
        chief_arbiter="ann",
        deputies=("ben", "cleo"),
        time_control="60 seconds a turn",
        round_dates=("26/11/26", "26/11/27"),
        ranking_method="FIDE",
        controller="by hand",
        type_code="FIDE_DUTCH_2026",
        tie_breaks=("BH/C1", "BH", "SB"),
        standings_order=("PTS", "BH/C1"),
        time_code="60",
        comments=("a comment",),
        others=("ROU    1 something of a federation",),
    )
    assert read_trf(write_trf(report)) == report


# --- errors ---


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("012 Thursday", 1, 1),
        (lines("012 Thursday", "001"), 2, 5),
        (lines(*PAIR, player(1)), 3, 5),
        (player(1).replace("1999", "19x9"), 1, 49),
        (player(1).replace(" 1999", "11999"), 1, 48),
        (player(1, points="1.3"), 1, 81),
        (player(1, points="1.0"), 1, 81),
        (player(1, rank="x"), 1, 86),
        (player(1, "   1 w 1"), 1, 92),
        (player(1, "   2 w 1"), 1, 92),
        (player(1, "  x2 w 1"), 1, 92),
        (lines(player(1, "   2 w 1"), player(2)), 1, 92),
        (lines(player(1, "   2 w +"), player(2, "0000 - U")), 1, 92),
        (lines(player(1, "   2 w 1"), player(2, "   3 b 0"), player(3, "   2 w 1")), 1, 92),
        (lines(player(1, "   2 w 1"), player(2, "   1 w 0")), 1, 97),
        (lines(player(1, "   2 x 1"), player(2, "   1 b 0")), 1, 97),
        (lines(player(1, "   2 - 1"), player(2, "   1 b 0")), 1, 97),
        (player(1, "0000 w Z"), 1, 97),
        (lines(player(1, "   2 w 1"), player(2, "   1 b =")), 1, 99),
        (lines(player(1, "   2 w +"), player(2, "   1 b +")), 1, 99),
        (lines(player(1, "   2 w 1"), player(2, "   1 b -")), 1, 99),
        (lines(player(1, "   2 w Z"), player(2, "   1 b 0")), 1, 99),
        (player(1, "0000 - 1"), 1, 99),
        (lines(player(1, "   2 w 1", "   2xw 1"), player(2, "   1 b 0")), 1, 106),
        (player(1, "0000 - U") + "x", 1, 100),
        (lines("142 0", *PAIR), 1, 5),
        (lines("142", *PAIR), 1, 5),
        (lines("XXR seven", *PAIR), 1, 5),
        (lines(player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"), "142 1"), 3, 5),
        (lines("152 white", *PAIR), 1, 5),
        (lines("XXC white1 rank", *PAIR), 1, 12),
        (lines("162  W 3.0    Q 1.0", *PAIR), 1, 15),
        (lines("162  W 0.5    D 1.0", *PAIR), 1, 5),
        (lines("162  W 1.25", *PAIR), 1, 7),
        (lines("XXS W", *PAIR), 1, 5),
        (lines("XXS W=3 BW=2", *PAIR), 1, 9),
        (lines("XXS W=x", *PAIR), 1, 7),
        (lines(*PAIR, "XXP 1 5"), 3, 7),
        (lines(*PAIR, "XXP 1 two"), 3, 7),
        (lines(*PAIR, "XXZ 7"), 3, 5),
        (lines(*PAIR, "XXA    1  1.0  x.0"), 3, 15),
        (lines(*PAIR, "XXA    9  1.0"), 3, 5),
        (lines(*PAIR, "240 Q   2    1"), 3, 5),
        (lines(*PAIR, "240 H        1"), 3, 7),
        (lines(*PAIR, "240 H   2"), 3, 11),
        (lines(*PAIR, "240 H   2    9"), 3, 11),
        (lines(*PAIR, "240 H   1    1"), 3, 5),
        (lines(*PAIR, "250  1.0  1.0   1   1    1    1"), 3, 5),
        (lines(*PAIR, "250             1   1    1    1"), 3, 10),
        (lines(*PAIR, "250       1.0   2   1    1    1"), 3, 19),
        (lines(*PAIR, "250       1.0   1   1    2    1"), 3, 28),
        (lines(*PAIR, "260   1   1    1   1x"), 3, 18),
        (lines(*PAIR, "299 Q         1.0    1    1"), 3, 5),
        (lines(*PAIR, "299           1.0    1"), 3, 24),
        (lines(*PAIR, "013 a team"), 3, 1),
        (lines("310   1 a team", *PAIR), 1, 1),
    ],
)
def test_errors_say_where(text, line, column):
    with pytest.raises(TrfError) as refused:
        read_trf(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert str(refused.value).startswith(f"line {line}, column {column}: ")


def test_text_that_is_not_utf8_is_refused_where_it_begins():
    with pytest.raises(TrfError, match="line 2, column 6: the text is not UTF-8"):
        read_trf("012 ș\r022 C".encode() + b"\xe9\r")


@pytest.mark.parametrize("seed", range(30))
def test_a_broken_file_is_read_or_refused_but_never_a_crash(seed):
    rng = random.Random(seed)
    text = list(source(rng.choice(CASES), rng.choice(list(Dialect))).decode())
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text))
        text[place : place + rng.randint(0, 2)] = rng.choice(
            ["", " ", "x", "9", "\n", "-", "001 ", "\x00", "é"]
        )
    with contextlib.suppress(TrfError):
        read_trf("".join(text))


# --- writing ---


def test_lines_end_with_cr_and_columns_are_characters():
    ann = ReportPlayer(
        Contestant(1, "Ștefănescu, Ann", 1500, (RoundRecord(Kind.PLAYED, 2, 1, 2, rated=True),)), 2, 1
    )
    ben = ReportPlayer(Contestant(2, "李, Ben", None, (RoundRecord(Kind.PLAYED, 1, 2, 0, rated=True),)), 0, 2)
    report = TournamentReport(
        (ann, ben), rounds_played=1, rounds_total=3, first_seat=1, name="Club", tie_breaks=("BH/C1", "BH")
    )
    assert write_trf(report).split("\r") == [
        "012 Club",
        "142 3",
        "152 W",
        "202 BH/C1,BH",
        "001    1      Ștefănescu, Ann                   1500                             1.0    1     2 w 1",
        "001    2      李, Ben                                                             0.0    2     1 b 0",
        "",
    ]


@pytest.mark.parametrize(
    ("kind", "half_points", "cell"),
    [
        (Kind.ABSENT, 0, "0000 - Z"),
        (Kind.WITHDRAWN, 0, "0000 - Z"),
        (Kind.NOT_ENTERED, 0, "0000 - Z"),
        (Kind.NOT_ENTERED, 1, "0000 - H"),
        (Kind.PAIRING_BYE, 2, "0000 - U"),
        (Kind.FULL_BYE, 2, "0000 - F"),
    ],
)
def test_rounds_without_a_game_are_written_with_their_code(kind, half_points, cell):
    entry = Contestant(1, records=(RoundRecord(kind, half_points=half_points),))
    report = TournamentReport((ReportPlayer(entry),), rounds_played=1)
    assert write_trf(report).rstrip("\r").endswith(f"  {cell}")


def test_a_name_cannot_break_the_file():
    hostile = "Ann\r001    2 x" + "x" * 60 + "\n"
    report = TournamentReport((ReportPlayer(Contestant(1, hostile)),), name="a\rb\x00\u2028c")
    again = read_trf(write_trf(report))
    assert again.name == "a b  c"
    assert [player.contestant.name for player in again.players] == [hostile.replace("\r", " ")[:33]]


@pytest.mark.parametrize("dialect", Dialect)
def test_everything_a_dialect_can_say_comes_back(dialect):
    entries = field(3, "1-2 +-, 3 U", "2-3 *, 1 H")
    report = TournamentReport(
        tuple(ReportPlayer(entry) for entry in entries),
        rounds_played=2,
        rounds_total=9,
        first_seat=2,
        points=PointSystem(bye=2, absence=0, win=2, draw=1),
        byes=(PlannedBye(3, 2, Kind.HALF_BYE),),
        prohibitions=(Prohibition((1, 3), 1, None if dialect is TRF16 else 9),),
        acceleration={1: (2, 0, 1), 2: (2, 0, 1), 3: (0, 1)},
    )
    assert read_trf(write_trf(report, dialect)) == report


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("seed", range(8))
def test_random_events_come_back(seed, dialect):
    contestants, rounds_total = random_swiss(random.Random(seed), 16)
    players = tuple(
        ReportPlayer(replace(entry, name=f"Player {entry.number}"), entry.score(), rank)
        for rank, entry in enumerate(contestants, 1)
    )
    report = TournamentReport(
        players, rounds_played=len(contestants[0].records), rounds_total=rounds_total, first_seat=1
    )
    again = read_trf(write_trf(report, dialect))
    zero = {Kind.ABSENT, Kind.WITHDRAWN, Kind.NOT_ENTERED}
    as_read = [
        tuple(RoundRecord(Kind.ZERO_BYE) if record.kind in zero else record for record in entry.records)
        for entry in contestants
    ]
    assert [entry.records for entry in again.contestants] == as_read
    assert [(p.half_points, p.rank) for p in again.players] == [(p.half_points, p.rank) for p in players]
