"""Refund notes at the window: from a payment's card, from the list of what waits, and with the answer to late money."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.attempt import Attempt, Kind, Resolution, State
from pos_app.domain.commands import (
    Answer,
    GiveNote,
    NoteRefund,
    PrintPaper,
    ReadNotes,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.people import Person
from pos_app.domain.print_job import SLIPS
from pos_app.domain.refund import Note, NoteProblem, NoteReason, NoteState, NoteWay
from pos_app.domain.search import FindPayments
from pos_app.domain.staff import Approve
from pos_app.domain.views import (
    NoteAnswered,
    NotesRead,
    PaymentsFound,
    PrintAnswered,
    PrintProblem,
    PrintView,
    StaffAnswered,
    StaffProblem,
)
from pos_app.i18n.words.people import words as people_words
from pos_app.i18n.words.printing import words as paper_words
from pos_app.i18n.words.refund import words
from tests.support.published import KASUN, NIMALI, RUWAN, attempt, change, terminal
from tests.support.stage import Stage
from tests.unit.i18n.looking import fits
from tests.unit.ui.dialog_cases import faults

ESC, F4, F8 = Qt.Key.Key_Escape, Qt.Key.Key_F4, Qt.Key.Key_F8
BOSS = replace(RUWAN, passcode_set=True)
PAID = attempt(state=State.PAID, ended_at=14_000)
PUSHED = attempt(state=State.PAID, ended_at=14_000, kind=Kind.PUSH)
NOTE = Note(
    number=7,
    attempt_id=PAID.attempt_id,
    sale_id=PAID.sale_id,
    amount=Decimal("5.00"),
    currency="LKR",
    environment="sandbox",
    reason=NoteReason.RETURNED,
    way=NoteWay.CASH,
    noted="2026-03-01T14:20:00.000+05:30",
    by="p2",
    name="Ruwan",
    owner="p1",
    beside="p1",
)


class Noting(Stage):
    """Somebody looks at a paid payment and its notes."""

    def __init__(
        self,
        qtbot: Any,
        person: Any = BOSS,
        of: Attempt = PAID,
        *,
        size: tuple[int, int] = (1366, 768),
        language: str = "en",
        **told: Any,
    ) -> None:
        super().__init__(qtbot, size=size, language=language)
        self.receive(terminal(people=(NIMALI, BOSS), signed_in=person, recent=(of,), **told))
        self.part("recent_0").click()
        self.receive(NotesRead(request_id=self.asked().request_id, attempt_id=of.attempt_id))
        self.part("details_notes").click()

    def asked(self) -> ReadNotes:
        """What was read last."""
        found: ReadNotes = self.commands(ReadNotes)[-1]
        return found

    def read(self, *notes: Note, room: str = "12.50", problem: NoteProblem = NoteProblem.NONE) -> None:
        """What there is, to whoever asked: the card asks beside the list of its notes."""
        about: dict[str, Any] = {"attempt_id": PAID.attempt_id, "notes": notes, "room": Decimal(room)}
        for asked in self.commands(ReadNotes):
            self.receive(NotesRead(request_id=asked.request_id, problem=problem, **about))
        self.settle()

    def text(self, name: str) -> str:
        """What a part says."""
        return str(self.part(name).text())


def test_a_card_tells_what_is_noted_and_leads_to_it(qtbot: Any) -> None:
    """And stays the payment's: it is still paid."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, recent=(PAID,)))
    on.part("recent_0").click()
    assert not on.seen("details_noted")
    asked = on.commands(ReadNotes)[-1]
    on.receive(NotesRead(request_id=asked.request_id, attempt_id=PAID.attempt_id, notes=(NOTE,)))
    assert on.part("details_noted").text() == "N-0007 · LKR 5.00 · promised"
    assert on.part("details_3").text().startswith("Paid")
    on.receive(NoteAnswered(request_id="another's", note=replace(NOTE, state=NoteState.GIVEN)))
    assert on.commands(ReadNotes)[-1] is not asked, "the card is read anew"
    on.receive(NoteAnswered(request_id="another's", note=replace(NOTE, attempt_id="x")))
    assert len(on.commands(ReadNotes)) == 2


def test_who_asked_for_it_and_is_on_no_list_any_more_is_told_by_their_id(qtbot: Any) -> None:
    """As on paper: "asked for by" stood there, and nobody behind it."""
    on = Noting(qtbot)
    on.read(replace(NOTE, beside="p9"))
    assert "asked for by p9 · " in on.text("note_7_facts")


def test_who_gave_the_money_or_took_the_promise_back_is_told(qtbot: Any) -> None:
    """The slip alone said it. Of a script's there is no name."""
    on = Noting(qtbot)
    ended = {"ended": "2026-03-02T11:20:00+05:30", "ended_by": "p2", "ended_name": "Kamala"}
    back = replace(NOTE, state=NoteState.WITHDRAWN, ended_why="by mistake", **ended)
    on.read(back)
    assert on.text("note_7_facts").endswith("withdrawn · Ruwan · 2026-03-02 11:20 · by mistake")
    on.read(replace(back, ended_by="p9"))
    assert on.text("note_7_facts").endswith("withdrawn · Kamala · 2026-03-02 11:20 · by mistake")
    given = replace(NOTE, state=NoteState.GIVEN, **ended | {"ended_by": "terminal", "ended_name": "terminal"})
    on.read(given)
    assert on.text("note_7_facts").endswith("given · 2026-03-02 11:20")


def test_what_was_answered_before_there_were_notes_is_said(qtbot: Any) -> None:
    """On the card and in the list of its notes."""
    before = replace(PAID, state=State.PAID_LATE, resolution=Resolution("refund", "Nimali", "late", 9))
    on = Noting(qtbot, of=before)
    assert on.text("details_noted") == words.BEFORE
    on.read()
    assert on.text("notes_said") == words.BEFORE


@pytest.mark.parametrize("state", [State.FAILED, State.DISPUTED, State.WAITING])
def test_what_is_no_proven_money_has_no_key(qtbot: Any, state: State) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=BOSS, recent=(replace(PAID, state=state, ended_at=None),)))
    on.part("recent_0").click()
    assert not on.seen("details_notes")


def test_what_was_promised_before_a_dispute_can_be_given_and_withdrawn_behind_it(qtbot: Any) -> None:
    """Its slips, too, can be printed once more: only the list of what is open led to it, and not to those."""
    on = Stage(qtbot)
    disputed = replace(PAID, state=State.DISPUTED)
    printing = PrintView(printer="network")
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, printing=printing))
    on.press(F4)
    on.receive(PaymentsFound(request_id=on.commands(FindPayments)[-1].request_id, found=(disputed,)))
    on.part("found_list").pick_current()
    assert not on.seen("details_notes")

    def read() -> None:
        asked = on.commands(ReadNotes)[-1].request_id
        on.receive(NotesRead(request_id=asked, attempt_id=disputed.attempt_id, notes=(NOTE,)))

    read()
    assert on.seen("details_notes")
    on.part("details_notes").click()
    read()
    on.settle()
    assert not on.part("notes_new").isEnabled()
    assert all(on.seen(f"note_7_{each}") for each in ("print", "withdraw", "give"))


def test_a_manager_notes_what_is_typed(qtbot: Any) -> None:
    """All that is left, unless another amount is."""
    on = Noting(qtbot)
    assert not on.part("notes_new").isEnabled()
    on.read(room="7.50")
    assert on.text("notes_said") == words.NONE
    on.part("notes_new").click()
    assert on.text("note_amount") == "7.50"
    on.part("note_amount").setText("5.00")
    on.part("note_text").setText("the box was broken")
    on.part("note_receiver").setText("Kamala")
    on.part("note_do").click()
    wanted = on.commands(NoteRefund)[-1]
    assert (wanted.attempt_id, wanted.amount, wanted.who) == (PAID.attempt_id, Decimal("5.00"), "p2")
    assert (wanted.why, wanted.way) == (NoteReason.RETURNED, NoteWay.CASH)
    assert (wanted.text, wanted.receiver) == ("the box was broken", "Kamala")
    assert not on.part("note_do").isEnabled(), "it is under way"
    on.receive(NoteAnswered(request_id=wanted.request_id, note=NOTE))
    assert not on.seen("note_do")
    on.read(NOTE, room="2.50")
    assert on.text("note_7_what") == "N-0007 · LKR 5.00 · promised"
    assert "asked for by Nimali" in on.text("note_7_facts")


@pytest.mark.parametrize(
    ("problem", "part"),
    [
        (NoteProblem.TOO_MUCH, "note_amount_error"),
        (NoteProblem.NO_REASON, "note_text_error"),
        (NoteProblem.NO_RECEIVER, "note_receiver_error"),
        (NoteProblem.CANNOT_RECORD, "note_problem"),
    ],
)
def test_what_the_engine_refuses_is_said_at_its_field(qtbot: Any, problem: NoteProblem, part: str) -> None:
    """And may be mended: Enter behind it takes nothing away."""
    on = Noting(qtbot)
    on.read()
    on.part("notes_new").click()
    on.part("note_do").click()
    on.receive(NoteAnswered(request_id=on.commands(NoteRefund)[-1].request_id, problem=problem))
    limit = " At most LKR 12.50" if problem is NoteProblem.TOO_MUCH else ""
    assert on.text(part) == f"{words.PROBLEM[problem]}{limit}"
    assert on.part("note_do").isEnabled()
    on.press(Qt.Key.Key_Return)
    assert on.seen("note_do")


@pytest.mark.parametrize(
    ("code", "room", "shown", "wrong"),
    [("KWD", "1.250", "1.250", "1.2505"), ("JPY", "1250", "1,250", "12.50")],
)
def test_an_amount_is_read_in_the_payments_own_currency(
    qtbot: Any, code: str, room: str, shown: str, wrong: str
) -> None:
    """What was taken before the counter's was another one: three digits were refused, and what was said as an example
    had two where there are none.
    """
    on = Noting(qtbot, of=replace(PAID, currency=code, amount=Decimal(room)))
    on.read(room=room)
    on.part("notes_new").click()
    on.part("note_amount").setText(wrong)
    on.part("note_do").click()
    assert on.text("note_amount_error") == f"The amount must be a number, as {shown}."
    on.part("note_amount").setText(shown)
    on.part("note_do").click()
    assert on.commands(NoteRefund)[-1].amount == Decimal(room)


def test_what_is_not_whole_is_not_even_asked_for(qtbot: Any) -> None:
    """An amount, words for another reason, somebody for a transfer."""
    on = Noting(qtbot)
    on.read()
    on.part("notes_new").click()
    on.part("note_amount").setText("a lot")
    on.part("note_do").click()
    assert on.text("note_amount_error") == "The amount must be a number, as 12.50."
    on.part("note_amount").setText("9" * 20)
    on.part("note_do").click()
    said = f"{words.PROBLEM[NoteProblem.TOO_MUCH]} At most LKR 12.50"
    assert on.text("note_amount_error") == said, "it is a number"
    on.part("note_amount").setText("5")
    form = on.window.overlay.top
    form.why.set_text(NoteReason.OTHER.value)
    on.part("note_do").click()
    assert on.text("note_text_error") == words.PROBLEM[NoteProblem.NO_REASON]
    on.part("note_text").setText("we agreed so")
    form.way.choice.set_text(NoteWay.TRANSFER.value)
    on.part("note_do").click()
    assert on.text("note_receiver_error") == words.PROBLEM[NoteProblem.NO_RECEIVER]
    assert on.commands(NoteRefund) == []


def test_enter_leads_from_field_to_field_and_notes_it(qtbot: Any) -> None:
    """Behind the words it led to a part that nobody sees, where each further Enter did nothing."""
    on = Noting(qtbot)
    on.read()
    on.part("notes_new").click()
    for name in ("note_amount", "note_text"):
        assert on.part(name).hasFocus(), name
        on.press(Qt.Key.Key_Return)
    assert on.part("note_way").hasFocus()
    on.part("note_receiver").setFocus()
    on.press(Qt.Key.Key_Return)
    assert len(on.commands(NoteRefund)) == 1


def test_what_another_reason_or_another_way_asks_for_is_asked_for_no_more(qtbot: Any) -> None:
    """Once a reason that needs no words was chosen, words were called missing still."""
    on = Noting(qtbot)
    on.read()
    on.part("notes_new").click()
    form = on.window.overlay.top
    for choice, needs, needs_not, error in (
        (form.why, NoteReason.OTHER, NoteReason.RETURNED, "note_text_error"),
        (form.way.choice, NoteWay.TRANSFER, NoteWay.CASH, "note_receiver_error"),
    ):
        choice.set_text(needs.value)
        on.part("note_do").click()
        assert on.seen(error)
        choice.set_text(needs_not.value)
        choice.box.activated.emit(choice.box.currentIndex())
        assert not on.seen(error)


def test_a_form_that_was_opened_before_the_last_note_was_made_knows_how_much_is_left(qtbot: Any) -> None:
    """Left while it was noted, and opened again: it asked for all once more, and named that as the limit."""
    on = Noting(qtbot)
    on.read()
    on.part("notes_new").click()
    on.part("note_amount").setText("5.00")
    on.part("note_do").click()
    on.press(ESC)
    on.part("notes_new").click()
    on.receive(NoteAnswered(request_id=on.commands(NoteRefund)[-1].request_id, note=NOTE))
    on.read(NOTE, room="7.50")
    assert on.text("note_amount") == "7.50"
    on.part("note_amount").setText("10.00")
    on.part("note_do").click()
    wanted = on.commands(NoteRefund)[-1]
    on.receive(NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.TOO_MUCH))
    assert on.text("note_amount_error").endswith("At most LKR 7.50")
    on.read(NOTE, room="7.50")
    assert on.text("note_amount") == "10.00", "what was typed stays"
    on.read(replace(NOTE, amount=Decimal("12.50")), room="0.00")
    on.part("note_amount").setText("9" * 20)
    on.part("note_do").click()
    assert on.text("note_amount_error").endswith("At most LKR 0.00")


def test_a_cashier_has_a_manager_asked_beside_them(qtbot: Any) -> None:
    """The form waits below; the same wish is approved, and goes when it is noted."""
    on = Noting(qtbot, NIMALI)
    on.read()
    assert on.text("notes_new") == "Note money back · manager"
    on.part("notes_new").click()
    on.part("note_do").click()
    assert on.commands(NoteRefund) == []
    on.part("approval_reason").setText("as agreed")
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    asked = on.commands(Approve)[-1]
    assert isinstance(asked.command, NoteRefund)
    on.receive(NoteAnswered(request_id=asked.command.request_id, note=NOTE))
    on.receive(StaffAnswered(request_id=asked.request_id))
    assert on.window.overlay.top.objectName() == "refund_notes"


def test_a_manager_reads_the_amount_of_the_note_its_way_and_who_gets_it(qtbot: Any) -> None:
    """Not the payment's amount, and no number of anybody's wallet in full."""
    on = Noting(qtbot, NIMALI)
    on.read()
    on.part("notes_new").click()
    on.part("note_amount").setText("3.00")
    on.part("note_text").setText("the box was broken")
    on.window.overlay.top.way.choice.set_text(NoteWay.TRANSFER.value)
    on.part("note_receiver").setText("077 999 4567")
    on.part("note_do").click()
    assert on.text("approval_what") == (
        "Note money back, outside the till: LKR 3.00 of LKR 1,250.00, sale 0123."
    )
    assert [on.text(f"approval_line_{at}") for at in range(2)] == [
        "Reason: Goods returned (the box was broken)",
        "How: Transfer · Who gets it: …567",
    ]


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_all_that_is_told_of_a_note_has_its_room_in_every_language(qtbot: Any, language: str) -> None:
    """On the smallest screen, with the longest texts that are kept, and the field for the manager's own reason."""
    on = Noting(qtbot, NIMALI, of=PUSHED, size=(1024, 768), language=language)
    on.read()
    on.part("notes_new").click()
    on.part("note_text").setText("the box was broken and wet " * 5)
    on.window.overlay.top.way.choice.set_text(NoteWay.TRANSFER.value)
    on.part("note_receiver").setText("Chandrasekara Mudiyanselage Anura Kumara Senanayake 4567")
    on.part("note_do").click()
    on.settle()
    assert on.text("approval_line_2").endswith(PUSHED.wallet_mask)
    fits(qtbot, on.window)
    assert faults(on.part("approval")) == []


def test_a_manager_reads_which_note_is_taken_back_and_why(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=NIMALI, notes=(NOTE,)))
    on.press(F8)
    on.part("withdraw_note_note_7").click()
    on.part("note_withdraw_reason").setText("by mistake")
    on.part("note_withdraw_do").click()
    assert on.part("approval_what").text() == "Withdraw a refund note: N-0007 · LKR 5.00, sale 0123."
    assert on.part("approval_line_0").text() == "Reason: Goods returned"
    assert on.part("approval_line_1").text() == "How: Cash"
    assert on.part("approval_given").text() == "Nimali gives as reason, recorded as yours: “by mistake”"


def at_a_sale_paid_twice(qtbot: Any, who: Person) -> Stage:
    """They have asked for its refund, in cash, to Kamala."""
    on = Stage(qtbot)
    twice = replace(change(PAID).sale, overpaid=True)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=who, overpaid=(twice,)))
    on.press(F8)
    on.part(f"sign_refund_{twice.sale_id}").click()
    on.part("settle_reason").setText("tapped twice")
    on.part("settle_receiver").setText("Kamala")
    on.part("settle_sign_refund").click()
    return on


def test_a_manager_reads_how_the_money_of_a_sale_paid_twice_goes_back(qtbot: Any) -> None:
    on = at_a_sale_paid_twice(qtbot, NIMALI)
    assert on.part("approval_what").text() == (
        "Sign the refund of a sale paid twice: LKR 1,250.00, sale 0123."
    )
    assert [on.part(f"approval_line_{at}").text() for at in range(2)] == [
        "Noted now: what was charged too much and is not noted yet.",
        "How: Cash · Who gets it: Kamala",
    ]


def test_a_manager_who_says_no_leaves_the_form_as_it_was(qtbot: Any) -> None:
    on = Noting(qtbot, NIMALI)
    on.read()
    on.part("notes_new").click()
    on.part("note_text").setText("kept")
    on.part("note_do").click()
    on.press(ESC)
    assert on.text("note_text") == "kept"
    assert on.part("note_do").isEnabled()


def test_what_the_engine_refuses_to_whom_it_sees_is_put_to_a_manager(qtbot: Any) -> None:
    """The button may know less than the engine."""
    on = Noting(qtbot, NIMALI)
    on.read(NOTE)
    on.part("note_7_give").click()
    on.part("note_give_yes").click()
    wanted = on.commands(GiveNote)[-1]
    on.receive(StaffAnswered(request_id=wanted.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.text("approval_what") == "Mark a refund note as given: N-0007 · LKR 5.00, sale 0123."


@pytest.mark.parametrize("problem", [StaffProblem.NOT_ALLOWED, StaffProblem.LOCKED])
def test_what_the_engine_refuses_can_be_asked_for_once_more(qtbot: Any, problem: StaffProblem) -> None:
    """A manager beside them said no, or the till locked meanwhile: the form and the question waited for ever."""
    on = Noting(qtbot)
    on.read(NOTE)

    def refused(kind: type, name: str) -> None:
        on.part(f"{name}_do").click()
        on.receive(StaffAnswered(request_id=on.commands(kind)[-1].request_id, problem=problem))
        if problem is StaffProblem.NOT_ALLOWED:
            on.press(ESC)
        else:
            assert on.text(f"{name}_problem") == people_words.problem(problem)
        assert on.part(f"{name}_do").isEnabled()
        on.press(ESC)
        assert not on.seen(f"{name}_do")

    on.part("notes_new").click()
    refused(NoteRefund, "note")
    on.part("note_7_withdraw").click()
    on.part("note_withdraw_reason").setText("by mistake")
    refused(WithdrawNote, "note_withdraw")
    if problem is StaffProblem.LOCKED:
        on.part("note_7_give").click()
        on.part("note_give_yes").click()
        on.receive(StaffAnswered(request_id=on.commands(GiveNote)[-1].request_id, problem=problem))
        assert on.text("notes_said") == people_words.problem(problem)


def test_notes_that_a_locked_till_did_not_read_are_read_behind_it(qtbot: Any) -> None:
    """What was given before the lock stood there as promised, or nothing but "Reading…" did."""
    on = Noting(qtbot)
    asked = on.asked()
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, recent=(PAID,), locked=True))
    on.receive(StaffAnswered(request_id=asked.request_id, problem=StaffProblem.LOCKED))
    assert on.asked() is asked
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, recent=(PAID,)))
    assert on.asked() is not asked
    on.read(NOTE)
    assert on.text("note_7_what") == "N-0007 · LKR 5.00 · promised"


def test_tab_goes_through_the_notes_as_they_are_read(qtbot: Any) -> None:
    """The key for a new one stands below them, and came first."""
    on = Noting(qtbot)
    for notes in ((NOTE,), (NOTE, replace(NOTE, number=8))):
        on.read(*notes)
        assert on.part("notes_close").hasFocus()
        read = [f"note_{each.number}_{key}" for each in reversed(notes) for key in ("withdraw", "give")]
        for name in (*read, "notes_new", "notes_close"):
            on.press(Qt.Key.Key_Tab)
            assert on.part(name).hasFocus(), name


def test_it_is_marked_as_given_only_when_somebody_says_the_slip_is_signed(qtbot: Any) -> None:
    on = Noting(qtbot, NIMALI)
    on.read(NOTE)
    on.part("note_7_give").click()
    assert "signed" in on.part("note_give_more").text()
    on.part("note_give_no").click()
    assert on.commands(GiveNote) == []
    on.part("note_7_give").click()
    on.part("note_give_yes").click()
    wanted = on.commands(GiveNote)[-1]
    assert (wanted.number, wanted.who) == (7, "p1")
    on.receive(NoteAnswered(request_id=wanted.request_id, note=replace(NOTE, state=NoteState.GIVEN)))
    on.read(replace(NOTE, state=NoteState.GIVEN, own=True, ended_why=""))
    assert on.text("note_7_what").endswith("marked as given")
    assert words.OWN in on.text("note_7_facts")
    assert not on.seen("note_7_give")


def test_of_a_payment_with_thousands_of_notes_a_screen_is_shown(qtbot: Any) -> None:
    """What is open among them first: with a row for each the window stood still for seconds."""
    on = Noting(qtbot)
    done = [replace(NOTE, number=number, state=NoteState.GIVEN) for number in range(2, 2000)]
    on.read(replace(NOTE, number=1), *done)
    assert on.seen("note_1_give")
    assert [on.seen(f"note_{number}_what") for number in (1999, 1951, 1950)] == [True, True, False]
    assert on.text("notes_others") == "and 1949 more notes"
    on.read(NOTE)
    assert not on.seen("notes_others")


def test_one_that_was_settled_meanwhile_says_so(qtbot: Any) -> None:
    on = Noting(qtbot)
    on.read(NOTE)
    on.part("note_7_give").click()
    on.part("note_give_yes").click()
    problem = NoteProblem.NOT_OPEN
    on.receive(NoteAnswered(request_id=on.commands(GiveNote)[-1].request_id, problem=problem))
    on.read(replace(NOTE, state=NoteState.GIVEN), problem=problem)
    assert on.text("notes_said") == words.PROBLEM[problem]


def test_a_manager_withdraws_with_a_reason(qtbot: Any) -> None:
    on = Noting(qtbot)
    on.read(NOTE)
    on.part("note_7_withdraw").click()
    on.part("note_withdraw_reason_suggestion_1").click()
    on.part("note_withdraw_do").click()
    wanted = on.commands(WithdrawNote)[-1]
    assert (wanted.number, wanted.reason) == (7, words.WITHDRAW_REASONS[1])
    problem = NoteProblem.NOT_OPEN
    on.receive(NoteAnswered(request_id=wanted.request_id, problem=problem))
    assert not on.seen("note_withdraw_do")
    assert on.text("notes_said") == words.PROBLEM[problem]


def test_its_slips_are_printed_once_more(qtbot: Any) -> None:
    """Both; each is a copy, if somebody says so."""
    on = Noting(qtbot, printing=PrintView(printer="network"))
    on.read(NOTE)
    on.part("note_7_print").click()
    assert [(each.paper, each.about) for each in on.commands(PrintPaper)] == [(paper, "7") for paper in SLIPS]


def test_beside_a_cashier_a_manager_allows_one_slip_after_the_other(qtbot: Any) -> None:
    """One passcode is for one paper; the second slip was never asked about, and never printed."""
    on = Noting(qtbot, NIMALI, printing=PrintView(printer="network"))
    on.read(NOTE)
    on.part("note_7_print").click()
    wanted = on.commands(PrintPaper)
    on.part("note_7_print").click()
    for each in on.commands(PrintPaper):
        on.receive(StaffAnswered(request_id=each.request_id, problem=StaffProblem.NOT_ALLOWED))
    for place, whose in enumerate(("customer’s", "shop’s")):
        assert whose in on.text("approval_what")
        on.part("approval_reason").setText("the customer waits")
        on.part("passcode").setText("704918")
        on.part("submit_passcode").click()
        allowed = on.commands(Approve)[place]
        assert allowed.command == wanted[place]
        on.receive(StaffAnswered(request_id=allowed.request_id))
        on.settle()
    assert not on.seen("approval"), "pressed twice it is one wish"


def test_what_a_manager_was_to_be_asked_next_is_not_left_to_whoever_comes(qtbot: Any) -> None:
    on = Noting(qtbot, NIMALI, printing=PrintView(printer="network"))
    on.read(NOTE)
    on.part("note_7_print").click()
    for each in on.commands(PrintPaper):
        on.receive(StaffAnswered(request_id=each.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.seen("approval")
    on.receive(terminal(people=(NIMALI, KASUN, BOSS), signed_in=KASUN))
    on.settle()
    assert not on.seen("approval")


@pytest.mark.parametrize("yes", [True, False])
def test_each_slip_is_asked_about_by_its_name(qtbot: Any, yes: bool) -> None:
    on = Noting(qtbot, printing=PrintView(printer="network"))
    on.read(NOTE)
    on.part("note_7_print").click()
    for each in on.commands(PrintPaper):
        on.receive(PrintAnswered(request_id=each.request_id, problem=PrintProblem.ORIGINAL_USED))
    for whose in ("shop’s", "customer’s"):
        on.settle()
        (more,) = on.parts("copy_ask_more")
        assert f"N-0007, the {whose}: it was printed already" in more.text()
        on.press(Qt.Key.Key_Return if yes else ESC)
    copies = [each.paper for each in on.commands(PrintPaper) if each.again]
    assert copies == ([*reversed(SLIPS)] if yes else [])


def test_why_no_slip_is_printed_is_said_beside_the_notes(qtbot: Any) -> None:
    on = Noting(qtbot, printing=PrintView(printer="network"))
    on.read(NOTE)
    on.part("note_7_print").click()
    problem = PrintProblem.CANNOT_RECORD
    on.receive(PrintAnswered(request_id=on.commands(PrintPaper)[-1].request_id, problem=problem))
    assert on.text("notes_said") == paper_words.PROBLEM[problem]


def test_where_nothing_prints_there_is_no_key_for_slips(qtbot: Any) -> None:
    on = Noting(qtbot)
    on.read(NOTE)
    assert not on.seen("note_7_print")


@pytest.mark.parametrize(("printer", "said"), [("network", words.NEW_MORE), ("", words.MORE)])
def test_slips_are_promised_where_something_prints_them(qtbot: Any, printer: str, said: str) -> None:
    """Of a till without a printer it was said that it prints two: a customer was asked to wait for them."""
    on = Noting(qtbot, printing=PrintView(printer=printer))
    on.read()
    on.part("notes_new").click()
    assert on.text("note_more") == said


def test_what_cannot_be_read_is_said(qtbot: Any) -> None:
    on = Noting(qtbot)
    on.read(problem=NoteProblem.CANNOT_READ, room="0")
    assert on.text("notes_said") == words.PROBLEM[NoteProblem.CANNOT_READ]
    assert not on.part("notes_new").isEnabled()


def test_anothers_answer_changes_nothing_here(qtbot: Any) -> None:
    on = Noting(qtbot)
    on.receive(NotesRead(request_id="another's", attempt_id=PAID.attempt_id, notes=(NOTE,)))
    assert not on.seen("note_7_what")
    on.press(ESC)
    on.receive(NoteAnswered(request_id="another's", note=NOTE))


def test_what_is_promised_stays_on_the_list_until_it_is_given(qtbot: Any) -> None:
    """And on the badge, for everybody."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=NIMALI, notes=(NOTE,)))
    assert on.part("open_badge").isVisible()
    on.press(F8)
    assert on.part("open_note_7_amount").text() == "LKR 5.00"
    assert "N-0007" in on.part("open_note_7_facts").text()
    assert on.part("withdraw_note_note_7").text() == "Withdraw · manager"
    on.part("give_note_note_7").click()
    on.part("note_give_yes").click()
    assert on.commands(GiveNote)[-1].number == 7
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=NIMALI))
    assert not on.seen("open_note_7_amount")
    assert on.seen("nothing_open")


def test_older_promises_than_the_list_holds_are_counted(qtbot: Any) -> None:
    """Below it, on the badge and at a lock: they were nowhere, and the list seemed whole."""
    on = Stage(qtbot)
    notes = tuple(replace(NOTE, number=number) for number in range(4, 54))
    told: dict[str, Any] = {"people": (NIMALI, BOSS), "signed_in": BOSS, "notes": notes, "notes_more": 3}
    on.receive(terminal(**told))
    assert "53" in on.part("open_badge").text()
    on.press(F8)
    assert on.part("more_open").text() == "These are 50 of 53. The others follow as these are settled."
    assert on.seen("more_open")
    on.receive(terminal(**told, locked=True))
    assert "53" in on.part("cover_running").text()


def test_what_could_not_be_recorded_is_said_on_the_list(qtbot: Any) -> None:
    """A disk that takes nothing: the button did nothing, and said nothing. A reason that was typed is there still."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, notes=(NOTE,)))
    on.press(F8)
    said = words.PROBLEM[NoteProblem.CANNOT_RECORD]

    def refuse(wanted: Any) -> None:
        on.receive(NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.CANNOT_RECORD))

    on.part("give_note_note_7").click()
    on.part("note_give_yes").click()
    refuse(on.commands(GiveNote)[-1])
    assert on.part("open_done").text() == said
    on.part("withdraw_note_note_7").click()
    on.part("note_withdraw_reason").setText("by mistake")
    on.part("note_withdraw_do").click()
    refuse(on.commands(WithdrawNote)[-1])
    assert on.part("note_withdraw_problem").text() == said
    assert on.part("note_withdraw_reason").text() == "by mistake"
    on.part("note_withdraw_do").click()
    ended = replace(NOTE, state=NoteState.WITHDRAWN)
    on.receive(NoteAnswered(request_id=on.commands(WithdrawNote)[-1].request_id, note=ended))
    assert not on.seen("note_withdraw")
    assert not on.seen("open_done")


def test_a_cashiers_withdrawal_is_put_to_a_manager(qtbot: Any) -> None:
    """With what it is about."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=NIMALI, notes=(NOTE,)))
    on.press(F8)
    on.part("withdraw_note_note_7").click()
    on.part("note_withdraw_reason").setText("by mistake")
    on.part("note_withdraw_do").click()
    assert on.commands(WithdrawNote) == []
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    asked = on.commands(Approve)[-1]
    assert isinstance(asked.command, WithdrawNote)
    assert asked.reason == "by mistake"


def test_late_money_goes_back_in_the_way_that_is_chosen(qtbot: Any) -> None:
    """A transfer goes to somebody; the goods ask for nothing of it."""
    on = Stage(qtbot)
    late = attempt(state=State.PAID_LATE, ended_at=18_000, kind=Kind.PUSH)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, attention=(late,)), change(late))
    settle = on.window.overlay.top.settle
    settle.back.choice.set_text(NoteWay.TRANSFER.value)
    on.part("settle_reason").setText("has left already")
    on.part("settle_refund").click()
    assert on.part("settle_receiver_error").text() == words.PROBLEM[NoteProblem.NO_RECEIVER]
    assert on.commands(Answer) == []
    on.part("settle_receiver").setText("Kamala")
    on.part("settle_refund").click()
    (answer,) = on.commands(Answer)
    assert (answer.action, answer.way, answer.receiver) == ("refund", NoteWay.TRANSFER, "Kamala")


def test_who_signs_for_a_sale_paid_twice_says_how_it_goes_back(qtbot: Any) -> None:
    on = at_a_sale_paid_twice(qtbot, BOSS)
    (signed,) = on.commands(SignRefund)
    assert (signed.way, signed.receiver, signed.reason) == (NoteWay.CASH, "Kamala", "tapped twice")


def test_enter_behind_who_gets_it_signs(qtbot: Any) -> None:
    """It did nothing there, beside a reason where it does."""
    on = Stage(qtbot)
    twice = replace(change(PAID).sale, overpaid=True)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS, overpaid=(twice,)))
    on.press(F8)
    on.part(f"sign_refund_{twice.sale_id}").click()
    on.part("settle_receiver").setFocus()
    on.press(Qt.Key.Key_Return)
    assert on.part("settle_reason_error").isVisible()
    assert on.commands(SignRefund) == []
    on.part("settle_reason").setText("tapped twice")
    on.part("settle_receiver").setFocus()
    on.type("Kamala")
    on.press(Qt.Key.Key_Return)
    (signed,) = on.commands(SignRefund)
    assert signed.receiver == "Kamala"


def test_a_list_of_payments_says_of_which_money_back_is_noted(qtbot: Any) -> None:
    """A row is heard with it, too."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=BOSS))
    on.press(F4)
    asked = on.commands(FindPayments)[-1]
    on.receive(
        PaymentsFound(request_id=asked.request_id, found=(PAID,), noted={PAID.attempt_id: Decimal("5.00")})
    )
    rows = on.part("found_list")
    assert "Money back noted 5.00" in rows.item(0).text()
    assert "paid back" not in rows.item(0).text()
