"""Two tills with one counter's number: notes on which days an older journal of a counter told beside a newer one.

An older journal stays joined for ever where its till was replaced or begun anew, and tells nothing any more: of that
nothing is noted. One that tells all the same is a till in use, and a day is whole only with a Z of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pos_app.store.database import Connection
from pos_app.store.telling import columns_of, hour_and_date

Told = tuple[int, date]
"""A life, and a business date of which it told something."""

# The newest that is there: whoever left or was refused uses the number no more.
_TWO = """SELECT i.shop, i.counter, i.life, told.business_date, max(n.life), i.installation
FROM unnest(%s::int[], %s::date[]) AS told(life, business_date) JOIN installation i USING (life)
JOIN installation n ON n.counter = i.counter AND n.life > i.life AND n.state = 'joined' WHERE i.state = 'joined'
GROUP BY i.life, told.business_date ORDER BY i.life, told.business_date"""
_NOTE = """INSERT INTO beside AS b (shop, counter, life, business_date, newest)
SELECT * FROM unnest(%s::int[], %s::int[], %s::int[], %s::date[], %s::int[])
ON CONFLICT (life, business_date) DO UPDATE SET newest = excluded.newest WHERE excluded.newest > b.newest"""
_INCIDENT = """INSERT INTO incident (shop, life, kind, seq, detail)
SELECT two.shop, two.life, 'number', two.newest, two.installation || ', ' || n.installation
FROM unnest(%s::int[], %s::int[], %s::int[], %s::text[]) AS two(shop, life, newest, installation)
JOIN installation n ON n.life = two.newest ORDER BY two.life, two.newest ON CONFLICT DO NOTHING"""


async def note(connection: Connection, told: Iterable[Told]) -> None:
    """Notes those of them that told beside a newer journal of their counter, and of each two once that they do.

    In the caller's transaction, of role receive. Raises psycopg.Error.
    """
    wanted = sorted(set(told))
    if not wanted:
        return
    cursor = await connection.execute(_TWO, columns_of(wanted))
    found = await cursor.fetchall()
    if not found:
        return
    await connection.execute(_NOTE, columns_of([row[:5] for row in found]))
    pairs = sorted({(shop, life, newest, name) for shop, _, life, _, newest, name in found})
    await connection.execute(_INCIDENT, columns_of(pairs))


def dates_of(walls: Iterable[str], cutoff_minutes: int) -> set[date]:
    """The business dates of these moments, by the clock that said them; of none that cannot be."""
    dates = {hour_and_date(wall, cutoff_minutes)[1] for wall in set(walls)}
    return {each for each in dates if each.year > _NEVER}


_NEVER = 1970
"""The year of a wall that is none (telling.moment)."""
