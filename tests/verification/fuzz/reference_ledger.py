"""The whole shop in thirty lines: who has paid for what. All that a till may claim is measured against it."""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.domain.attempt import MONEY, Attempt, State


class ReferenceLedger:
    """Knows what customers did, and nothing of states, replies or time."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        """The attempts whose customer's money moved."""

    def pays(self, attempt_id: str) -> None:
        """A customer's money moved."""
        self.taken.add(attempt_id)

    def contradictions(self, attempts: Iterable[Attempt]) -> list[str]:
        """At any moment: nothing is shown paid that is not, no sale is paid twice."""
        known = list(attempts)
        found = [f"{each.attempt_id} says {each.state}" for each in known if self._is_wrong(each)]
        paid: dict[str, int] = {}
        for each in known:
            excused = each.state is State.SIGNED_OFF or each.sale_id in _signed_off(known)
            if each.attempt_id in self.taken and not excused:
                paid[each.sale_id] = paid.get(each.sale_id, 0) + 1
        return found + [f"sale {sale} is paid {times} times" for sale, times in paid.items() if times > 1]

    def _is_wrong(self, attempt: Attempt) -> bool:
        return attempt.state in MONEY and attempt.attempt_id not in self.taken

    def lost(self, attempts: Iterable[Attempt]) -> list[str]:
        """In the end: what was paid is known as paid, or lies before people."""
        known = {each.attempt_id: each for each in attempts}
        fine = (*MONEY, State.DISPUTED, State.SIGNED_OFF)
        return [each for each in sorted(self.taken) if each not in known or known[each].state not in fine]


def _signed_off(attempts: list[Attempt]) -> set[str]:
    """Sales of which a manager said, with name and reason, that an attempt was not paid."""
    return {each.sale_id for each in attempts if each.resolution and each.resolution.action == "not_paid"}
