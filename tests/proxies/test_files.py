"""The shipped files that no proxy reads: the units of systemd, and the kernel's count of connections."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proxies.fronts import DEPLOY
from tests.server import ROOT
from tests.services.machines import binary

IN_A_NETWORK = Path(__file__).with_name("in_a_network.py")


@pytest.mark.usefixtures("_proxies")
def test_systemd_understands_every_word_of_the_units(tmp_path):
    for unit in (*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer"), *DEPLOY.glob("*.target")):
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/quarto", str(ROOT)))
    names = [f"./{unit.name.replace('@', '@8001')}" for unit in tmp_path.iterdir()]
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert len(names) == 5
    assert (run.returncode, run.stderr) == (0, "")


def test_the_units_differ_in_nothing_but_the_port_and_the_place_of_what_lasts():
    one, several = (
        (DEPLOY / name).read_text().splitlines() for name in ("quarto.service", "quarto@.service")
    )
    for lines in (one, several):
        del lines[: lines.index("[Unit]")]
    assert [line.replace("%i", "8001") for line in several if line not in one] == [
        "Description=Quarto tournament server, process at port 8001",
        "PartOf=quarto.target",
        "ExecStart=/opt/quarto/.venv/bin/python manage.py serve --bind 127.0.0.1:8001",
        "# Everything that lasts is in PostgreSQL.",
        "WantedBy=quarto.target",
    ]


def test_every_shipped_file_is_in_the_page_of_operation():
    page = (ROOT / "docs/operation.md").read_text()
    assert [file.name for file in DEPLOY.iterdir() if file.name not in page] == []


@pytest.mark.usefixtures("_proxies")
def test_the_kernel_lets_an_address_have_some_hundreds_of_connections():
    rules = (DEPLOY / "nftables.conf").read_text()
    assert re.findall(r"ip6? saddr.* ct count over (\d+) .*reject", rules) == ["500", "500"]
    network = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*network, "true"], capture_output=True, check=False).returncode != 0:
        return  # a kernel that lets nobody have a network of his own cannot be asked for more than that
    run = subprocess.run(
        [*network, sys.executable, str(IN_A_NETWORK), str(binary("nft")), str(DEPLOY / "nftables.conf")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout.split() == ["500", "1"], run.stderr
