"""The query's filters and pages; it must not read other merchants' transactions."""

from typing import Self

import msgspec

from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.payment_wire import QueryRequest, RefusedError, checked_time, echoed_amount, echoed_id
from pos_app.sandbox.states import description_of
from pos_app.sandbox.switches import Switches

COUNTERS_PER_OUTLET = 10
OVERSIZE = 2 * 1024 * 1024
"""More than any client should read of one reply."""


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
            description_of(row.status),
        )


_ORDERS = {
    "as-is": "number DESC",
    "newest-first": "sent_at DESC, number DESC",
    "oldest-first": "sent_at, number",
    "shuffled": "random()",
}


def run_query(
    ledger: Ledger, merchant: str, request: QueryRequest, switches: Switches, now_s: float
) -> list[Transaction]:
    """Everything when no page is asked for, as far as the cap lets it through; 5014 when nothing matches."""
    where, values = _filters(request, switches)
    if switches.list_lag_s:
        where.append("created_s <= ?")
        values.append(now_s - switches.list_lag_s)
    limit, skip = _page(request, switches)
    if switches.list_cap:
        # Nothing in the answer tells that there was more.
        limit = switches.list_cap if limit < 0 else min(limit, switches.list_cap)
    rows = ledger.select(
        ["merchant = ?", *where], [merchant, *values], limit, skip, _ORDERS[switches.list_order]
    )
    is_too_much = 0 < switches.list_most < len(rows)
    if not rows or (is_too_much and switches.list_beyond_most == "5014"):
        raise RefusedError("5014")
    return rows


def items_of(rows: list[Transaction], switches: Switches) -> list[QueryItem]:
    """As they are sent. What is too much has a description longer than a reply may be."""
    items = [QueryItem.of(row, switches) for row in rows]
    if 0 < switches.list_most < len(items):
        items[0].status_description += " " * OVERSIZE
    return items


def _filters(request: QueryRequest, switches: Switches) -> tuple[list[str], list[str | int | float]]:
    where: list[str] = []
    values: list[str | int | float] = []

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
    # Dates that have no effect are still looked at.
    first = checked_time(request.from_date, "fromDate", date_alone=True) if request.from_date else ""
    last = checked_time(request.to_date, "toDate", date_alone=True) if request.to_date else ""
    if switches.list_dates == "days":
        first, last = first[:10], last[:10]
    beyond = "" if switches.list_dates == "exclusive" else "="
    if first and switches.list_dates != "ignored":
        add(f"sent_at >{beyond} ?", first)
    if last and switches.list_dates != "ignored":
        # A date alone covers its whole day: the longer text of a time sorts behind the day, before its "~".
        add(f"sent_at <{beyond} ?", last if len(last) > 10 else f"{last}~")
    counter, outlet = _whole(request.counter_id, "counterId"), _whole(request.outlet_id, "outletId")
    if counter is not None:
        add("counter = ?", counter)
    if outlet is not None:
        lowest = (outlet - 1) * COUNTERS_PER_OUTLET + 1
        add("counter BETWEEN ? AND ?", lowest, lowest + COUNTERS_PER_OUTLET - 1)
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
    if first <= switches.page_lost <= last:
        return 0, 0
    if switches.page_meaning == "ignored":
        return -1, 0
    # A page is never cut: where the cap is the smaller one, it is the page's size.
    size = min(switches.page_size, switches.list_cap or switches.page_size)
    size = size if switches.page_meaning == "number" else 1
    return (last - first + 1) * size, (first - 1) * size


def _whole(value: str | int | None, name: str) -> int | None:
    if value is None or value == "":
        return None
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise RefusedError("5001", f"{name} is a whole number")
    return int(text)
