"""Fails a test that leaves a thread, socket, running QThread or active QTimer; must not load Qt itself."""

import contextlib
import gc
import os
import socket
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S

# A stop that was asked for may need a moment, on a busy machine some seconds; one that was forgotten will not come at
# all.
GRACE_S = PATIENCE_S
_FDS = Path("/proc/self/fd")
MOST_OPEN = 256
"""Descriptors of a process that tests run in. What no Python object owns is missed by nothing else until there are
1,024: select refuses every number behind."""
SHADOW = threading._DummyThread
"""What Python shows of a thread that it has not begun itself, a QThread for one."""


def threads() -> dict[int, threading.Thread]:
    """The threads of Python, executor workers included; the shadow of a QThread is not one of them."""
    return {id(one): one for one in threading.enumerate() if not isinstance(one, SHADOW)}


def leaked_threads(before: dict[int, threading.Thread]) -> list[str]:
    """The threads begun since and still alive after the grace, by name and by what they run."""
    deadline = time.monotonic() + GRACE_S
    new = [one for key, one in threads().items() if key not in before]
    for one in new:
        one.join(max(0.0, deadline - time.monotonic()))
    return [f"thread {one.name!r} running {_target(one)}" for one in new if one.is_alive()]


def _target(thread: threading.Thread) -> str:
    target = getattr(thread, "_target", None) or type(thread).run
    return f"{target.__module__}.{getattr(target, '__qualname__', target)}"


def network_sockets() -> dict[int, str]:
    """Open internet sockets: file number to inode, so that a number used again counts as new."""
    if not _FDS.is_dir():
        return {}
    found = {}
    for name in os.listdir(_FDS):  # noqa: PTH208 - twice as fast, and every test pays for it
        try:
            seen = os.fstat(int(name))
        except OSError:
            continue
        if stat.S_ISSOCK(seen.st_mode) and _family(int(name)) in (socket.AF_INET, socket.AF_INET6):
            found[int(name)] = f"socket:[{seen.st_ino}]"
    return found


def _family(number: int) -> int | None:
    try:
        twin = socket.socket(fileno=os.dup(number))
    except OSError:
        return None
    with twin:
        return twin.family


def leaked_sockets(before: dict[int, str]) -> list[str]:
    """The internet sockets opened since, whoever owns them; a collected one is closed and no leak."""

    def new() -> list[int]:
        return [number for number, link in network_sockets().items() if before.get(number) != link]

    if not new():
        return []
    gc.collect()
    return [f"socket {number} {_ends(number)}" for number in new()]


def _ends(number: int) -> str:
    with socket.socket(fileno=os.dup(number)) as twin:
        try:
            return f"{twin.getsockname()} to {twin.getpeername()}"
        except OSError:
            return f"at {twin.getsockname()}"


def too_many_open() -> list[str]:
    """What most of the open descriptors are, once there are more than any test needs."""
    # Wine shows its own there, hundreds of them, to a Python that knows nothing of the place.
    if sys.platform != "linux" or len(numbers := os.listdir(_FDS)) <= MOST_OPEN:  # noqa: PTH208
        return []
    found = Counter[str]()
    for number in numbers:
        with contextlib.suppress(OSError):
            found[os.readlink(_FDS / number)] += 1  # noqa: PTH115
    most = ", ".join(f"{many} of {what}" for what, many in found.most_common(3))
    return [f"{len(numbers)} open descriptors, by this test or those before it: {most}"]


def _with_subclasses(kind: type) -> set[type]:
    found = {kind}
    each: type
    for each in type.__subclasses__(kind):
        found |= _with_subclasses(each)
    return found


def qt_objects() -> dict[int, Any]:
    """The running QThreads and active QTimers; none while Qt is not loaded or has no application."""
    core = sys.modules.get("PySide6.QtCore")
    if core is None or core.QCoreApplication.instance() is None:
        return {}
    threads_ = _with_subclasses(core.QThread)
    wanted = threads_ | _with_subclasses(core.QTimer)
    # Qt for Python knows its own few by heart; a walk over all objects of Python took longer than most tests. By their
    # exact classes: asking each what else it is takes most of the rest.
    found = [one for one in sys.modules["shiboken6"].getAllValidWrappers() if type(one) in wanted]
    return {id(one): one for one in found if (one.isRunning() if type(one) in threads_ else one.isActive())}


def let_go() -> None:
    """A button or a finger that a test pressed last and left there: Qt would know it for all tests that come after."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is None or gui.QGuiApplication.instance() is None or not gui.QGuiApplication.mouseButtons().value:
        return
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    somewhere = QWidget()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        QTest.mouseRelease(somewhere, button)


def leaked_qt_objects(before: dict[int, Any]) -> list[str]:
    """The QThreads still running after the grace and the QTimers still active, by class, name and parents."""
    core = sys.modules.get("PySide6.QtCore")
    if core is None or core.QCoreApplication.instance() is None:
        return []
    # What a test handed to deleteLater is gone by its own wish; it would live until the next loop.
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    new = [one for key, one in qt_objects().items() if before.get(key) is not one]
    deadline = time.monotonic() + GRACE_S
    return [_path(one) for one in new if not _ends_by_itself(one, core, deadline)]


def _ends_by_itself(one: Any, core: Any, deadline: float) -> bool:
    if isinstance(one, core.QThread):
        return bool(one.wait(max(0, int((deadline - time.monotonic()) * 1000))))
    return False


def _path(one: Any) -> str:
    names = []
    while one is not None:
        names.append(f"{type(one).__name__} {one.objectName()!r}")
        one = one.parent()
    return " of ".join(names)


def pytest_collection_finish() -> None:
    """What stands before the first test is no test's: it is left out of every walk over all objects from here on."""
    gc.enable()
    gc.collect()
    gc.freeze()


def _collect_here() -> None:
    """Once windows have been: what is left of them is no other thread's to take away (pos_app/ui/garbage.py), whatever
    turned the automatic collector on again; a verb that a test runs in this process does.
    """
    core = sys.modules.get("PySide6.QtCore")
    if core is None or core.QCoreApplication.instance() is None:
        return
    from pos_app.ui.garbage import collect_what_is_due

    gc.disable()
    collect_what_is_due()


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compares before and after; Qt objects only where a test uses Qt."""
    uses_qt = bool({"qtbot", "qapp"} & set(request.fixturenames))
    if uses_qt:
        # Its own collector's timer is no test's.
        request.getfixturevalue("qapp")
    threads_before, sockets_before = threads(), network_sockets()
    qt_before = qt_objects() if uses_qt else {}
    yield
    _collect_here()
    left = leaked_qt_objects(qt_before) if uses_qt else []
    let_go()
    left += leaked_threads(threads_before) + leaked_sockets(sockets_before) + too_many_open()
    if left:
        pytest.fail("left behind: " + "; ".join(left), pytrace=False)
