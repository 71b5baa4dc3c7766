"""The codes this terminal has sent: whether one more may go, and its count before it goes. Sends nothing."""

from __future__ import annotations

import msgspec

from pos_app.domain import otp
from pos_app.domain.ages import Stamp, ages
from pos_app.domain.otp import OtpAllowance, OtpLimits, OtpProblem
from pos_app.domain.record import Record
from pos_app.engine.book import Book
from pos_app.engine.clock import Clock
from pos_app.engine.ledger import Ledger

SENT = "OTP_SEND"


class Codes:
    """Counts in the journal, so that neither a restart nor a set clock gives more (I10)."""

    def __init__(self, book: Book, ledger: Ledger, clock: Clock, limits: OtpLimits) -> None:
        self._book = book
        self._ledger = ledger
        self._clock = clock
        self._limits = limits

    def allowance(self, digest: str) -> OtpAllowance | None:
        """Whether a code may go to the number of this digest; None while the journal cannot be read."""
        # The newest of a day's number are enough: if they fill no day, what is older is older than a day.
        newest = self._limits.terminal_sends_per_day
        sends = self._ledger.read(lambda: self._book.otp_sends(newest), None)
        if sends is None:
            return None
        now = self._clock.stamp()
        stamped = [(record.subject, stamp) for record in sends if (stamp := _stamp(record)) is not None]
        allowed = self._judge(digest, now, stamped)
        if allowed.problem and now.service is None:
            in_this_boot = [(number, stamp) for number, stamp in stamped if stamp.boot == now.boot]
            if not self._judge(digest, now, in_this_boot).problem:
                return OtpAllowance(OtpProblem.TIME_NOT_SURE, allowed.wait_ms)
        return allowed

    def _judge(self, digest: str, now: Stamp, sends: list[tuple[str, Stamp]]) -> OtpAllowance:
        times = [-age for age in ages(now, [stamp for _, stamp in sends])]
        own = [at for (number, _), at in zip(sends, times, strict=True) if number == digest]
        return otp.may_send(0, own, times, self._limits)

    def count(self, digest: str, actor: str) -> bool:
        """Durably, before it is sent, so that a kill cannot be used to get free messages."""
        stamp = msgspec.to_builtins(self._clock.stamp())
        return self._ledger.commit([self._ledger.record(SENT, digest, actor, content={"stamp": stamp})])


def _stamp(record: Record) -> Stamp | None:
    """None for what a till of before the stamps wrote."""
    stamp = record.content.get("stamp")
    return None if stamp is None else msgspec.convert(stamp, Stamp)
