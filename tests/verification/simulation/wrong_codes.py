"""Wrong tills, part three: sign-in codes counted in the wrong way or by the wrong clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pos_app.domain import otp
from pos_app.domain.ages import Stamp
from pos_app.domain.record import Record
from pos_app.domain.replies import OtpSent
from pos_app.engine.staff import codes
from pos_app.engine.staff.codes import Codes
from pos_app.engine.staff.number_proof import NumberProof
from tests.verification.simulation.planting import Planter


def code_counted_after_send(planter: Planter) -> None:
    """An SMS counts once the service has confirmed it."""

    def wrong(self: Any, fact: Any) -> None:
        wanted = self.wanted
        right(self, fact)
        if wanted is not None and isinstance(fact.reply, OtpSent):
            right_count(self._codes, wanted.person.number_digest, wanted.person.person_id)

    right_count = planter.put(Codes, "count", lambda *_: True)
    right = planter.put(NumberProof, "sent", wrong)


def codes_follow_till_time(planter: Planter) -> None:
    """The limits are measured by till time, which follows the wall clock over a restart."""

    def wrong(self: Any, digest: str) -> otp.OtpAllowance:
        sends: Sequence[Record] = self._live_payments.read(lambda: self._journal.otp_sends(30), ())
        times = [record.at for record in sends]
        own = [record.at for record in sends if record.subject == digest]
        return otp.may_send(self._clock.now(), own, times, self._limits)

    planter.put(Codes, "allowance", wrong)


def a_reboot_is_a_night(planter: Planter) -> None:
    """What was sent before the machine was switched on is taken for long ago."""

    def wrong(now: Stamp, earlier: Sequence[Stamp]) -> list[int]:
        found = right(now, earlier)
        return [
            age if stamp.boot == now.boot else age + otp.DAY_MS
            for stamp, age in zip(earlier, found, strict=True)
        ]

    right = planter.put(codes, "ages", wrong)
