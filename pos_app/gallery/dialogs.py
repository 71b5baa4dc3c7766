"""The panels that open over the till, as they stand when somebody has just opened them. Their answers go nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.people import Person
from pos_app.domain.views import SignIn, SignInStep
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.samples import KASUN, NIMALI, RUWAN, attempt, config, terminal
from pos_app.i18n.words.till import words
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.help import Help
from pos_app.ui.dialogs.parts.lines import Panel, column
from pos_app.ui.dialogs.payments.open_payments import OpenPayments
from pos_app.ui.dialogs.payments.settle import AnswerPanel, Outcome, Settle
from pos_app.ui.dialogs.people.managers_menu import Item, ManagersMenu
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.dialogs.sign_in.person_menu import PersonMenu
from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.overlay import OverlayHost

_ROOM = (840, 640)
_SOON_AFTER = datetime.fromisoformat("2025-11-21T14:09:20+05:30")


class Room(QWidget):
    """A ground for one panel."""

    def __init__(self, panel: QWidget, width: int) -> None:
        super().__init__()
        OverlayHost(self, veil=False).open(panel, width=width, take_focus=False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The till's ground."""
        QPainter(self).fillRect(self.rect(), QColor(tokens().bg))


def _nothing(_command: object) -> None:
    """Nobody takes commands here."""


def _confirm(*, danger: bool) -> QWidget:
    said = words.method
    return Confirm(
        said.park_first,
        said.park_first_more.format(money="LKR 1,250.00", sale="0123"),
        yes=said.park_first_yes,
        no=said.back,
        danger=danger,
    )


def _sign_in(
    step: SignInStep | None, problem: str = "", people: Sequence[Person] = (NIMALI, RUWAN, KASUN)
) -> QWidget:
    made = SignInPanel(people, _nothing)
    if step is not None:
        made.people.picked.emit(NIMALI.person_id)
        made.receive(
            SignIn(step=step, person_id=NIMALI.person_id, problem=problem, number_mask=NIMALI.number_mask,
                   tries_left=4, resend_in_s=0)
        )  # fmt: skip
    return made


def _late() -> QWidget:
    said, result = words.ask, words.result
    it = attempt(state=State.PAID_LATE, ended_at=18_000)
    settle = Settle(
        f"{result.late} · {config().money(it.amount)}",
        result.late_more.format(sale=it.sale_id, time="14:07"),
        (Outcome("refund", said.refund), Outcome("complete", said.complete, "primary")),
        words,
        who=NIMALI.name,
        reasons=(said.reason_complete, said.reason_refund),
    )
    return AnswerPanel(settle, badge.LATE)


def _open(*, any_open: bool) -> QWidget:
    waiting = attempt(sale_id="0118", attempt_id="SBX-TK7M3Q9RD-0118-1", kind=Kind.PUSH)
    unknown = attempt(state=State.IN_DOUBT)
    late = attempt(
        sale_id="0117", attempt_id="SBX-TK7M3Q9RD-0117-1", state=State.PAID_LATE, ended_at=18_000, tapped_at=1
    )
    seen = terminal(open=(waiting, unknown), attention=(late,)) if any_open else terminal()
    return OpenPayments(config(), _nothing, seen, now=lambda: _SOON_AFTER)


def _people(chosen: int) -> QWidget:
    gone = Person(
        person_id="p9", name="Chandrasekara Mudiyanselage Anura Kumara Senanayake Wickramasinghe",
        role=NIMALI.role, number_mask="+94 •• ••• 999", number_digest="d9", enabled=False,
    )  # fmt: skip
    names = PeopleList((NIMALI, RUWAN, KASUN, gone), everybody=True)
    names.setCurrentRow(chosen)
    made = Panel()
    column(made, names)
    return made


def dialogs() -> list[Exhibit]:
    """All of them."""
    made: list[tuple[str, Callable[[], QWidget], int]] = [
        ("help", partial(Help, words), 860),
        ("confirm", partial(_confirm, danger=False), 520),
        ("confirm-danger", partial(_confirm, danger=True), 520),
        ("person-menu", partial(PersonMenu, NIMALI, "F9"), 520),
        ("manager", partial(ManagersMenu, tuple(Item), is_manager=True), 520),
        ("manager-asked", partial(ManagersMenu, tuple(Item), is_manager=False), 520),
        ("sign-in", partial(_sign_in, None), 520),
        ("sign-in-code", partial(_sign_in, SignInStep.CODE_SENT), 520),
        ("late", _late, 800),
        ("open-payments", partial(_open, any_open=True), 800),
        ("open-payments-none", partial(_open, any_open=False), 800),
        ("people-list", partial(_people, 1), 520),
    ]
    return [Exhibit(name, partial(_room, build, width), _ROOM) for name, build, width in made]


def _room(build: Callable[[], QWidget], width: int) -> QWidget:
    return Room(build(), width)
