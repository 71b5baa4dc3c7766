"""The canary guard itself: each way a secret could leak is planted once, and found."""

from __future__ import annotations

import base64
import json
import logging
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.secret import Secret
from pos_app.log.lines import LineFormatter
from pos_app.log.redaction import Redactor
from tests.guards.canaries import NUMBERS, PASSCODE, SANDBOX_MARK, Scanner, known
from tests.guards.encodings import ENCODINGS, WRITTEN_AS_TEXT, zipped
from tests.guards.watching import Watch, is_here, written_since, written_wrongly

pytestmark = pytest.mark.slow


SECRET = 'canäry/+?"\\~ 7d1e'
SCANNER = Scanner([("the secret", SECRET)])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_canary_is_found_however_it_is_written(encoding: str) -> None:
    coded = ENCODINGS[encoding](SECRET)
    around = (
        coded if coded[:2] in (b"PK", b"\x1f\x8b", b"BZ", b"\xfd7", b"\x78\x9c") else b"x " + coded + b" y"
    )
    assert SCANNER.in_bytes(around) == ["the secret"]
    assert SCANNER.in_bytes(ENCODINGS[encoding]("something else entirely")) == []


@pytest.mark.parametrize("text", [SANDBOX_MARK, PASSCODE, *NUMBERS])
def test_each_mark_is_found_in_base64_wherever_it_stands(text: str) -> None:
    for ahead in range(4):
        for behind in range(4):
            coded = base64.b64encode(b"q" * ahead + text.encode() + b"w" * behind)
            assert known().in_bytes(coded), (ahead, behind)


def _log_line(folder: Path) -> None:
    (folder / "pos-app.log").write_text(json.dumps({"message": f"token {SANDBOX_MARK}01ab refused"}))


def _exception(folder: Path) -> None:
    error = ValueError(f"header 'Bearer {SANDBOX_MARK}01ab'")
    (folder / "crash.txt").write_text(repr(error))


def _bad_repr(folder: Path) -> None:
    class Leaky(Secret):
        def __repr__(self) -> str:
            return f"Leaky({self.reveal()!r})"

    (folder / "dump.txt").write_text(repr({"merchant": [Leaky(f"{SANDBOX_MARK}01ab")]}))


def _core(folder: Path) -> None:
    (folder / "core.4711").write_bytes(os.urandom(4096) + f"{SANDBOX_MARK}01ab".encode() + os.urandom(4096))


def _export(folder: Path) -> None:
    (folder / "export.csv").write_text("time,number\n14:07,'+94771234567\n")


def _journal(folder: Path) -> None:
    with sqlite3.connect(folder / "journal.sqlite") as journal:
        journal.execute("CREATE TABLE event (content TEXT)")
        journal.execute("INSERT INTO event VALUES (?)", (json.dumps({"number": "94770000010"}),))
    journal.close()


def _passcode(folder: Path) -> None:
    (folder / "pos-app.log").write_text(json.dumps({"message": f"EnterPasscode(passcode={PASSCODE})"}))


def _name(folder: Path) -> None:
    (folder / "receipt-94771234567.pdf").touch()


def _bundle(folder: Path) -> None:
    (folder / "d.zip").write_bytes(zipped(f'{{"source": "{SANDBOX_MARK}01ab"}}'.encode()))


@pytest.mark.parametrize("digits", NUMBERS)
@pytest.mark.parametrize("ahead", ["", "0", "94", "+94", "0094", "tel:+94", "x"])
def test_a_number_is_found_however_it_begins(digits: str, ahead: str) -> None:
    for text in (f"{ahead}{digits}7", f'{{"number":"{ahead}{digits}7"}}', f"{ahead}{digits}7"[::-1]):
        assert known().in_text(text), text


@pytest.mark.parametrize(
    "text", ["1795277000000", '"at":1795277000001,', "5300000077534546", "0x1100000077534"]
)
def test_a_time_or_an_id_with_the_same_digits_is_no_number(text: str) -> None:
    assert known().in_text(text) == []


@pytest.mark.parametrize(
    "leak", [_log_line, _exception, _bad_repr, _core, _export, _journal, _passcode, _name, _bundle]
)
def test_a_planted_leak_is_found_in_what_a_run_wrote(tmp_path: Path, leak: Callable[[Path], None]) -> None:
    """In a folder of its own below, which this run's own guard would find as well: so it goes again."""
    folder = tmp_path / "planted"
    folder.mkdir()
    leak(folder)
    try:
        assert written_wrongly(known(), tmp_path)
        assert written_since(known(), folder, 0) or leak is _name
    finally:
        for file in folder.iterdir():
            file.unlink()


def test_what_a_test_gives_a_till_as_its_secrets_is_none(tmp_path: Path) -> None:
    (tmp_path / "secrets.toml").write_text(f'access_token = "{SANDBOX_MARK}01ab"')
    assert written_wrongly(known(), tmp_path) == []


@pytest.mark.parametrize("form", ["Popen", "list", "bytes"])
def test_a_secret_on_a_command_line_is_found(form: str) -> None:
    watch = Watch()
    word = f"--token={SANDBOX_MARK}01ab"
    line = {"Popen": ["x", word], "list": (b"x", word.encode()), "bytes": word.encode()}[form]
    watch("subprocess.Popen", ("x", line, None, None))
    assert len(watch.wrong) == 1
    assert SANDBOX_MARK not in watch.wrong[0]


def test_a_socket_to_another_machine_is_found() -> None:
    watch = Watch()
    for elsewhere in (("192.0.2.1", 443), ("example.com", 443), ("2001:db8::1", 443, 0, 0)):
        watch("socket.connect", (None, elsewhere))
    for here in (("127.0.0.1", 80), ("::1", 80, 0, 0), ("localhost", 80), "/run/user/1000/bus"):
        watch("socket.connect", (None, here))
    assert len(watch.wrong) == 3
    assert is_here(("127.1.2.3", 1))


def test_the_hooks_are_in_force_here(tmp_path: Path) -> None:
    """The same in a run of its own, whose tests leak: they fail, and what fails says nothing more."""
    (tmp_path / "conftest.py").write_text(
        "from tests.guards.watching import no_canary_left, pytest_runtest_makereport\n"
    )
    number = "+94 77".replace(" ", "") + "1234567"
    (tmp_path / "test_leaks.py").write_text(
        f"""
import logging, socket, subprocess, sys

MARK = "{SANDBOX_MARK[:5]}" + "{SANDBOX_MARK[5:]}"

def test_logs(): logging.getLogger("x").info("token %s", MARK)
def test_prints(): print("{number[:6]}" + "{number[6:]}")
def test_starts(): subprocess.run([sys.executable, "-c", "pass", MARK])
def test_writes(tmp_path): (tmp_path / "any").write_text(MARK)
def test_calls():
    caller = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    caller.connect(("192.0.2.1", 9))
    caller.close()
def test_does_nothing(): pass
"""
    )
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    line += ["-p", "no:pytest-qt"]
    line += ["--log-level=DEBUG", f"--rootdir={tmp_path}", f"--basetemp={tmp_path / 'base'}", str(tmp_path)]
    # Compiled, it would hold the same mark, and the guard of this run would find it there.
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
    for file in (tmp_path / "base").rglob("any"):
        file.unlink()
    assert "6 passed, 3 errors" in done.stdout, done.stdout
    for told in (
        "test_starts",
        "test_calls",
        "any: a sandbox's secret",
        "a number with",
        "was logged or printed",
    ):
        assert told in done.stdout, done.stdout


@pytest.mark.parametrize("encoding", WRITTEN_AS_TEXT)
def test_the_log_s_own_redaction_passes_the_same_scan(encoding: str) -> None:
    """Each encoding of a secret that the log was told of, in the middle of a message."""
    formatter = LineFormatter(Redactor([Secret(SECRET)]))
    coded = ENCODINGS[encoding](SECRET)
    text = f"said {coded.decode('utf-8' if encoding == 'raw' else 'latin-1')} and ended"
    line = formatter.format(logging.LogRecord("x", logging.INFO, "", 0, text, None, None))
    assert SCANNER.in_text(line) == []
    assert line.endswith('and ended"}')


def test_a_socket_of_this_machine_is_not_held_against_it() -> None:
    """Unix sockets are paths, and a pair has no address."""
    first, second = socket.socketpair()
    first.close()
    second.close()
    assert is_here("")
