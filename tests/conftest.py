"""Sets every test up the same way: off-screen, no proxy, strict about leftovers. Must not import Qt."""

import builtins
import gc
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

# Before any plugin makes an application. QT_QPA_PLATFORM=xcb runs the same tests on Xvfb.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from hypothesis import settings

from tests.guards.languages import english_again
from tests.guards.leaks import nothing_left_behind, pytest_collection_finish
from tests.guards.logs import no_unexpected_log
from tests.guards.watching import no_canary_left, pytest_runtest_makereport
from tests.guards.windows import no_stray_window
from tests.support.compiling import compile_my_share
from tests.support.in_memory import in_memory
from tests.support.patience import PATIENCE_S

__all__ = [
    "english_again",
    "no_canary_left",
    "no_stray_window",
    "no_unexpected_log",
    "nothing_left_behind",
    "pytest_collection_finish",
    "pytest_runtest_makereport",
]

# Two cores under load make any time limit for one example a lie.
settings.register_profile("till", deadline=None, print_blob=True)
settings.load_profile("till")


if "TMPDIR" not in os.environ and (place := in_memory()) is not None:
    # What the tests and the programs they start write: some ten thousand journals, each synced. Whether they are
    # synced at all is asked of the system calls, not of the disk.
    os.environ["TMPDIR"] = tempfile.tempdir = place


# Where it is set, no process that a test starts buffers what it says, and what is lost in a buffer is seen elsewhere
# alone.
os.environ.pop("PYTHONUNBUFFERED", None)
RUN_DIR = os.environ["POS_APP_RUN_DIR"] = str(Path(tempfile.gettempdir()) / "no-run-folder")
"""There is none: the tests' tills are not those that this machine's administrator waits for."""
PLAIN_IMPORT = builtins.__import__
# Until all tests are collected: what comes into being stays (tests/guards/leaks.py), and looking through it again and
# again for garbage took a sixth of the time.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Python's import is Python's again (pos_app/app/qt_loading.py): pytest-qt has loaded Qt by now, and with Qt's
    own a sixth of what it takes to collect the tests would be reading them once more."""
    builtins.__import__ = PLAIN_IMPORT


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before anything is collected."""
    compile_my_share(session.config)


def pytest_xvfb_disable() -> bool:
    """A virtual display is started only for tests that are to be drawn on one."""
    return os.environ["QT_QPA_PLATFORM"] == "offscreen"


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tester's own settings, secrets and proxies never reach a test, nor the processes it starts."""
    for name in list(os.environ):
        if name.startswith("POS_APP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("POS_APP_RUN_DIR", RUN_DIR)
    for name in ("CREDENTIALS_DIRECTORY", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(scope="session")
def qapp(qapp: Any) -> Any:
    """With the till's own collector: by itself Python's runs on whatever thread, and takes a widget away while the
    window's thread connects another. Then each waits for what the other holds.
    """
    from pos_app.ui import bridge
    from pos_app.ui.garbage import GarbageCollector
    from pos_app.ui.paper import worker
    from pos_app.ui.till.payment import qr_encoder

    GarbageCollector(qapp)
    # What ends has a few seconds for it, which a machine that is busy elsewhere may take for itself.
    bridge.STOP_LIMIT_MS = worker.STOP_MS = qr_encoder.STOP_MS = int(PATIENCE_S * 1000)
    return qapp


@pytest.fixture
def qtbot(qapp: Any, request: pytest.FixtureRequest) -> Any:  # noqa: ARG001 - it makes the application
    """pytest-qt's, with patience; imported here because tests without Qt share this file."""
    from tests.support.patient_qtbot import PatientQtBot

    return PatientQtBot(request)
