"""Opens what a power cut left as the till would, and holds it to what was promised; then the till goes on with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError
from pos_app.journal import Journal, JournalError
from tests.unit.engine.rig import SITE, Rig
from tests.unit.journal.dump import tables
from tests.verification.campaign.disk.promise import Promise

Opening = Callable[[], Journal]


def examine(opening: Opening, promised: Promise) -> list[str]:
    """What is wrong with a journal after a power cut; nothing is right."""
    try:
        journal = opening()
    except (JournalError, CommandError) as error:
        return [f"does not open: {type(error).__name__}: {error}"]
    try:
        found = [*_moved(journal), *_commits(journal, promised), *_sent(journal, promised)]
        found += [*_said(journal, promised), *_tables(journal)]
        if not found:
            found = _goes_on(journal)
    except JournalError as error:
        found = [f"in use: {type(error).__name__}: {error}"]
    finally:
        journal.close()
    return found or _again(opening)


def _moved(journal: Journal) -> list[str]:
    """The real till begins a fresh journal beside a damaged one and goes on."""
    return [f"moved aside as damaged: {path.name}" for path in journal.path.parent.glob("*-damaged-*.sqlite")]


def _commits(journal: Journal, promised: Promise) -> list[str]:
    head, mac = journal.head()
    found = []
    if head < promised.head:
        found.append(f"a commit is lost: it ends at event {head}, {promised.head} had returned")
    elif promised.head and _mac(journal.path, promised.head) != promised.mac:
        found.append(f"event {promised.head} is not the one that had returned")
    if promised.begun is not None and head > promised.begun:
        found.append(f"it ends at event {head}, and nothing after {promised.begun} was ever begun")
    report = journal.verify()
    if report.broken_at or report.head.mac != mac:
        found.append(f"the chain breaks at event {report.broken_at}")
    return found


def _mac(path: Path, seq: int) -> bytes:
    connection = sqlite3.connect(path)
    try:
        row = connection.execute("SELECT mac FROM event WHERE seq = ?", (seq,)).fetchone()
        return bytes(row[0]) if row else b""
    finally:
        connection.close()


def _sent(journal: Journal, promised: Promise) -> list[str]:
    """I4 and its like: what had left was written down before."""
    found = [
        f"{each} had left, its intent is lost"
        for each in sorted(promised.initiated)
        if journal.attempt(each) is None
    ]
    for each in sorted(promised.cancelled):
        attempt = journal.attempt(each)
        if attempt is None or (attempt.cancel_wish is None and not attempt.is_final):
            found.append(f"the cancel of {each} had left, its wish is lost")
    counted = len(tables(journal.path)["otp_send"])
    if counted < promised.messages:
        found.append(f"{promised.messages} codes had left, {counted} are counted")
    return found


def _said(journal: Journal, promised: Promise) -> list[str]:
    """Whoever has read PAID may have gone with the goods."""
    found = []
    for attempt_id, state in promised.said.items():
        attempt = journal.attempt(attempt_id)
        if attempt is None or attempt.state != state:
            found.append(f"{attempt_id} was said to be {state}, it is {attempt and attempt.state}")
    return found


def _tables(journal: Journal) -> list[str]:
    before = tables(journal.path)
    journal.rebuild_projections()
    after = tables(journal.path)
    return [f"table {name} is not what the events say" for name in before if before[name] != after[name]]


def _goes_on(journal: Journal) -> list[str]:
    """The engine takes it up, asks the service where they were opened about all that is open, and sells."""
    found_open = journal.open_attempts()
    open_before = {attempt.attempt_id for attempt in found_open}
    # A real till's were opened at the address of its sandbox, and nobody else is asked about them.
    origin = next((attempt.origin for attempt in found_open), "")
    rig = Rig(journal, replace(SITE, rules=replace(SITE.rules, origin=origin)))
    rig.clock.ms = journal.last_at() + 60_000
    rig.start()
    asked = {str(call[1]) for call in rig.calls.made if call[0] == "ask"}
    found = [f"{each} is open and not asked about" for each in sorted(open_before - asked)]
    rig.wait(6)
    attempt_id = rig.charge(another_customer=True)
    if not attempt_id or journal.attempt(attempt_id) is None:
        found.append("nothing can be sold")
    return found


def _again(opening: Opening) -> list[str]:
    try:
        journal = opening()
    except (JournalError, CommandError) as error:
        return [f"does not open a second time: {type(error).__name__}: {error}"]
    try:
        broken = journal.verify().broken_at
        return [*_moved(journal), *([f"later the chain breaks at event {broken}"] if broken else [])]
    finally:
        journal.close()
