"""The day itself: each scene is one thing that happens at a counter, from the key press to the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from pos_app.bootstrap.sandbox_control import Control
from pos_app.domain.attempt import Attempt, State
from pos_app.domain.views import AttemptChanged, Published
from pos_app.tour.customer import Across
from pos_app.tour.late_pictures import safe_screen
from pos_app.tour.managing import manager_looks_around
from pos_app.tour.signing_in import first_sign_in, unlock
from pos_app.tour.stage import Stage, TourError

if TYPE_CHECKING:
    from pos_app.training.printer.window import PrinterWindow

WALLET = "+94771234567"
MANAGER_MSISDN = "94770000010"
CASHIER_MSISDN = "94770000011"
READ_S = 0.5
"""So long a person looks at a result at the least."""
Key = Qt.Key


class Day:
    """Drives the window by `stage` and the customer by `control`; `published` tells what the till knows."""

    def __init__(
        self,
        stage: Stage,
        control: Control,
        across: Across,
        hurry: Callable[[bool], None],
        printer: Callable[[], PrinterWindow | None],
    ) -> None:
        """`hurry`: whether the till waits for a customer for seconds only. `printer`: what its paper lies in."""
        self._stage = stage
        self._printer = printer
        self._across = across
        self._hurry = hurry
        self._control = control
        self._newest: Attempt | None = None

    def take(self, published: Published) -> None:
        """Follows the newest payment."""
        if isinstance(published, AttemptChanged):
            newest = self._newest
            if newest is None or published.attempt.tapped_at >= newest.tapped_at:
                self._newest = published.attempt

    def scenes(self) -> list[tuple[str, Callable[[], None]]]:
        """The scenes in their order."""
        return [
            ("sign-in", self._sign_in),
            ("a sale by QR", self._qr_sale),
            ("a sale by push", self._push_sale),
            ("locked while the customer pays", self._locked),
            ("another cashier takes over", self._switched),
            ("the manager looks around", lambda: manager_looks_around(self._stage)),
            ("the customer rejects", self._rejected),
            ("the cashier cancels", self._cancelled),
            ("nobody scans: time runs out", self._timed_out),
            ("the reply is lost: not known yet", self._not_known),
            ("the customer pays late", self._late),
            ("today's payments", self._today),
            ("help", self._help),
            ("the day is closed", self._day_closed),
            ("two open payments, and a crash", self._two_open),
        ]

    def _sign_in(self) -> None:
        first_sign_in(self._stage, lambda: self._sms(MANAGER_MSISDN))
        self._stage.picture("ready")

    def _sms(self, msisdn: str) -> str:
        messages: list[dict[str, Any]] = self._control.get(f"/sms?msisdn={msisdn}")
        return str(messages[0]["code"]) if messages else ""

    def _amount(self, digits: str) -> None:
        self._stage.see("methods_panel")
        self._stage.type(digits)

    def _charged_by_qr(self, digits: str) -> str:
        """Charges; the QR text that stands on the screen."""
        self._amount(digits)
        self._stage.key(Key.Key_F2)
        self._stage.see("waiting_panel")
        return self._stage.wait("the QR code", self._qr_text)

    def _qr_text(self) -> str:
        code = self._stage.find("qr")
        shown = code is not None and bool(getattr(code, "is_shown", False))
        return self._newest.qr_text if shown and self._newest is not None and self._newest.qr_showable else ""

    def _charged_by_push(self, digits: str, picture: str = "") -> None:
        self._amount(digits)
        self._stage.key(Key.Key_F3)
        self._wallet_number()
        if picture:
            self._stage.picture(picture)
        self._stage.key(Key.Key_Return)
        self._stage.see("waiting_panel")
        self._reaches(State.WAITING)

    def _wallet_number(self) -> None:
        self._stage.see("wallet_number")
        self._stage.wait("the keys' way to the number", lambda: self._stage.has_focus("wallet_number"))
        self._stage.type(WALLET)

    def _reaches(self, *states: State) -> None:
        def reached() -> bool:
            return self._newest is not None and self._newest.state in states

        self._stage.wait(" or ".join(states), reached)

    def _act(self, verb: str) -> None:
        if self._newest is None:
            raise TourError("there is no payment to act on")
        self._control.post(f"/transactions/{self._newest.wallet_transaction_id}/{verb}")

    def _ends(self, state: State, picture: str) -> None:
        self._reaches(state)
        self._stage.see("result_panel")
        self._stage.picture(picture)

    def _next(self) -> None:
        """As a person does, who has read the result: what is left sooner is told once more above the next sale."""
        read_by = time.monotonic() + READ_S
        self._stage.wait("the result to be read", lambda: time.monotonic() > read_by)
        self._stage.press("result_next")

    def _qr_sale(self) -> None:
        self._amount("1250")
        self._stage.picture("amount")
        self._stage.key(Key.Key_F2)
        self._stage.see("waiting_panel")
        text = self._stage.wait("the QR code", self._qr_text)
        self._stage.picture("waiting-qr")
        self._stage.wait("the code across the counter", lambda: self._across.window.code)
        self._stage.picture("customer-scans", of=self._across.window)
        self._control.post("/scan", {"text": text, "then": "approve"})
        self._ends(State.PAID, "paid")
        self._stage.picture("customer-paid", of=self._across.window)
        self._paper(1, "receipt-on-paper")
        self._next()

    def _push_sale(self) -> None:
        self._charged_by_push("380", "wallet-number")
        self._stage.picture("waiting-push")
        self._stage.picture("customer-looks-at-phone", of=self._across.window)
        self._act("approve")
        self._ends(State.PAID, "paid-by-push")
        self._next()

    def _locked(self) -> None:
        """F9 while a customer pays: the result is shown after unlocking."""
        stage = self._stage
        text = self._charged_by_qr("815")
        stage.key(Key.Key_F9)
        stage.see("cover")
        stage.wait("nothing of the payment is seen", lambda: stage.find("qr") is None)
        stage.picture("locked")
        self._control.post("/scan", {"text": text, "then": "approve"})
        self._reaches(State.PAID)
        unlock(stage)
        stage.see("result_panel")
        stage.picture("paid-behind-the-lock")
        self._next()

    def _switched(self) -> None:
        """The manager hands the till over by the menu, the cashier signs in, and the manager comes back."""
        stage = self._stage
        stage.press("person")
        stage.see("person_menu")
        stage.picture("person-menu")
        stage.press("menu_switch")
        stage.see("people")
        stage.wait("the names take keys", lambda: stage.has_focus("people"))
        stage.key(Key.Key_Down)
        first_sign_in(stage, lambda: self._sms(CASHIER_MSISDN), "switch-")
        stage.picture("another-cashier")
        stage.press("person")
        stage.press("menu_switch")
        stage.see("people")
        stage.wait("the names take keys", lambda: stage.has_focus("people"))
        stage.key(Key.Key_Return)
        stage.see("passcode")
        stage.picture("passcode")
        unlock(stage)

    def _rejected(self) -> None:
        text = self._charged_by_qr("2100")
        self._control.post("/scan", {"text": text, "then": "reject"})
        self._ends(State.FAILED, "not-paid")
        self._next()

    def _cancelled(self) -> None:
        self._charged_by_qr("90")
        self._stage.key(Key.Key_Escape)
        self._stage.see("question_yes")
        self._stage.picture("cancel-asks-once")
        self._stage.press("question_yes")
        self._ends(State.CANCELLED, "cancelled")
        self._next()

    def _timed_out(self) -> None:
        self._hurry(True)
        self._charged_by_qr("75")
        self._ends(State.CANCELLED, "time-ran-out")
        self._hurry(False)
        self._next()

    def _not_known(self) -> None:
        """The service took the request, its reply was lost, and for a while it does not answer at all."""
        self._control.post("/faults", {"operation": "initiate_push", "kind": "drop_after", "count": 1})
        # Until the picture is taken: a busy machine may be late to look.
        self._control.post(
            "/faults", {"operation": "get_status", "kind": "status", "status": 503, "count": None}
        )
        self._amount("640")
        self._stage.key(Key.Key_F3)
        self._wallet_number()
        self._stage.key(Key.Key_Return)
        self._reaches(State.IN_DOUBT)
        self._stage.picture("not-known-yet")
        self._control.delete("/faults")
        self._reaches(State.WAITING)
        self._act("pay")
        self._ends(State.PAID, "known-after-all")
        self._next()

    def _late(self) -> None:
        self._hurry(True)
        self._charged_by_push("1499.5")
        self._act("verify")

        def gave_up() -> bool:
            return self._newest is not None and self._newest.gave_up_at is not None

        self._stage.wait("the till gives up", gave_up)
        self._stage.picture("gave-up")
        self._act("pay")
        self._reaches(State.PAID_LATE)
        self._stage.see("answer_panel")
        self._stage.picture("late-payment")
        self._stage.press("settle_reason_suggestion_0")
        self._stage.press("settle_complete")
        self._stage.wait("the late payment is settled", lambda: self._stage.find("answer_panel") is None)
        self._hurry(False)

    def _today(self) -> None:
        stage = self._stage
        stage.key(Key.Key_F4)
        stage.see("found_list")
        stage.wait("what the day has brought", lambda: stage.text_of("found_total"))
        stage.picture("today")
        stage.type("1250")
        stage.picture("today-searched")
        stage.key(Key.Key_Escape)
        stage.wait("the search is closed", lambda: stage.find("found_payments") is None)
        stage.press("recent_1")
        stage.see("payment_details")
        stage.picture("payment-card")
        stage.key(Key.Key_Escape)
        stage.wait("the card is closed", lambda: stage.find("payment_details") is None)

    def _help(self) -> None:
        stage = self._stage
        stage.key(Key.Key_F1)
        stage.see("help")
        stage.picture("help")
        stage.key(Key.Key_Escape)
        stage.wait("the help is closed", lambda: stage.find("help") is None)
        self._next()

    def _paper(self, sheets: int, picture: str) -> None:
        """So many sheets have come out of the printer; the newest stands on top."""

        def printed() -> PrinterWindow | None:
            found = self._printer()
            return found if found is not None and len(found.strips) >= sheets else None

        self._stage.picture(picture, of=self._stage.wait("the printer's paper", printed))

    def _day_closed(self) -> None:
        """What was taken so far, the question, the Z, and its paper."""
        stage = self._stage
        before = self._printer()
        sheets = len(before.strips) if before is not None else 0
        stage.key(Key.Key_F10)
        stage.press("manager_day")
        stage.wait("the takings are drawn", lambda: getattr(stage.find("day_paper"), "image", None))
        stage.picture("takings-so-far")
        stage.press("day_close")
        stage.see("day_ask")
        stage.picture("closing-asks")
        stage.press("day_ask_yes")
        stage.wait("the Z", lambda: stage.find("day_close") is None and stage.find("day_ask") is None)
        self._paper(sheets + 1, "z-on-paper")
        stage.picture("day-closed")
        for panel in ("day", "managers_menu"):
            self._leave_panel(panel)

    def _leave_panel(self, panel: str) -> None:
        self._stage.see(panel)
        self._stage.key(Key.Key_Escape)
        self._stage.wait(f"{panel} is closed", lambda: self._stage.find(panel) is None)

    def _two_open(self) -> None:
        """Two customers think it over: one is parked, the other stands at the counter. Then the till crashes."""
        stage = self._stage
        self._charged_by_qr("260")
        parked = self._newest
        stage.key(Key.Key_F6)
        self._charged_by_push("1120")
        stage.key(Key.Key_F8)
        stage.see("open_payments")
        stage.picture("open-payments")
        stage.key(Key.Key_Escape)
        stage.wait("the list is closed", lambda: stage.find("open_payments") is None)
        both = tuple(each for each in (parked, self._newest) if each is not None)
        safe_screen(stage, self._across.config, both)
        for each in both:
            self._control.post(f"/transactions/{each.wallet_transaction_id}/pay")
        self._reaches(State.PAID)
