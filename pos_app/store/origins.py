"""Whose a payment and a Z are: the shop and the journal of which the store heard of them first. That never changes.

A payment's id names the installation that wrote it; an installation is its journal's from the join on, or, where it
never joined, that journal's which first told of it. Another shop's journal, or another counter's, takes none of it
over, whatever it tells and whenever that comes. The same journal as another counter of the shop, begun anew with
another number, goes on telling of them: they stay with the counter that they are of.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pos_app.domain.ids import installation_of
from pos_app.store.database import Connection
from pos_app.store.telling import Teller, columns_of

Name = tuple[str, str]
"""Kind and name, as the table has them."""

_HELD = """SELECT kind, name, shop, counter, public_key FROM origin
WHERE (kind, name) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"""
_CLAIM = """INSERT INTO origin (kind, name, shop, counter, public_key) SELECT * FROM
unnest(%s::text[], %s::text[], %s::int[], %s::int[], %s::bytea[]) ON CONFLICT DO NOTHING"""


class Origin(msgspec.Struct, frozen=True):
    """Whose something is."""

    shop: int
    counter: int
    public_key: bytes

    def is_told_by(self, teller: Teller) -> bool:
        """Whether that is the same journal or another life of it: of the same counter, or under the same key."""
        return self.shop == teller.shop and (
            self.counter == teller.counter or self.public_key == teller.public_key
        )

    def as_told_by(self, teller: Teller) -> Teller:
        """Who tells it, under the counter that it is of: a till that took another number leaves its past there."""
        if self.counter == teller.counter:
            return teller
        return msgspec.structs.replace(teller, counter=self.counter)


def origin_of(teller: Teller) -> Origin:
    """As whoever tells has it."""
    return Origin(teller.shop, teller.counter, teller.public_key)


def of_installation(installation: str) -> Name:
    """An installation's name."""
    return "installation", installation


def of_attempt(attempt_id: str) -> Name:
    """What says whose a payment is: the installation in its id, or the id where it has not that form."""
    installation = installation_of(attempt_id)
    return of_installation(installation) if installation else ("attempt", attempt_id)


def of_z(digest: str) -> Name:
    """A Z's name."""
    return "z", digest


async def held(connection: Connection, names: set[Name]) -> dict[Name, Origin]:
    """Of these the ones of which the store has heard. Raises psycopg.Error."""
    if not names:
        return {}
    cursor = await connection.execute(_HELD, columns_of(sorted(names)))
    return {(row[0], row[1]): Origin(row[2], row[3], row[4]) for row in await cursor.fetchall()}


async def claimed(connection: Connection, wanted: Mapping[Name, Origin]) -> dict[Name, Origin]:
    """Whose each of these is: where nobody's yet, what is wanted, from now on. Raises psycopg.Error."""
    found = await held(connection, set(wanted))
    missing = wanted.keys() - found.keys()
    if missing:
        rows = [
            (*name, wanted[name].shop, wanted[name].counter, wanted[name].public_key)
            for name in sorted(missing)
        ]
        await connection.execute(_CLAIM, columns_of(rows))
        # Somebody else may have been first between the look and the insert.
        found |= await held(connection, missing)
    return found
