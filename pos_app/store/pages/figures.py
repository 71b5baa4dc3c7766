"""What the screens show, read in one transaction in which row security shows the reader's shops alone. Draws nothing.

Sums are as the store was told; each goes with who is missing from it and since when. "Now" is the database's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

import msgspec

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.takings import NOT_SUMMED
from pos_app.store.acts import COLUMNS as ACT_COLUMNS
from pos_app.store.acts import Line, line_of
from pos_app.store.database import Connection, one_row
from pos_app.store.telling import zone_of

MISSING_AFTER_S = 150
"""An idle counter calls once a minute: after two calls that did not come it is missing."""
LISTED_MOST = 200
LATE_DAYS = 90
TWICE_DAYS = 7
ACTS_MOST = 100
INCIDENTS_MOST = 50
_MONEY = tuple(sorted(each + mark for each in (state.value for state in MONEY) for mark in ("", NOT_SUMMED)))
_LATE = State.PAID_LATE.value


class Shop(msgspec.Struct, frozen=True):
    """A shop that the reader may see."""

    shop: int
    name: str
    cutoff_minutes: int = 0


class Unit(msgspec.Struct, frozen=True, order=True):
    """Money that is summed together: real and pretended never, nor two currencies."""

    environment: str
    currency: str

    @property
    def is_real(self) -> bool:
        """Not the sandbox's."""
        return self.environment == "live"


class Sum(msgspec.Struct, frozen=True):
    """Smallest units, payments, and how many of them came late."""

    minor: int = 0
    count: int = 0
    late: int = 0

    def plus(self, other: Sum) -> Sum:
        """Both together."""
        return Sum(self.minor + other.minor, self.count + other.count, self.late + other.late)


class Hour(msgspec.Struct, frozen=True):
    """What was taken in an hour ("09"), in smallest units; `late` of it came late."""

    label: str
    minor: int
    late: int
    count: int


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """A counter as it stands. `seen` None: it never told anything; `state`: joined, revoked or left.

    `taken`: by currency, of which its till may have been given another one since the day began. `told_wall`: what its
    own clock said last; `elsewhere`: the business date that runs by it, where that is not the shop's.
    """

    counter: int
    shop: int
    name: str
    environment: str
    currency: str
    state: str
    life: int
    installation: str
    joined: datetime
    revoked: datetime | None
    seen: datetime | None
    told_seq: int
    waiting: int
    open: int
    version: str
    skew_ms: int
    disk_free: int
    told_wall: str = ""
    taken: dict[str, Sum] = {}
    elsewhere: date | None = None

    @property
    def unit(self) -> Unit:
        """What its money is summed with."""
        return Unit(self.environment, self.currency)

    def is_missing(self, now: datetime) -> bool:
        """Whether sums may lack what it took. Heard of later than now: the store's clock was set back since."""
        return self.state == "joined" and (
            self.seen is None
            or self.told_seq == 0
            or abs(now - self.seen) > timedelta(seconds=MISSING_AFTER_S)
        )

    @property
    def is_catching_up(self) -> bool:
        """It is in touch, and more waits at it than one batch."""
        return self.state == "joined" and self.waiting > 0


class Today(msgspec.Struct, frozen=True, kw_only=True):
    """The running business day of the shops looked at. `dates`: of each shop the one that is running."""

    now: datetime
    dates: tuple[date, ...]
    sums: dict[Unit, Sum]
    hours: dict[Unit, tuple[Hour, ...]]
    counters: tuple[Counter, ...]
    needs: int

    @property
    def missing(self) -> tuple[Counter, ...]:
        """Whose takings the sums lack, those that are catching up, and those that count them to another day."""
        return tuple(
            each
            for each in self.counters
            if each.is_missing(self.now) or each.is_catching_up or each.elsewhere is not None
        )


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that needs a person, or is not certain. `kind`: a key of PageWords.KIND."""

    kind: str
    attempt_id: str
    shop: int
    counter: str
    environment: str
    currency: str
    minor: int | None
    amount: str
    since: datetime
    sale: str
    owner: str


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a counter or to the store."""

    kind: str
    shop: int
    counter: str
    noticed: datetime
    detail: str


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Who may read a shop."""

    account: int
    shop: int
    name: str
    shown: str
    role: str
    seen: datetime | None


def machine_now() -> datetime:
    """This machine's clock, where no database is asked."""
    return datetime.now(UTC).astimezone()


async def now_of(connection: Connection) -> datetime:
    """The database's clock."""
    said: datetime = (await one_row(connection, "SELECT clock_timestamp()"))[0]
    return said


async def shops(connection: Connection) -> tuple[Shop, ...]:
    """Those of the transaction, by name."""
    cursor = await connection.execute("SELECT shop, name, cutoff_minutes FROM shop ORDER BY name, shop")
    return tuple(Shop(*row) for row in await cursor.fetchall())


_COUNTERS = """SELECT c.counter, c.shop, c.name, c.environment, i.currency, i.state, i.life, i.installation, i.joined,
  i.revoked, n.seen, coalesce(n.told_seq, 0), coalesce(n.waiting, 0), coalesce(n.open_n, 0), coalesce(n.version, ''),
  coalesce(n.skew_ms, 0), coalesce(n.disk_free, -1), coalesce(n.told_wall, '')
FROM counter c JOIN LATERAL (SELECT * FROM (
  SELECT life, installation, currency, state, joined, revoked FROM installation i WHERE i.counter = c.counter
  ) lives ORDER BY life DESC LIMIT 1) i ON true
LEFT JOIN counter_now n ON n.counter = c.counter
ORDER BY c.shop, c.counter_id, c.environment, c.counter"""


async def counters(connection: Connection) -> tuple[Counter, ...]:
    """Each with its newest journal."""
    cursor = await connection.execute(_COUNTERS)
    return tuple(
        Counter(
            counter=row[0], shop=row[1], name=row[2], environment=row[3], currency=row[4], state=row[5], life=row[6],
            installation=row[7], joined=row[8], revoked=row[9], seen=row[10], told_seq=row[11], waiting=row[12],
            open=row[13], version=row[14], skew_ms=row[15], disk_free=row[16], told_wall=row[17],
        )
        for row in await cursor.fetchall()
    )  # fmt: skip


_WALLS = "SELECT shop, told_wall FROM counter_now WHERE told_wall <> '' ORDER BY seen DESC, counter"


async def zones(connection: Connection) -> dict[int, tzinfo]:
    """How far each shop's clock is from UTC: as the counter says that was heard last; none where nobody told."""
    found: dict[int, tzinfo] = {}
    cursor = await connection.execute(_WALLS)
    for shop, wall in await cursor.fetchall():
        zone = zone_of(wall)
        if shop not in found and zone is not None:
            found[shop] = zone
    return found


def running_date(now: datetime, cutoff_minutes: int, zone: tzinfo | None = None) -> date:
    """The business date that is running at a shop: what is before the day's beginning belongs to the day before.

    `zone`: the shop's, by whose counters' clocks payments are counted; None for that of the store's machine.
    """
    local = now.astimezone(zone)
    begins = time(cutoff_minutes // 60, cutoff_minutes % 60)
    return local.date() if local.time() >= begins else local.date() - timedelta(days=1)


async def today(connection: Connection) -> Today:
    """The shops of the transaction, together."""
    now = await now_of(connection)
    named = await shops(connection)
    at_shops = await zones(connection)
    dates = {each.shop: running_date(now, each.cutoff_minutes, at_shops.get(each.shop)) for each in named}
    cutoffs = {each.shop: each.cutoff_minutes for each in named}
    at = await counters(connection)
    by_number = {each.counter: each for each in at}
    sums: dict[Unit, Sum] = {}
    by_counter: dict[int, dict[str, Sum]] = {}
    hours: dict[Unit, dict[int, list[int]]] = {}
    cursor = await connection.execute(
        "SELECT t.counter, t.currency, t.state, t.hour, t.n, t.minor, t.business_date FROM takings t "
        "JOIN unnest(%s::int[], %s::date[]) AS day(shop, running) "
        "ON t.shop = day.shop AND t.business_date = day.running WHERE t.state = ANY (%s)",
        (list(dates), list(dates.values()), list(_MONEY)),
    )
    for number, currency, state, hour, n, minor, on in await cursor.fetchall():
        where = by_number.get(number)
        unit = Unit(where.environment if where else "", currency)
        is_late = state.removesuffix(NOT_SUMMED) == _LATE
        one = Sum(int(minor), int(n), int(n) if is_late else 0)
        sums[unit] = sums.get(unit, Sum()).plus(one)
        own = by_counter.setdefault(number, {})
        own[currency] = own.get(currency, Sum()).plus(one)
        row = hours.setdefault(unit, {}).setdefault(_hour_of_day(hour, on), [0, 0, 0])
        row[0] += int(minor)
        row[1] += int(minor) if is_late else 0
        row[2] += int(n)
    return Today(
        now=now,
        dates=tuple(sorted(set(dates.values()))),
        sums=dict(sorted(sums.items(), key=lambda each: (not each[0].is_real, each[0]))),
        hours={unit: _hours(rows) for unit, rows in hours.items()},
        counters=tuple(
            msgspec.structs.replace(
                each,
                taken=dict(sorted(by_counter.get(each.counter, {}).items())),
                elsewhere=_elsewhere(each, now, cutoffs[each.shop], dates[each.shop]),
            )
            for each in at
        ),
        needs=await how_many_need(connection),
    )


def _elsewhere(counter: Counter, now: datetime, cutoff_minutes: int, running: date) -> date | None:
    """The date to which a counter counts what it takes now, where its clock, or its zone, makes that another one."""
    zone = zone_of(counter.told_wall)
    if counter.state != "joined" or zone is None:
        return None
    try:
        own = running_date(now + timedelta(milliseconds=counter.skew_ms), cutoff_minutes, zone)
    except OverflowError:
        return None
    return None if own == running else own


_NO_HOUR = -1


def _hour_of_day(hour: str, on: date) -> int:
    """Which hour of a business date: from 24 on those behind its midnight, which end it."""
    try:
        read = datetime.fromisoformat(hour)
    except ValueError:
        return _NO_HOUR
    return (read.date() - on).days * 24 + read.hour


def _hours(rows: dict[int, list[int]]) -> tuple[Hour, ...]:
    """From the first hour with money to the last, those between too."""
    named = sorted(each for each in rows if each != _NO_HOUR)
    shown = [*range(named[0], named[-1] + 1)] if named else []
    found = [Hour(f"{each % 24:02d}", *rows.get(each, [0, 0, 0])) for each in shown]
    return (*found, *(Hour("–", *rows[each]) for each in rows if each == _NO_HOUR))


_NEEDS = """SELECT a.attempt_id, a.state, a.shop, c.name, c.environment, a.currency, a.minor, a.amount::text, a.tapped,
  a.sale_id, a.owner FROM attempt a JOIN counter c USING (counter) WHERE """
_LATE_ONES = "a.state = 'PAID_LATE' AND a.answer = '' AND a.tapped > now() - make_interval(days => %s)"
# A sale's number is one journal's own: of the same counter, and told by one journal or begun by one installation.
_TWICE_ONES = """a.number > 1 AND a.state = ANY (%s) AND a.answer = '' AND a.tapped > now() - make_interval(days => %s)
  AND EXISTS (SELECT FROM attempt b WHERE b.shop = a.shop AND b.sale_id = a.sale_id AND b.attempt_id <> a.attempt_id
    AND b.counter = a.counter AND (b.life = a.life OR split_part(replace(b.attempt_id, 'SBX-', ''), '-', 1)
      = split_part(replace(a.attempt_id, 'SBX-', ''), '-', 1))
    AND b.state = ANY (%s) AND b.answer = '' AND b.tapped BETWEEN a.tapped - interval '2 days' AND a.tapped)"""
_ENDS = " ORDER BY a.tapped LIMIT %s"
_PAID = [state.value for state in sorted(MONEY)]
_TWICE_GIVEN = (_PAID, TWICE_DAYS, _PAID)
_KINDS = {
    "INTENT": "open",
    "WAITING": "open",
    "IN_DOUBT": "in_doubt",
    "DISPUTED": "disputed",
    "UNRESOLVED": "unresolved",
}


class Needs(msgspec.Struct, frozen=True):
    """What needs a person, by urgency, then the oldest first. `is_cut`: of some kind there is more than is listed."""

    listed: tuple[Need, ...] = ()
    is_cut: bool = False


async def needs(connection: Connection) -> Needs:
    """What is open, in dispute, late without an answer or paid twice: what people must answer first."""
    found: dict[str, Need] = {}
    is_cut = False
    for kind, query, given in (
        ("twice", f"{_NEEDS} {_TWICE_ONES} {_ENDS}", _TWICE_GIVEN),
        ("late", f"{_NEEDS} {_LATE_ONES} {_ENDS}", (LATE_DAYS,)),
        ("", f"{_NEEDS} a.open {_ENDS}", ()),
    ):
        cursor = await connection.execute(query, (*given, LISTED_MOST + 1))
        rows = await cursor.fetchall()
        is_cut = is_cut or len(rows) > LISTED_MOST
        for row in rows[:LISTED_MOST]:
            named = kind or _KINDS.get(row[1], "unresolved")
            found.setdefault(
                row[0],
                Need(
                    kind=named, attempt_id=row[0], shop=row[2], counter=row[3], environment=row[4], currency=row[5],
                    minor=row[6], amount=row[7], since=row[8], sale=row[9], owner=row[10],
                ),
            )  # fmt: skip
    order = ("twice", "disputed", "unresolved", "late", "in_doubt", "open")
    listed = sorted(found.values(), key=lambda each: (order.index(each.kind), each.since))
    return Needs(tuple(listed), is_cut)


_WAITING = " UNION ".join(
    f"(SELECT a.attempt_id FROM attempt a WHERE {which} LIMIT 1000)"
    for which in ("a.open AND a.state IN ('DISPUTED', 'UNRESOLVED')", _LATE_ONES, _TWICE_ONES)
)


async def how_many_need(connection: Connection) -> int:
    """So many wait for a person (not for the service alone): what the navigation counts. 1,000 of a kind at most."""
    cursor = await connection.execute(f"SELECT count(*) FROM ({_WAITING}) x", (LATE_DAYS, *_TWICE_GIVEN))
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def incidents(connection: Connection) -> tuple[Incident, ...]:
    """The newest first."""
    cursor = await connection.execute(
        "SELECT n.kind, n.shop, coalesce(c.name, ''), n.noticed, n.detail FROM incident n "
        "LEFT JOIN installation i USING (life) LEFT JOIN counter c ON c.counter = i.counter "
        "ORDER BY n.noticed DESC, n.incident DESC LIMIT %s",
        (INCIDENTS_MOST,),
    )
    return tuple(
        Incident(kind=row[0], shop=row[1], counter=row[2], noticed=row[3], detail=row[4])
        for row in await cursor.fetchall()
    )


async def people(connection: Connection) -> tuple[Person, ...]:
    """Who may read the shops of the transaction."""
    cursor = await connection.execute(
        "SELECT a.account, r.shop, a.name, a.shown, r.role, a.seen FROM reader r JOIN account a USING (account) "
        "ORDER BY r.shop, array_position(ARRAY['owner', 'manager', 'reader'], r.role), a.shown, a.account"
    )
    return tuple(
        Person(account=row[0], shop=row[1], name=row[2], shown=row[3], role=row[4], seen=row[5])
        for row in await cursor.fetchall()
    )


async def acts(connection: Connection, before: int = 0) -> Sequence[Line]:
    """The newest first, `before` a number where one is given."""
    cursor = await connection.execute(
        f"SELECT {ACT_COLUMNS} FROM act WHERE %s = 0 OR number < %s ORDER BY number DESC LIMIT %s",
        (before, before, ACTS_MOST),
    )
    return [line_of(row) for row in await cursor.fetchall()]


async def act_head(connection: Connection) -> tuple[int, bytes]:
    """The chain's newest number and value."""
    row = await one_row(connection, "SELECT number, mac FROM act_head")
    return int(row[0]), bytes(row[1])
