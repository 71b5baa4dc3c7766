"""Plays the sandbox's customer for a verb: scans, approves, rejects, ignores or pays late, over the wire alone."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from typing import Any

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.sandbox_process import Details

CHOICES = ("approve", "reject", "ignore", "late")
PAY_LATE_S = 5.0
LIMIT_S = 10.0


class Customer:
    """Acts once on each attempt it sees, on threads of its own."""

    def __init__(self, details: Details, behaviour: str) -> None:
        self._details = details
        self._behaviour = behaviour
        self._acted: set[str] = set()
        self._late: set[str] = set()
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def see(self, attempt: Attempt) -> None:
        """An attempt as it now is."""
        asked = attempt.state is State.WAITING and (attempt.kind is Kind.PUSH or attempt.qr_showable)
        if asked and attempt.attempt_id not in self._acted:
            self._acted.add(attempt.attempt_id)
            self._start(0, lambda: self._answer(attempt))
        if (
            self._behaviour == "late"
            and attempt.gave_up_at is not None
            and attempt.attempt_id not in self._late
        ):
            self._late.add(attempt.attempt_id)
            self._start(PAY_LATE_S, lambda: self._act(attempt, "pay"))

    def _start(self, delay_s: float, work: Any) -> None:
        timer = threading.Timer(delay_s, work)
        timer.daemon = True
        timer.start()

    def _answer(self, attempt: Attempt) -> None:
        if self._behaviour == "ignore":
            return
        if self._behaviour == "late":
            self._act(attempt, "verify")
        elif attempt.kind is Kind.QR:
            self._post("/scan", {"text": attempt.qr_text, "then": self._behaviour})
        else:
            self._act(attempt, self._behaviour)

    def _act(self, attempt: Attempt, verb: str) -> None:
        self._post(f"/transactions/{attempt.wallet_transaction_id}/{verb}", {})

    def _post(self, path: str, body: dict[str, Any]) -> None:
        request = urllib.request.Request(
            self._details.control_url + path,
            data=json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self._details.control_token}",
                "Content-Type": "application/json",
            },
            method="POST",
        )
        try:
            with self._opener.open(request, timeout=LIMIT_S) as reply:
                reply.read()
        except urllib.error.URLError:
            # A customer who comes too late (409), or a sandbox that has gone: the till finds out by asking.
            return
