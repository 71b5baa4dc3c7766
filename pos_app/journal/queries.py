"""Looking things up in the journal. Every query has its index; none counts or skips rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.journal import rows
from pos_app.journal.acts import IS_ACT
from pos_app.journal.errors import Reading
from pos_app.journal.pages import PageFilter, page_query
from pos_app.journal.texts import plain

_T = TypeVar("_T")
_SNAPSHOTS = "SELECT CAST(snapshot AS BLOB) FROM attempt"


class Queries:
    """Reads over one connection. Raises JournalTrouble when the environment fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def close(self) -> None:
        """Lets the file go; calling it again does nothing."""
        self._connection.close()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with Reading():
            return self._connection.execute(sql, values).fetchall()

    def _read(self, read: Callable[[str], _T], sql: str, values: Sequence[Any] = ()) -> list[_T]:
        """Snapshots as values; one that cannot be read is damage, not a bug."""
        with Reading():
            return [read(row[0]) for row in self._connection.execute(sql, values)]

    def _attempts(self, where: str, values: Sequence[Any] = ()) -> list[Attempt]:
        return self._read(rows.attempt_of, f"{_SNAPSHOTS} {where}", values)

    def open_attempts(self) -> list[Attempt]:
        """Attempts that are not final, oldest first."""
        unsettled = self._attempts("WHERE unsettled = 1 ORDER BY tapped_at")
        return [attempt for attempt in unsettled if not attempt.is_final]

    def needs_answer(self) -> list[Attempt]:
        """Attempts a person has to settle, oldest first."""
        unsettled = self._attempts("WHERE unsettled = 1 ORDER BY tapped_at")
        return [attempt for attempt in unsettled if attempt.needs_answer]

    def attempts_to_watch(self, since_ms: int) -> list[Attempt]:
        """Attempts that ended after a till time (ms)."""
        return self._attempts("WHERE ended_at > ? ORDER BY ended_at", (since_ms,))

    def attempts_of(self, sale_id: str) -> list[Attempt]:
        """A sale's attempts, oldest first."""
        first = rows.place_of(sale_id, 1)
        values = (first, first + rows.ATTEMPTS_OF_A_SALE - 1)
        found = self._attempts("WHERE place >= ? AND place < ? ORDER BY place", values)
        return [attempt for attempt in found if attempt.sale_id == sale_id]

    def attempt(self, attempt_id: str) -> Attempt | None:
        """One attempt."""
        found = self._attempts("WHERE place = ?", (rows.place_in(attempt_id),))
        return found[0] if found and found[0].attempt_id == attempt_id else None

    def recent(self, limit: int) -> list[Attempt]:
        """The newest attempts first."""
        return self._attempts("ORDER BY tapped_at DESC, place DESC LIMIT ?", (limit,))

    def newest_before(self, before: Cursor | None, limit: int) -> list[Attempt]:
        """The newest attempts first, behind the cursor; whatever they are."""
        return self.page(None, before, limit)

    def page(
        self, wanted: PageFilter | None = None, before: Cursor | None = None, limit: int = 50
    ) -> list[Attempt]:
        """The next `limit` payments, newest first, behind the cursor."""
        sql, values = page_query(wanted or PageFilter(), before, limit)
        return self._attempts(sql, values)

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        found = self._read(
            rows.sale_of, "SELECT snapshot FROM sale WHERE number = ?", (rows.number_of(sale_id),)
        )
        return found[0] if found and found[0].sale_id == sale_id else None

    def overpaid_sales(self) -> list[Sale]:
        """Sales paid twice whose refund nobody has signed."""
        return self._read(rows.sale_of, "SELECT snapshot FROM sale WHERE overpaid = 1 ORDER BY number")

    def next_sale_number(self) -> int:
        """One more than the highest."""
        found = self._all("SELECT number FROM sale ORDER BY number DESC LIMIT 1")
        return int(found[0][0]) + 1 if found else 1

    def people(self) -> list[Person]:
        """The list of cashiers, in the order they came."""
        return self._read(rows.person_of, "SELECT snapshot FROM person ORDER BY place")

    def otp_sends(self, newest: int) -> list[Record]:
        """So many counted OTP sends, oldest first; the subject is the number's digest."""
        sql = "SELECT * FROM event WHERE seq IN (SELECT seq FROM otp_send ORDER BY seq DESC LIMIT ?) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (newest,))]

    def events_of(self, subject: str) -> list[Record]:
        """The events of one subject, oldest first."""
        sql = f"SELECT * FROM event WHERE seq IN ({self._seqs_of(subject)}) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql)]

    def newest_of(self, subject: str, newest: int) -> list[Record]:
        """So many of the newest events of a subject that is no attempt, oldest first."""
        own = "SELECT seq FROM other_event WHERE subject = ? ORDER BY seq DESC LIMIT ?"
        sql = f"SELECT * FROM event WHERE seq IN ({own}) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (plain(subject), newest))]

    def _seqs_of(self, subject: str) -> str:
        """The numbers of a subject's events, with commas."""
        own = "SELECT events FROM attempt WHERE place = ? AND attempt_id = ?"
        found = self._all(own, (rows.place_in(subject), plain(subject)))
        numbers = [int(number) for row in found for number in row[0].split()]
        others = self._all("SELECT seq FROM other_event WHERE subject = ?", (plain(subject),))
        return ",".join(map(str, numbers + [row[0] for row in others]))

    def counts(self) -> dict[str, dict[str, int]]:
        """How many attempts are in each state, how many events of each kind there are; walks both tables."""
        return {
            "attempts": dict(self._all("SELECT state, count(*) FROM attempt GROUP BY state ORDER BY state")),
            "kinds": dict(self._all("SELECT kind, count(*) FROM event GROUP BY kind ORDER BY kind")),
        }

    def newest_acts(self, newest: int, *, actor: str = "", subject: str = "", day: str = "") -> list[Record]:
        """So many acts of people, the newest first; by this person or about that subject, of this day ("": all)."""
        among, values = "", []
        if actor or subject:
            among, values = " AND (actor = ? OR subject = ?)", [actor, subject]
        if day:
            among, values = f"{among} AND substr(wall, 1, 10) = ?", [*values, day]
        sql = (
            f"SELECT * FROM event INDEXED BY event_of_people WHERE {IS_ACT}{among} ORDER BY seq DESC LIMIT ?"
        )
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (*values, newest))]

    def last_at(self) -> int:
        """The newest event's till time (ms); 0 for an empty journal."""
        found = self._all("SELECT at FROM event ORDER BY seq DESC LIMIT 1")
        return int(found[0][0]) if found else 0
