"""Wrong tills, part seven: numbers, sums and Zs that are not what was paid."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain import day, takings
from pos_app.domain.attempt import State
from pos_app.domain.day import DAY, Entry
from pos_app.domain.rights import Act
from pos_app.engine.core import counter_day, rebuild
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.core.live_payments import LivePayments
from pos_app.journal import projections
from tests.support import books
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.planting import Planter


def receipt_number_when_printed(planter: Planter) -> None:
    """The money has none until somebody wants paper."""
    planter.put(LivePayments, "numbered", lambda _self, outcome: outcome)


def receipt_number_from_a_clock(planter: Planter) -> None:
    """Seconds are unique enough."""

    def wrong(self: Any, outcome: Any) -> Any:
        numbered = right(self, outcome)
        if numbered is outcome:
            return outcome
        attempt = replace(numbered.live.attempt, receipt=self._clock.now() // 1000)
        return replace(numbered, live=replace(numbered.live, attempt=attempt))

    right = planter.put(LivePayments, "numbered", wrong)


def z_in_two_transactions(planter: Planter) -> None:
    """First the sums, then the lists."""

    def content(z: Any) -> Any:
        return {name: value for name, value in right_content(z).items() if name != "carried"}

    def wrong(self: Any, run: Any) -> Any:
        z, problem = right(self, run)
        if z is not None:
            carried = {"carried": right_content(z).get("carried", [])}
            self._live_payments.commit(
                [self._live_payments.record("Z_LISTS", DAY, run.actor, content=carried)]
            )
        return z, problem

    right_content = planter.put(counter_day, "content_of", content)
    right = planter.put(CounterDay, "_commit_z", wrong)


def z_by_the_date_on_the_wall(planter: Planter) -> None:
    """What was paid on another date is of another day."""

    def wrong(period: Any, closing: Any, *more: Any) -> Any:
        today = tuple(each for each in period.hours if each.hour[:10] == closing.ended[:10])
        entries = tuple(Entry("PAID", "qr", "", each.currency, each.payments, each.amount) for each in today)
        if today != period.hours:
            period = replace(period, hours=today, entries=entries)
        return right(period, closing, *more)

    right = planter.put(counter_day, "z_after", wrong)


def z_twice_for_one_request(planter: Planter) -> None:
    """A second tap closes a second time."""
    planter.put(SimJournal, "z_of_request", lambda *_: None)


def z_without_the_unresolved(planter: Planter) -> None:
    """What nobody can settle is nobody's."""

    def wrong(attempt: Any) -> bool:
        return attempt.state is not State.UNRESOLVED and bool(right(attempt))

    right = planter.put(day, "stays", wrong)


def late_money_added_to_the_old_z(planter: Planter) -> None:
    """It belongs where it was begun."""

    def wrong(before: Any, attempt: Any, _period: int, born: int, wall: str) -> Any:
        return right(before, attempt, born, born, wall)

    right = planter.put(books, "moved", wrong)
    planter.put(projections, "moved", wrong)


def late_money_of_a_lost_journal_untold(planter: Planter) -> None:
    """Nothing of that journal is late in this one."""
    _untold(planter, "late")


def corrections_of_a_lost_journal_untold(planter: Planter) -> None:
    """What its Zs count stands as it stood."""
    _untold(planter, "corrects")


def money_of_a_lost_journal_in_two_zs(planter: Planter) -> None:
    """Nobody reads the Zs of a journal that is lost."""
    _untold(planter, "z")


def _untold(planter: Planter, name: str) -> None:
    def wrong(*asked: Any, **more: Any) -> Any:
        return {key: value for key, value in right(*asked, **more).items() if key != name}

    right = planter.put(rebuild, "_known_of_money", wrong)


def grand_total_less_what_was_given_up(planter: Planter) -> None:
    """The total of what was ever taken is made less by what was corrected."""

    def wrong(before: Any, period: Any) -> Any:
        return {
            name: replace(grand, taken=grand.taken - grand.corrected)
            for name, grand in right(before, period).items()
        }

    right = planter.put(day, "grown", wrong)


def disputed_money_summed(planter: Planter) -> None:
    """It may be ours after all."""

    def wrong(attempt: Any) -> str:
        return "PAID" if attempt.state is State.DISPUTED else str(right(attempt))

    right = planter.put(takings, "column_of", wrong)
    planter.put(projections, "column_of", wrong)


def totals_through_float(planter: Planter) -> None:
    """A hundred times four thirty-five."""
    planter.put(takings, "minor", lambda attempt: int(float(Decimal(attempt.amount)) * 100))


def corrections_untold(planter: Planter) -> None:
    """An old Z never changes, and the new one says nothing."""

    def wrong(*facts: Any) -> Any:
        move = right(*facts)
        return replace(move, remark=None) if move.remark is not None else move

    right = planter.put(books, "moved", wrong)
    planter.put(projections, "moved", wrong)


def cashier_closes_unasked(planter: Planter) -> None:
    """Whoever is signed in may, whatever the settings say."""
    planter.put(EngineConfig, "opened_acts", property(lambda _self: frozenset({Act.CLOSE_DAY})))
