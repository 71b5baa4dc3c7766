"""The month's books beside the service's ledger, added up anew from the files that were saved: what does not agree.

Nothing of the product's sums is asked: a file is read as an accountant's program reads it, an amount is a Decimal.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as Xml
from zipfile import ZipFile

import msgspec

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.day import Z, digested, totals
from pos_app.domain.export import Format
from pos_app.domain.reconcile import DifferenceKind
from tests.verification.month.plan import DISHONEST, HONEST
from tests.verification.month.shop import Book, Shop
from tests.verification.simulation.gateway import SUCCESS
from tests.verification.simulation.verdict import MONEY

CURRENCY = "LKR"
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
NONE = Decimal(0)


class Line(msgspec.Struct, frozen=True):
    """One row of a saved file: what of it is added up."""

    attempt_id: str
    amount: Decimal
    state: str
    receipt: str
    z: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`findings`: what must not be. `named`: every class in which the books and the service differ, with its money.

    `told`: what a person is told of the month.
    """

    findings: tuple[str, ...]
    named: dict[str, tuple[int, Decimal]]
    told: tuple[str, ...]


def lines_of(kind: Format, path: Path) -> list[Line]:
    """The rows of a saved file. A ledger's have no id, and are all money."""
    match kind:
        case Format.JSONL:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        case Format.XLSX:
            rows = list(_sheet_rows(path))
        case _:
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
    if kind is Format.LEDGER:
        return [Line("", Decimal(row["Amount"]), "PAID", row["Reference"], "") for row in rows]
    return [
        Line(row["attempt_id"], Decimal(row["amount"]), row["state"], row["receipt"], row["z"])
        for row in rows
    ]


def _sheet_rows(path: Path) -> Iterator[dict[str, str]]:
    with ZipFile(path) as book:
        for name in sorted(each for each in book.namelist() if each.startswith("xl/worksheets/sheet")):
            heads: list[str] = []
            for row in Xml.fromstring(book.read(name)).iter(f"{_SHEET}row"):
                cells = {_column(cell.get("r", "")): _said(cell) for cell in row}
                if not heads:
                    heads = [cells[at] for at in range(len(cells))]
                else:
                    yield {head: cells.get(at, "") for at, head in enumerate(heads)}


def _column(place: str) -> int:
    letters = place.rstrip("0123456789")
    found = 0
    for letter in letters:
        found = found * 26 + ord(letter) - 64
    return found - 1


def _said(cell: Xml.Element) -> str:
    text = "".join(part.text or "" for part in cell.iter(f"{_SHEET}t"))
    value = cell.find(f"{_SHEET}v")
    return text or (value.text or "" if value is not None else "")


def money(lines: list[Line]) -> Decimal:
    """Their sum, of those that are money as they stand."""
    return sum((each.amount for each in lines if each.state in MONEY), NONE)


def taken(z: Z) -> Decimal:
    """What a Z says was taken, of its entries."""
    return Decimal(totals(z.entries, CURRENCY).taken.amount) / 100


def corrected(z: Z) -> Decimal:
    """What a Z takes back of earlier ones."""
    return sum((each.amount for each in z.corrections), NONE)


def noted(z: Z) -> Decimal:
    """What its refund notes take off a book: made, less what was withdrawn."""
    sums = z.noted.get(CURRENCY)
    return NONE if sums is None else Decimal(sums.made.amount - sums.withdrawn.amount) / 100


def judge(shop: Shop) -> Verdict:
    """Everything at once; the first finding is seldom the only one."""
    ledger = {key: each for key, each in shop.gateway.ledger.items() if each.status == SUCCESS}
    counted: list[dict[str, Decimal]] = [{} for _ in shop.books]
    findings = [f"the engine fell over: {each}" for each in shop.till.accidents]
    for at, book in enumerate(shop.books):
        findings += _chain(shop, book)
        findings += _files(at, book, counted[at])
        findings += _compared(shop, book)
    findings += _receipts(shop)
    findings += _whole_journal(shop)
    named: dict[str, list[Decimal]] = defaultdict(list)
    findings += _against_the_service(shop, counted, named)
    findings += _month_run(shop)
    findings += _charged_twice(shop)
    findings += _cheat(shop)
    zs = sum((taken(z) - corrected(z) for book in shop.books for z in book.zs), NONE)
    there = sum((each.request.charge_total for each in ledger.values()), NONE)
    told = (
        f"{shop.plan.days} days, {len(shop.plan.sales)} customers, {len(ledger)} paid at the service: {there}",
        f"{sum(len(book.zs) for book in shop.books)} Zs in {len(shop.books)} journals: {zs}",
        f"{shop.till.restarts} deaths of the till, {len(shop.till.network.hits)} faults of the line, "
        f"{shop.people.walked_off} customers walked off",
        f"refund notes: {sum((noted(z) for book in shop.books for z in book.zs), NONE)}, in no sum of what was taken",
        *(f"{name}: {len(amounts)} of {sum(amounts, NONE)}" for name, amounts in sorted(named.items())),
        *_shares_cancelled(shop),
    )
    sums = {name: (len(amounts), sum(amounts, NONE)) for name, amounts in named.items()}
    again = sums.get("counted again", (0, NONE))[1]
    beside = sum((amount for name, (_, amount) in sums.items() if name != "counted again"), NONE)
    if zs - again + beside != there:
        findings.append(f"the Zs have {zs}, {again} of it twice, {beside} is named beside them: not {there}")
    return Verdict(findings=tuple(findings), named=sums, told=told)


def _chain(shop: Shop, book: Book) -> Iterator[str]:
    """1 to n, each behind the one before it, each as it was closed; what was ever taken grows by what was taken."""
    before: Z | None = None
    ever = ever_corrected = ever_noted = 0
    for number, z in enumerate(book.zs, 1):
        whose = f"Z {z.number} of {book.installation_id}"
        begins = before.to_seq + 1 if before else 1
        if (z.number, z.from_seq) != (number, begins):
            yield f"{whose} is not the one behind Z {number - 1}: from event {z.from_seq}"
        if before is not None and z.previous != before.digest:
            yield f"{whose} does not know the one before it"
        if z.digest != shop.journal.z_digest(digested(z)):
            yield f"{whose} is not what it was closed as"
        ever += totals(z.entries, CURRENCY).taken.amount
        ever_corrected += int(corrected(z) * 100)
        made = z.noted.get(CURRENCY)
        ever_noted += 0 if made is None else made.made.amount
        grand = z.grand.get(CURRENCY)
        if grand is not None and (grand.taken, grand.corrected, grand.noted) != (
            ever,
            ever_corrected,
            ever_noted,
        ):
            yield f"{whose} says {grand} were ever taken: {ever}, {ever_corrected} corrected, {ever_noted} noted"
        before = z
    if book is shop.books[-1] and (last := shop.journal.last_z()) is not None and last.number != len(book.zs):
        yield f"the journal has {last.number} Zs, {len(book.zs)} were told"


def _files(at: int, book: Book, counted: dict[str, Decimal]) -> Iterator[str]:
    """All formats of a Z say what the Z says."""
    for z in book.zs:
        whose = f"Z {z.number} of journal {at + 1}"
        files = book.files.get(z.number)
        if files is None:
            yield f"{whose} was not saved"
            continue
        expected = {kind: taken(z) for kind in Format}
        expected[Format.LEDGER] = taken(z) - corrected(z) - noted(z)
        for kind, file in files.items():
            lines = lines_of(kind, Path(file.file))
            if money(lines) != expected[kind]:
                yield f"{whose} as {kind.value}: {money(lines)}, and it took {expected[kind]}"
            if file.amounts.get(CURRENCY, NONE) != money(lines) or file.rows != len(lines):
                yield f"{whose} as {kind.value}: {file.amounts} in {file.rows} rows was told of it"
        for line in lines_of(Format.CSV, Path(files[Format.CSV].file)):
            if line.state in MONEY:
                if line.attempt_id in counted:
                    yield f"{line.attempt_id} is in two Zs of one journal"
                counted[line.attempt_id] = line.amount


def _compared(shop: Shop, book: Book) -> Iterator[str]:
    """A day that was closed without the list is named in each Z until it is compared."""
    for z, following in zip(book.zs, book.zs[1:], strict=False):
        if z.reconciled is None or not z.reconciled.complete:
            run = shop.runs.get(f"z{z.number}")
            if z.number not in following.not_reconciled and (run is None or not run.complete):
                yield f"Z {z.number} was never compared, and Z {following.number} does not say so"


def _receipts(shop: Shop) -> Iterator[str]:
    """Of each installation 1 to n, in the Zs' own words and on the payments."""
    given: dict[str, list[int]] = defaultdict(list)
    for book in shop.books:
        for z in book.zs:
            files = book.files.get(z.number, {})
            for line in lines_of(Format.CSV, Path(files[Format.CSV].file)) if files else ():
                if line.receipt:
                    of, number = line.receipt.rsplit("-R", 1)
                    given[of].append(int(number))
        last: dict[str, int] = {}
        for z in book.zs:
            for each in z.receipts:
                if each.last >= each.first and each.first != last.get(each.of, 0) + 1:
                    yield f"Z {z.number} begins with receipt {each.first} behind {last.get(each.of, 0)}"
                last[each.of] = max(each.last, last.get(each.of, 0))
    for of, numbers in given.items():
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            missing = sorted({*range(1, max(numbers) + 1)} - {*numbers})
            yield f"receipts of {of}: {len(numbers)} up to {max(numbers)}, without {missing[:9]}"


def _whole_journal(shop: Shop) -> Iterator[str]:
    """The file of everything, in each format, is the Zs and what is not closed yet; the journal is sound."""
    files = shop.save_month()
    lines = {kind: lines_of(kind, Path(file.file)) for kind, file in files.items()}
    still_open = money([each for each in lines[Format.CSV] if not each.z])
    expected = sum((taken(z) - corrected(z) for z in shop.books[-1].zs), NONE) + still_open
    back = sum((noted(z) for z in shop.books[-1].zs), NONE)
    for kind, found in lines.items():
        wanted = expected - back if kind is Format.LEDGER else expected
        if money(found) != wanted:
            yield f"everything as {kind.value}: {money(found)}, and the Zs and the open day have {wanted}"
    if not shop.journal.takings_agree():
        yield "the open day's sums are not its payments'"
    report = shop.journal.verify()
    if report.broken_at:
        yield f"the journal's chain is broken: {report}"
    yield from (f"the journal: {each}" for each in shop.journal.inspection().findings())


def _against_the_service(
    shop: Shop, counted: list[dict[str, Decimal]], named: dict[str, list[Decimal]]
) -> Iterator[str]:
    """Each success of the service is in the Zs once with its amount, or a class of difference has its name."""
    ours = {each.attempt_id: each for each in shop.payments()}
    last = shop.books[-1].zs[-1]
    earlier = {each.attempt_id for z in shop.books[-1].zs for each in z.late_from if not each.z}
    corrections = {each.attempt_id for book in shop.books for z in book.zs for each in z.corrections}
    found = {each.difference.wallet_transaction_id: each.difference.kind for each in shop.found}
    for external_id, there in shop.gateway.ledger.items():
        amount, is_paid = there.request.charge_total, there.status == SUCCESS
        times = [books[external_id] for books in counted if external_id in books]
        if is_paid and not times:
            name = _why_not(external_id, ours.get(external_id), last, found.get(there.wallet_id))
            if name:
                named[name].append(amount)
            else:
                yield f"{external_id}: {amount} was paid, no Z counts it and nothing names it"
        if times and not is_paid and external_id not in corrections:
            yield f"{external_id}: a Z counts {times[0]}, and the service says {there.status}"
        if any(each != amount for each in times):
            yield f"{external_id}: {times} in the Zs, {amount} at the service"
        if len(times) > 1:
            named["counted again"].append(amount)
            if external_id not in earlier:
                yield f"{external_id} is counted by Zs of two journals, and the second does not name it"
        elif is_paid and times and external_id in corrections:
            named["disputed after its Z"].append(amount)
    for external_id in {key for books in counted for key in books} - {*shop.gateway.ledger}:
        yield f"{external_id} is in a Z, and the service never heard of it"


def _why_not(external_id: str, ours: Attempt | None, last: Z, kind: DifferenceKind | None) -> str:
    if kind is not None:
        return kind.value
    if external_id in last.disputed:
        return "disputed"
    if any(each.attempt_id == external_id for each in last.carried):
        return "carried over"
    if ours is not None and ours.state is State.SIGNED_OFF:
        return "signed off"
    if (
        ours is not None
        and ours.state.value in MONEY
        and ours.ended_at is not None
        and ours.ended_at > last.ended_at
    ):
        return "of the day that is open"
    return ""


def _month_run(shop: Shop) -> Iterator[str]:
    """The whole month beside the list: proven whole, and nothing in it but what somebody took beside the tills."""
    run = shop.runs.get("month")
    if run is None or not run.complete:
        yield f"the month was not compared to its end: {run}"
        return
    planted = {each.wallet_id for key, each in shop.gateway.ledger.items() if key.startswith("own-")}
    found = {each.difference.subject for each in shop.found if each.difference.kind is DifferenceKind.FOREIGN}
    if found != planted:
        yield f"money without a till: {sorted(found ^ planted)} differ"
    signed = {each.attempt_id for each in shop.payments() if each.state in (State.SIGNED_OFF, State.DISPUTED)}
    for each in shop.found:
        if each.difference.kind is not DifferenceKind.FOREIGN and each.difference.attempt_id not in signed:
            yield f"a difference that nobody expected: {each.difference}"


def _charged_twice(shop: Shop) -> Iterator[str]:
    """A sale with two successes is one that the till names, whoever let it happen."""
    paid = Counter(
        key.rsplit("-", 2)[0] for key, each in shop.gateway.ledger.items()
        if each.status == SUCCESS and not key.startswith("own-")
    )  # fmt: skip
    told = {sale_id for book in shop.books for z in book.zs for sale_id in z.overpaid}
    for sale, count in paid.items():
        sale_id = sale.rsplit("-", 1)[-1]
        known = shop.journal.sale(sale_id)
        if count > 1 and sale_id not in told and not (known is not None and known.overpaid):
            yield f"sale {sale} was paid {count} times, and nobody is told"


def _cancelled(shop: Shop, person_id: str) -> tuple[int, int]:
    found = [totals(z.entries, CURRENCY, person_id) for book in shop.books for z in book.zs]
    return sum(each.cancelled for each in found), sum(each.count for each in found)


def _cheat(shop: Shop) -> Iterator[str]:
    """Each sale that was cancelled to be paid elsewhere is counted under whoever did it."""
    (honest, of), (dishonest, among) = (_cancelled(shop, each) for each in (HONEST, DISHONEST))
    # What was lost came back without whose it was: of that nobody's share tells.
    theirs = [each for each in shop.payments() if each.owner == DISHONEST and each.state is State.CANCELLED]
    pocketed = sum(each.attempt_id in shop.people.pocketed for each in theirs)
    if not pocketed or dishonest < pocketed or dishonest * of * 10 < honest * among * 13:
        yield f"the cheat pocketed {pocketed}, cancelled {dishonest} of {among}, the other {honest} of {of}"


def _shares_cancelled(shop: Shop) -> Iterator[str]:
    for name, person_id in (("mornings", HONEST), ("afternoons, who cheats", DISHONEST)):
        cancelled, count = _cancelled(shop, person_id)
        yield f"cancelled by the cashier of the {name}: {cancelled} of {count}"
