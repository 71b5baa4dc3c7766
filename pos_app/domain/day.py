"""The counter's day: what an X and a Z say, how a Z follows the one before, and to which date it belongs. Pure.

A Z closes a range of the journal's events: from the one behind the Z before it to itself. A payment is in the Z whose
range holds the event that made it money, so that no clock, crash or hour that comes twice moves money between days.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.ids import ALPHABET, SANDBOX_PREFIX, receipt_number, till_of
from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.receipt import Verdict, scanned_in
from pos_app.domain.refund import Note, NoteSums
from pos_app.domain.takings import MONEY_COLUMNS, NOT_SUMMED, Cell, Tally

DAY = "day"
"""The subject of events about the counter's day."""

X_READ = "X_READ"
"""Somebody read what was taken so far: `whose`, "" for the whole till's."""

CLOSING_BEGAN = "CLOSING_BEGAN"
"""`request_id`: open and unanswered payments are asked about once, then the Z is made."""

CLOSING_LEFT = "CLOSING_LEFT"
"""An interrupted closing is not gone on with: `request_id`."""

Z_CLOSED = "Z_CLOSED"
"""The Z itself is what the event says; it closes the period up to and with this event."""

CLOCK_MOVED = "CLOCK_MOVED"
"""The wall clock was set back in this period: `from`, `to`. Its hours and dates are to be read with that in mind."""

VERSION = 1
LONG_PERIOD = timedelta(hours=26)
"""A period that is open for longer is reminded of."""

SOON = timedelta(seconds=1)

AT_CUTOFF = "cutoff"
"""Why a Z was made that nobody asked for: the till closed the day by itself ([day] auto_close)."""

CLOCK_TRUSTED = timedelta(minutes=10)
"""So far the wall clock may be from the service's time for the till to close a day by itself."""


class Entry(msgspec.Struct, frozen=True, array_like=True, order=True):
    """The takings of a period, without their hours. Amounts are in the currency's smallest units."""

    column: str
    kind: str
    owner: str
    currency: str
    payments: int
    amount: int


class Hour(msgspec.Struct, frozen=True, array_like=True, order=True):
    """The money of an hour."""

    hour: str
    currency: str
    payments: int
    amount: int


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payment that a report names: late from the Z of this number, or a correction of what that Z counts.

    `z` 0: a Z of the journal before this one. `receipt` as it is shown; "" where it has none.
    """

    z: int
    attempt_id: str
    receipt: str
    state: str
    amount: Decimal
    currency: str


class Carried(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payment that is open, or waits for somebody's answer: it stays so, and the report names it.

    `asked`: the service answered for it while the day was being closed.
    """

    attempt_id: str
    sale_id: str
    state: str
    amount: Decimal
    currency: str
    owner: str
    age_s: int
    reason: str = ""
    receipt: str = ""
    asked: bool = False


def is_taken(carried: Carried) -> bool:
    """Whether it is money, in the sums of some day, and somebody has yet to say what becomes of it."""
    return carried.state in MONEY_COLUMNS


class Shift(msgspec.Struct, frozen=True):
    """From a person's sign-in after another's, or after a Z, to the next."""

    who: str
    from_seq: int
    from_wall: str


class Receipts(msgspec.Struct, frozen=True):
    """The receipt numbers that a period gave, first to last, none missing."""

    of: str
    first: int
    last: int


class Copies(msgspec.Struct, frozen=True):
    """How many copies somebody asked for in the period: papers beside the originals, marked COPY."""

    who: str
    count: int


class Unprinted(msgspec.Struct, frozen=True, omit_defaults=True):
    """A receipt or a Z that is not on paper, or of which nobody has said whether it is (UNKNOWN).

    `about`: the attempt, or the Z's number; `receipt` as it is shown. `copy` 0: the original.
    """

    paper: str
    about: str
    state: str
    why: str = ""
    receipt: str = ""
    copy: int = 0


MOST_UNPRINTED = 50
"""So many of them are named, the newest; a printer that was off all day is no reason for a Z of three metres."""


class Grand(msgspec.Struct, frozen=True):
    """What was ever taken, noted to go back, and corrected, in smallest units: each only grows.

    `taken` is gross. `noted` counts a note when it is made, and keeps counting one that is withdrawn.
    """

    taken: int = 0
    noted: int = 0
    corrected: int = 0


class OlderZ(msgspec.Struct, frozen=True):
    """The last known Z of the journal before this one, which was lost or damaged."""

    number: int
    installation_id: str
    digest: str
    proven: bool


class Reconciled(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the comparing of a day with the service's list came to. `at_risk`: by class, as exact text."""

    run: int
    complete: bool
    differences: int
    at_risk: dict[str, str] = {}


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an X shows and a Z holds, of the events `from_seq` to `to_seq`. `began`, `ended`: walls, with offset.

    `currency` is the counter's; entries of another one are there, too, and are never added to it. `asked`: the service
    has answered for every payment that was open or unanswered; else `unreached_since` says since when it did not.
    `not_asked`: so many ended payments were not asked about once more. `acts`: how often people did what.
    `unprinted_more`: so many more than are named in `unprinted`.
    `reconciled`: what comparing it with the service's list came to; `not_reconciled`: the newest Zs before it of whose
    day no run was complete. `notes`: refund notes that were made, given or withdrawn in the period, and all that are
    promised still (`notes_more`: so many more); `noted`: what they come to, by currency. No sum of takings has them.
    """

    number: int
    environment: str
    installation_id: str
    currency: str
    from_seq: int
    to_seq: int
    began_at: int
    began: str
    ended_at: int
    ended: str
    entries: tuple[Entry, ...] = ()
    hours: tuple[Hour, ...] = ()
    late_from: tuple[Named, ...] = ()
    corrections: tuple[Named, ...] = ()
    carried: tuple[Carried, ...] = ()
    disputed: tuple[str, ...] = ()
    overpaid: tuple[str, ...] = ()
    shifts: tuple[Shift, ...] = ()
    receipts: tuple[Receipts, ...] = ()
    acts: dict[str, int] = {}
    asked: bool = False
    unreached_since: str = ""
    not_asked: int = 0
    clock_moved: bool = False
    grand: dict[str, Grand] = {}
    version: int = VERSION
    copies: tuple[Copies, ...] = ()
    unprinted: tuple[Unprinted, ...] = ()
    unprinted_more: int = 0
    reconciled: Reconciled | None = None
    not_reconciled: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    notes_more: int = 0
    noted: dict[str, NoteSums] = {}


class X(Report, frozen=True, kw_only=True, omit_defaults=True):
    """A look at the open period: unnumbered (`number` is that of the Z to come). `whose`: one person's alone.

    `of_closed`: it is their part of a Z. Else nobody was asked about anything for it.
    """

    whose: str = ""
    of_closed: bool = False


class Z(Report, frozen=True, kw_only=True, omit_defaults=True):
    """A closed day. `digest` is keyed, over all else and with it over the Z before (`previous`)."""

    request_id: str
    business_date: str
    by: str
    why: str = ""
    older: OlderZ | None = None
    previous: str = ""
    digest: str = ""


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """What the journal says of the period that is open. `last_money`: the wall of its newest money, "" for none."""

    number: int
    from_seq: int
    to_seq: int
    began_at: int
    began: str
    entries: tuple[Entry, ...] = ()
    hours: tuple[Hour, ...] = ()
    late_from: tuple[Named, ...] = ()
    corrections: tuple[Named, ...] = ()
    shifts: tuple[Shift, ...] = ()
    receipts: tuple[Receipts, ...] = ()
    acts: dict[str, int] = {}
    copies: tuple[Copies, ...] = ()
    unprinted: tuple[Unprinted, ...] = ()
    unprinted_more: int = 0
    notes: tuple[Note, ...] = ()
    notes_more: int = 0
    noted: dict[str, NoteSums] = {}
    last_money: str = ""
    clock_moved: bool = False
    previous: Z | None = None
    older: OlderZ | None = None


class Opened(msgspec.Struct, frozen=True):
    """The open period at a glance: `first` and `last` are when its first and last money came, to the minute.

    Of money whose minute nobody can find quickly, as of a journal that was lost, they are its hour (takings.hour_of).
    `newest` is the newest event's wall. Each is "" for none.
    """

    number: int = 1
    began_at: int = 0
    began: str = ""
    first: str = ""
    last: str = ""
    newest: str = ""


class Totals(msgspec.Struct, frozen=True):
    """The sums of one currency, of everybody or of one person. Disputed money is in none of them."""

    paid: Tally = Tally()
    paid_late: Tally = Tally()
    by_kind: dict[str, Tally] = {}
    ended: dict[str, int] = {}

    @property
    def taken(self) -> Tally:
        """PAID and PAID_LATE together."""
        return self.paid.plus(self.paid_late)

    @property
    def cancelled(self) -> int:
        """So many were cancelled, whoever wished it."""
        named = State.CANCELLED.value
        return self.ended.get(named, 0) + self.ended.get(named + NOT_SUMMED, 0)

    @property
    def count(self) -> int:
        """So many are over, with money and without."""
        return self.taken.count + sum(self.ended.values())


def asks(report: Report) -> bool:
    """Whether what is open was asked about for it, as a closing does. Of an X nobody was."""
    return isinstance(report, Z) or (isinstance(report, X) and report.of_closed)


def shown_receipts(report: Report, given: Receipts) -> tuple[str, str]:
    """The first and the last of them as they are printed, the latter without what both have."""
    return receipt_number(report.environment, given.of, given.first), f"R{given.last:06d}"


def totals(entries: Iterable[Entry], currency: str, owner: str = "") -> Totals:
    """Of a currency; of one person where `owner` is given. What ended otherwise is counted, not summed."""
    money: dict[str, Tally] = {}
    by_kind: dict[str, Tally] = {}
    ended: dict[str, int] = {}
    for each in entries:
        if each.currency != currency or owner not in ("", each.owner):
            continue
        if each.column in MONEY_COLUMNS:
            tally = Tally(each.payments, each.amount)
            money[each.column] = money.get(each.column, Tally()).plus(tally)
            by_kind[each.kind] = by_kind.get(each.kind, Tally()).plus(tally)
        else:
            ended[each.column] = ended.get(each.column, 0) + each.payments
    paid, late = (money.get(state.value, Tally()) for state in (State.PAID, State.PAID_LATE))
    return Totals(paid, late, by_kind, ended)


def owners_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Whose payments there are, in a settled order."""
    return tuple(sorted({each.owner for each in entries}))


def currencies_of(report: Report) -> tuple[str, ...]:
    """The counter's first, then what else there is."""
    others = {each.currency for each in report.entries} | {*report.grand} | {*report.noted}
    others |= {each.currency for each in report.corrections}
    return (report.currency, *sorted(others - {report.currency}))


def entries_of(takings: Mapping[Cell, Tally]) -> tuple[Entry, ...]:
    """The roll-up of one period without its hours."""
    found: dict[tuple[str, str, str, str], Tally] = {}
    for cell, tally in takings.items():
        key = (cell.column, cell.kind, cell.owner, cell.currency)
        found[key] = found.get(key, Tally()).plus(tally)
    return tuple(sorted(Entry(*key, tally.count, tally.amount) for key, tally in found.items()))


def hours_of(takings: Mapping[Cell, Tally]) -> tuple[Hour, ...]:
    """The money of one period by its hours."""
    found: dict[tuple[str, str], Tally] = {}
    for cell, tally in takings.items():
        if cell.column in MONEY_COLUMNS:
            key = (cell.hour, cell.currency)
            found[key] = found.get(key, Tally()).plus(tally)
    return tuple(sorted(Hour(*key, tally.count, tally.amount) for key, tally in found.items()))


def units_in(units: int, currency: str) -> Decimal:
    """Smallest units as an exact amount."""
    return Decimal(units).scaleb(-CURRENCY_DIGITS.get(currency, 0))


def text_of(units: int, currency: str) -> str:
    """The same in text: "1250.00"."""
    return str(units_in(units, currency))


def units_of(named: Named) -> int:
    """A named payment's amount in smallest units; 0 for one that no sum holds either."""
    units = named.amount.scaleb(CURRENCY_DIGITS.get(named.currency, 0))
    return int(units) if units == units.to_integral_value() else 0


def grown(before: Mapping[str, Grand], period: Period) -> dict[str, Grand]:
    """The grand totals with this period's takings, corrections and notes; notes are no part of takings."""
    found = dict(before)
    for each in period.entries:
        if each.column in MONEY_COLUMNS:
            grand = found.get(each.currency, Grand())
            found[each.currency] = msgspec.structs.replace(grand, taken=grand.taken + each.amount)
    for named in period.corrections:
        grand = found.get(named.currency, Grand())
        corrected = grand.corrected + units_of(named)
        found[named.currency] = msgspec.structs.replace(grand, corrected=corrected)
    for code, sums in period.noted.items():
        grand = found.get(code, Grand())
        found[code] = msgspec.structs.replace(grand, noted=grand.noted + sums.made.amount)
    return {code: grand for code, grand in found.items() if code in before or grand != Grand()}


def carried_of(
    attempts: Iterable[Attempt], now: int, answered: frozenset[str], shown: Mapping[str, str]
) -> tuple[Carried, ...]:
    """Everything that is open or waits for an answer, oldest first. `shown`: receipt numbers, as they are shown."""
    return tuple(
        Carried(
            attempt_id=each.attempt_id,
            sale_id=each.sale_id,
            state=each.state.value,
            amount=each.amount,
            currency=each.currency,
            owner=each.owner,
            age_s=max(0, now - each.tapped_at) // 1000,
            reason=each.reason.value,
            receipt=shown.get(each.attempt_id, ""),
            asked=each.attempt_id in answered,
        )
        for each in sorted(attempts, key=lambda each: (each.tapped_at, each.attempt_id))
        if stays(each)
    )


def unprinted_of(job: PrintJob, receipt: str) -> Unprinted:
    """A job that is open, as a report names it. `receipt`: its number as it is shown, "" for a Z's."""
    return Unprinted(job.paper.value, job.about, job.state.value, job.why.value, receipt, job.copy)


NAMED_PAPERS = (PaperKind.RECEIPT, PaperKind.Z, PaperKind.SLIP, PaperKind.SHOP_SLIP, PaperKind.ELSEWHERE)
"""What a report names when it did not print: an X is of its moment, a test page nobody's."""


def stays(attempt: Attempt) -> bool:
    """Whether it is carried over: it is open, or somebody has to settle it."""
    return not attempt.is_final or attempt.needs_answer


def own_part(report: Report, person_id: str) -> X:
    """What a cashier may see of a report: their own payments, and neither grand totals nor anybody else's."""
    return X(
        number=report.number,
        environment=report.environment,
        installation_id=report.installation_id,
        currency=report.currency,
        from_seq=report.from_seq,
        to_seq=report.to_seq,
        began_at=report.began_at,
        began=report.began,
        ended_at=report.ended_at,
        ended=report.ended,
        entries=tuple(each for each in report.entries if each.owner == person_id),
        carried=tuple(each for each in report.carried if each.owner == person_id),
        shifts=tuple(each for each in report.shifts if each.who == person_id),
        asked=report.asked,
        unreached_since=report.unreached_since,
        clock_moved=report.clock_moved,
        copies=tuple(each for each in report.copies if each.who == person_id),
        notes=tuple(each for each in report.notes if each.owner == person_id),
        whose=person_id,
        of_closed=isinstance(report, Z),
    )


def business_date(wall: str, cutoff: time, not_before: str) -> str:
    """The date (ISO) that a Z is labelled with: the local time less the cut-off, never before the Z before it.

    `wall` is ISO text with its offset. The offset is left alone: the local date is what the people of the shop lived
    through, on a day of 23 hours and on one of 25 as on any other.
    """
    return max(labelled(datetime.fromisoformat(wall), cutoff).isoformat(), not_before)


def labelled(wall: datetime, cutoff: time) -> date:
    """The business date of a moment, whatever Z was before it."""
    return (wall.replace(tzinfo=None) - timedelta(hours=cutoff.hour, minutes=cutoff.minute)).date()


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """What is true at the counter when a report is made, beside what the journal says. `ended`: the wall, as ISO."""

    environment: str
    installation_id: str
    currency: str
    ended_at: int
    ended: str
    carried: tuple[Carried, ...] = ()
    disputed: tuple[str, ...] = ()
    overpaid: tuple[str, ...] = ()
    asked: bool = False
    unreached_since: str = ""
    not_asked: int = 0
    reconciled: Reconciled | None = None
    not_reconciled: tuple[int, ...] = ()


def x_of(period: Period, closing: Closing) -> X:
    """A look at the open period: nothing is closed by it."""
    return X(**_said(period, closing, period.to_seq))


def z_after(period: Period, closing: Closing, request_id: str, by: str, cutoff: time, why: str = "") -> Z:
    """The Z that closes the period as the journal's very next event, still without its digest."""
    before = period.previous
    # A day that nobody closed at night is closed the next morning, and is still the day on which it sold.
    dated = period.last_money or closing.ended
    return Z(
        **_said(period, closing, period.to_seq + 1),
        request_id=request_id,
        business_date=business_date(dated, cutoff, before.business_date if before else ""),
        by=by,
        why=why,
        older=period.older,
        previous=before.digest if before else period.older.digest if period.older else "",
    )


def _said(period: Period, closing: Closing, to_seq: int) -> dict[str, Any]:
    shared = {name: getattr(closing, name) for name in closing.__struct_fields__}
    told = (
        "number",
        "from_seq",
        "began_at",
        "began",
        "entries",
        "hours",
        "late_from",
        "corrections",
        "shifts",
    )
    paper = ("receipts", "copies", "unprinted", "unprinted_more")
    notes = ("notes", "notes_more", "noted")
    shared |= {name: getattr(period, name) for name in (*told, *paper, *notes, "acts", "clock_moved")}
    grand = grown(period.previous.grand if period.previous else {}, period)
    return {**shared, "to_seq": to_seq, "grand": grand}


def follows(z: Z, before: Z | None) -> str:
    """What is wrong with a Z behind the one before it, in words; "" where nothing is."""
    if before is None:
        return "" if (z.number, z.from_seq) == (1, 1) else "it is not the first"
    if (z.number, z.from_seq) != (before.number + 1, before.to_seq + 1):
        return f"it does not begin where Z {before.number} ends"
    if z.previous != before.digest:
        return f"it does not know Z {before.number}"
    for currency, grand in before.grand.items():
        now = z.grand.get(currency, Grand())
        if now.taken < grand.taken or now.noted < grand.noted or now.corrected < grand.corrected:
            return f"its grand total is below that of Z {before.number}"
    return ""


def is_overdue(opened: Opened, wall: datetime, cutoff: time) -> bool:
    """Whether the till reminds of closing: money of an earlier business date, or of more than 26 hours, is open."""
    if not opened.first:
        return False
    if labelled(datetime.fromisoformat(opened.last), cutoff) < labelled(wall, cutoff):
        return True
    return wall - datetime.fromisoformat(opened.first) > LONG_PERIOD


def has_earlier(opened: Opened, wall: datetime, cutoff: time) -> bool:
    """Whether money of an earlier business date is open, whatever was sold since."""
    return bool(opened.first) and labelled(datetime.fromisoformat(opened.first), cutoff) < labelled(
        wall, cutoff
    )


def closes_itself(opened: Opened, wall: datetime, cutoff: time, service: int | None) -> bool:
    """Whether a till that closes by itself does so now.

    `service`: its time (ms since 1970), None before it has told. Whoever sets the clock to 2036 makes no Z, and where
    nothing else tells what day it is, a person closes.
    """
    if service is None or abs(wall.timestamp() - service / 1000) > CLOCK_TRUSTED.total_seconds():
        return False
    return has_earlier(opened, wall, cutoff)


def overdue_in(opened: Opened, wall: datetime, cutoff: time) -> timedelta | None:
    """How long until `is_overdue` may say so: then it is looked again. None: it does already, or there is no money."""
    if not opened.first or is_overdue(opened, wall, cutoff):
        return None
    sold_on = labelled(datetime.fromisoformat(opened.last), cutoff)
    # Of local times, as the business date is: where a night has an hour more, it is looked again an hour later.
    ends = datetime.combine(sold_on + timedelta(days=1), cutoff) - wall.replace(tzinfo=None)
    long = datetime.fromisoformat(opened.first) + LONG_PERIOD + SOON - wall
    return max(min(ends, long), SOON)


def anchor_text(z: Z) -> str:
    """What the code on a Z's paper holds, in the alphabet of such codes: installation and number, grand total, digest.

    "T7K3M9QRD-Z12-57.05-…", in the sandbox "SBX-T…": another till's paper is known by it.
    """
    grand = z.grand.get(z.currency, Grand())
    total = text_of(grand.taken, z.currency)
    return f"{till_of(z.environment, z.installation_id)}-Z{z.number}-{total}-{z.digest.upper()}"


class Anchor(msgspec.Struct, frozen=True):
    """The code of a Z's paper: which installation's, which number, and all of its text."""

    of: str
    number: int
    text: str


_ANCHOR = re.compile(
    rf"(?:{SANDBOX_PREFIX})?T(?P<of>[{ALPHABET}]{{8}})-Z(?P<number>[1-9][0-9]{{0,8}})-[0-9]+(?:\.[0-9]+)?-[0-9A-F]{{32}}"
)


def anchor_in(text: str) -> Anchor | None:
    """What a scanner read, in letters of either case; None where it is no code of a Z's paper."""
    text = text.strip().upper()
    match = _ANCHOR.fullmatch(text)
    return Anchor(match["of"], int(match["number"]), text) if match else None


def is_paper(text: str) -> bool:
    """Whether it is the code of a till's paper, ours or not: a receipt's or a Z's."""
    return scanned_in(text) is not None or anchor_in(text) is not None


class CheckedZ(msgspec.Struct, frozen=True, kw_only=True):
    """What a Z's paper is to this journal. `of`: the date (ISO) of its Z here; "" where it has none of that number.

    MISSING: the journal is older than the paper. CHANGED: it has another Z of that number, or not as it was closed.
    `last`, `last_of`: the newest Z it knows; 0 for none. `is_before`: it is of a journal that was damaged or lost, and
    beside which this one was begun: MISSING, and nothing to be wondered at.
    """

    verdict: Verdict
    number: int
    of: str = ""
    last: int = 0
    last_of: str = ""
    is_before: bool = False

    @property
    def is_ours(self) -> bool:
        """Whether the journal is still that paper's."""
        return self.verdict is Verdict.OURS


def z_judged(
    anchor: Anchor, z: Z | None, last: Z | None, *, is_proven: bool, is_ours: bool, is_before: bool = False
) -> CheckedZ:
    """The verdict on a Z's paper. `z`: what has its number here. `is_before`: of a journal that this one took over.

    `is_proven`: as it was closed, and behind the one before. `is_ours`: this journal is, or was, the installation that
    the paper names. A folder that was put back whole looks whole to itself: the paper alone tells.
    """
    verdict = Verdict.OURS
    if is_before:
        # What has that number here is another one: this journal was begun behind that Z.
        verdict, z = Verdict.MISSING, None
    elif not is_ours:
        verdict, z = Verdict.FOREIGN, None
    elif z is None:
        verdict = Verdict.MISSING
    elif not is_proven or anchor_text(z) != anchor.text:
        verdict = Verdict.CHANGED
    return CheckedZ(
        verdict=verdict,
        number=anchor.number,
        of="" if z is None else z.business_date,
        last=0 if last is None else last.number,
        last_of="" if last is None else last.business_date,
        is_before=is_before,
    )


def is_set_back(before: str, after: str, tolerance: timedelta = timedelta(seconds=60)) -> bool:
    """Whether a wall time lies behind one that was written before it; the change to winter time is no such thing."""
    try:
        return datetime.fromisoformat(after) + tolerance < datetime.fromisoformat(before)
    except (ValueError, TypeError):
        return False


def digested(z: Z) -> str:
    """What a Z's digest is taken over: all of it but the digest, in one form."""
    return msgspec.json.encode(msgspec.structs.replace(z, digest="")).decode()


def is_as_closed(z: Z, before: Z | None, keyed: Callable[[str], str]) -> bool:
    """Whether a Z has its digest (`keyed` makes it, of the journal's key) and stands behind the one before it."""
    return z.digest == keyed(digested(z)) and not follows(z, before)


def content_of(z: Z) -> dict[str, object]:
    """A Z as its event holds it."""
    found: dict[str, object] = msgspec.to_builtins(z)
    return found


def z_in(content: Mapping[str, object]) -> Z:
    """A Z from its event. Raises msgspec.ValidationError."""
    return msgspec.convert(content, Z)


def date_in(text: str) -> date:
    """A business date. ValueError for a text that is none."""
    return date.fromisoformat(text)
