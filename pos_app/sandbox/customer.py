"""What the customer does with a request or a QR code; it must not answer the merchant."""

import asyncio

from pos_app.sandbox import qr, states
from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.identity import Identity
from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.replies import HttpError
from pos_app.sandbox.switches import SwitchBoard

VERBS = ("verify", "misread", "approve", "pay", "reject", "fail")


class Customer:
    def __init__(self, ledger: Ledger, clock: SandboxClock, board: SwitchBoard, identity: Identity) -> None:
        self._ledger = ledger
        self._clock = clock
        self._board = board
        self._identity = identity

    def find(self, some_id: str) -> Transaction:
        """By the service's id or by the merchant's."""
        found = self._ledger.by_wallet_id(some_id) or self._ledger.by_external_id(some_id)
        if found is None:
            raise HttpError(404, "NOT_FOUND", "no such transaction")
        return found

    def act(self, some_id: str, verb: str) -> Transaction:
        """Raises a 409 from a final state, and when somebody else was faster."""
        found = self.find(some_id)
        final = self._board.now.verification_fail_final
        move = states.move_named(verb, verification_fail_final=final)
        if self._ledger.move(found.wallet_id, move, "customer", self._clock.now_s()):
            if verb == "approve":
                self._settle_soon(found.wallet_id)
            return self.find(found.wallet_id)
        found = self.find(found.wallet_id)
        if states.already_there(found.status, move.target):
            return found
        raise HttpError(409, "CONFLICT", f"cannot {verb}: the transaction is in {found.status}")

    def set_status(self, some_id: str, status: str) -> Transaction:
        """From any status to any, known or not: what no honest service does."""
        found = self.find(some_id)
        self._ledger.set_status(found.wallet_id, status, "rig", self._clock.now_s())
        return self.find(found.wallet_id)

    def scan(self, text: str, then: str, account: str) -> Transaction:
        """A phone reads the QR text: verified first, then what its owner decides."""
        try:
            content = qr.unseal(self._identity.qr_key(), text)
        except qr.UnreadableCodeError as error:
            raise HttpError(400, "INVALID_ARGUMENT", str(error)) from error
        found = self.find(content.wallet_id)
        scanned = self.act(found.wallet_id, "misread" if then == "misread" else "verify")
        self._ledger.set_account(found.wallet_id, account)
        return (
            self.act(found.wallet_id, then) if then in ("approve", "reject") else self.find(scanned.wallet_id)
        )

    def resume(self) -> None:
        """After a restart: what was approved is still paid."""
        for approved in self._ledger.select(["status = ?"], [states.APPROVED]):
            self._settle_soon(approved.wallet_id)

    def succeed_late(self, wallet_id: str, delay_s: float) -> None:
        """Turns a cancelled transaction into a paid one, as a broken service would."""
        self._move_later(wallet_id, states.LATE_SUCCESS, "fault", delay_s)

    def _settle_soon(self, wallet_id: str) -> None:
        self._move_later(wallet_id, states.MOVES["settle"], "service", self._board.now.approve_to_paid_s)

    def _move_later(self, wallet_id: str, move: states.Move, cause: str, delay_s: float) -> None:
        def now() -> None:
            self._ledger.move(wallet_id, move, cause, self._clock.now_s())

        asyncio.get_running_loop().call_later(delay_s, now)
