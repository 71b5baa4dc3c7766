"""The real store and the one in memory, written apart from one page, are told the same batches, and agree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from random import Random

import msgspec
import pytest

from pos_app.domain.shipping import Answer, Challenge, Verdict
from pos_app.store.database import Database
from tests.support.model_store import STORE_ID, Line, ModelStore
from tests.support.store import PretendCounter, attempt, code_for, rows, serving

STATES = ("INTENT", "WAITING", "PAID", "FAILED", "PAID_LATE", "DISPUTED")


@contextmanager
def both(
    database: Database, shop: int, url: str, model: ModelStore, counter: PretendCounter
) -> Iterator[Line]:
    """Joined and signed in at each."""
    model.take_in(counter.installation, counter.key.public_key().public_bytes_raw())
    line = model.line()
    line.session(counter.session_request(Challenge(challenge=b"c" * 32, store_id=STORE_ID)))
    with counter.at(url, code_for(database, shop) if shop else ""):
        yield line


def sell(counter: PretendCounter, dice: Random, told: list[str]) -> None:
    """Some events; now and then of a payment that was told before."""
    for _ in range(dice.randrange(1, 6)):
        again = told and dice.random() < 0.4
        name = dice.choice(told) if again else f"{counter.installation}-{len(told) + 1}-1"
        told += [] if again else [name]
        state, amount = dice.choice(STATES), f"{1 + sum(name.encode()) % 90}.{sum(name.encode()) % 10}0"
        counter.write("STATUS_ANSWERED", attempt=attempt(name, state, amount))


@pytest.mark.parametrize("seed", range(6))
def test_they_agree(database: Database, shop: int, seed: int) -> None:
    """Overlaps, gaps, old ones, a twin's, and a journal begun anew that tells everything once more."""
    dice, model = Random(seed), ModelStore()
    one = PretendCounter()
    told: list[str] = []
    sell(one, dice, told)
    twin, anew = one.twin(), PretendCounter("NEW111", key=one.key)
    anew.events = list(one.events)
    seen = set()
    with serving(database) as url, ExitStack() as stack:
        lines = {}
        for counter, of in ((one, shop), (twin, 0), (anew, shop)):
            lines[id(counter)] = stack.enter_context(both(database, of, url, model, counter))
        for _ in range(45):
            counter = dice.choice((one, one, one, twin, anew))
            if dice.random() < 0.4:
                sell(counter, dice, told)
            head = model.disk.held[counter.installation].head_seq
            near = [head + 1] * 3 + [max(1, head - dice.randrange(5)), head + 3]
            first = min(dice.choice(near), len(counter.events))
            last = min(first + dice.randrange(8), len(counter.events))
            body = counter.batch(first, last)
            said = msgspec.json.decode(counter.send(body).content, type=Answer)
            own = lines[id(counter)].batch(body)
            assert (said.verdict, said.held, said.head) == (own.verdict, own.held, own.head)
            seen.add(said.verdict)
    assert Verdict.TAKEN in seen
    sums = rows(
        database, "SELECT state, sum(n)::int, sum(minor) FROM takings GROUP BY state HAVING sum(n) > 0"
    )
    found = {state: (n, Decimal(minor) / 100) for state, n, minor in sums if state in ("PAID", "PAID_LATE")}
    wanted = {state: (n, model.disk.amounts[state]) for state, n in model.disk.paid.items() if n}
    assert found == wanted
