"""A machine whose site file forbids the sandbox shows no payment that is none: every way in ends with 78."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.cli.main import main
from pos_app.doctor.setup import settings_findings
from pos_app.settings import load_settings
from tests.unit.settings.files import LIVE

LINES = [
    ["--sandbox"],
    ["--sandbox", "--kiosk"],
    ["training"],
    ["tour"],
    ["gallery", "--screenshots", "pictures"],
    ["sandbox"],
    ["--sandbox", "doctor"],
    ["pay", "--sandbox", "--amount", "1.00", "--qr"],
    ["transactions", "--sandbox"],
]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site file of a counter, in its place."""
    file = tmp_path / "xdg" / "pos-app" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[site]\nsandbox = false\n")
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(file.parent.parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    monkeypatch.chdir(tmp_path)
    return file


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_each_way_in_ends_with_78_and_leaves_nothing(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: list[str]
) -> None:
    before = set(tmp_path.rglob("*"))
    assert main([*line, "--data-dir", str(tmp_path / "data")]) == 78
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{site} forbids the sandbox and the course here ([site] sandbox = false)" in said.err
    assert set(tmp_path.rglob("*")) == before


def test_a_site_file_that_cannot_be_read_might_forbid_it(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write_text("[site\nsandbox = false\n")
    assert main(["--sandbox", "doctor", "--data-dir", str(tmp_path / "data")]) == 78
    assert "is not TOML" in capsys.readouterr().err


def test_settings_of_a_sandbox_end_with_78_too(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / "mine.toml"
    named.write_text(
        LIVE.replace('"live"', '"sandbox"').replace("https://gateway.example", "http://127.0.0.1:1")
    )
    line = ["pay", "--amount", "1.00", "--qr", "--config", str(named), "--data-dir", str(tmp_path / "data")]
    assert main(line) == 78
    assert "environment must not be sandbox: the site file forbids it" in capsys.readouterr().err
    assert site.exists()


def test_the_doctor_tells_it(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    for forbids in (True, False):
        site.write_text(f"{LIVE}[site]\nsandbox = {str(not forbids).lower()}\n")
        found = {each.about: each.text for each in settings_findings(load_settings(None, {}, site_file=site))}
        assert ("sandbox" in found) is forbids
    site.write_text(f"{LIVE}[site]\nsandbox = false\n")
    found = {each.about: each.text for each in settings_findings(load_settings(None, {}, site_file=site))}
    assert "forbidden on this machine by the site file" in found["sandbox"]
    assert "locked by the site file" in found["gateway.environment"]
