"""A cashier of the soak: sells at a pace, push and QR in turn, parks some, cancels what nobody answers."""

from __future__ import annotations

import time
from typing import Any

from tests.support.driver import Key
from tests.verification.campaign.kills.cashier import WALLETS, Cashier

PATIENCE_S = 1.2
"""Then the customer is asked again, and the payment cancelled."""

ASKS_S = 0.12


class Seller(Cashier):
    """Sells as many as ordered, then serves nobody more."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._began = 0.0
        self._since = 0.0
        self._asked = 0.0
        self._tried = -1
        self._parks = False

    def _sell(self) -> None:
        orders, now = self._orders, time.monotonic()
        self._began = self._began or now
        due = self._began + self.sales * orders.pace_s
        in_hand = self._tried == self.sales and now - self._since < PATIENCE_S
        if self.sales >= orders.payments or now < due or in_hand:
            return
        self._tried = self.sales
        self._parks = self._chance.random() < 0.6
        self._hands.press(Key.Key_Delete)
        self._hands.type(f"{self._chance.randint(1, 900)}.{self._chance.randint(10, 99)}")
        self._hands.press(Key.Key_F3 if self.sales % 2 else Key.Key_F2)
        self._since = now

    def _number(self) -> None:
        self._hands.type(self._chance.choice(WALLETS))
        self._hands.press(Key.Key_Return)

    def _waiting(self) -> None:
        now = time.monotonic()
        if self._parks and now - self._since > ASKS_S:
            self._parks = False
            self._hands.press(Key.Key_F6)
        elif now - self._since > PATIENCE_S and self._hands.seen("waiting_cancel"):
            self._hands.press(Key.Key_Escape)
        elif now - self._asked > ASKS_S:
            self._asked = now
            self._hands.press(Key.Key_F5)

    def _result(self) -> None:
        if not self._hands.touch_first("result_next", "result_answer", "result_leave", "result_park"):
            self._hands.press(Key.Key_F5)

    def _question(self) -> None:
        self._hands.touch_first("question_yes")

    def _tidy(self) -> None:
        self._hands.press(Key.Key_Escape)
