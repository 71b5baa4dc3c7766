"""A payment's receipt at the till: looked at, kept, and known again when its code is scanned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Environment, Resolution, State
from pos_app.domain.commands import Charge, CheckReceipt, CheckZ, ReadReceipt
from pos_app.domain.day import CheckedZ
from pos_app.domain.receipt import Checked, Letterhead, Verdict, code_text
from pos_app.domain.views import DayProblem, ReceiptChecked, ReceiptProblem, ReceiptRead, ZChecked
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.customer import CustomerWords
from pos_app.i18n.words.paper import words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.customer.seen import see
from pos_app.ui.customer.window import CustomerWindow
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.payment_details import PaymentDetails
from tests.support import receipts
from tests.support.driver import Key
from tests.support.published import attempt, change, config, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.qr_reader import read

PAID = attempt(state=State.PAID, ended_at=18_000, receipt=123, receipt_of="K7M3Q9RD")
MADE = replace(receipts.sandboxed(), attempt_id=PAID.attempt_id, number="SBX-TK7M3Q9RD-R000123")
CODE = code_text(replace(MADE, attempt_id="SBX-TK7M3Q9RD-0123-1-K7Q2M9"))


def opened(qtbot: Any, of: Any = PAID, **told: Any) -> Stage:
    """The payment's card, from the strip."""
    on = Stage(qtbot, **told)
    on.receive(terminal(recent=(of,)))
    on.part("recent_0").click()
    return on


def shown(qtbot: Any, on: Stage, receipt: Any = MADE) -> ReadReceipt:
    """Its receipt, once the engine has told it and it is drawn."""
    on.part("details_receipt").click()
    (asked,) = on.commands(ReadReceipt)
    on.receive(ReceiptRead(request_id=asked.request_id, attempt_id=asked.attempt_id, receipt=receipt))
    qtbot.waitUntil(lambda: bool(on.seen("receipt_strip")))
    assert isinstance(asked, ReadReceipt)
    return asked


def test_a_paid_payments_card_leads_to_its_paper(qtbot: Any) -> None:
    on = opened(qtbot)
    asked = shown(qtbot, on)
    assert asked.attempt_id == PAID.attempt_id
    strip = on.part("receipt_strip")
    assert strip.image.width() == 576
    said = strip.accessibleName()
    for line in ("SANDBOX – NOT A PAYMENT", "PAID", "LKR 1,250.00", "COPY", f"Payment id: {PAID.attempt_id}"):
        assert line in said
    on.part("receipt_close").click()
    assert not on.seen("receipt_sheet")
    assert on.seen("payment_details")


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        (State.PAID, True),
        (State.PAID_LATE, True),
        (State.DISPUTED, True),
        (State.WAITING, False),
        (State.FAILED, False),
        (State.UNRESOLVED, False),
        (State.SIGNED_OFF, False),
    ],
)
def test_only_money_and_its_dispute_have_paper(qtbot: Any, state: State, offered: bool) -> None:
    card = PaymentDetails(replace(PAID, state=state), config(), till_words)
    qtbot.addWidget(card)
    card.show()
    key = card.findChild(QWidget, "details_receipt")
    assert key is not None
    assert key.isVisible() is offered


def test_a_paper_that_is_looked_at_follows_its_payment(qtbot: Any) -> None:
    """In dispute it has a note and no receipt: the old one could still be saved."""
    on = opened(qtbot)
    asked = shown(qtbot, on)
    on.receive(change(replace(PAID, note="red cap")))
    assert len(on.commands(ReadReceipt)) == 1, "nothing of the paper has changed"
    on.receive(change(replace(PAID, state=State.DISPUTED)))
    again = on.commands(ReadReceipt)[-1]
    assert again is not asked
    of = {"request_id": again.request_id, "attempt_id": PAID.attempt_id}
    on.receive(ReceiptRead(**of, problem=ReceiptProblem.CANNOT_READ))
    assert on.text("receipt_said") == words.PROBLEM[ReceiptProblem.CANNOT_READ]
    assert not on.seen("receipt_strip")
    on.receive(change(PAID))
    on.receive(ReceiptRead(**of, receipt=MADE))
    qtbot.waitUntil(lambda: bool(on.seen("receipt_strip")))


def test_a_paper_that_is_drawn_when_it_is_none_any_more_is_not_shown(qtbot: Any) -> None:
    """The first one takes a moment; the dispute came meanwhile, and the old paper covered why there is none."""
    on = opened(qtbot)
    on.part("details_receipt").click()
    (asked,) = on.commands(ReadReceipt)
    of = {"request_id": asked.request_id, "attempt_id": asked.attempt_id}
    with qtbot.waitSignal(on.window.findChild(PaperWorker).drawn):
        on.receive(ReceiptRead(**of, receipt=MADE))
        on.receive(change(replace(PAID, state=State.DISPUTED)))
        on.receive(ReceiptRead(**of, problem=ReceiptProblem.CANNOT_READ))
    on.settle()
    assert not on.seen("receipt_strip")
    assert on.text("receipt_said") == words.PROBLEM[ReceiptProblem.CANNOT_READ]


def test_behind_a_lock_a_paper_whose_payment_changed_goes(qtbot: Any) -> None:
    on = opened(qtbot)
    shown(qtbot, on)
    on.receive(replace(terminal(recent=(PAID,)), locked=True))
    on.receive(change(replace(PAID, state=State.DISPUTED)))
    on.receive(terminal(recent=(PAID,)))
    on.settle()
    assert not on.seen("receipt_sheet")
    assert on.seen("payment_details")


def test_a_payment_without_a_number_offers_no_paper(qtbot: Any) -> None:
    on = opened(qtbot, replace(PAID, receipt=0))
    assert not on.seen("details_receipt")


@pytest.mark.parametrize("problem", [each for each in ReceiptProblem if each])
def test_why_there_is_none_is_said(qtbot: Any, problem: ReceiptProblem) -> None:
    on = opened(qtbot, papers_folder="papers")
    on.part("details_receipt").click()
    (asked,) = on.commands(ReadReceipt)
    on.receive(ReceiptRead(request_id=asked.request_id, attempt_id=asked.attempt_id, problem=problem))
    assert on.part("receipt_said").text() == words.PROBLEM[problem]
    assert not on.seen("receipt_strip")
    assert not on.part("receipt_save").isEnabled()


def test_a_receipt_is_kept_with_its_text_beside_it(qtbot: Any, tmp_path: Path) -> None:
    on = opened(qtbot, papers_folder=str(tmp_path / "papers"))
    shown(qtbot, on)
    on.part("receipt_save").click()
    qtbot.waitUntil(lambda: bool(on.part("receipt_said").text()) and bool(on.seen("receipt_said")))
    kept = tmp_path / "papers" / "SBX-TK7M3Q9RD-R000123.pdf"
    assert on.part("receipt_said").text().replace("\u200b", "") == words.SAVED.format(path=kept)
    assert kept.read_bytes().startswith(b"%PDF")
    assert "COPY" in kept.with_suffix(".txt").read_text("utf-8").splitlines()


def test_a_folder_that_cannot_be_written_is_said(qtbot: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    on = opened(qtbot, papers_folder=str(tmp_path / "file"))
    shown(qtbot, on)
    on.part("receipt_save").click()
    start = words.NOT_SAVED.partition("{")[0]
    qtbot.waitUntil(lambda: on.part("receipt_said").text().startswith(start))


def test_the_paper_is_the_shops_and_in_the_customers_language(qtbot: Any) -> None:
    head = Letterhead(shop="மூலைக் கடை", footer=("நன்றி!",))
    on = opened(qtbot, letterhead=head, paper_language="ta", paper_mm=58)
    shown(qtbot, on)
    strip = on.part("receipt_strip")
    assert strip.image.width() == 384
    assert "பணம் கிடைத்தது" in strip.accessibleName()
    assert "மூலைக் கடை" in strip.accessibleName()


def scan(on: Stage, text: str) -> None:
    """As a scanner does."""
    hands = on.keyboard(5)
    hands.type(text)
    hands.press(Key.Key_Return)
    on.settle()


@pytest.fixture
def ready(qtbot: Any) -> Stage:
    on = Stage(qtbot)
    on.window.activateWindow()
    on.settle()
    return on


def verdict(on: Stage, checked: Checked | None, problem: ReceiptProblem = ReceiptProblem.NONE) -> str:
    """Scanned, and what is then said."""
    scan(on, CODE)
    (asked,) = on.commands(CheckReceipt)
    assert asked.text == CODE
    on.receive(ReceiptChecked(request_id=asked.request_id, checked=checked, problem=problem))
    return str(on.part("verdict_0").text())


def test_a_scanned_receipt_is_checked_and_charges_nothing(ready: Stage) -> None:
    """It is no invoice number, and no digit of it is an amount."""
    ready.keyboard().type("42")
    said = verdict(ready, Checked(verdict=Verdict.OURS, attempt=PAID))
    assert said == words.VERDICT[Verdict.OURS]
    assert not ready.commands(Charge)
    assert "LKR 1,250.00" in ready.part("verdict_1").text()
    ready.part("verdict_look").click()
    assert not ready.seen("paper_verdict")
    assert ready.seen("payment_details")
    ready.press(Key.Key_Escape)
    assert ready.part("amount_pad").entry.text == "42"


@pytest.mark.parametrize("told", [Verdict.CHANGED, Verdict.MISSING, Verdict.FOREIGN])
def test_a_paper_that_is_not_ours_is_said_to_be_none(ready: Stage, told: Verdict) -> None:
    attempted = PAID if told is Verdict.CHANGED else None
    assert verdict(ready, Checked(verdict=told, attempt=attempted)) == words.VERDICT[told]
    assert bool(ready.seen("verdict_look")) is (attempted is not None)


def test_a_paper_whose_money_went_back_or_is_disputed_says_so(ready: Stage) -> None:
    """Ours and unchanged is not yet a reason to give money back."""
    refunded = replace(PAID, state=State.PAID_LATE, resolution=Resolution("refund", "Ruwan", "late", 9))
    verdict(ready, Checked(verdict=Verdict.OURS, attempt=refunded))
    assert ready.part("verdict_1").text() == words.REFUNDED


def test_a_code_in_the_search_is_checked(ready: Stage) -> None:
    ready.press(Key.Key_F4)
    scan(ready, CODE)
    (asked,) = ready.commands(CheckReceipt)
    assert asked.text == CODE
    assert ready.part("found_search").text() == ""
    ready.receive(
        ReceiptChecked(request_id=asked.request_id, checked=Checked(verdict=Verdict.OURS, attempt=PAID))
    )
    assert ready.seen("paper_verdict")


Z_CODE = f"T7K3M9QRD-Z12-57.05-{'AB' * 16}"


@pytest.mark.parametrize(
    ("checked", "said"),
    [
        (
            CheckedZ(verdict=Verdict.OURS, number=12, of="2026-11-21", last=14, last_of="2026-11-23"),
            ["This report is ours and unchanged", "Z 12 of 21 Nov 2026"],
        ),
        (
            CheckedZ(verdict=Verdict.CHANGED, number=12, of="2026-11-20", last=12, last_of="2026-11-20"),
            ["its Z 12 is not the one on this paper", "Z 12 of 20 Nov 2026"],
        ),
        (
            CheckedZ(verdict=Verdict.MISSING, number=12, last=11, last_of="2026-11-20"),
            ["OLDER THAN THIS PAPER: it has no Z 12", "Z 11 of 20 Nov 2026"],
        ),
        (CheckedZ(verdict=Verdict.MISSING, number=12), ["it has no Z 12", "There is no Z"]),
        (CheckedZ(verdict=Verdict.FOREIGN, number=12, last=1, last_of="2026-11-20"), ["not this till’s"]),
        (
            CheckedZ(verdict=Verdict.MISSING, number=12, last=12, last_of="2026-11-20", is_before=True),
            ["of the record before this one"],
        ),
        (None, ["cannot be read"]),
    ],
)
@pytest.mark.parametrize("in_search", [False, True])
def test_a_scanned_z_says_whether_the_record_is_still_its_papers(
    ready: Stage, checked: CheckedZ | None, said: list[str], *, in_search: bool
) -> None:
    """A cashier may ask: it tells no takings."""
    if in_search:
        ready.press(Key.Key_F4)
    scan(ready, Z_CODE)
    (asked,) = ready.commands(CheckZ)
    assert asked.text == Z_CODE
    assert not ready.commands(Charge)
    problem = DayProblem.CANNOT_READ if checked is None else DayProblem.NONE
    ready.receive(ZChecked(request_id=asked.request_id, checked=checked, problem=problem))
    told = [ready.part(f"z_verdict_{at}").text() for at in range(len(said))]
    assert all(each in text for each, text in zip(said, told, strict=True))
    assert "57.05" not in " ".join(told)
    ready.part("z_verdict_close").click()
    assert not ready.seen("z_verdict")


def test_nobody_checks_behind_a_lock(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=None, recent=recent()))
    on.settle()
    for code in (CODE, Z_CODE):
        scan(on, code)
    assert not on.commands(CheckReceipt)
    assert not on.commands(CheckZ)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_customers_screen_carries_the_receipt_for_whoever_hears_it(qtbot: Any, language: str) -> None:
    """And lets go of it with the result."""
    view = config(language=language, environment=Environment.SANDBOX)
    said = words_in(CustomerWords, language)
    encoder = QrEncoder()
    till = QWidget()
    window = CustomerWindow(view, said, encoder, till)
    for each in (till, window):
        qtbot.addWidget(each)
    window.show_seen(see(change(PAID), view, said))
    told = window.accessibleDescription()
    assert PAID.attempt_id in told
    assert "1,250.00" in told
    assert "2025-11-21 14:07:31 +05:30" in told
    window.show_seen(see(change(attempt()), view, said))
    assert window.accessibleDescription() == ""
    window.show_seen(see(change(replace(PAID, state=State.FAILED)), view, said))
    assert window.accessibleDescription() == ""
    encoder.stop()


def test_the_paper_that_is_shown_is_read_by_a_scanner(qtbot: Any) -> None:
    """What stands on the screen is the printer's own picture."""
    on = opened(qtbot)
    shown(qtbot, on)
    assert read(on.part("receipt_strip").image) == [code_text(MADE)]
