"""The transactions as the service knows them; a move is one conditional UPDATE, so one of two wins."""

from collections.abc import Sequence
from typing import NamedTuple

from pos_app.sandbox import states
from pos_app.sandbox.store import Store

_COLUMNS = (
    "number, wallet_id, external_id, kind, merchant, counter, account, amount, sent_at, invoice, reference, "
    "qr_text, status, created_s"
)


class Transaction(NamedTuple):
    """A row; `amount` is the exact text that was sent, `account` is empty until a customer is known."""

    number: int
    wallet_id: str
    external_id: str
    kind: str
    merchant: str
    counter: int
    account: str
    amount: str
    sent_at: str
    invoice: str | None
    reference: str | None
    qr_text: str | None
    status: str
    created_s: float


class Step(NamedTuple):
    status: str
    cause: str
    at_s: float


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store

    def next_number(self) -> int:
        return int(self._store.one("SELECT coalesce(max(number), 0) + 1 FROM txn")[0])

    def add(self, new: Transaction) -> bool:
        """False if the external id exists already; nothing is stored then."""
        marks = ", ".join("?" * len(new))
        sql = f"INSERT INTO txn ({_COLUMNS}) VALUES ({marks}) ON CONFLICT (external_id) DO NOTHING"
        with self._store.writing():
            if self._store.change(sql, *new) == 0:
                return False
            self._record(new.wallet_id, (new.status,), "initiate", new.created_s)
        return True

    def by_external_id(self, external_id: str) -> Transaction | None:
        row = self._store.one(f"SELECT {_COLUMNS} FROM txn WHERE external_id = ?", external_id)
        return Transaction(*row) if row else None

    def by_wallet_id(self, wallet_id: str) -> Transaction | None:
        row = self._store.one(f"SELECT {_COLUMNS} FROM txn WHERE wallet_id = ?", wallet_id)
        return Transaction(*row) if row else None

    def move(self, wallet_id: str, move: states.Move, cause: str, at_s: float) -> bool:
        """Whether this move won; the statuses passed on the way are recorded with it."""
        marks = ", ".join("?" * len(move.sources))
        sql = f"UPDATE txn SET status = ? WHERE wallet_id = ? AND status IN ({marks})"
        with self._store.writing():
            row = self._store.one("SELECT status FROM txn WHERE wallet_id = ?", wallet_id)
            if self._store.change(sql, move.target, wallet_id, *move.sources) == 0:
                return False
            self._record(wallet_id, move.steps_from(row[0]), cause, at_s)
        return True

    def set_status(self, wallet_id: str, status: str, cause: str, at_s: float) -> None:
        """Whatever it was before."""
        with self._store.writing():
            self._store.change("UPDATE txn SET status = ? WHERE wallet_id = ?", status, wallet_id)
            self._record(wallet_id, (status,), cause, at_s)

    def set_account(self, wallet_id: str, account: str) -> None:
        self._store.change(
            "UPDATE txn SET account = ? WHERE wallet_id = ? AND account = ''", account, wallet_id
        )

    def steps(self, wallet_id: str) -> list[Step]:
        rows = self._store.every(
            "SELECT status, cause, at_s FROM step WHERE wallet_id = ? ORDER BY number", wallet_id
        )
        return [Step(*row) for row in rows]

    def select(
        self,
        where: Sequence[str],
        values: Sequence[str | int | float],
        limit: int = -1,
        skip: int = 0,
        order: str = "number DESC",
    ) -> list[Transaction]:
        """Newest first; `where` and `order` are written in this package, never text from outside."""
        condition = " AND ".join(where) or "1"
        sql = f"SELECT {_COLUMNS} FROM txn WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
        return [Transaction(*row) for row in self._store.every(sql, *values, limit, skip)]

    def clear(self) -> None:
        self._store.change("DELETE FROM txn")
        self._store.change("DELETE FROM step")

    def _record(self, wallet_id: str, statuses: tuple[str, ...], cause: str, at_s: float) -> None:
        for status in statuses:
            self._store.change(
                "INSERT INTO step (wallet_id, status, cause, at_s) VALUES (?, ?, ?, ?)",
                wallet_id,
                status,
                cause,
                at_s,
            )
