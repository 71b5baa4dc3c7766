"""The log through its front door: real files, real threads, real crashes of a child process."""

from __future__ import annotations

import base64
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pos_app.diagnostics_bundle.cleaning import Cleaner
from pos_app.diagnostics_bundle.logs import crashes
from pos_app.domain.secret import Secret
from pos_app.log import start_log
from pos_app.log.lines import LineFormatter
from pos_app.log.redaction import Redactor
from pos_app.log.writing import MOST_BYTES, MOST_UNTURNED, OLD_FILES
from pos_app.system.version import version
from tests.support.owners_alone import is_owners_alone

pytestmark = pytest.mark.slow


TOKEN = "canary+token/ÿ=83"
TIMES = 8
"""So many times the processor that harmless words of the same length take."""
NUMBER = "+94761112223"
logger = logging.getLogger("pos_app.test")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the log goes."""
    return tmp_path / "log"


def written(folder: Path, level: str, *calls: Any) -> list[dict[str, Any]]:
    """The lines that come of some calls, the log ended behind them."""
    stop = start_log(folder, level, [Secret(TOKEN)])
    try:
        for call in calls:
            call()
    finally:
        stop()
    return [json.loads(line) for line in (folder / "pos-app.log").read_bytes().splitlines()]


def test_each_record_is_one_json_line_with_named_fields(folder: Path) -> None:
    extra = {"sale_id": "0123", "attempt_id": "T7K3M9QRD-123456-1", "http_status": 503, "body": "not allowed"}
    (line,) = written(folder, "info", lambda: logger.info("asked\nagain \x1b[2J\u2028", extra=extra))
    assert line["message"] == "asked\nagain \x1b[2J\u2028"
    assert (line["sale_id"], line["attempt_id"], line["http_status"]) == ("0123", "T7K3M9QRD-123456-1", 503)
    assert "body" not in line
    raw = (folder / "pos-app.log").read_bytes()
    assert raw.count(b"\n") == 1
    assert raw.isascii()
    assert b"\x1b" not in raw


def test_secrets_that_come_later_are_learned_and_old_ones_not_forgotten(folder: Path) -> None:
    """A token renewed while the till works; the old one may still be said by what is under way."""
    log = start_log(folder, "info", [Secret(TOKEN)])
    try:
        log.learn([Secret("zzz-renewed")])
        logger.info("old %s new %s", TOKEN, "zzz-renewed")
    finally:
        log()
    (line,) = (folder / "pos-app.log").read_text().splitlines()
    assert json.loads(line)["message"] == "old ••• new •••"


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        quote(TOKEN, safe=""),
        base64.b64encode(TOKEN.encode("latin-1")).decode(),
        json.dumps({"key": TOKEN}),
        repr(TOKEN.encode("latin-1").hex()),
        f"Authorization: Bearer other-{TOKEN[:6]}",
        "authorization=bearer%20zzz-other",
        "{'merchantPassword': 'other words'}",
        f"sent to {NUMBER}",
        "sent to 94761112223",
        "tel:%2B94761112223",
        "called 077 123 4567",
        "called +94 77 123 4567",
        "the code is 482913.",
    ],
)
def test_no_secret_number_or_code_reaches_the_file(folder: Path, text: str) -> None:
    def fail() -> None:
        try:
            raise ValueError(text)
        except ValueError:
            logger.info("failed with %s", text, exc_info=True, extra={"operation": "ask"})

    written(folder, "debug", fail, lambda: logger.info(text), lambda: logger.debug("%s", [text]))
    raw = (folder / "pos-app.log").read_text("ascii")
    for canary in ("canary", "761112223", "77 123 4567", "482913", "zzz-other", "other words"):
        assert canary not in raw
    assert base64.b64encode(TOKEN.encode("latin-1")).decode().rstrip("=") not in raw
    assert TOKEN.encode("latin-1").hex() not in raw
    assert raw.count("\n") == 3


def test_ordinary_words_stay() -> None:
    text = "sale 0123: asked after 2.5 s, HTTP 503, amount 1250.00, T7K3M9QRD-0123-1"
    assert Redactor([Secret("abc")])(text) == text


def test_an_error_is_told_with_its_causes_and_without_locals(folder: Path) -> None:
    def fail() -> None:
        secret_local = "local value"
        try:
            try:
                raise OSError("disk")
            except OSError as error:
                raise RuntimeError(len(secret_local)) from error
        except RuntimeError:
            logger.info("failed", exc_info=True)

    (line,) = written(folder, "info", fail)
    assert [error["type"] for error in line["errors"]] == ["RuntimeError", "OSError"]
    assert line["errors"][0]["places"][0].startswith("test_log.py:")
    assert "local value" not in json.dumps(line)


@pytest.mark.parametrize("name", ["httpx", "httpcore.http11"])
def test_libraries_that_tell_addresses_and_headers_are_silent_below_warning(folder: Path, name: str) -> None:
    assert not written(folder, "debug", lambda: logging.getLogger(name).info("GET https://gateway.example"))


def test_a_wrong_log_call_costs_neither_the_line_nor_the_caller() -> None:
    record = logging.LogRecord("pos_app", logging.INFO, __file__, 1, "%d of %d", ("x",), None)
    assert json.loads(LineFormatter(Redactor()).format(record))["message"] == "%d of %d"


@pytest.mark.parametrize("piece", ["x", "token", "1", "+94 ", "bearer ", '"', "pin=", "a\\", " - "])
def test_a_hostile_text_costs_next_to_nothing(piece: str) -> None:
    formatter = LineFormatter(Redactor([Secret(TOKEN)]))

    def cost_s(text: str) -> float:
        record = logging.LogRecord("pos_app", logging.INFO, __file__, 1, text, None, None)
        began = time.thread_time()
        formatter.format(record)
        return time.thread_time() - began

    harmless = min(cost_s("à vendre. " * 30_000) for _ in range(3))
    hostile = min(cost_s(piece * 300_000) for _ in range(3))
    assert hostile < TIMES * harmless


def test_a_long_text_is_cut_after_it_was_redacted(folder: Path) -> None:
    text = "x " * 2_045 + TOKEN + " tail" * 1_000
    (line,) = written(folder, "info", lambda: logger.info(text))
    assert len(line["message"]) == 4_097
    assert "canary" not in line["message"]


def test_files_rotate_and_belong_to_their_owner_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        lines = (OLD_FILES + 3) * MOST_BYTES // 4_000
        stop = start_log(folder, "info")
        for _ in range(lines):
            logger.info("y" * 4_000)
        stop()
    finally:
        os.umask(before)
    logs = sorted(folder.glob("pos-app.log*"))
    assert 2 <= len(logs) <= OLD_FILES + 1
    assert all(path.stat().st_size <= MOST_BYTES for path in logs)
    assert all(is_owners_alone(path) for path in (folder, *folder.iterdir()))


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_what_was_there_with_wider_rights_loses_them(folder: Path) -> None:
    """Made by an older till, or put back from a copy: others read on what was written from then on."""
    folder.mkdir()
    folder.chmod(0o755)
    for name in ("pos-app.log", "crash.log"):
        (folder / name).touch()
        (folder / name).chmod(0o664)
    start_log(folder, "info")()
    assert all(is_owners_alone(path) for path in (folder, *folder.iterdir()))


@pytest.fixture
def unturned(folder: Path) -> Path:
    """A log that cannot turn over: something that is no file has the last of its names."""
    (folder / f"pos-app.log.{OLD_FILES}" / "in it").mkdir(parents=True)
    for number in range(1, OLD_FILES):
        (folder / f"pos-app.log.{number}").write_text(f"old {number}\n")
    return folder


@pytest.mark.expects_log("the log cannot be renamed")
def test_a_log_that_cannot_be_renamed_loses_no_line(unturned: Path) -> None:
    """Each line from the first megabyte on was lost, and nothing told of it."""
    lines = 2 * MOST_BYTES // 4_000
    stop = start_log(unturned, "info")
    for number in range(lines):
        logger.info("%d %s", number, "y" * 4_000)
    stop()
    told = [json.loads(line)["message"] for line in (unturned / "pos-app.log").read_text().splitlines()]
    assert [int(each.split()[0]) for each in told if each.endswith("yy")] == list(range(lines))
    assert "goes on in the same file" in " ".join(told)
    assert (unturned / f"pos-app.log.{OLD_FILES - 1}").read_text() == f"old {OLD_FILES - 1}\n"


@pytest.mark.expects_log("the log cannot be renamed")
def test_a_log_that_cannot_be_renamed_does_not_grow_for_ever(unturned: Path) -> None:
    """It begins anew where all its files together would have ended; and turns over as soon as it can."""
    lines = MOST_UNTURNED // 4_000
    stop = start_log(unturned, "info")
    for number in range(lines):
        logger.info("%d %s", number, "y" * 4_000)
    stop()
    assert (unturned / "pos-app.log").stat().st_size < MOST_BYTES
    assert f'"{lines - 1} y' in (unturned / "pos-app.log").read_text().splitlines()[-1]
    (unturned / f"pos-app.log.{OLD_FILES}" / "in it").rmdir()
    (unturned / f"pos-app.log.{OLD_FILES}").rmdir()
    stop = start_log(unturned, "info")
    for _ in range(MOST_BYTES // 4_000):
        logger.info("z" * 4_000)
    stop()
    assert (unturned / "pos-app.log.1").stat().st_size > MOST_BYTES // 2


def test_the_end_writes_what_waits_and_puts_everything_back(folder: Path) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, sys.excepthook, threading.excepthook, sys.unraisablehook)
    stop = start_log(folder, "debug")
    for number in range(500):
        logger.debug("line %d", number)
    stop()
    stop()
    assert (
        list(root.handlers),
        root.level,
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
    ) == before
    assert len((folder / "pos-app.log").read_text().splitlines()) == 500


def test_a_folder_that_cannot_be_made_is_said_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file")
    hooks = sys.excepthook
    with pytest.raises(OSError, match="log"):
        start_log(tmp_path / "log", "info")
    assert sys.excepthook is hooks


def test_a_level_that_is_none_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="loud"):
        start_log(folder, "loud")


CRASHES = {
    "main": "raise RuntimeError(CANARY)",
    "thread": "t = threading.Thread(target=lambda: 1 / len(CANARY[:0]), name='asker'); t.start(); t.join()",
    "cleaning": "class C:\n    def __del__(self): raise RuntimeError(CANARY)\nC()",
    "full": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); log.error(CANARY); log.error('x')",
}


@pytest.mark.parametrize("crash", CRASHES)
def test_nothing_of_a_crash_reaches_terminal_or_file_but_its_kind(folder: Path, crash: str) -> None:
    script = (
        "import logging, sys, threading\nfrom pathlib import Path\nfrom pos_app.domain.secret import Secret\n"
        "from pos_app.log import start_log\nCANARY = sys.stdin.read()\n"
        "stop = start_log(Path(sys.argv[1]), 'info', [Secret(CANARY)])\nlog = logging.getLogger('pos_app')\n"
        f"try:\n    pass\nfinally:\n    import atexit; atexit.register(stop)\n{CRASHES[crash]}\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        input="canary-crash-9",
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    everything = done.stdout + done.stderr + "".join(path.read_text() for path in folder.iterdir())
    assert "canary-crash" not in everything
    assert "Traceback" not in done.stderr
    if crash != "full":
        assert {"main": "RuntimeError", "thread": "ZeroDivisionError", "cleaning": "RuntimeError"}[
            crash
        ] in everything


def test_a_dying_interpreter_leaves_its_stacks_in_the_crash_file(folder: Path) -> None:
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom pos_app.log import start_log\n"
        "start_log(Path(sys.argv[1]), 'info')\nos.abort()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], capture_output=True, timeout=30, check=False
    )
    assert done.returncode != 0
    assert "Fatal Python error: Aborted" in (folder / "crash.log").read_text()


def test_each_crash_has_the_time_and_the_version_ahead_of_it_and_what_ended_well_leaves_nothing(
    folder: Path,
) -> None:
    """Of two stacks in the file nobody could tell which was today's; and diagnostics keep that line as it is."""
    dies = (
        "import os, sys\nfrom pathlib import Path\nfrom pos_app.log import start_log\n"
        "start_log(Path(sys.argv[1]), 'info')\nos.abort()\n"
    )
    for _ in range(2):
        start_log(folder, "info")()
        subprocess.run(
            [sys.executable, "-c", dies, str(folder)], capture_output=True, timeout=30, check=False
        )
    start_log(folder, "info")()
    lines = [
        line
        for line in (folder / "crash.log").read_text().splitlines()
        if "pos-app" in line or "Fatal" in line
    ]
    assert len(lines) == 4
    assert lines[1] == lines[3] == "Fatal Python error: Aborted"
    for line in (lines[0], lines[2]):
        at, _, rest = line.partition(" ")
        assert abs(time.time() - datetime.fromisoformat(at).timestamp()) < 120
        assert rest == f"pos-app {version('pos-app', '?')} begins"
        assert line in crashes(folder, Cleaner([], []))


HANGS = """
import sys, threading, time
from pathlib import Path
from pos_app.log import start_log
start_log(Path(sys.argv[1]), "info")

def works():
    while True:
        Path("a") / "b" / "c"

def hangs():
    print(flush=True)
    while True:
        time.sleep(60)

for _ in range(12):
    threading.Thread(target=works, daemon=True).start()
hangs()
"""


@pytest.mark.skipif(os.name != "posix", reason="a service manager ends nothing by a signal there")
def test_a_program_that_is_ended_because_it_hangs_says_where_whatever_its_threads_are_doing(
    folder: Path,
) -> None:
    """More than once: it is by chance what the stack of a thread is in the moment in which it is read."""
    for times in range(1, 4):
        with subprocess.Popen([sys.executable, "-c", HANGS, str(folder)], stdout=subprocess.PIPE) as hung:
            assert hung.stdout is not None
            hung.stdout.readline()
            hung.send_signal(signal.SIGABRT)
            assert hung.wait(30) == -signal.SIGABRT
        assert (folder / "crash.log").read_text().count("in hangs\n") == times


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
@pytest.mark.expects_log("no crash file is written")
@pytest.mark.parametrize("what", ["pipe", "folder", "link"])
def test_what_lies_where_the_crash_file_should_be_costs_no_log_and_no_start(folder: Path, what: str) -> None:
    """A pipe that nobody reads held up the whole till, and anything else that cannot be opened cost the log."""
    folder.mkdir()
    place, elsewhere = folder / "crash.log", folder.parent / "elsewhere"
    match what:
        case "pipe":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
        case _:
            place.symlink_to(elsewhere)
    stop = start_log(folder, "info")
    logger.info("goes on")
    stop()
    said = (folder / "pos-app.log").read_text()
    assert "no crash file is written" in said
    assert "goes on" in said
    assert not elsewhere.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_the_place_of_the_log_is_refused_at_once(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "pos-app.log")
    with pytest.raises(OSError, match=r"pos-app\.log"):
        start_log(folder, "info")


def test_a_crash_file_does_not_grow_for_ever(folder: Path) -> None:
    """The one before is kept."""
    folder.mkdir()
    (folder / "crash.log").write_bytes(b"x" * 1_000_001)
    start_log(folder, "info")()
    assert (folder / "crash.log").read_bytes() == b""
    assert (folder / "crash.log.1").stat().st_size == 1_000_001


def test_importing_the_log_loads_neither_handlers_nor_sockets() -> None:
    script = "import sys, pos_app.log; print([m for m in ('logging.handlers', 'socket', 'json') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.strip() == "[]"
