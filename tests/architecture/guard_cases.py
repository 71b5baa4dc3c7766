"""Tests that do what the guards forbid; run by test_guards.py alone, in a process of its own."""

import logging
import socket
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from PySide6.QtCore import QObject, QThread, QTimer, qWarning
from pytestqt.qtbot import QtBot

from pos_app.app.window_placement import OnDesktop
from pos_app.ui.widgets.label import Label
from tests.guards import leaks
from tests.support.patience import PATIENCE_S

MOST_OPEN = leaks.MOST_OPEN


@pytest.fixture(autouse=True)
def _grace(request: pytest.FixtureRequest) -> None:
    """Short, and strict, for those that leave something behind on purpose, until the next test."""
    leaks.GRACE_S = 0.2 if request.node.name.startswith("test_leaves") else PATIENCE_S
    leaks.MOST_OPEN = 1 if request.node.name.startswith("test_has_a_few_files") else MOST_OPEN


@pytest.fixture(scope="module")
def later() -> Iterator[ExitStack]:
    """Clears up after the last test, when the guards have had their say."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def authorizer(later: ExitStack) -> threading.Event:
    event = threading.Event()
    later.callback(event.set)
    return event


def test_logs_a_warning() -> None:
    logging.getLogger("pos_app.case").warning("tolerated by nobody")


def test_logs_a_warning_that_does_not_propagate(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("pos_app.quiet")
    monkeypatch.setattr(logger, "propagate", False)
    logger.addHandler(logging.NullHandler())
    logger.error("kept to itself")


def test_logs_an_exception() -> None:
    try:
        raise RuntimeError("who raised it")
    except RuntimeError:
        logging.getLogger("pos_app.case").exception("it broke")


@pytest.mark.expects_log("never said")
def test_does_not_log_what_it_announced() -> None:
    pass


@pytest.mark.expects_log("WARNING pos_app.case: asked for")
def test_logs_what_it_announced() -> None:
    logging.getLogger("pos_app.case").warning("asked for")


def test_warns() -> None:
    warnings.warn("deprecated", DeprecationWarning, stacklevel=1)


@pytest.mark.usefixtures("qapp")
def test_makes_qt_warn() -> None:
    qWarning("QObject: not like this")


def test_raises_in_a_slot(qtbot: QtBot) -> None:
    def fail() -> None:
        raise ValueError("in a slot")

    timer = QTimer(singleShot=True)
    timer.timeout.connect(fail)
    with qtbot.waitSignal(timer.timeout):
        timer.start(0)


def test_leaves_a_thread(authorizer: threading.Event) -> None:
    threading.Thread(target=authorizer.wait, name="forgotten").start()


def test_leaves_an_executor(authorizer: threading.Event, later: ExitStack) -> None:
    pool = ThreadPoolExecutor(1, thread_name_prefix="calls")
    pool.submit(authorizer.wait)
    later.callback(pool.shutdown, wait=False)


def test_raises_in_a_thread() -> None:
    def fail() -> None:
        raise ValueError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


def test_stops_a_thread_without_waiting_for_it() -> None:
    authorizer = threading.Event()
    threading.Thread(target=authorizer.wait).start()
    authorizer.set()


def test_leaves_a_socket_open(later: ExitStack) -> None:
    listener = later.enter_context(socket.socket())
    listener.bind(("127.0.0.1", 0))


def test_drops_a_socket_unclosed() -> None:
    socket.socket()


def test_leaves_a_qthread(qapp: QObject, later: ExitStack) -> None:
    thread = QThread(qapp)
    thread.setObjectName("poller")
    thread.start()
    later.callback(thread.wait)
    later.callback(thread.quit)


def test_leaves_a_timer(qapp: QObject, later: ExitStack) -> None:
    timer = QTimer(qapp)
    timer.setObjectName("blink")
    timer.start(60_000)
    later.callback(timer.stop)


def test_shows_a_part_as_a_window(qtbot: QtBot) -> None:
    """By the till's own hand."""
    part = Label("of nothing", name="lost")
    qtbot.addWidget(part)
    OnDesktop(phone=False).show(part)


def test_shows_a_part_by_itself(qtbot: QtBot) -> None:
    part = Label("to be looked at")
    qtbot.addWidget(part)
    part.show()


def test_shows_a_window_of_the_till(qtbot: QtBot) -> None:
    window = Label("all of it")
    window.setWindowTitle("Till")
    qtbot.addWidget(window)
    OnDesktop(phone=False).show(window)


def test_deletes_a_timer_later(qapp: QObject) -> None:
    timer = QTimer(qapp)
    timer.start(60_000)
    timer.deleteLater()


def test_has_a_few_files_more_open_than_are_allowed() -> None:
    """A descriptor that nobody owns is no leak by itself: the limit is lowered for this test."""
