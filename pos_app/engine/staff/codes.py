"""The codes this terminal has sent: whether one more may go, and its count before it goes."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from pos_app.domain import otp
from pos_app.domain.ages import Stamp, ages
from pos_app.domain.otp import OtpAllowance, OtpLimits, OtpProblem
from pos_app.domain.record import Record
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.machine_sends import MachineSends

log = logging.getLogger(__name__)

SENT = "OTP_SEND"


class Codes:
    """Counts in the journal, so that neither a restart nor a set clock gives more (I10), and for the whole machine.

    `here`: the machine's own count, so that another data folder gives no more either; None where SMS are none.
    """

    def __init__(
        self,
        journal: JournalStore,
        live_payments: LivePayments,
        clock: Clock,
        limits: OtpLimits,
        here: MachineSends | None = None,
    ) -> None:
        self._journal = journal
        self._live_payments = live_payments
        self._clock = clock
        self._limits = limits
        self._here = here

    def allowance(self, number: str) -> OtpAllowance | None:
        """Whether a code may go to the number; None while the journal cannot be read."""
        # The newest of a day's number are enough: if they fill no day, what is older is older than a day.
        newest = self._limits.terminal_sends_per_day
        read = self._live_payments.read(
            lambda: (self._journal.otp_sends(newest), self._journal.digest(number)), None
        )
        if read is None:
            return None
        sends, digest = read
        stamped = [(record.subject, stamp) for record in sends if (stamp := _stamp(record)) is not None]
        allowed = self._allowed(digest, stamped)
        if allowed.problem or self._here is None:
            return allowed
        of_machine = self._here.sends()
        return self._allowed(self._here.hash_of(number), of_machine)

    def _allowed(self, whose: str, sends: list[tuple[str, Stamp]]) -> OtpAllowance:
        now = self._clock.stamp()
        allowed = self._judge(whose, now, sends)
        if allowed.problem and now.service is None:
            in_this_boot = [(number, stamp) for number, stamp in sends if stamp.boot == now.boot]
            if not self._judge(whose, now, in_this_boot).problem:
                return OtpAllowance(OtpProblem.TIME_NOT_SURE, allowed.wait_ms)
        return allowed

    def _judge(self, whose: str, now: Stamp, sends: list[tuple[str, Stamp]]) -> OtpAllowance:
        times = [-age for age in ages(now, [stamp for _, stamp in sends])]
        own = [at for (number, _), at in zip(sends, times, strict=True) if number == whose]
        return otp.may_send(0, own, times, self._limits)

    def count(self, number: str, actor: str) -> bool:
        """Durably, before it is sent, so that a kill cannot be used to get free messages."""
        stamp = self._clock.stamp()
        content: dict[str, Any] = {"stamp": msgspec.to_builtins(stamp)}
        if self._here is not None and (why := self._here.count(number, stamp)):
            log.warning("codes by SMS cannot be counted for the whole machine: %s", why)
            content["not_counted_for_the_machine"] = why
        digest = self._live_payments.read(lambda: self._journal.digest(number), None)
        if digest is None:
            return False
        return self._live_payments.commit([self._live_payments.record(SENT, digest, actor, content=content)])


def _stamp(record: Record) -> Stamp | None:
    """None for what a till of before the stamps wrote."""
    stamp = record.content.get("stamp")
    return None if stamp is None else msgspec.convert(stamp, Stamp)
