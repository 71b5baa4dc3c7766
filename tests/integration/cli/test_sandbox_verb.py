"""`pos-app sandbox`: the same sandbox as the tests use, with the common options of every verb."""

import json
from pathlib import Path
from signal import SIGTERM

from tests.integration.cli.till import Till


def test_its_data_folder_may_stand_before_the_verb(tmp_path: Path) -> None:
    data, config = tmp_path / "data", tmp_path / "config"
    line = ["--data-dir", str(data), "sandbox", "--write-config", str(config), "--seed", "7", "--reveal"]
    running = Till([]).start(*line)
    first = running.until(lambda said: "base_url" in said)
    assert {"control_url", "control_token", "access_token", "merchant_secret_code"} <= set(first)
    assert {"merchant_password", "merchant_pg_identifier"} <= set(first)
    till = Till(["--config", str(config / "config.toml"), "--secrets-file", str(config / "secrets.toml")])
    asked = till.run("--data-dir", str(tmp_path / "till"), "transactions")
    done = running.send(SIGTERM).end()
    assert (asked.code, asked.objects) == (0, [])
    assert done.code == 0
    assert json.loads(done.out.splitlines()[0]) == first
    assert list(data.iterdir())


def test_a_verbs_name_may_be_a_folder_too(tmp_path: Path) -> None:
    done = Till([]).say("--data-dir", str(tmp_path / "sandbox"), "--sandbox", "open")
    assert (done.code, done.out, done.err) == (0, "Nothing is open, and nothing needs an answer.\n", "")
