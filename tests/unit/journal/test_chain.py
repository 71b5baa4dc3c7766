"""Whatever is changed in the file is noticed: flipped bits, rows changed, swapped, cut off, an older copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment, State
from pos_app.journal import Journal, JournalDamaged, open_journal
from pos_app.journal.verify import TAIL
from tests.support.builders import KEY, attempt, ended, intent
from tests.unit.journal.tampering import tamper


def _fill(journal: Journal, payments: int) -> None:
    for number in range(1, payments + 1):
        journal.append([intent(number), ended(attempt(number), State.PAID, number * 1000 + 500)])


CHANGES = {
    "amount": ["UPDATE event SET content = replace(content, '12.50', '12.5') WHERE seq = 7"],
    "time": ["UPDATE event SET at = at + 1 WHERE seq = 7"],
    "wall": ["UPDATE event SET wall = '' WHERE seq = 7"],
    "actor": ["UPDATE event SET actor = 'p2' WHERE seq = 7"],
    "moved border": [
        "UPDATE event SET wall = wall || substr(kind, 1, 1), kind = substr(kind, 2) WHERE seq = 7"
    ],
    "sealed": ["UPDATE event SET sealed = x'' WHERE seq = 7"],
    "mac": ["UPDATE event SET mac = x'' WHERE seq = 7"],
    "deleted": ["DELETE FROM event WHERE seq = 7"],
    "swapped": [
        "UPDATE event SET seq = 999 WHERE seq = 7",
        "UPDATE event SET seq = 7 WHERE seq = 9",
        "UPDATE event SET seq = 9 WHERE seq = 999",
    ],
    "doubled": [
        "DELETE FROM event WHERE seq = 8",
        "INSERT INTO event SELECT 8, at, wall, kind, subject, actor, path, content, sealed, mac FROM event "
        "WHERE seq = 7",
    ],
}


@pytest.mark.parametrize("statements", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("newer", [0, TAIL], ids=["near the end", "long ago"])
def test_a_changed_history_is_reported(
    path: Path, opened: Callable[[], Journal], statements: list[str], newer: int
) -> None:
    """At the start when it is among the newest events, else by the walk, with its sequence number."""
    journal = opened()
    _fill(journal, 5 + newer)
    journal.close()
    tamper(path, *statements)
    if newer:
        journal = opened()
        first = 8 if "SELECT 8" in statements[-1] else 7
        assert journal.verify().broken_at == first
        assert journal.verify(first + 4).broken_at == 0
    else:
        with pytest.raises(JournalDamaged) as caught:
            opened()
        assert caught.value.moved_to.exists()
        assert str(caught.value) == f"{caught.value.reason}; moved to {caught.value.moved_to}"


def test_rows_cut_off_the_end_are_reported(path: Path, opened: Callable[[], Journal]) -> None:
    """A shorter journal is a good chain; the anchor knows that it was longer."""
    journal = opened()
    _fill(journal, 5)
    journal.close()
    tamper(path, "DELETE FROM event WHERE seq > 8")
    with pytest.raises(JournalDamaged, match="ends at event 8, older than last known"):
        opened()


def test_an_older_copy_is_reported(tmp_path: Path, path: Path, opened: Callable[[], Journal]) -> None:
    """The whole file put back as it was; nothing in it is wrong but its age."""
    journal = opened()
    _fill(journal, 3)
    journal.close()
    older = tmp_path / "older"
    shutil.copy(path, older)
    journal = opened()
    journal.append([intent(7)])
    journal.close()
    shutil.copy(older, path)
    with pytest.raises(JournalDamaged, match="older than last known"):
        opened()


def test_an_older_copy_written_on_is_reported(
    tmp_path: Path, path: Path, opened: Callable[[], Journal]
) -> None:
    """Two tills that went on from one copy: as long as the last known one, but not the same."""
    journal = opened()
    _fill(journal, 3)
    journal.close()
    older = tmp_path / "older" / "journal.sqlite"
    older.parent.mkdir()
    shutil.copy(path, older)
    shutil.copy(path.with_name("journal.sqlite.anchor"), older.with_name("journal.sqlite.anchor"))
    twin = open_journal(older, KEY, Environment.SANDBOX)
    twin.append([intent(8), intent(9)])
    twin.close()
    journal = opened()
    journal.append([intent(7)])
    journal.close()
    shutil.copy(older, path)
    with pytest.raises(JournalDamaged, match="is not the one last known"):
        opened()


def test_a_torn_anchor_leaves_the_one_before(path: Path, opened: Callable[[], Journal]) -> None:
    """Half a slot written in a power cut is no damage to the journal."""
    journal = opened()
    _fill(journal, 3)
    journal.close()
    anchor = path.with_name("journal.sqlite.anchor")
    data = bytearray(anchor.read_bytes())
    data[5] ^= 1
    anchor.write_bytes(data)
    assert opened().head()[0] == 6


def test_money_is_anchored_at_once(path: Path, journal: Journal) -> None:
    """After a payment no older copy passes, even if the till is killed the next moment."""
    older = path.read_bytes(), path.with_name("journal.sqlite-wal").read_bytes()
    journal.append([intent(1), ended(attempt(1), State.PAID, 1500)])
    anchor = path.with_name("journal.sqlite.anchor").read_bytes()
    folder = path.parent / "restored"
    folder.mkdir()
    for ending, data in zip(("", "-wal", ".anchor"), (*older, anchor), strict=True):
        (folder / f"journal.sqlite{ending}").write_bytes(data)
    with pytest.raises(JournalDamaged, match="older than last known"):
        open_journal(folder / "journal.sqlite", KEY, Environment.SANDBOX)


def test_the_walk_can_be_made_in_slices(path: Path, opened: Callable[[], Journal]) -> None:
    """Between other work; a slice starts where the one before ended, and a break is met in its slice."""
    journal = opened()
    _fill(journal, TAIL)
    journal.close()
    tamper(path, "UPDATE event SET actor = 'p2' WHERE seq = 107")
    journal = opened()
    slices = [journal.verify(1, 50)]
    while slices[-1].checked and not slices[-1].broken_at:
        slices.append(journal.verify(slices[-1].head.seq + 1, 50))
    assert [one.checked for one in slices] == [50, 50, 50]
    assert [one.seq for one in slices[-1].broken] == [107]
