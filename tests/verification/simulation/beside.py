"""I19 judged: a run that says complete saw every row of the service's; each payment of ours is equal or a difference.

Looks at the service's own ledger, and at what the run has written down; nothing of the product's comparing is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pos_app.domain.attempt import Attempt
from pos_app.domain.ids import installation_of, sale_and_number
from tests.verification.simulation.history import Held, History, Written
from tests.verification.simulation.verdict import MONEY, Violation

SUCCESS = "Payment Success"


class _Run:
    """What one run says, from its beginning to its end."""

    def __init__(self, began: Written) -> None:
        self.began = began
        self.about: dict[str, Any] = began.record.content["run"]
        self.seen: set[tuple[str, int]] = set()
        self.settled: set[str] = set()
        self.found: set[tuple[str, str]] = set()
        self.ended: Written | None = None

    def take(self, each: Written) -> None:
        content = each.record.content
        if each.record.kind == "RECON_WINDOW":
            progress = content["progress"]
            self.settled.update(progress.get("settled", ()))
            for first, count in progress.get("seen", ()):
                sale, number = divmod(first, 10_000)
                self.seen.update((f"{sale + step:04d}", number) for step in range(count))
        elif each.record.kind == "DIFFERENCE_FOUND":
            self.found.add((content["difference"]["kind"], content["difference"]["subject"]))
            self.found.add(("", content["difference"].get("attempt_id", "")))
        elif each.record.kind == "RECON_ENDED":
            self.ended, self.about = each, content["run"]


def runs_of(journal: tuple[Written, ...]) -> list[_Run]:
    """Those that say complete."""
    runs: dict[str, _Run] = {}
    for each in journal:
        if each.record.kind == "RECON_BEGAN":
            runs[each.record.subject] = _Run(each)
        elif each.record.subject in runs:
            runs[each.record.subject].take(each)
    return [run for run in runs.values() if run.ended is not None and run.about.get("complete")]


def i19(history: History) -> Iterator[Violation]:
    """Of each line's runs."""
    for line, journal in history.journals.items():
        for run in runs_of(journal):
            if run.ended is None or any(
                by == line and run.began.at <= at <= run.ended.at for at, by in history.looks
            ):
                continue  # an empty list was made up on its way: nobody finds that out
            before, after = _known(journal, run.began.seq), _known(journal, run.ended.seq)
            asked_for = [each for each in history.held if _is_asked_for(each, after)]
            for held in asked_for:
                if _is_listed(held, run, history.lag):
                    yield from _unseen(line, run, held, after, _former(journal, run.ended.seq))
            for held in asked_for:
                yield from _unequal(line, run, held, before, after)


def _known(journal: tuple[Written, ...], seq: int) -> dict[str, Attempt]:
    found = {}
    for each in journal:
        if each.seq <= seq and each.record.attempt is not None:
            found[each.record.attempt.attempt_id] = each.record.attempt
    return found


def _is_asked_for(held: Held, known: dict[str, Attempt]) -> bool:
    """Of the counter, at the service, that this till has sold at: another counter's rows are in another list."""
    places = {(attempt.counter_id, attempt.origin) for attempt in known.values()}
    return (held.counter_id, held.origin) in places


def _is_listed(held: Held, run: _Run, lag: int) -> bool:
    arrived = held.timeline[0][0] if held.timeline else run.began.at + 1
    return arrived + lag <= run.began.at and run.about["first"] <= held.dated <= run.about["last"]


def _former(journal: tuple[Written, ...], seq: int) -> set[str]:
    """The installations that this journal was until then; what one of them has sold elsewhere is no other till's."""
    return {
        each.record.content["before"]
        for each in journal
        if each.seq <= seq and each.record.kind == "INSTALLATION_TAKEN"
    }


def _unseen(
    line: str, run: _Run, held: Held, known: dict[str, Attempt], former: set[str]
) -> Iterator[Violation]:
    attempt_id, number = held.external_id, run.about["number"]
    ours = known.get(attempt_id)
    if ours is not None:
        in_range = run.about["tapped_from"] <= ours.tapped_at <= run.about["tapped_to"]
        if in_range and sale_and_number(attempt_id) not in run.seen and attempt_id not in run.settled:
            yield Violation("I19", attempt_id, f"{line}: run {number} says complete and has not seen it")
        return
    own = {installation_of(each) for each in known} | former
    installation = installation_of(attempt_id)
    expected = ("there_unknown", attempt_id) if installation in own else ("other_till", installation)
    if expected not in run.found:
        yield Violation("I19", attempt_id, f"{line}: run {number} says complete and knows no {expected}")


def _unequal(
    line: str, run: _Run, held: Held, before: dict[str, Attempt], after: dict[str, Attempt]
) -> Iterator[Violation]:
    """What was so on both sides from its beginning to its end, and differs, is one of its differences."""
    first, last = before.get(held.external_id), after.get(held.external_id)
    if first is None or last is None or run.ended is None:
        return
    if not run.about["tapped_from"] <= first.tapped_at <= run.about["tapped_to"]:
        return
    there = {held.status_at(at) == SUCCESS for at in (run.began.at, run.ended.at)}
    here = {_is_money(attempt) for attempt in (first, last)}
    if len(there) == len(here) == 1 and there != here and ("", held.external_id) not in run.found:
        number = run.about["number"]
        what = f"{last.state} here, {held.status} there, and no difference of run {number}"
        yield Violation("I19", held.external_id, f"{line}: {what}")


def _is_money(attempt: Attempt) -> bool:
    signed = attempt.resolution is not None and attempt.resolution.action == "paid"
    return attempt.state.value in MONEY or (attempt.state.value == "SIGNED_OFF" and signed)
