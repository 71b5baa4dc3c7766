"""The query's filters and pages; it must not read other merchants' transactions."""

from typing import Self

import msgspec

from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.payment_wire import QueryRequest, RefusedError, checked_time, echoed_amount, echoed_id
from pos_app.sandbox.states import DESCRIPTIONS
from pos_app.sandbox.switches import Switches

COUNTERS_PER_OUTLET = 10


class QueryItem(msgspec.Struct, rename="camel"):
    wallet_transaction_id: str
    external_merchant_transaction_id: msgspec.Raw
    transaction_date_time: str
    wallet_account_number: str
    transaction_amount: msgspec.Raw
    transaction_status: str
    status_description: str

    @classmethod
    def of(cls, row: Transaction, switches: Switches) -> Self:
        return cls(
            row.wallet_id,
            echoed_id(row.external_id, switches.id_echo),
            row.sent_at,
            row.account,
            echoed_amount(row.amount, switches.amount_echo),
            row.status,
            DESCRIPTIONS[row.status],
        )


def run_query(ledger: Ledger, merchant: str, request: QueryRequest, switches: Switches) -> list[Transaction]:
    """Newest first, everything when no page is asked for; 5014 when nothing matches."""
    where, values = _filters(request, switches)
    limit, skip = _page(request, switches)
    rows = ledger.select(["merchant = ?", *where], [merchant, *values], limit, skip)
    if not rows:
        raise RefusedError("5014")
    return rows


def _filters(request: QueryRequest, switches: Switches) -> tuple[list[str], list[str | int]]:
    where: list[str] = []
    values: list[str | int] = []

    def add(condition: str, *what: str | int) -> None:
        where.append(condition)
        values.extend(what)

    external_id, wallet_id = request.external_merchant_transaction_id, request.wallet_transaction_id
    if external_id not in (None, ""):
        add("external_id = ?", str(external_id))
    if wallet_id not in (None, ""):
        add("wallet_id = ?", str(wallet_id))
    if switches.query_needs_id and not where:
        raise RefusedError("5015", "externalMerchantTransactionId or walletTransactionId")
    if request.from_date:
        add("sent_at >= ?", checked_time(request.from_date, "fromDate", date_alone=True))
    if request.to_date:
        # A date alone covers its whole day: the longer text of a time sorts behind the day, before its "~".
        to_date = checked_time(request.to_date, "toDate", date_alone=True)
        add("sent_at <= ?", to_date if len(to_date) > 10 else f"{to_date}~")
    counter, outlet = _whole(request.counter_id, "counterId"), _whole(request.outlet_id, "outletId")
    if counter is not None:
        add("counter = ?", counter)
    if outlet is not None:
        first = (outlet - 1) * COUNTERS_PER_OUTLET + 1
        add("counter BETWEEN ? AND ?", first, first + COUNTERS_PER_OUTLET - 1)
    return where, values


def _page(request: QueryRequest, switches: Switches) -> tuple[int, int]:
    """LIMIT and OFFSET; one end alone means that page, or that position."""
    start, end = _whole(request.page_start, "pageStart"), _whole(request.page_end, "pageEnd")
    if start is None and end is None:
        return -1, 0
    first = start if start is not None else end or 1
    last = end if end is not None else first
    if first < 1 or last < first:
        raise RefusedError("5001", "pageStart counts from 1 and is not behind pageEnd")
    size = switches.page_size if switches.page_meaning == "number" else 1
    return (last - first + 1) * size, (first - 1) * size


def _whole(value: str | int | None, name: str) -> int | None:
    if value is None or value == "":
        return None
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise RefusedError("5001", f"{name} is a whole number")
    return int(text)
