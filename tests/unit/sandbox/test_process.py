"""The sandbox as a process: its first line, its exit codes, what survives a restart, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.owners_alone import is_owners_alone
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient

pytestmark = pytest.mark.slow


KEYS = {
    "base_url", "control_url", "control_token", "access_token",
    "merchant_secret_code", "merchant_password", "merchant_pg_identifier",
}  # fmt: skip


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pos_app.sandbox", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL
    )


def initiate(sandbox: Sandbox, external_id: str) -> dict[str, Any]:
    client = ServiceClient(sandbox)
    reply = client.initiate_qr(external_id).response
    client.close()
    return reply


def status(sandbox: Sandbox, external_id: str) -> str:
    client = ServiceClient(sandbox)
    name = client.status_name(external_id)
    client.close()
    return name


def test_the_first_line_is_the_promised_object() -> None:
    with Sandbox() as sandbox:
        assert set(sandbox.details) >= KEYS
        assert all(sandbox.details.values())
        assert sandbox.base_url.startswith("http://127.0.0.1:")


def test_everything_survives_a_restart(tmp_path: Path) -> None:
    with Sandbox(data_dir=tmp_path / "box") as sandbox:
        text = initiate(sandbox, "A-1")["qrEncryptedText"]
        before = dict(sandbox.details)
        client = ServiceClient(sandbox)
        reference = client.send_otp("94771234567").json["data"]["serverRef"]
        client.close()
    with Sandbox(data_dir=tmp_path / "box") as sandbox:
        kept = KEYS - {"base_url", "control_url"}
        assert {name: sandbox.details[name] for name in kept} == {name: before[name] for name in kept}
        assert status(sandbox, "A-1") == "Merchant Initiated"
        assert sandbox.scan(text, "reject")["status"] == "Customer Reject"
        assert sandbox.sms()[0]["serverRef"] == reference


def test_what_was_answered_survives_a_kill(tmp_path: Path) -> None:
    sandbox = Sandbox(data_dir=tmp_path).start()
    initiate(sandbox, "A-1")
    sandbox.switch("approve_to_paid_s", 600)
    sandbox.act("A-1", "approve")
    sandbox.kill()
    with Sandbox(data_dir=tmp_path) as again:
        end_s = time.monotonic() + PATIENCE_S
        while status(again, "A-1") != "Payment Success":
            assert time.monotonic() < end_s


def test_a_renewed_token_survives_too(tmp_path: Path) -> None:
    with Sandbox(data_dir=tmp_path) as sandbox:
        renewed = sandbox.renew_token()
    with Sandbox(data_dir=tmp_path) as sandbox:
        assert sandbox.details["access_token"] == renewed


def test_a_seed_repeats_ids_codes_and_tokens() -> None:
    seen = []
    for _ in range(2):
        with Sandbox(seed=7) as sandbox:
            wallet_id = initiate(sandbox, "A-1")["walletTransactionId"]
            client = ServiceClient(sandbox)
            client.send_otp("94771234567")
            client.close()
            seen.append((wallet_id, sandbox.sms()[0]["code"], sandbox.access_token, sandbox.control_token))
    assert seen[0] == seen[1]
    with Sandbox(seed=8) as sandbox:
        assert sandbox.access_token != seen[0][2]


def test_without_a_seed_nothing_repeats() -> None:
    with Sandbox() as one, Sandbox() as other:
        assert one.access_token != other.access_token
        assert initiate(one, "A-1")["walletTransactionId"] != initiate(other, "A-1")["walletTransactionId"]


def test_ids_and_codes_do_not_repeat_after_a_reset() -> None:
    with Sandbox(seed=7) as sandbox:
        before = initiate(sandbox, "A-1")
        sandbox.reset()
        after = initiate(sandbox, "A-1")
    assert before["walletTransactionId"] != after["walletTransactionId"]
    assert before["qrEncryptedText"][:16] != after["qrEncryptedText"][:16]


def test_another_seed_for_the_same_folder_is_refused(tmp_path: Path) -> None:
    with Sandbox(data_dir=tmp_path, seed=1):
        pass
    refused = run("--data-dir", str(tmp_path), "--seed", "2")
    assert refused.returncode == 73
    assert "another seed" in refused.stderr


def test_a_folder_serves_one_sandbox_at_a_time(tmp_path: Path) -> None:
    with Sandbox(data_dir=tmp_path):
        refused = run("--data-dir", str(tmp_path))
        assert refused.returncode == 73
        assert "another sandbox" in refused.stderr


def test_the_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    with Sandbox(data_dir=tmp_path / "box", config_dir=tmp_path / "till"):
        for path in ("box", "box/sandbox.sqlite3", "till/secrets.toml"):
            assert is_owners_alone(tmp_path / path), path


def test_the_config_is_what_a_till_reads(tmp_path: Path) -> None:
    with Sandbox(config_dir=tmp_path) as sandbox:
        config = tomllib.loads((tmp_path / "config.toml").read_text())
        secrets = tomllib.loads((tmp_path / "secrets.toml").read_text())
        assert config["gateway"] == {
            "environment": "sandbox",
            "base_url": sandbox.base_url,
            "merchant_pg_identifier": sandbox.merchant_pg_identifier,
            "counter_id": 1,
            "qr_amount_field": "chargeTotal",
            "ca_file": "",
        }
        assert config["shop"] == {"name": "Corner Shop", "currency": "LKR", "country": "LK", "outlet_id": ""}
        assert secrets == {
            "access_token": sandbox.access_token,
            "merchant_secret_code": sandbox.merchant_secret_code,
            "merchant_password": sandbox.merchant_password,
        }
    with Sandbox(config_dir=tmp_path) as sandbox:
        assert (
            tomllib.loads((tmp_path / "config.toml").read_text())["gateway"]["base_url"] == sandbox.base_url
        )


@pytest.mark.parametrize("name", ["config.toml", "secrets.toml"])
def test_the_files_of_a_live_till_are_left_alone(tmp_path: Path, name: str) -> None:
    live = tmp_path / name
    live.write_text('[gateway]\nenvironment = "live"\n')
    assert run("--write-config", str(tmp_path)).returncode == 73
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert live.read_text() == '[gateway]\nenvironment = "live"\n'


@pytest.mark.parametrize("port", ["-1", "70000", "abc", "", "80.5", "٨٠"])
def test_a_port_that_is_none_is_a_usage_error(port: str) -> None:
    refused = run("--port", port)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("option", ["--data-dir", "--write-config"])
def test_an_empty_folder_name_is_a_usage_error(option: str) -> None:
    assert run(option, "").returncode == 2


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = run("--port", str(taken.getsockname()[1]), "--data-dir", str(tmp_path))
    assert refused.returncode == 2
    assert "used by another program" in refused.stderr


def test_a_folder_that_cannot_be_made_is_73(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments in (["--data-dir", f"{tmp_path}/file/box"], ["--write-config", f"{tmp_path}/file/till"]):
        refused = run(*arguments)
        assert refused.returncode == 73
        assert "Traceback" not in refused.stderr


def test_a_file_that_is_no_database_is_73(tmp_path: Path) -> None:
    """Its owner was asked whether another sandbox runs on it, and looked for one."""
    (tmp_path / "sandbox.sqlite3").write_bytes(b"not a database at all" * 100)
    refused = run("--data-dir", str(tmp_path))
    assert refused.returncode == 73
    assert "Traceback" not in refused.stderr
    assert "another sandbox" not in refused.stderr
    assert "put it aside, and the sandbox begins anew" in refused.stderr


@pytest.mark.parametrize(
    ("option", "name"), [("--data-dir", "sandbox.sqlite3"), ("--write-config", "config.toml")]
)
def test_a_folder_where_a_file_is_to_be_is_named_with_the_reason(
    tmp_path: Path, option: str, name: str
) -> None:
    """It said the number of an error."""
    (tmp_path / name).mkdir()
    refused = run(option, str(tmp_path))
    assert refused.returncode == 73
    assert name in refused.stderr
    # Windows opens no folder, and says of each that it may not.
    why = "Permission denied" if sys.platform == "win32" else "Is a directory"
    assert why in refused.stderr
    assert "Errno" not in refused.stderr


@pytest.mark.parametrize("switch", ["nonsense=1", "otp_tries", "otp_tries=none", "id_echo=float"])
def test_a_switch_that_is_none_is_a_usage_error(switch: str) -> None:
    refused = run("--switch", switch)
    assert refused.returncode == 2
    assert "switch" in refused.stderr


def test_switches_can_be_set_at_the_start() -> None:
    with Sandbox(switches={"otp_tries": 2, "query_needs_id": "true"}) as sandbox:
        sandbox.switch("otp_tries", 9)
        sandbox.reset()
        switches = sandbox.control("GET", "/switches")
    assert (switches["otp_tries"], switches["query_needs_id"]) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(number: int) -> None:
    sandbox = Sandbox().start()
    client = ServiceClient(sandbox)
    client.get_status("A-1")
    os.kill(sandbox.pid, number)
    assert sandbox.stop() == 0
    client.close()


def test_it_ends_with_its_parent_and_leaves_no_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pos_app.sandbox", "--stop-with-parent"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["base_url"]
        assert list(tmp_path.iterdir())
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
    assert not list(tmp_path.iterdir())
