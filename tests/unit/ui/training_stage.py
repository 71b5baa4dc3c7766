"""The course's window on each of its pages, with a phone that rings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from pos_app.domain.views import Terminal
from pos_app.i18n import languages
from pos_app.i18n.words.training import words
from pos_app.training.coach.model import Telling, listed, opening, telling, verdict
from pos_app.training.coach.sheet import Need, Sheet
from pos_app.training.course.exercises import COURSE
from pos_app.training.course.progress import Register
from pos_app.training.course.run import Outcome, Run
from pos_app.training.course.scenario import Where
from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip
from pos_app.training.phone.values import Payment
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from tests.support.published import config
from tests.unit.i18n import pseudo
from tests.unit.i18n.looking import cut, untranslated

_FROM_LEFT = Qt.LayoutDirection.LeftToRight
LOW = QRect(0, 0, 340, 740)
"""Beside a till on a screen of 1366 × 768, less a window's frame."""

STRIP = QRect(0, 0, 1024, 82)
"""Below a till on a screen of 1024 × 768."""

DATA = ("Nimali", "Kasun", "Ruwan Wickramasinghe")
AT = "2026-01-31T14:05:00+05:30"


class Beside:
    """The window, without a till and without a course."""

    def __init__(self, qtbot: Any, room: QRect = LOW) -> None:
        self.phone = PhoneWindow(Wire("http://127.0.0.1:1"), inside=True)
        self.sheet = Sheet(self.phone)
        qtbot.addWidget(self.sheet)
        self.phone.show_payments(
            (Payment("9428013819997315", "push", "Merchant Initiated", "12000.00", "+94771234567"),)
        )
        self.sheet.stand(room, STRIP, may_fold=True)
        self.sheet.show()

    def show_step(self, told: Telling) -> None:
        """As the course does."""
        needed = told.where in (Where.PHONE, Where.BOTH)
        self.sheet.coach.show_step(told)
        self.sheet.strip.show_text(told.do)
        self.settle(Need.PHONE if needed else Need.WHAT_FITS)

    def settle(self, need: Need = Need.WHAT_FITS) -> None:
        """Lays out what is new."""
        self.sheet.need(need)
        for _ in range(5):
            QApplication.processEvents()


def steps() -> Iterator[Telling]:
    """Every step of every exercise, with all it can say."""
    for scenario in COURSE:
        run = Run(scenario, Terminal())
        for at, step in enumerate(scenario.all_steps):
            run._at = at
            told = telling(run, config())
            if step.where in (Where.TILL, Where.GOODS):
                every = (Decision.HAND_OVER, Decision.WAIT if step.may_wait else Decision.NO_GOODS)
                goods = words.GOODS.format(money=config().money(scenario.customers[0].amount))
                told = replace(told, goods=goods, decisions=every)
            yield told


def show_quiet_pages(on: Beside) -> Iterator[str]:
    """All but the steps, one after the other; its name once it is shown."""
    on.sheet.coach.show_invitation()
    on.settle(Need.PHONE)
    yield "invitation"
    on.sheet.coach.show_who(["Nimali", "Kasun", "Ruwan Wickramasinghe"])
    on.settle()
    yield "who"
    register = Register().marked("Nimali", "late", Outcome.SLIPPED, AT)
    learner = register.marked("Nimali", "first_qr", Outcome.RIGHT, AT).of("Nimali")
    on.sheet.coach.show_list(listed(learner))
    on.settle(Need.COACH)
    yield "list"
    for scenario in COURSE:
        on.sheet.coach.show_opening(opening(scenario, learner))
        on.settle()
        yield f"intro {scenario.key}"
        run = Run(scenario, Terminal())
        own = [
            slip for slip in Slip if scenario is COURSE[0] or f"{scenario.key}.{slip.value}" in words.SLIP_IN
        ]
        for slip in (None, *own):
            run.slip = slip
            on.sheet.coach.show_verdict(verdict(run), "disk full")
            on.settle()
            yield f"verdict {scenario.key} {slip}"


@contextmanager
def language(name: str) -> Iterator[None]:
    """One of the till's, or one that is longer than all."""
    if name == "pseudo":
        with pseudo.spoken():
            yield
        return
    from_right = Qt.LayoutDirection.RightToLeft if languages.is_right_to_left(name) else _FROM_LEFT
    QApplication.setLayoutDirection(from_right)
    languages.speak(name)
    try:
        yield
    finally:
        languages.speak("en")
        QApplication.setLayoutDirection(_FROM_LEFT)


def wrong_steps(on: Beside, name: str) -> list[str]:
    """What is cut, too large or said by no table in any step."""
    found: list[str] = []
    for told in steps():
        on.show_step(told)
        found += _wrong(on, name, f"{told.title}, {told.place}")
    return found


def wrong_pages(on: Beside, name: str) -> list[str]:
    """The same on every other page."""
    return [each for page in show_quiet_pages(on) for each in _wrong(on, name, page)]


def wrong_strips(on: Beside) -> list[str]:
    """The same of the strip."""
    found: list[str] = []
    for told in steps():
        on.show_step(told)
        on.sheet.fold(True)
        on.settle()
        found += [f"{told.do}: {each}" for each in cut(on.sheet)]
        if on.sheet.size() != STRIP.size():
            found.append(f"{told.do}: grew to {on.sheet.size().toTuple()}")
    return found


def _wrong(on: Beside, name: str, page: str) -> list[str]:
    found = [f"{page}: {each}" for each in cut(on.sheet)]
    if on.sheet.height() > LOW.height() or on.sheet.width() > LOW.width():
        found.append(f"{page}: grew to {on.sheet.size().toTuple()}")
    if name == "pseudo":
        found += [f"{page}: {each}" for each in untranslated(on.sheet, DATA)]
    return found
