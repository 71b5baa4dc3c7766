"""What can still be had of a damaged journal: proven facts, hints of others, and where its numbers ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Environment, State
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalDamaged, set_aside
from pos_app.journal.salvage import UNKNOWN, Salvage, salvage
from tests.support.builders import KEY, attempt, ended, intent, person


def _filled(opened: Callable[[], Journal], payments: int = 4) -> str:
    journal = opened()
    known = Record(
        kind="PERSON_ENROLLED", subject="p1", actor="p1", at=1, wall="", person=person(), sealed=b"+94"
    )
    journal.append([known, Record(kind="OTP_SEND", subject="ab", actor="p1", at=2, wall="")])
    for number in range(1, payments + 1):
        tapped = msgspec.structs.replace(intent(number), sealed=b"bytes")
        journal.append([tapped, ended(attempt(number), State.PAID, number * 1000 + 500)])
    journal.close()
    return journal.installation_id


def _harm(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for trigger in ("event_is_never_changed", "event_is_never_deleted"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _salvaged(path: Path) -> Salvage:
    return salvage(path, KEY, Environment.SANDBOX)


def test_a_whole_journal_is_had_whole(path: Path, opened: Callable[[], Journal]) -> None:
    """People, counted codes, sealed bytes, attempts and sales; nothing is a hint."""
    own = _filled(opened)
    found = _salvaged(path)
    assert found.installations == [own, "7K3M9QRD"]
    assert [each.state for each in found.attempts.values()] == [State.PAID] * 4
    assert not found.hints
    assert not found.doubtful
    assert (found.next_sale, found.last_at) == (5, 4500)
    assert found.people == {"p1": person()}
    assert found.sealed["p1"] == b"+94"
    assert found.sealed[attempt(2).attempt_id] == b"bytes"
    assert [send.subject for send in found.sends] == ["ab"]


def test_what_is_changed_is_a_hint(path: Path, opened: Callable[[], Journal]) -> None:
    """Each event by itself: what stands around it is proven still."""
    _filled(opened)
    _harm(
        path,
        "UPDATE event SET content = replace(content, '12.50', '99.50') WHERE seq = 3",
        "UPDATE event SET content = 'no json' WHERE seq = 5",
        "UPDATE event SET actor = 'x' WHERE seq = 8",
        "DELETE FROM event WHERE seq IN (9, 10)",
    )
    found = _salvaged(path)
    assert [str(each) for each in found.findings] == [
        "event 3 is not as it was written",
        "event 5 is not as it was written",
        "event 8 is not as it was written",
    ]
    first, third, fourth = (attempt(number).attempt_id for number in (1, 3, 4))
    assert found.attempts[first].state is State.PAID
    assert str(found.attempts[first].amount) == "12.50"
    assert found.attempts[third].state is State.INTENT
    assert found.doubtful == {first, third}
    assert [*found.hints] == [fourth]
    assert found.next_sale == 5 + 2


def test_sealed_bytes_that_cannot_be_opened_are_left(path: Path, opened: Callable[[], Journal]) -> None:
    """Proven, but sealed with a key of another journal: they are nobody's any more."""
    journal = opened()
    journal.append([msgspec.structs.replace(intent(1), sealed=b"bytes")])
    keys = journal._keys
    keys.seal = b"s" * 32
    journal.append([msgspec.structs.replace(intent(2), sealed=b"bytes")])
    journal.close()
    assert [*_salvaged(path).sealed] == [attempt(1).attempt_id]


def test_an_earlier_rebuild_is_remembered(path: Path, opened: Callable[[], Journal]) -> None:
    """Its installations, and the numbers it had left out."""
    journal = opened()
    content = {"installations": ["AAAAAAAA"], "next_sale": 500}
    about = Record(kind=REBUILT, subject=JOURNAL, actor="terminal", at=1, wall="", content=content)
    journal.append([about, intent(3)])
    assert journal.next_sale_number() == 500
    journal.close()
    found = _salvaged(path)
    assert {*found.installations} == {journal.installation_id, "AAAAAAAA", "7K3M9QRD"}
    assert found.next_sale == 500


def test_a_file_that_is_gone_leaves_what_its_anchor_says(path: Path, opened: Callable[[], Journal]) -> None:
    """Whose it was, and how much there may have been."""
    own = _filled(opened)
    path.unlink()
    found = _salvaged(path)
    assert found.installations == [own]
    assert found.next_sale == 11
    path.with_name("journal.sqlite.anchor").unlink()
    assert _salvaged(path).next_sale == 1 + UNKNOWN


@pytest.mark.parametrize("page", [2, 3, 5])
def test_a_page_that_cannot_be_read_does_not_take_the_rest_with_it(
    path: Path, opened: Callable[[], Journal], page: int
) -> None:
    """The events on other pages are proven still; whatever is asked, nothing raises."""
    _filled(opened, 60)
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    starts = [place * size for place in range(1, len(data) // size)]
    of_events = [at for at in starts if data[at] == 13 and b"ATTEMPT_TAPPED" in data[at : at + size]]
    data[of_events[page] : of_events[page] + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    with pytest.raises(JournalDamaged):
        opened()
    (aside,) = set_aside(path)
    found = _salvaged(aside)
    known = {*found.attempts, *found.hints}
    assert len(known) >= 30
    assert found.next_sale >= 60


def test_what_a_kill_parted_while_it_was_moved_aside_is_found_together(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The file had its new name, its log and its anchor not yet."""
    own = _filled(opened)
    path.write_bytes(b"no database" * 500)
    aside = path.with_name("journal-damaged-1700000000000.sqlite")
    path.rename(aside)
    with pytest.raises(JournalDamaged) as caught:
        opened()
    assert caught.value.moved_to == aside
    assert _salvaged(aside).installations == [own]
    opened().close()
    path.unlink()
    with pytest.raises(JournalDamaged) as caught:
        opened()
    assert caught.value.moved_to != aside
