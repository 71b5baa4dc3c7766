"""The till as a process: a second start, an end by signal, and ends while the service holds a call."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app.app.run import StartRefusal
from pos_app.app.single_instance import raise_running, socket_name
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import OWN_SANDBOX
from pos_app.domain.commands import Cancel
from pos_app.system.updating import raise_flag
from tests.end_to_end.conftest import MakeTill
from tests.support.hang_ups import with_a_terminal
from tests.support.living import let_live
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import StartedTill, arguments, enrol

__all__ = ["with_a_terminal"]

LIMIT_S = 60


@contextlib.contextmanager
def process(*options: str) -> Iterator[subprocess.Popen[str]]:
    """`python -m pos_app` with these options; killed at the end if it still runs."""
    started = subprocess.Popen(
        [sys.executable, "-m", "pos_app", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def options(config_dir: Path, data_dir: Path) -> Sequence[str]:
    return (
        f"--config={config_dir / 'config.toml'}",
        f"--secrets-file={config_dir / 'secrets.toml'}",
        f"--data-dir={data_dir}",
    )


def ended(started: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code and both outputs; the window of this process lives meanwhile."""
    deadline = QDeadlineTimer(LIMIT_S * 1000)
    while started.poll() is None:
        assert not deadline.hasExpired()
        let_live(20)
    out, err = started.communicate()
    ours = [line for line in err.splitlines() if not line.startswith("This plugin does not support")]
    return started.returncode, out, "\n".join(ours)


def wait_until_up(folder: Path) -> None:
    """Until the window of that folder answers the door."""
    deadline = QDeadlineTimer(LIMIT_S * 1000)
    while not raise_running(folder):
        assert not deadline.hasExpired()
        let_live(50)


def children(of: int) -> list[int]:
    """The processes this one started."""
    found = Path(f"/proc/{of}/task/{of}/children").read_text()
    return [int(each) for each in found.split()]


def test_a_second_start_brings_the_first_window_to_the_front_and_ends(
    till: StartedTill, config_dir: Path, tmp_path: Path
) -> None:
    till.window.showMinimized()
    with process(*options(config_dir, tmp_path / "data")) as second:
        code, out, err = ended(second)
    assert (code, out.strip(), err) == (0, "already running", "")
    till.until(lambda: not till.window.isMinimized())


def test_a_second_start_beside_a_till_that_hangs_says_so(
    till: StartedTill, config_dir: Path, tmp_path: Path
) -> None:
    """The system answers the door for it: "already running" was said of a window that never came."""
    with process(*options(config_dir, tmp_path / "data")) as second:
        # Nothing of this process's till lives meanwhile.
        out, err = second.communicate(timeout=LIMIT_S)
        assert (second.returncode, out) == (Exit.CANNOT_CREATE, "")
    assert f"in use by process {os.getpid()}; it does not answer: if its window stays still" in err
    till.window.showMinimized()
    with process(*options(config_dir, tmp_path / "data")) as third:
        assert ended(third)[0] == Exit.OK, "it is back"


@pytest.mark.skipif(os.name != "posix", reason="the door is a pipe there")
def test_a_till_that_ends_as_it_is_rung_did_not_come_to_the_front(
    qapp: QApplication,  # noqa: ARG001 - sockets of Qt
    tmp_path: Path,
) -> None:
    with socket.socket(socket.AF_UNIX) as door, ThreadPoolExecutor(1) as hangs_up:
        door.bind(str(Path(tempfile.gettempdir(), socket_name(tmp_path))))
        try:
            door.listen()
            hangs_up.submit(lambda: door.accept()[0].close())
            assert not raise_running(tmp_path)
        finally:
            Path(door.getsockname()).unlink()


@pytest.mark.expects_log("the engine does not answer")
def test_where_an_engine_stands_that_hangs_is_in_the_log(till: StartedTill) -> None:
    """A kiosk's till is ended for it, and what that writes down is the window's place alone."""
    hangs, goes_on, answered = threading.Event(), threading.Event(), threading.Event()

    def where_the_engine_hangs() -> None:
        hangs.set()
        goes_on.wait(LIMIT_S)

    folder = till.session.shop.data_dir / "log"
    assert till.session.pulse(where_the_engine_hangs)
    assert hangs.wait(LIMIT_S)
    for _ in range(6):
        assert till.session.pulse(lambda: None)
    goes_on.set()
    assert till.session.pulse(answered.set)
    assert answered.wait(LIMIT_S)
    assert till.stop()
    log = (folder / "pos-app.log").read_text("utf-8")
    (told,) = (line for line in log.splitlines() if "the engine does not answer; it is at " in line)
    assert "where_the_engine_hangs < " in told
    assert " run_engine < " in told


@pytest.mark.usefixtures("with_a_terminal")
@pytest.mark.parametrize("names", [("SIGTERM",), ("SIGHUP",), ("SIGTERM", "SIGHUP")], ids="-".join)
def test_a_signal_ends_the_till(
    qapp: object,  # noqa: ARG001 - the loop in which the other process is watched
    config_dir: Path,
    tmp_path: Path,
    names: tuple[str, ...],
) -> None:
    """The machine goes down, the terminal it was started in is closed, or its owner logs out: that sends both."""
    enrol(arguments(config_dir, tmp_path / "data"))
    with process(*options(config_dir, tmp_path / "data")) as running:
        wait_until_up(tmp_path / "data" / "sandbox")
        for name in names:
            running.send_signal(signal.Signals[name])
        code, out, err = ended(running)
    assert (code, out, err) == (0, "", "")


def test_sigterm_ends_the_till_while_a_customer_is_waited_for(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path, tmp_path: Path
) -> None:
    """Nobody is there to be asked: the machine goes down, and would kill it a minute and a half later."""
    first = make_till()
    attempt_id = first.charge_qr("81")
    assert first.stop()
    before = len(sandbox.calls("get_status"))
    with process(*options(config_dir, tmp_path / "data")) as running:
        deadline = QDeadlineTimer(LIMIT_S * 1000)
        # An ask after the one of the start: the window has the payment by then.
        while len(sandbox.calls("get_status")) < before + 3:
            assert not deadline.hasExpired()
            let_live(50)
        running.send_signal(signal.SIGTERM)
        code, out, err = ended(running)
    assert (code, out, err) == (0, "", "")
    second = make_till(people=False)
    second.until_seen("waiting_panel")
    sandbox.act(attempt_id, "pay")
    second.press(Qt.Key.Key_F5)
    second.until_result("PAID")


def opens_once_it_can(program: list[str], folder: Path, reason: str, mend: Callable[[], object]) -> str:
    """A till whose standard error goes where nobody looks gives this reason, and opens once that is mended: all that
    it said until then. Its data are in `folder`.
    """
    errors = folder / "session-errors"
    with errors.open("w") as nobody_looks:
        running = subprocess.Popen(
            [sys.executable, *program],
            stderr=nobody_looks,
            cwd=REPOSITORY,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        )
    try:
        deadline = QDeadlineTimer(LIMIT_S * 1000)
        while reason not in errors.read_text("utf-8"):
            assert running.poll() is None, errors.read_text("utf-8")
            assert not deadline.hasExpired()
            let_live(50)
        said = errors.read_text("utf-8")
        mend()
        wait_until_up(folder / "data" / "sandbox")
        assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        assert running.wait(LIMIT_S) == 0
    finally:
        running.kill()
        running.wait()
    return said


def test_started_from_a_menu_it_says_on_the_screen_why_it_cannot_open_and_opens_once_it_can(
    qapp: object,  # noqa: ARG001 - the loop in which the other process is watched
    config_dir: Path,
    tmp_path: Path,
) -> None:
    """A desktop takes standard error where nobody looks: it ended without a word."""
    enrol(arguments(config_dir, tmp_path / "data"))
    config = config_dir / "config.toml"
    good = config.read_text("utf-8")
    config.write_text(good + "[shop]\n", "utf-8")
    asked = options(config_dir, tmp_path / "data")
    opens_once_it_can(
        ["-m", "pos_app", *asked], tmp_path, "config.toml", lambda: config.write_text(good, "utf-8")
    )


FAULTY = """
import sys
from pathlib import Path
from pos_app.app.qt_loading import load_qt
load_qt()
from pos_app.app.session import Session
from pos_app.cli import main

whole, faulty = Session._make_window, Path(sys.argv.pop(1))

def fails(self):
    if faulty.exists():
        raise RuntimeError("access_token=canary-9")
    return whole(self)

Session._make_window = fails
sys.exit(main.main(sys.argv[1:]))
"""


def test_started_from_a_menu_it_says_on_the_screen_that_it_met_a_fault_and_opens_once_it_can(
    qapp: object,  # noqa: ARG001 - the loop in which the other process is watched
    config_dir: Path,
    tmp_path: Path,
) -> None:
    """It ended with 70, and no window: nobody reads that of a till from a menu."""
    enrol(arguments(config_dir, tmp_path / "data"))
    faulty = tmp_path / "faulty"
    faulty.touch()
    asked = options(config_dir, tmp_path / "data")
    said = opens_once_it_can(
        ["-c", FAULTY, str(faulty), *asked],
        tmp_path,
        "the till met a fault: unexpected RuntimeError",
        faulty.unlink,
    )
    assert "canary-9" not in said


def test_what_it_says_of_why_it_cannot_open_is_not_in_the_way_of_an_update(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update may be what it takes, and does not begin while anything runs of the old program."""
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    refusal = StartRefusal(qapp, Options(config=tmp_path / "none.toml", data_dir=tmp_path / "data"))
    QTimer.singleShot(0, lambda: raise_flag(os.getpid(), tmp_path))
    assert not refusal.is_to_try_again(CommandError(Exit.CANNOT_CREATE, "a newer till"))
    refusal.end()


def test_whoever_wants_it_tried_again_at_once_is_obeyed(qapp: QApplication, tmp_path: Path) -> None:
    refusal = StartRefusal(qapp, Options(config=tmp_path / "none.toml", data_dir=tmp_path / "data"))

    def look() -> None:
        (screen,) = (each for each in qapp.topLevelWidgets() if each.isVisible())
        assert screen.objectName() == "safe_screen"
        why = screen.findChild(QWidget, "safe_why")
        assert why is not None
        told.append(why.property("text"))
        press = screen.findChild(QWidget, "safe_again")
        assert isinstance(press, QAbstractButton)
        press.click()

    told: list[str] = []
    for said in ("settings are wrong", "settings are wrong", "the disk is full"):
        QTimer.singleShot(0, look)
        assert refusal.is_to_try_again(CommandError(Exit.CONFIGURATION, said))
    refusal.end()
    let_live(0)
    assert told == ["settings are wrong", "settings are wrong", "the disk is full"]
    assert not [each for each in qapp.topLevelWidgets() if each.isVisible()]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the processes in /proc")
def test_the_sandbox_ends_with_the_till(
    qapp: object,  # noqa: ARG001 - the loop in which the other process is watched
    tmp_path: Path,
) -> None:
    with process("--sandbox", f"--data-dir={tmp_path}") as running:
        wait_until_up(tmp_path / OWN_SANDBOX)
        deadline = QDeadlineTimer(LIMIT_S * 1000)
        while len(beside := children(running.pid)) < 1:
            assert not deadline.hasExpired()
            let_live(50)
        running.send_signal(signal.SIGTERM)
        code, _, err = ended(running)
    assert (code, err) == (0, "")
    assert not [each for each in beside if Path(f"/proc/{each}").exists()]


@pytest.mark.parametrize("operation", ["initiate_push", "get_status", "cancel"])
def test_the_till_closes_while_the_service_holds_a_call(
    make_till: MakeTill, sandbox: Sandbox, operation: str
) -> None:
    till = make_till()
    sandbox.fault("hold", operation, count=None)
    if operation == "cancel":
        till.charge_push("80")
        till.cancel()
    else:
        till.start_push("80")
    till.until(lambda: operation in sandbox.held())
    assert till.stop()
    assert operation in sandbox.held(), "it waited for the reply, which came"


def test_closing_the_window_in_mid_payment_loses_nothing(make_till: MakeTill, sandbox: Sandbox) -> None:
    first = make_till()
    attempt_id = first.charge_qr("81")
    first.window.close()
    first.until_seen("closing")
    assert first.window.isVisible()
    assert "LKR 81.00" in first.says("closing_more")
    first.press(Qt.Key.Key_Return)
    first.until(lambda: not first.seen("closing"))
    assert first.seen("waiting_panel"), "Enter stays"
    first.window.close()
    first.touch("closing_yes")
    assert first.stop()
    second = make_till(people=False)
    second.until_seen("waiting_panel")
    second.press(Qt.Key.Key_F5)
    sandbox.act(attempt_id, "pay")
    second.until_result("PAID")


def test_what_the_engine_says_while_it_is_ended_is_shown_by_nobody(till: StartedTill) -> None:
    """Another session begins in this process: a window that goes would begin a light that nobody ends."""
    session, told = till.session, list[object]()
    attempt_id = till.charge_qr("5")
    session.published.connect(told.append)
    session.bridge.post(Cancel(attempt_id, "demo-1"))
    assert session.stop()
    let_live(50)
    assert told == []


def test_closing_behind_the_lock_asks_without_an_amount(make_till: MakeTill) -> None:
    till = make_till()
    till.charge_qr("81")
    till.press(Qt.Key.Key_F9)
    till.until_seen("sign_in")
    till.window.close()
    till.until_seen("closing")
    assert not any("81" in each for each in till.words())
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("closing"))
    assert till.window.isVisible()


def test_closing_asks_nothing_when_nobody_is_waited_for(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    sandbox.act(till.charge_qr("82"), "pay")
    till.until_result("PAID")
    window = till.window
    window.close()
    assert not window.isVisible()
