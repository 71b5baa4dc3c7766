"""What another thread has to say is heard on the window's, and by nobody once the window is gone."""

from __future__ import annotations

import threading

import shiboken6
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from pos_app.ui.dialogs.parts.answers import Answers, while_there


class Waits(QObject):
    answered = Signal(object)


def elsewhere(work: threading.Thread) -> None:
    work.start()
    work.join()


def test_an_answer_from_another_thread_is_heard(qtbot: QtBot) -> None:
    waits = Waits()
    with qtbot.waitSignal(waits.answered) as heard:
        elsewhere(threading.Thread(target=while_there(waits.answered.emit), args=("taken in",)))
    assert heard.args == ["taken in"]


def test_whoever_answers_a_window_that_is_gone_goes_on(qapp: object) -> None:
    """A store's answer that came while the till was closed ended its thread with an error."""
    assert qapp is not None
    parent, waits = QObject(), Waits()
    tell, answer = while_there(waits.answered.emit), Answers(parent).next()
    shiboken6.delete(waits)
    shiboken6.delete(parent)
    errors: list[object] = []
    before, threading.excepthook = threading.excepthook, lambda error: errors.append(error.exc_value)
    try:
        for each in (tell, answer):
            elsewhere(threading.Thread(target=each, args=("too late",)))
    finally:
        threading.excepthook = before
    assert errors == []
