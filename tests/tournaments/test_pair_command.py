"""`manage.py pair` reads a report file and prints the next round, without a database."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.fields import CASES, PAIRING_CASES, case, field
from tournaments.trf import Dialect, ReportPlayer, TournamentReport, write_trf

MANAGE = Path(__file__).parents[2] / "manage.py"


def run(file):
    out = io.StringIO()
    call_command("pair", str(file), stdout=out)
    return out.getvalue()


def refusal(file):
    with pytest.raises(CommandError) as refused:
        run(file)
    return refused.value.returncode, str(refused.value)


def printed(boards):
    return "".join(f"{starter} {second}\n" for starter, second in boards)


@pytest.fixture
def report_file(tmp_path):
    def write(report, dialect=Dialect.TRF26):
        path = tmp_path / "event.trf"
        path.write_text(write_trf(report, dialect), newline="")
        return path

    return write


def report(entries, **values):
    return TournamentReport(
        tuple(ReportPlayer(entry) for entry in entries),
        **{"rounds_played": len(entries[0].records), "rounds_total": 9, "first_seat": 1, **values},
    )


@pytest.mark.parametrize("folder", [PAIRING_CASES, PAIRING_CASES / "trf26"], ids=["trf16", "trf26"])
@pytest.mark.parametrize("name", [name for name in CASES if case(name)["expected"]])
def test_the_next_round_is_printed_a_board_a_line(name, folder):
    assert run(folder / f"{name}.trf") == printed(case(name)["expected"])


def test_the_reason_is_told_where_no_pairing_is_legal():
    assert refusal(PAIRING_CASES / "25_even04_r4_impossible.trf") == (
        1,
        "no legal pairing: nobody is left to meet 1, 2, 3, 4",
    )


def test_after_the_last_round_there_is_nothing_to_pair(report_file):
    assert refusal(report_file(report(field(2, "1-2 1-0"), rounds_total=1)))[0] == 1


def test_a_file_that_cannot_be_read_is_refused_with_line_and_column(tmp_path):
    path = tmp_path / "broken.trf"
    path.write_text("012 Thursday\r001   xx\r")
    assert refusal(path) == (
        2,
        f"{path}: line 2, column 5: the start number must be a whole number, not 'xx'",
    )


def test_a_file_that_does_not_exist_is_refused(tmp_path):
    assert refusal(tmp_path / "nothing.trf")[0] == 2


def test_another_pairing_system_is_refused(report_file):
    code, words = refusal(report_file(report(field(4), type_code="FIDE_DUBOV")))
    assert (code, words) == (2, "FIDE_DUBOV is not the Swiss system that is paired here.")


def test_the_number_of_rounds_must_be_known(report_file):
    assert refusal(report_file(report(field(4), rounds_total=None)))[0] == 2


def test_without_an_initial_side_the_top_number_starts(report_file):
    assert run(report_file(report(field(4), first_seat=None))) == "1 3\n4 2\n"


def test_baku_acceleration_is_applied_where_the_type_asks_for_it(report_file):
    entries = field(8, "1-5 0-1, 6-2 0-1, 3-7 1-0, 8-4 0-1")
    plain = run(report_file(report(entries, type_code="FIDE_DUTCH_2026")))
    accelerated = run(report_file(report(entries, type_code="FIDE_DUTCH_2026_BAKU")))
    explicit = dict.fromkeys(range(1, 5), (2, 2, 2, 1, 1))
    assert accelerated != plain
    assert accelerated == run(report_file(report(entries, acceleration=explicit)))


@pytest.mark.parametrize(
    ("text", "code", "out"),
    [
        ((PAIRING_CASES / "02_odd09_r1.trf").read_bytes(), 0, printed(case("02_odd09_r1")["expected"])),
        ((PAIRING_CASES / "trf26" / "25_even04_r4_impossible.trf").read_bytes(), 1, ""),
        (b"001 \xff", 2, ""),
    ],
    ids=["paired", "unpairable", "unreadable"],
)
def test_standard_input_and_exit_codes_without_a_database(text, code, out):
    environment = os.environ | {
        "QUARTO_SECRET_KEY": "x",
        "QUARTO_DATABASE_URL": "sqlite:////nowhere/none.sqlite3",
    }
    done = subprocess.run(
        [sys.executable, MANAGE, "pair", "-"], input=text, env=environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.decode()) == (code, out)
    assert bool(done.stderr) == bool(code)
    assert b"Traceback" not in done.stderr
