"""Fails a test in which a part of the till is on the screen as a window of its own; must not load Qt itself."""

import functools
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


ALWAYS = dict.fromkeys(
    ("show", "showNormal", "showFullScreen", "showMaximized", "showMinimized", "open", "exec")
)
SHOWN_BY = {**ALWAYS, "setVisible": True, "setHidden": False}
"""What shows a widget, and with which word where it hides one as well."""


class Watch:
    """Notes each window that pos_app shows and that says nowhere what it is.

    A part that is shown before it has a parent is a window for as long as that: it stands on the screen for a
    moment, without a name, takes the focus, and is in front of a kiosk. All that is really a window has a title. A
    test may show a part as one, and Qt its lists and tips.

    It stands before what Python shows a widget by, for the life of the process. A filter of the application's events
    sees the same windows, and took a tenth to a fifth of each window's test: it is asked of every event there is.
    """

    def __init__(self) -> None:
        from PySide6 import QtWidgets
        from PySide6.QtCore import Qt

        self.wrong: list[str] = []
        self._popups = (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.Desktop)
        self._unseen = Qt.WidgetAttribute.WA_DontShowOnScreen
        # By name: until it is asked for, a class of Qt for Python is not in the module.
        classes = (one for name in dir(QtWidgets) if isinstance(one := getattr(QtWidgets, name), type))
        widgets = [one for one in classes if issubclass(one, QtWidgets.QWidget)]
        for one in widgets:
            for name in set(SHOWN_BY) & set(vars(one)):
                shown_by = vars(one)[name]
                # A menu's, which has none of its own to be shown: it is a list of Qt's.
                if not isinstance(shown_by, staticmethod):
                    setattr(one, name, self._before(name, shown_by))

    def _before(self, name: str, shown_by: Any) -> Any:
        word = SHOWN_BY[name]

        def show(widget: Any, *values: Any) -> Any:
            shows = word is None or bool(values[0]) is word
            if shows and widget.isWindow() and not widget.isVisible():
                self._look_at(widget, sys._getframe(1))
            return shown_by(widget, *values)

        # By it Qt for Python knows a slot that a signal is connected to.
        show.__name__ = name
        return show

    def _look_at(self, window: Any, caller: FrameType) -> None:
        is_known = bool(window.windowTitle()) or window.windowType() in self._popups
        if is_known or type(window).__name__ in KNOWN or window.testAttribute(self._unseen):
            return
        frame = _whose(caller, window)
        if frame is None or not frame.f_code.co_filename.startswith(OURS):
            return
        place = Path(frame.f_code.co_filename).relative_to(REPOSITORY)
        line = "".join(traceback.format_stack(frame, 1)).strip().rpartition("\n")[2].strip()
        what = f"{type(window).__name__} {window.objectName()!r}"
        self.wrong.append(f"{what} at {place}:{frame.f_lineno}: {line}")


def _whose(frame: FrameType | None, window: Any) -> FrameType | None:
    """The nearest caller that is the till's or the tests': what shows it still runs.

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
    request.getfixturevalue("qapp")
    watch = _watch()
    watch.wrong.clear()
    yield
    if watch.wrong:
        pytest.fail("a window for a moment: " + "; ".join(dict.fromkeys(watch.wrong)), pytrace=False)


@functools.cache
def _watch() -> Watch:
    return Watch()
