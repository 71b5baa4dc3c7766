"""Plays the sandbox's customer for a verb: scans, approves, rejects, ignores or pays late, over the wire alone."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from pos_app.bootstrap.sandbox_control import Control, ControlError
from pos_app.bootstrap.sandbox_process import Details
from pos_app.domain.attempt import Attempt, Kind, State

CHOICES = ("approve", "reject", "ignore", "late")
PAY_LATE_S = 5.0


class Customer:
    """Acts once on each attempt it sees, on threads of its own, which end with the process."""

    def __init__(self, details: Details, behaviour: str) -> None:
        self._control = Control(details)
        self._behaviour = behaviour
        self._asked: set[str] = set()
        self._given_up: set[str] = set()

    def see(self, attempt: Attempt) -> None:
        """An attempt as it now is."""
        if self._behaviour == "ignore":
            return
        asked = attempt.state is State.WAITING and (attempt.kind is Kind.PUSH or attempt.qr_showable)
        if asked and attempt.attempt_id not in self._asked:
            self._asked.add(attempt.attempt_id)
            self._do(0, lambda: self._answer(attempt))
        gave_up = attempt.gave_up_at is not None and attempt.attempt_id not in self._given_up
        if self._behaviour == "late" and gave_up:
            self._given_up.add(attempt.attempt_id)
            self._do(PAY_LATE_S, lambda: self._act(attempt, "pay"))

    def _do(self, delay_s: float, work: Callable[[], None]) -> None:
        timer = threading.Timer(delay_s, work)
        timer.daemon = True
        timer.start()

    def _answer(self, attempt: Attempt) -> None:
        if self._behaviour == "late":
            self._act(attempt, "verify")
        elif attempt.kind is Kind.QR:
            self._post("/scan", {"text": attempt.qr_text, "then": self._behaviour})
        else:
            self._act(attempt, self._behaviour)

    def _act(self, attempt: Attempt, verb: str) -> None:
        self._post(f"/transactions/{attempt.wallet_transaction_id}/{verb}", {})

    def _post(self, path: str, body: dict[str, str]) -> None:
        # A customer who comes too late, or a sandbox that has gone: the till finds out by asking.
        with contextlib.suppress(ControlError):
            self._control.post(path, body)
