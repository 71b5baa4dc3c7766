"""The panels that open over the till, as they stand when somebody has just opened them. Their answers go nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.export import Exported, Format, News
from pos_app.domain.people import Person
from pos_app.domain.refund import Note, NoteProblem, NoteWay, Signed, given
from pos_app.domain.views import (
    NotesRead,
    PaymentRows,
    PaymentsCounted,
    SignIn,
    SignInStep,
    StaffLine,
    StaffLog,
)
from pos_app.gallery.beside_the_list import BESIDE_THE_LIST
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.other_counters import OTHER_COUNTERS
from pos_app.gallery.papers import note
from pos_app.gallery.samples import KASUN, NIMALI, RUWAN, attempt, config, terminal
from pos_app.i18n.words.set_up import words as set_up_words
from pos_app.i18n.words.till import words
from pos_app.system.sticks import Stick
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.day.export import ExportPanel
from pos_app.ui.dialogs.help import Help
from pos_app.ui.dialogs.parts.lines import Panel, column
from pos_app.ui.dialogs.payments.history import HistoryPanel
from pos_app.ui.dialogs.payments.open_payments import OpenPayments
from pos_app.ui.dialogs.payments.refund_notes import NoteForm, NotesPanel
from pos_app.ui.dialogs.payments.settle import AnswerPanel, Outcome, Settle
from pos_app.ui.dialogs.people.managers_menu import Item, ManagersMenu
from pos_app.ui.dialogs.people.saved_file import SavedFile
from pos_app.ui.dialogs.people.staff_log import StaffLogPanel
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.dialogs.sign_in.person_menu import PersonMenu
from pos_app.ui.keyboard.keyboard import Keyboard, size_in
from pos_app.ui.keyboard.layouts import LETTERS
from pos_app.ui.theme.theme import tokens
from pos_app.ui.till.window.payment_details import PaymentDetails
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import SecretField
from pos_app.ui.widgets.overlay import OverlayHost
from pos_app.ui.widgets.touch import Touch, pose
from pos_app.ui.widgets.touched_fields import Takes

_ROOM = (840, 640)
_SIZES = {"manager": (840, 860), "manager-asked": (840, 860), "differences": (840, 1_400)}
"""Those with all that they can ever have; at a till a menu never has it all at once, and a list scrolls."""
_WINDOW = (1024, 768)
_PRICES = (Decimal("1200.00"), Decimal("50.00"))
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


def _open(*, any_open: bool, noted: bool = False) -> QWidget:
    waiting = attempt(sale_id="0118", attempt_id="SBX-TK7M3Q9RD-0118-1", kind=Kind.PUSH)
    unknown = attempt(state=State.IN_DOUBT)
    late = attempt(
        sale_id="0117", attempt_id="SBX-TK7M3Q9RD-0117-1", state=State.PAID_LATE, ended_at=18_000, tapped_at=1
    )
    seen = terminal(open=(waiting, unknown), attention=(late,)) if any_open else terminal()
    if noted:
        seen = terminal(notes=(note(),))
    return OpenPayments(config(), _nothing, seen, now=lambda: _SOON_AFTER)


def _found_again(*, asked: bool) -> QWidget:
    """After the record of payments was lost, before a manager."""
    late = [
        attempt(
            sale_id=f"{117 - number:04}",
            attempt_id=f"SBX-TK7M3Q9RD-{117 - number:04}-1",
            state=State.PAID_LATE,
            recovered=True,
            tapped_at=number,
        )
        for number in range(2)
    ]
    seen = terminal(attention=tuple(late), signed_in=RUWAN)
    panel = OpenPayments(config(), _nothing, seen, now=lambda: _SOON_AFTER)
    if asked:
        panel.answer_all.click()
    return panel


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


def _details(**changed: Any) -> PaymentDetails:
    """A payment of the strip, looked at later."""
    it = attempt(state=State.PAID, ended_at=14_000, **changed)
    return PaymentDetails(
        it,
        config(),
        words,
        cashier=NIMALI.name,
        by_manager=True,
        now=lambda: _SOON_AFTER + timedelta(minutes=4),
    )


def _noted_card() -> QWidget:
    """The same with money back noted."""
    made = _details()
    made.show_notes((note(), _given()))
    return made


def _given() -> Note:
    return given(replace(note(8), way=NoteWay.CASH, receiver="", text="", own=True, beside=""), _SIGNED)


_SIGNED = Signed(by=RUWAN.person_id, wall="2025-11-21T14:31:00.000+05:30", name=RUWAN.name)


def _note_form(problem: NoteProblem | None = None) -> QWidget:
    made = NoteForm(
        attempt(state=State.PAID, ended_at=14_000),
        Decimal("1250.00"),
        config(),
        has_printer=True,
        by_manager=True,
    )
    if problem is not None:
        made.amount.set_text("1,300.00")
        made.say(problem)
    return made


def _notes(*notes: Note) -> QWidget:
    it = attempt(state=State.PAID, ended_at=14_000)
    names = {each.person_id: each.name for each in (NIMALI, RUWAN, KASUN)}
    made = NotesPanel(it, config(), lambda person_id: names.get(person_id, ""), has_printer=True)
    room = it.amount - sum((each.amount for each in notes), Decimal(0))
    made.take(NotesRead(request_id="n", attempt_id=it.attempt_id, notes=notes, room=room))
    return made


def _log(*, of: str = "") -> QWidget:
    """What was done, of everybody or of one person."""
    made = StaffLogPanel((NIMALI, RUWAN, KASUN), _SOON_AFTER.date())
    made.who.set_text(of)
    made.show_log(StaffLog(request_id="log", lines=() if of else _DONE), (NIMALI, RUWAN, KASUN))
    return made


_DONE = (
    StaffLine(
        wall="2025-11-21T14:06:00+05:30",
        kind="SETTINGS_IN_FORCE",
        who=RUWAN.person_id,
        whom="",
        reason="New merchant contract",
        content={"changes": {"shop.max_amount": {"old": "50000", "new": "100000"}}},
    ),
    StaffLine(
        wall="2025-11-21T13:58:00+05:30",
        kind="PERSON_CHANGED",
        who=RUWAN.person_id,
        whom=KASUN.person_id,
        reason="Takes over this shop",
        content={"changes": {"role": {"from": "cashier", "to": "manager"}}},
    ),
    StaffLine(
        wall="2025-11-21T08:31:00+05:30",
        kind="PERSON_ENROLLED",
        who=RUWAN.person_id,
        whom=NIMALI.person_id,
        reason="New at this shop",
        content={},
    ),
)


def _saved(found: Sequence[Stick], copied: str | None = None) -> QWidget:
    """The file for the help desk, and what it can be taken along on."""
    made = SavedFile(find=lambda: list(found), can_be_seen=lambda: True)
    made.show_outcome("/home/till/pos-app-diagnostics-20251121-1407.zip", "")
    if copied is not None:
        made.sticks.findChildren(Button, "saved_file_stick_0")[0].click()
        made.show_copied(copied)
    return made


_STICK = Stick("SHOP STICK", Path("/media/till/SHOP STICK"))


def _export(news: News | None = None) -> QWidget:
    """Payments as a file: chosen, being written, or what became of it."""
    made = ExportPanel(
        "/home/till/Documents", 12, _SOON_AFTER.date(), find=lambda: [_STICK], which="" if news else "12"
    )
    if news is not None:
        made.begin()
        made.show_news(news)
    return made


_SAVED = Exported(
    file="/home/till/Documents/sandbox-payments-z12.csv",
    format=Format.CSV,
    rows=410,
    amounts={},
    head_seq=9951,
    sha256="3f786850e387550fdab836ed7e6dc881de23001b64c3e0a7",
)


def _history() -> QWidget:
    """Some thousand payments, of which the first are here."""
    asked: list[Any] = []
    made = HistoryPanel(config(), asked.append, "p1", has_files=True)
    request_id = asked[0].request_id
    made.receive(PaymentsCounted(request_id=request_id, count=4_711, scanned=9_000, block=4))
    rows = tuple(
        attempt(sale_id=f"{118 - at:04d}", attempt_id=f"SBX-TK7M3Q9RD-{118 - at:04d}-1", state=state)
        for at, state in enumerate((State.PAID, State.FAILED, State.PAID_LATE, State.PAID))
    )
    made.receive(PaymentRows(request_id=request_id, block=0, rows=rows))
    return made


def _secret(*, shown: bool) -> QWidget:
    """What was pasted, in dots and while it is looked at."""
    field = SecretField(set_up_words.LABEL["access_token"], "access_token", has_eye=True)
    field.set_text("eyJhbGciOi-not-a-token")
    if field.eye is not None:
        field.eye.look(shown=shown)
        pose(field.edit, Touch(focused=True))
    made = Panel()
    column(made, field)
    return made


def _keys(takes: Takes, language: str = "en") -> QWidget:
    """The keys on the screen, as wide as a window."""
    made = Keyboard(language)
    made.serve(takes, others=True)
    made.setFixedSize(made.place(*_WINDOW))
    return made


def keyboards() -> list[Exhibit]:
    """A page of keys for each script, for signs and for figures."""
    size = size_in(*_WINDOW)
    pages = {
        **{f"keys-{each}": (Takes.TEXT, each) for each in LETTERS},
        "keys-figures": (Takes.FIGURES, "en"),
    }
    return [
        Exhibit(name, partial(_keys, takes, language), (size.width(), size.height()))
        for name, (takes, language) in pages.items()
    ]


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
        ("open-payments-noted", partial(_open, any_open=False, noted=True), 800),
        ("open-payments-none", partial(_open, any_open=False), 800),
        ("open-payments-found-again", partial(_found_again, asked=False), 800),
        ("open-payments-answered-together", partial(_found_again, asked=True), 800),
        ("people-list", partial(_people, 1), 520),
        ("payment-card", _details, 640),
        ("payment-card-by-push", partial(_details, kind=Kind.PUSH, prices=_PRICES), 640),
        ("payment-card-noted", _noted_card, 640),
        ("refund-notes", lambda: _notes(note(), _given()), 800),
        ("refund-notes-none", _notes, 800),
        ("refund-note-form", _note_form, 800),
        ("refund-note-too-much", partial(_note_form, NoteProblem.TOO_MUCH), 800),
        ("what-was-done", _log, 800),
        ("what-was-done-none", partial(_log, of=KASUN.person_id), 800),
        ("diagnostics-no-stick", partial(_saved, ()), 640),
        ("diagnostics-stick", partial(_saved, (_STICK,)), 640),
        ("diagnostics-copied", partial(_saved, (_STICK,), ""), 640),
        ("diagnostics-stick-full", partial(_saved, (_STICK,), "No space left on device"), 640),
        ("export", _export, 760),
        ("export-writing", partial(_export, News(done=410_000, most=1_000_000)), 760),
        ("export-saved", partial(_export, News(exported=_SAVED)), 760),
        ("export-full", partial(_export, News(trouble="full")), 760),
        ("history", _history, 800),
        *((name, build, 860) for name, build in BESIDE_THE_LIST),
        *OTHER_COUNTERS,
        ("secret", partial(_secret, shown=False), 520),
        ("secret-looked-at", partial(_secret, shown=True), 520),
    ]
    return [
        Exhibit(name, partial(room, build, width), _SIZES.get(name, _ROOM)) for name, build, width in made
    ] + keyboards()


def room(build: Callable[[], QWidget], width: int) -> QWidget:
    """A panel over the till's ground, this wide at the most."""
    return Room(build(), width)
