"""A first start that is cut off anywhere is followed by a first start, and no lost journal passes for one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.app import demo_people
from pos_app.bootstrap.journal import GONE, is_gone, open_journal_of
from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, open_journal, set_aside
from pos_app.journal.lock import FileLock
from pos_app.secrets.journal_key import FILE, MARK, end_first_start, is_first_start, journal_key
from tests.integration.cli.till import Till
from tests.unit.journal.tampering import tamper

ENVIRONMENT = Environment.SANDBOX


def key_of(folder: Path) -> bytes:
    """As the first start makes it."""
    return journal_key(folder, ENVIRONMENT.value, use_keystore=False, fresh=True)


def opened(folder: Path) -> Journal:
    """As the till opens it."""
    return open_journal_of(folder, ENVIRONMENT)


def mark_alone(folder: Path) -> None:
    key_of(folder)
    (folder / FILE).unlink()


def key_made(folder: Path) -> None:
    key_of(folder)


def lock_taken(folder: Path) -> None:
    key_of(folder)
    FileLock(folder / "journal.sqlite").release()


def file_made(folder: Path) -> None:
    lock_taken(folder)
    (folder / "journal.sqlite").touch(0o600)


def tables_made(folder: Path) -> None:
    all_but_the_marks_end(folder)
    (folder / "journal.sqlite.anchor").unlink()


def all_but_the_marks_end(folder: Path) -> None:
    key_of(folder)
    kept = (folder / MARK).read_bytes()
    opened(folder).close()
    (folder / MARK).write_bytes(kept)


def anchor_alone(folder: Path) -> None:
    """A power cut took the journal's name, and left its anchor's."""
    all_but_the_marks_end(folder)
    (folder / "journal.sqlite").unlink()


@pytest.mark.parametrize(
    "cut_off",
    [mark_alone, key_made, lock_taken, file_made, tables_made, all_but_the_marks_end, anchor_alone],
)
def test_the_next_start_is_a_first_start(tmp_path: Path, cut_off: Callable[[Path], None]) -> None:
    """No alarm, nothing put aside; and from then on the journal is missed when it is gone."""
    cut_off(tmp_path)
    with closing(opened(tmp_path)) as journal:
        assert not journal.was_rebuilt
        assert journal.head()[0] == 0
        identity = journal.installation_id
    assert set_aside(tmp_path / "journal.sqlite") == []
    assert not (tmp_path / MARK).exists()
    with closing(opened(tmp_path)) as journal:
        assert (journal.installation_id, journal.was_rebuilt) == (identity, False)
    (tmp_path / "journal.sqlite").unlink()
    with closing(opened(tmp_path)) as journal:
        assert journal.was_rebuilt


def sold_on(folder: Path) -> None:
    """A till that has been at work."""
    with closing(opened(folder)) as journal:
        demo_people.enrol(journal)


@pytest.mark.parametrize(
    "left", ["key", "lock", "log", "a damaged copy", "an empty file", "an emptied journal"]
)
@pytest.mark.parametrize("forged", [False, True], ids=["", "with a forged mark"])
def test_what_a_till_leaves_says_that_there_was_a_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], left: str, forged: bool
) -> None:
    """Any of it by itself; a mark that was not made with the key is none."""
    folder, kept = tmp_path / "till", tmp_path / "kept"
    folder.mkdir()
    sold_on(folder)
    shutil.copytree(folder, kept)
    for each in folder.iterdir():
        each.unlink()
    match left:
        case "key":
            shutil.copy(kept / FILE, folder)
        case "lock":
            shutil.copy(kept / "journal.sqlite.lock", folder)
        case "log":
            (folder / "log").mkdir()
            (folder / "log" / "pos-app.log").write_text("{}")
        case "a damaged copy":
            shutil.copy(kept / "journal.sqlite", folder / "journal-damaged-1700000000000.sqlite")
        case "an empty file":
            shutil.copy(kept / FILE, folder)
            (folder / "journal.sqlite").touch()
        case _:
            shutil.copy(kept / FILE, folder)
            key = journal_key(folder, ENVIRONMENT.value, use_keystore=False)
            open_journal(folder / "journal.sqlite", key, ENVIRONMENT).close()
            (folder / "journal.sqlite.anchor").unlink()
    if forged:
        (folder / MARK).write_text("0" * 64)
    if not forged and not (folder / "journal.sqlite").exists():
        assert is_gone(folder)
    with closing(opened(folder)) as journal:
        assert journal.was_rebuilt
        assert journal.people() == []
        assert journal.next_sale_number() > 1_000
    assert "the journal is damaged" in capsys.readouterr().err
    with closing(opened(folder)) as journal:
        assert journal.was_rebuilt, "and it is so at the next start"
    assert capsys.readouterr().err == ""


def test_a_rebuild_that_was_cut_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the fresh journal and what it takes over, of a till of which nothing but the key was left."""
    sold_on(tmp_path)
    for name in ("journal.sqlite", "journal.sqlite.anchor"):
        (tmp_path / name).unlink()

    def killed(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path)
    with closing(opened(tmp_path)) as journal:
        assert journal.was_rebuilt


def test_people_and_payments_of_an_older_damaged_journal_come_back(tmp_path: Path) -> None:
    """The newest is wholly gone; what it had taken over lies in the one before."""
    sold_on(tmp_path)
    path = tmp_path / "journal.sqlite"
    tamper(path, "UPDATE meta SET installation_id = 'AAAAAAAA'")
    with closing(opened(tmp_path)) as journal:
        assert [each.name for each in journal.people()] == ["Nimali", "Kasun"]
    path.unlink()
    with closing(opened(tmp_path)) as journal:
        assert [each.name for each in journal.people()] == ["Nimali", "Kasun"]
        assert journal.was_rebuilt
    assert len(set_aside(path)) == 2


def test_a_key_that_the_store_has_is_a_sign_by_itself(tmp_path: Path) -> None:
    """The folder was emptied, the key was not: a mark is made ahead of the key alone."""
    key = key_of(tmp_path)
    assert is_first_start(tmp_path, key)
    assert not is_first_start(tmp_path, bytes(32))
    end_first_start(tmp_path)
    assert not is_first_start(tmp_path, key)


def test_who_only_looks_is_told(till: Till) -> None:
    """`open`, `transactions` and `doctor` open no journal, and say that it is gone."""
    assert till.run("open", "--resolve", "0").code == 0
    data = Path(till.common[-1]) / "sandbox"
    assert till.run("open").err == ""
    for name in ("journal.sqlite", "journal.sqlite.anchor"):
        (data / name).unlink()
    assert GONE in till.run("open").err
    looked = till.say("doctor")
    assert looked.code != 0
    assert GONE in looked.out
    assert not (data / "journal.sqlite").exists()
