"""Nobody learns with a shop's secrets at hand: they are neither taken nor looked at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.cli.main import main
from tests.support.sandbox import REPOSITORY

CANARIES = ("c4n4ry-live-token-0001", "c4n4ry-live-code-0002", "c4n4ry-live-word-0003")
LIVE = """\
[gateway]
environment = "live"
base_url = "https://payments.example.com"
merchant_pg_identifier = "M-LIVE-1"
counter_id = 7
[shop]
name = "The live shop"
currency = "LKR"
country = "LK"
"""


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    """The folder of a counter that sells for real money: settings and secrets in their places."""
    folder = tmp_path / "config" / "pos-app"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(LIVE)
    secrets = folder / "secrets.toml"
    names = ("access_token", "merchant_secret_code", "merchant_password")
    secrets.write_text(
        "".join(f'{name} = "{canary}"\n' for name, canary in zip(names, CANARIES, strict=True))
    )
    secrets.chmod(0o600)
    return folder


@pytest.mark.timeout(90)
def test_at_a_live_counter_no_settings_and_no_secrets_are_opened(counter: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.course.watched", str(data)],
        cwd=REPOSITORY,
        env=os.environ | {"XDG_CONFIG_HOME": str(counter.parent), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert [each for each in told["opened"] if str(data) in each], "the spy sees files"
    assert [each for each in told["opened"] if str(counter) in each] == []
    assert [each for each in told["opened"] if each.endswith("secrets.toml")] == []
    assert not told["keyring"]
    kept = b"".join(each.read_bytes() for each in data.rglob("*") if each.is_file())
    assert not [canary for canary in CANARIES if canary.encode() in kept]
    assert b"M-LIVE-1" not in kept


@pytest.mark.parametrize("option", ["--config", "--secrets-file"])
def test_it_refuses_a_shop_s_own_files(
    option: str, counter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = counter / ("config.toml" if option == "--config" else "secrets.toml")
    assert main(["training", option, str(file), "--data-dir", str(tmp_path / "data")]) == 78
    said = capsys.readouterr()
    assert f"leave out {option}" in said.err
    assert not [canary for canary in CANARIES if canary in said.err + said.out]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("variable", ["POS_APP_CONFIG", "POS_APP_SECRETS_FILE", "CREDENTIALS_DIRECTORY"])
def test_it_refuses_what_the_environment_names(
    variable: str,
    counter: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(variable, str(counter / "secrets.toml"))
    assert main(["training"]) == 78
    assert f"leave out {variable}" in capsys.readouterr().err
