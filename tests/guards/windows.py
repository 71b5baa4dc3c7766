"""Fails a test in which a part of the till is on the screen as a window of its own; must not load Qt itself."""

import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
OURS, TESTS = str(REPOSITORY / "pos_app"), str(REPOSITORY / "tests")
GUARDS = str(REPOSITORY / "tests" / "guards")


KNOWN = ("Backdrop",)
"""Windows that have nothing to say, a title least of all."""


class Watch:
    """Notes each window that pos_app shows and that says nowhere what it is.

    A part that is shown before it has a parent is a window for as long as that: it stands on the screen for a
    moment, without a name, takes the focus, and is in front of a kiosk. All that is really a window has a title. A
    test may show a part as one, and Qt its lists and tips.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import QObject, Qt
        from PySide6.QtGui import QShowEvent
        from PySide6.QtWidgets import QWidget

        self.wrong: list[str] = []
        note = self._note
        popups = (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.Desktop)
        unseen = Qt.WidgetAttribute.WA_DontShowOnScreen

        class Filter(QObject):
            def eventFilter(self, watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
                # Asked of every event of every test. Its class tells it from the others; what type it is of takes Qt
                # for Python six times as long to say.
                if (
                    not isinstance(event, QShowEvent)
                    or not isinstance(watched, QWidget)
                    or not watched.isWindow()
                ):
                    return False
                is_known = bool(watched.windowTitle()) or watched.windowType() in popups
                is_known = is_known or type(watched).__name__ in KNOWN
                if not is_known and not watched.testAttribute(unseen):
                    note(watched)
                return False

        self._filter = Filter()

    def start(self, application: Any) -> None:
        application.installEventFilter(self._filter)

    def stop(self, application: Any) -> None:
        application.removeEventFilter(self._filter)

    def _note(self, window: Any) -> None:
        frame = _whose(sys._getframe(2), window)
        if frame is None or not frame.f_code.co_filename.startswith(OURS):
            return
        place = Path(frame.f_code.co_filename).relative_to(REPOSITORY)
        line = "".join(traceback.format_stack(frame, 1)).strip().rpartition("\n")[2].strip()
        what = f"{type(window).__name__} {window.objectName()!r}"
        self.wrong.append(f"{what} at {place}:{frame.f_lineno}: {line}")


def _whose(frame: FrameType | None, window: Any) -> FrameType | None:
    """The nearest caller that is the till's or the tests': a Show comes while show() or the like still runs.

    What a part does to itself is done by whoever told it to: a test may, with a part that stands alone.
    """
    while frame is not None:
        name = frame.f_code.co_filename
        is_ours = name.startswith((OURS, TESTS)) and not name.startswith(GUARDS)
        if is_ours and frame.f_locals.get("self") is not window:
            return frame
        frame = frame.f_back
    return None


@pytest.fixture(autouse=True)
def no_stray_window(request: pytest.FixtureRequest) -> Iterator[None]:
    """Only where a test has an application."""
    if not {"qtbot", "qapp"} & set(request.fixturenames):
        yield
        return
    application, watch = request.getfixturevalue("qapp"), Watch()
    watch.start(application)
    yield
    watch.stop(application)
    if watch.wrong:
        pytest.fail("a window for a moment: " + "; ".join(dict.fromkeys(watch.wrong)), pytrace=False)
