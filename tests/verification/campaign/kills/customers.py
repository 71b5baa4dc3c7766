"""The customers: they answer requests and scan codes they see, at random, whether the till lives or not."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.support.sandbox import ControlError, Sandbox

VERBS = ("approve",) * 5 + ("pay",) * 2 + ("reject",) * 2 + ("fail", "misread", "verify", "", "")
"""What is done with a request; "" is nothing. A failed scan is not tried again: the service says not whether it may."""

LOOK_S = 0.15


class Customers:
    """Of one till. A code nobody has seen on its screen cannot be scanned."""

    def __init__(
        self,
        sandbox: Sandbox,
        seed: int,
        verbs: Sequence[str] = VERBS,
        slowest_s: float = 2.5,
        look_s: float = LOOK_S,
    ) -> None:
        self._look_s = look_s
        self._sandbox = sandbox
        self._verbs = verbs
        self._slowest_s = slowest_s
        self._chance = Random(seed)
        self._seen_codes: set[str] = set()
        self._plans: dict[str, tuple[float, str]] = {}
        self._looked_at = 0.0

    def see(self, text: str) -> None:
        """A code stands on the till's screen."""
        self._seen_codes.add(text)

    def look(self) -> None:
        """Does what is due, some times a second."""
        now = time.monotonic()
        if now - self._looked_at < self._look_s:
            return
        self._looked_at = now
        for each in self._undecided():
            wallet_id = each["walletTransactionId"]
            if wallet_id not in self._plans:
                due = now + self._chance.uniform(0.0, self._slowest_s)
                self._plans[wallet_id] = (due, self._chance.choice(self._verbs))
            due, verb = self._plans[wallet_id]
            if due <= now and verb:
                self._plans[wallet_id] = (now, "")
                self._act(wallet_id, verb)

    def decide_all(self) -> None:
        """Whoever still has something in hand decides; half of the untouched requests are left lying."""
        for each in self._sandbox.transactions():
            wallet_id, status = each["walletTransactionId"], each["status"]
            if status == "Verification Fail":
                self._act(wallet_id, "fail")
            elif status == "Verification Success" or (
                status == "Merchant Initiated" and self._may_act(each) and self._chance.random() < 0.5
            ):
                self._act(wallet_id, self._chance.choice(("pay", "reject")))

    def all_decided(self) -> bool:
        """Nothing moves at the service any more but by the till."""
        moving = ("Customer Approved", "Verification Success", "Verification Fail")
        return all(each["status"] not in moving for each in self._sandbox.transactions())

    def _undecided(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._sandbox.control(
            "GET", "/transactions?status=Merchant%20Initiated"
        )
        return [each for each in found if self._may_act(each)]

    def _may_act(self, transaction: dict[str, Any]) -> bool:
        return transaction["kind"] == "push" or transaction["qrEncryptedText"] in self._seen_codes

    def _act(self, wallet_id: str, verb: str) -> None:
        # The till's cancel may have been faster.
        with contextlib.suppress(ControlError):
            self._sandbox.act(wallet_id, verb)
