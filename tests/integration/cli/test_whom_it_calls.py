"""Whom the till speaks to: the configured service and nobody else, whatever the environment asks for."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.integration.cli.till import Till
from tests.support.forked import REPOSITORY
from tests.support.sandbox import Sandbox

RECORDED = """
import sys
log = open(sys.argv[1], "a", buffering=1)
def hook(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        address = arguments[1] if event.startswith(("socket.c", "socket.s")) else arguments[:2]
        print(event, *(address if isinstance(address, tuple) else (address,)), file=log)
sys.addaudithook(hook)
sys.argv[1:] = sys.argv[2:]
from pos_app.cli.main import main
sys.exit(main())
"""


class Decoy:
    """Listens, answers nothing, and counts what comes."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.calls = 0
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            caller, _ = self._socket.accept()
            with caller:
                if caller.recv(5) == b"enoug":
                    return
            self.calls += 1

    def close(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port)) as caller:
            caller.send(b"enoug")
        self._thread.join(10)
        self._socket.close()


@pytest.fixture
def decoy() -> Iterator[Decoy]:
    made = Decoy()
    yield made
    made.close()


def misled(home: Path, decoy: Decoy) -> dict[str, str]:
    """An environment that would send anything else that speaks HTTP to the decoy, with a password for it."""
    proxy = f"http://user:from-netrc@127.0.0.1:{decoy.port}"
    (home / ".netrc").write_text("machine 127.0.0.1 login user password from-netrc\n")
    (home / ".netrc").chmod(0o600)
    names = (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "FTP_PROXY",
        "SOCKS_PROXY",
        "http_proxy",
        "https_proxy",
    )
    return {
        **dict.fromkeys((*names, "all_proxy"), proxy),
        "NETRC": str(home / ".netrc"),
        "HOME": str(home),
        "NO_PROXY": "",
        "no_proxy": "",
    }


@pytest.mark.parametrize(
    "line",
    [
        ["pay", "--amount", "3.00", "--qr", "--give-up-after", "1"],
        ["pay", "--amount", "3.00", "--push=+94771234567", "--give-up-after", "1"],
        ["status", "SBX-NOBODY-0001-1"],
        ["transactions"],
        ["doctor"],
        ["diagnostics", "d.zip"],
        ["otp", "send", "+94770009999"],
        ["open"],
    ],
    ids=lambda line: line[0],
)
def test_a_verb_calls_the_configured_service_alone(
    sandbox: Sandbox, till: Till, tmp_path: Path, decoy: Decoy, line: list[str]
) -> None:
    """Each connection and each name looked up, as Python itself reports them from inside the process."""
    calls = tmp_path / "calls"
    calls.touch()
    done = subprocess.run(
        [sys.executable, "-c", RECORDED, str(calls), *till.common, *line],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)} | misled(tmp_path, decoy),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1, 4), done.stderr
    origin = urlsplit(sandbox.base_url)
    here = (str(origin.hostname), str(origin.port))
    heard = [tuple(call.split()[1:3]) for call in calls.read_text().splitlines()]
    assert set(heard) == ({here} if line[0] != "open" else set())
    assert decoy.calls == 0
    assert "from-netrc" not in done.stdout + done.stderr


def test_the_recorder_sees_a_call_elsewhere(tmp_path: Path, decoy: Decoy) -> None:
    """The proof that the other test can fail."""
    calls = tmp_path / "calls"
    program = RECORDED.replace(
        "from pos_app.cli.main import main\nsys.exit(main())",
        f"import socket; socket.create_connection(('127.0.0.1', {decoy.port})).close()",
    )
    subprocess.run([sys.executable, "-c", program, str(calls)], check=True, timeout=30)
    assert f"127.0.0.1 {decoy.port}" in calls.read_text()


@pytest.mark.parametrize(
    "line", [["pay", "--amount", "3.00", "--qr", "--give-up-after", "1"], ["otp", "send"]]
)
def test_a_verb_says_no_number_and_no_secret(sandbox: Sandbox, till: Till, line: list[str]) -> None:
    """Numbers are masked on both outputs, in both forms."""
    number = "+94770009998" if line[0] == "otp" else ""
    for done in (
        till.run(*line, *([number] if number else [])),
        till.say(*line, *([number] if number else [])),
    ):
        told = done.out + done.err
        for hidden in (
            sandbox.access_token,
            sandbox.merchant_password,
            sandbox.merchant_secret_code,
            "770009998",
        ):
            assert hidden not in told
