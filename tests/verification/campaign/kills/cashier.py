"""A cashier who looks at the window some times a second and does one thing: sells, cancels, parks, answers, ends."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.support.driver import Driver, Key
from tests.verification.campaign.kills.orders import Orders

PASSCODE = "704918"
WALLETS = ("+94771234567", "+94771234568", "+94761112223", "0771234569")


class Cashier:
    """`look` does at most one thing.

    `code_of(msisdn)`: the newest code on a phone, "" while there is none. `is_paid(attempt_id)`: what a
    manager hears who calls the service before signing something off.
    """

    def __init__(
        self,
        hands: Driver,
        orders: Orders,
        code_of: Callable[[str], str],
        is_paid: Callable[[str], bool],
    ) -> None:
        self._hands = hands
        self._orders = orders
        self._code_of = code_of
        self._is_paid = is_paid
        self._chance = Random(orders.seed)
        self._person = orders.person
        self._typed = ""
        self._signing = ""
        self._plan = ""
        self._looks = 0
        self.sales = 0

    def look(self) -> None:
        """One look, one act."""
        hands = self._hands
        for name, act in (
            ("sign_in", self._sign_in),
            ("approval", self._approve),
            ("answer_panel", self._settle),
            ("settle", self._settle),
            ("question", self._question),
            ("confirm", self._confirm),
            ("open_payments", self._tidy),
            ("wallet_number", self._number),
            ("waiting_panel", self._waiting),
            ("result_panel", self._result),
            ("methods_panel", self._sell),
        ):
            if hands.seen(name):
                act()
                return

    def _sign_in(self) -> None:
        hands = self._hands
        if hands.seen("people"):
            self._typed = ""
            name, listed = self._orders.people[self._person].name, hands.rows("people")
            hands.enter_row("people", name if name in listed else listed[0])
        elif hands.seen("code_problem"):
            # Codes to one number are rationed; somebody else has a fresh number.
            if hands.touch_first("someone_else"):
                self._person = (self._person + 1) % len(self._orders.people)
        elif (
            hands.has_focus("passcode")
            or hands.has_focus("new_passcode")
            or hands.has_focus("passcode_again")
        ):
            hands.type(PASSCODE)
            hands.press(Key.Key_Return)
        elif hands.seen("passcode_problem"):
            hands.touch_first("code_instead")
        elif hands.has_focus("code"):
            code = self._code_of(self._orders.people[self._person].msisdn)
            if code and code != self._typed:
                self._typed = code
                hands.type(code)
            elif hands.seen("code_error"):
                hands.touch_first("send_new_code")

    def _settle(self) -> None:
        hands = self._hands
        if hands.text("settle_reason"):
            signed = "settle_paid" if self._is_paid(self._signing) else "settle_not_paid"
            hands.touch_first("settle_complete", "settle_refund", "settle_sign_refund", signed)
        elif not hands.touch_first("settle_reason_suggestion_0"):
            hands.touch_first("settle_reason")
            hands.type("seen on the phone")

    def _approve(self) -> None:
        """A manager beside the cashier, who has the passcode everybody has."""
        hands = self._hands
        if hands.seen("approval_nobody"):
            hands.press(Key.Key_Escape)
        elif not hands.text("approval_reason") and hands.touch_first("approval_reason_suggestion_0"):
            return
        elif hands.has_focus("passcode"):
            hands.type(PASSCODE)
            hands.press(Key.Key_Return)
        else:
            hands.touch_first("passcode")

    def _question(self) -> None:
        yes = self._orders.tidy or self._chance.random() < 0.9
        self._hands.touch_first("question_yes" if yes else "question_no")

    def _confirm(self) -> None:
        self._hands.touch_first("confirm_yes")

    def _number(self) -> None:
        if not self._hands.has_focus("wallet_number"):
            self._hands.touch_first("wallet_number")
        self._hands.type(self._chance.choice(WALLETS))
        self._hands.press(Key.Key_Return)

    def _waiting(self) -> None:
        if self._orders.tidy:
            self._hands.press(Key.Key_F8)
            return
        if not self._plan:
            self._plan = self._chance.choice(("wait", "ask", "ask", "cancel", "cancel", "park", "other"))
            self._looks = self._chance.randint(2, 25)
        self._looks -= 1
        if self._plan == "ask" and self._looks % 5 == 0:
            self._hands.press(Key.Key_F5)
        if self._looks > 0:
            return
        plan, self._plan = self._plan, ""
        if plan == "cancel":
            self._hands.press(Key.Key_Escape)
        elif plan == "park":
            self._hands.press(Key.Key_F6)
        elif plan == "other":
            self._hands.touch_first("other_method", "waiting_check")

    def _result(self) -> None:
        self._plan = ""
        if self._orders.tidy:
            self._hands.press(Key.Key_F8)
            return
        offered = self._hands.buttons("result_")
        wanted = [name for name in offered if name not in ("result_check",)]
        if "result_next" in wanted and self._chance.random() < 0.5:
            self._hands.touch_first("result_next")
        elif wanted:
            self._hands.touch_first(self._chance.choice(wanted))
        elif offered:
            self._hands.touch_first(offered[0])

    def _tidy(self) -> None:
        if not self._orders.tidy:
            self._hands.press(Key.Key_Escape)
            return
        steps = self._hands.buttons("shut_", "cancel_", "answer_", "sign_refund_", "sign_off_", "check_")
        if steps:
            self._signing = steps[0].removeprefix("sign_off_")
            self._hands.touch_first(steps[0])

    def _sell(self) -> None:
        self._plan = ""
        if self._orders.tidy:
            self._hands.press(Key.Key_F8)
            return
        self.sales += 1
        self._hands.press(Key.Key_Delete)
        self._hands.type(f"{self._chance.randint(1, 900)}.{self._chance.randint(10, 99)}")
        self._hands.press(Key.Key_F2 if self._chance.random() < 0.5 else Key.Key_F3)
