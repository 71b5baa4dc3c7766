"""An X or a Z as the command line tells it: one JSON object with exact text amounts, or lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import to_builtins

from pos_app.cli.printer import Printer
from pos_app.domain.day import (
    Carried,
    Grand,
    Named,
    Report,
    Totals,
    Unprinted,
    X,
    Z,
    anchor_text,
    asks,
    currencies_of,
    owners_of,
    shown_receipts,
    text_of,
    totals,
)
from pos_app.domain.print_job import JobState, PaperKind
from pos_app.domain.refund import Note, NoteSums
from pos_app.domain.takings import Tally, began_at

_ON_PAPER = {JobState.UNKNOWN.value: "not known whether on paper", JobState.EXPIRED.value: "not printed"}


_PAPER = {
    PaperKind.Z.value: "Z",
    PaperKind.SLIP.value: "the customer's slip of refund note",
    PaperKind.SHOP_SLIP.value: "the shop's slip of refund note",
    PaperKind.ELSEWHERE.value: "another counter's receipt",
}


def say(printer: Printer, report: X | Z, *, as_json: bool, more: Mapping[str, Any] | None = None) -> None:
    """One object, or its lines. `more`: stands in the object behind what the report says."""
    if as_json:
        printer.value({**object_of(report), **(more or {})}, "")
        return
    for line in lines_of(report):
        printer.value({}, line)


def object_of(report: X | Z) -> dict[str, Any]:
    """All of it, amounts as text; what is of another currency than the counter's stands under `other_currencies`."""
    z = report if isinstance(report, Z) else None
    first, *others = currencies_of(report)
    found: dict[str, Any] = {
        "report": "z" if z is not None else "x",
        "number": z.number if z is not None else None,
        "business_date": z.business_date if z is not None else "",
        "from_seq": report.from_seq,
        "to_seq": report.to_seq,
        "began": report.began,
        "closed": report.ended,
        "by": z.by if z is not None else "",
        "currency": first,
        **_sums(report, first),
        "by_hour": [
            {"hour": each.hour, "count": each.payments, "amount": text_of(each.amount, each.currency)}
            # Of the two hours of one name, in the night on which clocks go back, the first is told first.
            for each in sorted(report.hours, key=lambda each: began_at(each.hour))
            if each.currency == first
        ],
        "late_from": [*map(_named, report.late_from)],
        "carried": [*map(_carried, report.carried)],
        "disputed": [*report.disputed],
        "overpaid": [*report.overpaid],
        "corrections": [*map(_named, report.corrections)],
        "refund_notes": [*map(note_object, report.notes)],
        "refund_notes_more": report.notes_more,
        "receipts": [
            {"installation_id": each.of, "first": each.first, "last": each.last}
            for each in report.receipts
            if each.last >= each.first
        ],
        "shifts": [{"who": each.who, "from": each.from_wall} for each in report.shifts],
        "acts": report.acts,
        "copies": [{"who": each.who, "count": each.count} for each in report.copies],
        "unprinted": [*map(_unprinted, report.unprinted)],
        "unprinted_more": report.unprinted_more,
        "grand": _grand(report, first),
        "other_currencies": {each: {**_sums(report, each), "grand": _grand(report, each)} for each in others},
        "asked": report.asked,
        "unreached_since": report.unreached_since,
        "not_asked": report.not_asked,
        "clock_moved": report.clock_moved,
        "reconciled": _reconciled(report),
        "not_reconciled": [*report.not_reconciled],
        "older": to_builtins(z.older) if z is not None and z.older is not None else None,
        "previous": z.previous if z is not None else "",
        "digest": z.digest if z is not None else "",
        "anchor": anchor_text(z) if z is not None else "",
        "environment": report.environment,
    }
    return found


def _sums(report: Report, currency: str) -> dict[str, Any]:
    sums = totals(report.entries, currency)
    own = tuple(each for each in report.entries if each.currency == currency)
    return {
        "takings": _tally(sums.taken, currency),
        "paid": _tally(sums.paid, currency),
        "paid_late": _tally(sums.paid_late, currency),
        "by_kind": {kind: _tally(tally, currency) for kind, tally in sorted(sums.by_kind.items())},
        "by_cashier": [
            {"who": owner, **_of_one(totals(own, currency, owner), currency)} for owner in owners_of(own)
        ],
        "ended": dict(sorted(sums.ended.items())),
        "notes": _notes(report, currency),
        "after_notes": text_of(report.noted.get(currency, NoteSums()).after(sums.taken.amount), currency),
    }


def _notes(report: Report, currency: str) -> dict[str, Any]:
    """Refund notes of the period, and all that are promised still; no sum of takings has them."""
    sums = report.noted.get(currency, NoteSums())
    names = ("made", "given", "withdrawn", "open")
    return {name: _tally(getattr(sums, name), currency) for name in names}


def note_object(note: Note) -> dict[str, Any]:
    """One refund note: what people said. The till saw no money go."""
    return {
        "note": note.shown,
        "state": note.state.value,
        "attempt_id": note.attempt_id,
        "sale_id": note.sale_id,
        "receipt": note.receipt,
        "amount": str(note.amount),
        "currency": note.currency,
        "reason": note.reason.value,
        "text": note.text,
        "way": note.way.value,
        "receiver": note.receiver,
        "noted_at": note.noted,
        "by": note.by,
        "beside": note.beside,
        "own": note.own,
        "ended_at": note.ended,
        "ended_by": note.ended_by,
        "ended_why": note.ended_why,
        "environment": note.environment,
    }


def note_line(note: Note) -> str:
    """The same for a person."""
    text = f" ({note.text})" if note.text else ""
    receiver = f" to {note.receiver}" if note.receiver else ""
    own = ", signed alone, of an own payment" if note.own else ""
    facts = f"{note.reason.value}{text}, by {note.way.value}{receiver}, noted by {note.by}{own}"
    return f"{note.shown}: {note.currency} {note.amount}, {note.state.value}, {facts}  [{note.attempt_id}]"


def _of_one(sums: Totals, currency: str) -> dict[str, Any]:
    return {
        "paid": _tally(sums.paid, currency),
        "paid_late": _tally(sums.paid_late, currency),
        "ended": dict(sorted(sums.ended.items())),
    }


def _tally(tally: Tally, currency: str) -> dict[str, Any]:
    return {"count": tally.count, "amount": text_of(tally.amount, currency)}


def _grand(report: Report, currency: str) -> dict[str, str]:
    grand = report.grand.get(currency, Grand())
    names = ("taken", "noted", "corrected")
    return {name: text_of(getattr(grand, name), currency) for name in names}


def _named(named: Named) -> dict[str, Any]:
    return {
        "z": named.z,
        "attempt_id": named.attempt_id,
        "receipt": named.receipt,
        "state": named.state,
        "amount": str(named.amount),
        "currency": named.currency,
    }


def _carried(carried: Carried) -> dict[str, Any]:
    return {
        "attempt_id": carried.attempt_id,
        "state": carried.state,
        "amount": str(carried.amount),
        "currency": carried.currency,
        "age_s": carried.age_s,
        "owner": carried.owner,
        "receipt": carried.receipt,
        "asked": carried.asked,
    }


def _reconciled(report: Report) -> dict[str, Any] | None:
    found = report.reconciled
    if found is None:
        return None
    return {
        "run": found.run,
        "complete": found.complete,
        "differences": found.differences,
        "at_risk": found.at_risk,
    }


def _unprinted(job: Unprinted) -> dict[str, Any]:
    return {
        "paper": job.paper,
        "about": job.about,
        "receipt": job.receipt,
        "copy": job.copy,
        "state": job.state,
        "detail": job.why,
    }


def lines_of(report: X | Z) -> Iterator[str]:
    """The same for a person, in the order in which it is looked at."""
    if isinstance(report, Z):
        yield f"Z {report.number} of {report.business_date}, closed {report.ended}"
    else:
        yield f"X, not closed: as of {report.ended}"
    if isinstance(report, Z) and report.older is not None:
        proven = "" if report.older.proven else ", which nothing proves"
        older = f"Z {report.older.number} of T{report.older.installation_id}"
        yield f"the record was begun anew behind {older}{proven}"
    yield f"since {report.began}, events {report.from_seq} to {report.to_seq}"
    if report.environment != "live":
        yield f"{report.environment.upper()}: no money has moved"
    if report.clock_moved:
        yield "the clock was moved: the order of the events holds, the times may not"
    for currency in currencies_of(report):
        yield from _sum_lines(report, currency)
    for note in report.notes:
        yield f"money back noted, outside the till: {note_line(note)}"
    if report.notes_more:
        yield f"and {report.notes_more} more refund notes"
    for each in report.late_from:
        yield f"late, from {_z_of(each)}: {each.currency} {each.amount}  {each.receipt}  [{each.attempt_id}]"
    for each in report.corrections:
        said = f"correction of Z {each.z}" if each.z else f"correction from {_z_of(each)}"
        yield f"{said}: {each.currency} {each.amount}  {each.receipt}  [{each.attempt_id}]"
    for carried in report.carried:
        asked = "" if carried.asked or not asks(report) else ", not answered for"
        told = f"{carried.state}, {carried.age_s} s old{asked}"
        yield f"carried over: {carried.currency} {carried.amount}  {told}  [{carried.attempt_id}]"
    for attempt_id in report.disputed:
        yield f"in dispute, in no sum  [{attempt_id}]"
    for sale_id in report.overpaid:
        yield f"paid twice: sale {sale_id}"
    if report.unreached_since:
        yield f"service not reached since {report.unreached_since}"
    if report.not_asked:
        yield f"ended payments that were not asked about again: {report.not_asked}"
    if isinstance(report, Z):
        yield _beside_the_list(report)
    if report.not_reconciled:
        yield f"not reconciled: Z {', '.join(map(str, report.not_reconciled))}"
    for given in report.receipts:
        if given.last >= given.first:
            yield f"receipts {' to '.join(shown_receipts(report, given))}"
    for by in report.copies:
        yield f"copies asked for by {by.who}: {by.count}"
    for job in report.unprinted:
        about = (
            f"{job.receipt}  [{job.about}]"
            if job.receipt
            else f"{_PAPER.get(job.paper, job.paper)} {job.about}"
        )
        copy = f"COPY {job.copy} of " if job.copy else ""
        yield f"{_ON_PAPER.get(job.state, 'not printed yet')} ({job.why or 'not its turn'}): {copy}{about}"
    if report.unprinted_more:
        yield f"and {report.unprinted_more} more that are not on paper, or may not be"
    if isinstance(report, Z):
        yield f"anchor: {anchor_text(report)}"


def _z_of(named: Named) -> str:
    return f"Z {named.z}" if named.z else "before this journal"


def _beside_the_list(z: Z) -> str:
    found = z.reconciled
    if found is None:
        return "not reconciled with the service"
    told = f"{found.differences} differences" if found.differences else "equal"
    if not found.complete:
        why = "its list was not whole, or not all of it could be asked about"
        return f"reconciled with the service in part ({why})" + (f": {told}" if found.differences else "")
    return f"reconciled with the service: {told}"


def _sum_lines(report: Report, currency: str) -> Iterator[str]:
    sums = totals(report.entries, currency)
    yield f"taken: {currency} {text_of(sums.taken.amount, currency)} in {sums.taken.count} payments"
    if sums.paid_late.count:
        late = text_of(sums.paid_late.amount, currency)
        yield f"  of these late: {currency} {late} in {sums.paid_late.count}"
    for kind, tally in sorted(sums.by_kind.items()):
        yield f"  by {kind}: {currency} {text_of(tally.amount, currency)} in {tally.count}"
    own = [each for each in report.entries if each.currency == currency]
    for owner in owners_of(own):
        by = totals(own, currency, owner)
        cancelled = f", {by.cancelled} of {by.count} cancelled" if by.cancelled else ""
        yield f"  {owner}: {currency} {text_of(by.taken.amount, currency)} in {by.taken.count}{cancelled}"
    for column, count in sorted(sums.ended.items()):
        yield f"  {column}: {count}"
    noted = report.noted.get(currency)
    if noted is not None:
        tallies = (("made", noted.made), ("marked as given", noted.given), ("withdrawn", noted.withdrawn))
        for name, tally in (*tallies, ("still promised", noted.open)):
            if tally.count:
                yield f"  refund notes {name}: {currency} {text_of(tally.amount, currency)} in {tally.count}"
        yield f"  after notes, for information: {currency} {text_of(noted.after(sums.taken.amount), currency)}"
    grand = report.grand.get(currency, Grand())
    corrected = f", corrected {text_of(grand.corrected, currency)}" if grand.corrected else ""
    ever = f", noted to go back {text_of(grand.noted, currency)}" if grand.noted else ""
    yield f"ever taken: {currency} {text_of(grand.taken, currency)}{corrected}{ever}"
