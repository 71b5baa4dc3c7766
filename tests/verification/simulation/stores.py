"""M1 to M6, M8 and M10 judged (docs/store.md): what a store holds against the journals, by their chains alone.

Nothing of the product's deciding is asked, and nothing of the store's own sums: they are made again from the journals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from tests.support.model_store import MONEY, Batch, Told1
from tests.verification.simulation import owners
from tests.verification.simulation.history import History, Stored, Written
from tests.verification.simulation.outbox import chain
from tests.verification.simulation.verdict import Violation

LATE = 12_000
"""What was written so long before the end has been told."""

NEVER = re.compile(
    rb'"(qr_text|wallet_digest|number_mask|number_digest|sealed|passcode|reply|body|token|secret)"'
)
NUMBERS = (b"94771234567", b"94777654321", b"94712223334")

Macs = dict[str, list[bytes]]


def m(history: History) -> Iterator[Violation]:
    """All of them, where the tills told a store."""
    stored = history.store
    if stored is None:
        return
    macs = {line: _macs(written) for line, written in history.journals.items()}
    yield from _prefix(stored, macs)
    yield from _acknowledged(stored)
    yield from _sums(history, stored, macs)
    yield from _canaries(stored)
    yield from _convicted(history, stored, macs)
    yield from _revoked(stored)
    yield from _all_told(history, stored, macs)
    yield from _behind(history, stored)
    yield from _hinted(history, stored)
    yield from _word_for_money(history)
    yield from owners.m(history, stored, macs)


def _macs(written: tuple[Written, ...]) -> list[bytes]:
    macs: list[bytes] = []
    for each in written:
        macs.append(chain(macs[-1] if macs else b"", each))
    return macs


def _prefix(stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M2: what is held of an installation is the beginning of one journal, each event once, and its head is its end."""
    for installation, held in stored.disk.held.items():
        events = [each for batch in held.batches for each in batch.events]
        if [each.seq for each in events] != [*range(1, len(events) + 1)]:
            yield Violation("M2", installation, "a gap or an overlap")
            continue
        newest = events[-1].mac if events else b""
        if (held.head_seq, held.head_mac) != (len(events), newest):
            yield Violation("M2", installation, f"the head says {held.head_seq}, held are {len(events)}")
        own = [each.mac for each in events]
        if not any(line[: len(own)] == own for line in macs.values()):
            yield Violation("M2", installation, "what is held is no journal's beginning")


def _acknowledged(stored: Stored) -> Iterator[Violation]:
    """M3: what was acknowledged is held, unless an old backup was put back; and no epoch began without one."""
    for at, installation, seq in stored.seen.answered:
        put_back = any(restored >= at for restored in stored.seen.restored)
        if not put_back and stored.disk.held[installation].head_seq < seq:
            yield Violation("M3", installation, f"{seq} was acknowledged and is not held")
    if stored.disk.epoch > 1 and not stored.seen.restored:
        yield Violation("M3", "epoch", "a counter knew of more than is held, and no backup was put back")


def _sums(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M5: the store's sums are those of the journals up to where it holds them, each attempt once."""
    newest: dict[str, Told1] = {}
    for held in stored.disk.held.values():
        own = [each.mac for batch in held.batches for each in batch.events]
        line = next((name for name, of in macs.items() if of[: len(own)] == own), None)
        for each in history.journals[line][: len(own)] if line else ():
            attempt = each.record.attempt
            if attempt is None:
                continue
            told = Told1(held.life, each.seq, attempt.state.value, attempt.amount)
            old = newest.get(attempt.attempt_id)
            if old is None or (old.life, old.seq) < (told.life, told.seq):
                newest[attempt.attempt_id] = told
    for state in MONEY:
        paid = [each.amount for each in newest.values() if each.state == state]
        got = stored.disk.paid.get(state, 0), stored.disk.amounts.get(state, Decimal())
        if got != (len(paid), sum(paid)):
            yield Violation("M5", state, f"the store's sums say {got}, the journals {len(paid)}, {sum(paid)}")


def _canaries(stored: Stored) -> Iterator[Violation]:
    """M6: no field that may not leave, and no number of anybody."""
    for body in stored.seen.bodies:
        found = NEVER.search(body)
        if found is not None:
            yield Violation("M6", "batch", f"{found.group().decode()} left the till")
        if any(number in body for number in NUMBERS):
            yield Violation("M6", "batch", "somebody's number left the till")


def _convicted(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M8: nobody is convicted but by what a till of this installation signed, and its own journal does not have."""
    for line, written in history.journals.items():
        for each in written:
            if each.record.kind != "STORE_CONVICTED":
                continue
            own = each.record.content["installation_id"]
            signed = [(seq, mac) for name, seq, mac in stored.seen.posted if name == own]
            before = macs[line][: each.seq - 1]
            if all(seq <= len(before) and before[seq - 1] == mac for seq, mac in signed):
                yield Violation("M8", line, "convicted, and nobody signed another history")


def _revoked(stored: Stored) -> Iterator[Violation]:
    """M10: nothing of a key comes in behind its revocation."""
    for installation, at in stored.seen.revoked.items():
        held = stored.disk.held.get(installation)
        if held is not None and any(batch.at > at for batch in held.batches):
            yield Violation("M10", installation, "a batch came in behind the revocation")


def _all_told(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M4, M8: in the end all is told, whatever was lost, late or put back; or the till says why it is not."""
    end = history.closing_at + 30_000 - LATE
    for till in stored.tills:
        held = stored.disk.held.get(till.installation)
        written = history.journals[till.line]
        if held is None or not till.alive or till.installation in stored.seen.revoked:
            continue
        if till.view == "rejoin" and _waits_to_join(written):
            continue  # a copy of it joined under the identity that it has not joined with yet
        own = [each.mac for batch in held.batches for each in batch.events]
        due = sum(each.at <= end for each in written)
        if macs[till.line][: len(own)] == own:
            if len(own) < due and till.view != "stopped" and not history.gaps.get(till.line):
                yield Violation(
                    "M4", till.line, f"{due} events, and the store holds {len(own)} ({till.view})"
                )
        elif till.view != "stopped":
            yield Violation("M8", till.line, f"another history is held, and the till says {till.view}")


def _waits_to_join(written: tuple[Written, ...]) -> bool:
    kinds = [
        each.record.kind for each in written if each.record.kind in ("STORE_JOINED", "INSTALLATION_TAKEN")
    ]
    return kinds[-1:] == ["INSTALLATION_TAKEN"]


def _hinted(history: History, stored: Stored) -> Iterator[Violation]:
    """M8: what a folder that was put back has forgotten, and the store was told, is in its journal again.

    Not judged beside a twin: it sells on under the same id, and what it sells is its own.
    """
    for till in stored.tills:
        if sum(each.installation == till.installation for each in stored.tills) > 1:
            continue
        held = stored.disk.held.get(till.installation)
        written = history.journals[till.line]
        older = any(
            each.record.kind == "STORE_CONVICTED"
            and each.record.content["why"] == "older"
            and each.record.content["installation_id"] == till.installation
            for each in written
        )
        hinted = any(each.record.kind == "STORE_HINTED" for each in written)
        if older and held is not None and till.alive and not hinted and _forgotten(held.batches, written):
            yield Violation("M8", till.line, "what it forgot was never asked about")


def _word_for_money(history: History) -> Iterator[Violation]:
    """M1: what nothing proves is entered as no money, whatever a store was told of it."""
    for line, written in history.journals.items():
        for each in written:
            attempt = each.record.attempt
            is_hint = each.record.kind == "RECOVERED" and each.record.content.get("proven") is False
            if is_hint and attempt is not None and attempt.state.value in MONEY:
                yield Violation("M1", line, f"{attempt.attempt_id} is {attempt.state} by a store's word")


def _forgotten(batches: list[Batch], written: tuple[Written, ...]) -> set[str]:
    told = {each.subject for batch in batches for each in batch.events if "attempt" in each.content}
    return told - {each.record.subject for each in written}


def _behind(history: History, stored: Stored) -> Iterator[Violation]:
    """M8: a store that was put back is noticed by whoever it had acknowledged more; not judged where folders were
    copied, too, since another one may have told it first."""
    for restored in stored.seen.restored:
        for till in stored.tills if not history.lines else ():
            held = stored.disk.held.get(till.installation)
            answered = [each for each in stored.seen.answered if each[1] == till.installation]
            told = max((seq for at, _, seq in answered if at < restored), default=0)
            again = any(
                batch.at > restored and batch.events[0].seq <= told
                for batch in (held.batches if held else ())
            )
            noticed = any(
                each.record.kind == "STORE_BEHIND" and each.at >= restored
                for each in history.journals[till.line]
            )
            if again and not noticed:
                yield Violation("M8", till.line, "the store was put back, and nobody noticed")


def beside(history: History) -> list[object]:
    """M1: what a till did of payments, with the true time of each; a store of any kind must not change it."""
    of_payments: list[object] = [
        (sent.at, sent.till, sent.operation, sent.attempt_id, sent.body) for sent in history.sent
    ]
    for line, written in sorted(history.journals.items()):
        of_payments += [
            (line, each.at, each.record.kind, each.record.subject, each.record.path, _of(each))
            for each in written
            if each.record.subject != "store"
        ]
    return of_payments


def _of(each: Written) -> bytes:
    return msgspec.msgpack.encode((each.record.attempt, each.record.sale))
