"""What changed, told to whoever watches: one worker asks once a second for all the shops being watched."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter as Counts
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import psycopg

from pos_app.store.database import Pool

log = logging.getLogger(__name__)

TICK_S = 1.0
_ASK = """SELECT shop, max(changed)::text || ' ' || max(seen)::text || ' ' || coalesce((
  SELECT max(incident) FROM incident i WHERE i.shop = n.shop), 0) FROM counter_now n GROUP BY shop"""

Versions = Mapping[int, str]


class Live:
    """The worker and who waits for it. `versions`: by shop a text that differs once something there did."""

    def __init__(self, pool: Pool, tick_s: float = TICK_S) -> None:
        self._pool = pool
        self._tick_s = tick_s
        self._watched: Counts[int] = Counts()
        self._versions: dict[int, str] = {}
        self._ticked = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._is_down = False
        self._ends = False

    async def stop(self) -> None:
        """Ends the worker, and with it each stream."""
        self._ends = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        async with self._ticked:
            self._ticked.notify_all()

    @contextmanager
    def watching(self, shops: Iterable[int]) -> Iterator[None]:
        """For as long as somebody looks at these."""
        mine = [*shops]
        self._watched.update(mine)
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        try:
            yield
        finally:
            self._watched.subtract(mine)
            self._watched += Counts()

    async def next(self, shops: Iterable[int]) -> Versions | None:
        """Waits for the next look; the versions of these shops. None: the database does not answer, or this ends."""
        async with self._ticked:
            if not self._ends:
                await self._ticked.wait()
            if self._is_down or self._ends:
                return None
            return {shop: self._versions.get(shop, "") for shop in shops}

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(self._tick_s)
            if not self._watched:
                continue
            try:
                async with self._pool.for_shops([*self._watched]) as connection:
                    rows = await (await connection.execute(_ASK)).fetchall()
                self._versions, self._is_down = dict(rows), False
            except (psycopg.Error, OSError) as error:
                log.warning("the database does not tell what changed: %s", type(error).__name__)
                self._is_down = True
            async with self._ticked:
                self._ticked.notify_all()
