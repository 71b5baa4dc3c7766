"""I15 to I18 judged: numbers without a gap, each money in one Z, an old Z unchanged, all that is open named in it.

Adds up by itself, from the records' amounts and numbers: nothing of the product's takings is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.verdict import MONEY, OPEN, Violation

TAKEN_BY = "INSTALLATION_TAKEN"


def zs_of(journal: tuple[Written, ...]) -> list[Written]:
    """The Zs, in their order."""
    return [each for each in journal if each.record.kind == "Z_CLOSED"]


def units(amount: Decimal) -> int:
    """The simulated shop's currency has two digits."""
    return int(amount * 100)


def i15(history: History) -> Iterator[Violation]:
    """Receipts by installation, and Zs: 1, 2, 3 …, in the order of the money, none without and none twice."""
    for line, journal in history.journals.items():
        last: dict[str, int] = {}
        known: dict[str, tuple[str, int]] = {}
        for each in journal:
            attempt = each.record.attempt
            if attempt is None:
                continue
            has = (attempt.receipt_of, attempt.receipt)
            before = known.get(attempt.attempt_id, ("", 0))
            known[attempt.attempt_id] = has
            if each.record.kind == "RECOVERED" or has == before != ("", 0):
                continue
            became = bool({*MONEY} & {state.value for state in each.record.path[1:]})
            about = f"number {each.seq}: {before} becomes {has}"
            if before != ("", 0) or bool(has[1]) != became:
                yield Violation("I15", attempt.attempt_id, f"{line} {about}, by {each.record.path}")
            elif became:
                if has[1] != last.get(has[0], 0) + 1:
                    yield Violation("I15", attempt.attempt_id, f"{line} {about}, after {last.get(has[0], 0)}")
                last[has[0]] = has[1]
        for place, z in enumerate(zs_of(journal), 1):
            if z.record.content["number"] != place:
                yield Violation("I15", line, f"Z {z.record.content['number']} is the {place}. of them")


class _Books:
    """What the records of one line come to, kept by the judge."""

    def __init__(self) -> None:
        self.attempts: dict[str, Attempt] = {}
        self.born: dict[str, int] = {}
        self.counted: dict[str, int] = {}
        """In which Z, or as the money of which open period, a payment is counted."""
        self.corrected: dict[str, int] = {}
        """Money that an earlier Z counts, and that is none any more in this period."""
        self.before_it: set[str] = set()
        """Money that a Z of a lost journal counts."""
        self.late: dict[str, int] = {}
        self.period = 1
        self.ends = [0]
        self.grand = (0, 0)

    def take(self, each: Written) -> None:
        record, attempt = each.record, each.record.attempt
        if attempt is None:
            return
        key, is_money = attempt.attempt_id, attempt.state.value in MONEY
        is_first = key not in self.born
        self.born.setdefault(key, self.period)
        self.attempts[key] = attempt
        was = self.counted.get(key)
        of_lost = record.content if record.kind == "RECOVERED" else {}
        if "corrects" in of_lost:
            self.before_it.add(key)
            self.corrected[key] = 0
        if is_money and was is None:
            self.counted[key] = self.period
            if "z" in of_lost:
                self.counted[key] = 0
                self.before_it.add(key)
            elif of_lost.get("late"):
                self.late[key] = 0
            elif self.born[key] < self.period:
                self.late[key] = self.born[key]
        elif not is_money and was is not None:
            del self.counted[key]
            self.late.pop(key, None)
            if was < self.period:
                self.corrected[key] = was
        if is_first and record.kind == "RECOVERED":
            self.born[key] = 0

    def known_of(self, attempt_id: str) -> set[str]:
        """What the journal that begins beside this one has to say of a payment, as it stands at this one's end."""
        counted = self.counted.get(attempt_id, self.period)
        said = {
            "z": attempt_id in self.counted and counted < self.period,
            "corrects": attempt_id in self.corrected and attempt_id not in self.counted,
            "late": attempt_id in self.late and counted == self.period,
        }
        return {name for name, is_so in said.items() if is_so}

    def sum(self) -> int:
        own = (key for key, period in self.counted.items() if period == self.period)
        return sum(units(self.attempts[key].amount) for key in own)

    def close(self, seq: int) -> None:
        self.grand = (self.grand[0] + self.sum(), self.grand[1] + self._corrections())
        self.ends.append(seq)
        self.period += 1
        self.late, self.corrected = {}, {}

    def _corrections(self) -> int:
        return sum(units(self.attempts[key].amount) for key in self.corrected)

    def adds_up(self) -> bool:
        """All Zs and the open period are what is money now, but for what only an older journal's Z counts."""
        ever = self.grand[0] + self.sum() - self.grand[1] - self._corrections()
        money = {key for key, attempt in self.attempts.items() if attempt.state.value in MONEY}
        lost = sum(units(self.attempts[key].amount) for key in self.before_it - money)
        return ever + lost == sum(units(self.attempts[key].amount) for key in money - self.before_it)


def i16(history: History) -> Iterator[Violation]:
    """Each event is in one Z or the open period; a Z's sums, lates and corrections are its range's; no total falls."""
    lines: dict[str, _Books] = {}
    for line in in_order(history):
        journal, books = history.journals[line], lines.setdefault(line, _Books())
        begun = history.lines.get(line)
        lost = lines[begun.parent] if begun is not None and begun.how == "lost" else None
        doubtful: set[str] | None = None
        for each in journal:
            if each.record.kind == "JOURNAL_REBUILT" and lost is not None:
                doubtful = _doubtful(each.record.content, lost)
            if each.record.kind == "RECOVERED" and lost is not None and doubtful is not None:
                yield from _told(line, each, lost, doubtful)
            if each.record.kind == "Z_CLOSED":
                said = each.record.content
                for what in _wrong(said, each.seq, books):
                    yield Violation("I16", line, f"Z {said['number']}: {what}")
                books.close(each.seq)
            books.take(each)
        if not books.adds_up():
            yield Violation("I16", line, f"all Zs together are not what was paid: {books.grand}")


def in_order(history: History) -> list[str]:
    """The lines: one that began beside a lost one comes behind it."""
    return sorted(history.journals, key=lambda each: history.lines[each].at if each in history.lines else -1)


def _doubtful(rebuilt: dict[str, Any], lost: _Books) -> set[str] | None:
    """The payments of which an event is not proven; None where the lost journal's newest Z is not, or nobody sees."""
    last = rebuilt.get("last_z", {"number": 0, "proven": True})
    is_known = last["proven"] and last["number"] == lost.period - 1
    return set(rebuilt["ask"]) if is_known else None


def _told(line: str, each: Written, lost: _Books, doubtful: set[str]) -> Iterator[Violation]:
    """What no Z of a lost journal says of money, the first one beside it says; and what one says, it does not."""
    attempt = each.record.attempt
    if attempt is None or attempt.attempt_id in doubtful or not each.record.content.get("proven"):
        return
    before = lost.attempts.get(attempt.attempt_id)
    # What was not money is in a Z, too, and in none of these sums.
    of_money = {"z", "corrects", "late"} if attempt.state.value in MONEY else {"corrects", "late"}
    told = of_money & each.record.content.keys()
    if before is not None and before.state is attempt.state:
        expected = lost.known_of(attempt.attempt_id)
        if told != expected:
            about = f"is taken over with {sorted(told)}, and it is {sorted(expected)}"
            yield Violation("I16", attempt.attempt_id, f"{line}: {about}")


def _wrong(said: dict[str, Any], seq: int, books: _Books) -> Iterator[str]:
    if (said["from_seq"], said["to_seq"]) != (books.ends[-1] + 1, seq):
        yield f"from {said['from_seq']} to {said['to_seq']}, and it is {books.ends[-1] + 1} to {seq}"
    money = [each[5] for each in said.get("entries", ()) if each[0] in MONEY]
    if any(type(each) is not int for each in money) or sum(money) != books.sum():
        yield f"{money} taken, and it was {books.sum()}"
    hours = [each[3] for each in said.get("hours", ())]
    if sum(hours) != books.sum():
        yield f"{hours} by the hour, and it was {books.sum()}"
    late = {each["attempt_id"]: each["z"] for each in said.get("late_from", ())}
    if late != books.late:
        yield f"late {late}, and it was {books.late}"
    corrected = {each["attempt_id"]: each["z"] for each in said.get("corrections", ())}
    if corrected != books.corrected:
        yield f"corrects {corrected}, and it was {books.corrected}"
    grand = said.get("grand", {}).get("LKR", {"taken": 0, "corrected": 0})
    expected = (books.grand[0] + books.sum(), books.grand[1] + books._corrections())
    if (grand["taken"], grand["corrected"]) != expected:
        yield f"grand total {grand}, and it was {expected}"
    if grand["taken"] < books.grand[0] or grand["corrected"] < books.grand[1]:
        yield f"grand total {grand} falls below {books.grand}"


def i17(history: History) -> Iterator[Violation]:
    """A Z that somebody was handed is in the journal as it was handed out; each knows the one before; one a request."""
    for line, journal in history.journals.items():
        before, requests = "", set()
        for each in zs_of(journal):
            said = each.record.content
            if before and said.get("previous") != before:
                yield Violation("I17", line, f"Z {said['number']} does not know the one before it")
            if not said.get("digest") or said["digest"] == before:
                yield Violation("I17", line, f"Z {said['number']} has no digest of its own")
            if said["request_id"] in requests:
                yield Violation("I17", line, f"closed twice for {said['request_id']}")
            requests.add(said["request_id"])
            before = said["digest"]
    for _, line, z in history.days:
        written = [
            each.record.content
            for each in zs_of(history.journals[line])
            if each.record.content["number"] == z.number
        ]
        if written != [msgspec.to_builtins(z)]:
            yield Violation("I17", line, f"Z {z.number} as it was handed out is not the journal's")


def i18(history: History) -> Iterator[Violation]:
    """Whatever is open or unanswered when a Z is written stands in it by name, in its state; and nothing else does."""
    for line, journal in history.journals.items():
        attempts: dict[str, Attempt] = {}
        for each in journal:
            if each.record.attempt is not None:
                attempts[each.record.attempt.attempt_id] = each.record.attempt
            if each.record.kind != "Z_CLOSED":
                continue
            carried = {
                carried["attempt_id"]: carried["state"] for carried in each.record.content.get("carried", ())
            }
            expected = {key: attempt.state.value for key, attempt in attempts.items() if _stays(attempt)}
            if carried != expected:
                what = f"Z {each.record.content['number']} carries {carried}, and open are {expected}"
                yield Violation("I18", line, what)


def _stays(attempt: Attempt) -> bool:
    state = attempt.state.value
    if state in (*OPEN, "UNRESOLVED", "DISPUTED"):
        return True
    wished = state == "PAID" and attempt.cancel_wish is not None
    return attempt.resolution is None and (state == "PAID_LATE" or wished)
