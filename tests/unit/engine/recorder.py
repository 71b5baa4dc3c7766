"""The clock and the calls of the rig: stand still until moved, and keep what was asked for."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app.domain.ages import Stamp
from pos_app.domain.attempt import Kind
from pos_app.domain.print_job import PrintJob
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.engine.core.journal_store import JournalStore
from pos_app.services.bodies import initiate_body

START = 1_700_000_000_000


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.ms = START
        self.boot = "boot-1"
        self.booted = START - 60_000
        self.service_told = False
        self.pushed = timedelta()
        """By so much somebody has set the wall clock."""

    def now(self) -> int:
        """Till time."""
        return self.ms

    def wall(self) -> datetime:
        """The same, for people."""
        return datetime.fromtimestamp(self.ms / 1000, UTC) + self.pushed

    def stamp(self) -> Stamp:
        """Of this boot; with the true time once the service has told it."""
        return Stamp(self.boot, self.ms - self.booted, self.ms if self.service_told else None)


class Recorder:
    """The `Calls` of the rig: keeps what was asked for, with how much was durable by then."""

    def __init__(self, journal: JournalStore) -> None:
        self._journal = journal
        self.made: deque[tuple[Any, ...]] = deque()
        self.bodies: list[bytes] = []
        self.within_ms: list[int | None] = []
        self.held_back: list[str] = []
        self.durable_at: list[int] = []
        self.messages: list[str] = []

    def _note(self, *call: Any) -> None:
        self.made.append(call)

    def initiate_body(self, order: Order) -> bytes:
        """The real bytes."""
        return initiate_body(order)

    def initiate(
        self, attempt_id: str, kind: Kind, body: bytes, *, resend: bool, within_ms: int | None
    ) -> None:
        """Notes what lay in the journal when the bytes left."""
        assert self._journal.attempt(attempt_id) is not None, "sent before it was durable"
        assert self._journal.unsealed(attempt_id) == body, "other bytes than those that are durable"
        assert f'"{kind}"' not in body.decode()
        self.bodies.append(body)
        self.within_ms.append(within_ms)
        self._note("re-send" if resend else "initiate", attempt_id)

    def hold_back(self, attempt_id: str) -> None:
        """The wish, or a manager's word, must lie in the journal."""
        written = self._journal.attempt(attempt_id)
        assert written is not None
        assert written.cancel_wish or written.resolution, "held back before the wish was durable"
        self.held_back.append(attempt_id)

    def ask(self, attempt_id: str, wallet_transaction_id: str, *, behind: bool) -> None:  # noqa: ARG002
        """Notes it."""
        self._note("ask", attempt_id, *([wallet_transaction_id] if wallet_transaction_id else []))

    def cancel(self, attempt_id: str, *, behind: bool) -> None:  # noqa: ARG002
        """The wish must lie in the journal."""
        written = self._journal.attempt(attempt_id)
        assert written is not None
        assert written.cancel_wish is not None, "cancelled before the wish was durable"
        self._note("cancel", attempt_id)

    def probe(self, attempt_id: str) -> None:
        """Notes it."""
        self._note("probe", attempt_id)

    def look_for_token(self) -> None:
        """Notes it."""
        self._note("look for token")

    def send_otp(self, person_id: str, msisdn: str, message: str) -> None:
        """Notes it."""
        assert message.count("{{code}}") == 1
        self.messages.append(message)
        self._note("send otp", person_id, msisdn)

    def submit_otp(self, person_id: str, server_ref: str, pin: str) -> None:
        """Notes it."""
        self._note("submit otp", person_id, server_ref, pin)

    def check_passcode(self, check: int, passcode: Secret, hashed: bytes) -> None:
        """Notes whether it is right: the hash of a passcode is itself."""
        self._note("check passcode", check, passcode.reveal().encode() == hashed)

    def hash_passcode(self, check: int, passcode: Secret, before: bytes | None) -> None:
        """Notes the hash, and whether it is the one from before."""
        hashed = passcode.reveal().encode()
        self._note("hash passcode", check, hashed, hashed == before)


class PrinterNotes:
    """The `PrinterLine` of the rig: keeps what was asked of it; the test says what came of it."""

    def __init__(self) -> None:
        self.asked: deque[tuple[Any, ...]] = deque()
        self.drawn: list[PrintJob] = []

    def prepare(self, job: PrintJob, content: Any) -> None:
        """Notes it."""
        self.drawn.append(job)
        self.asked.append(("prepare", job.number, content))

    def send(self, number: int) -> None:
        """Notes it."""
        self.asked.append(("send", number))

    def leave(self, number: int) -> None:
        """Notes it."""
        self.asked.append(("leave", number))
