"""A data folder in other hands: copied to another user, to another machine, or read where it lies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.domain.people import Person, Role
from pos_app.domain.record import Record
from pos_app.journal import JournalError, JournalKeyWrong, open_journal, read_only
from pos_app.secrets import SecretsError, journal_key
from pos_app.secrets.journal_key import FILE
from tests.guards.canaries import NUMBERS, PASSCODE, Scanner
from tests.support.unprivileged import IS_ROOT, NOBODY, owned_folder, somebody

NUMBER = "94770000010"
SECRET_TEXT = "hash-canary-5c1e"


@pytest.fixture
def till() -> Iterator[Path]:
    """The data folder of an ordinary user's live till whose key lies in a key store: with one person in it."""
    with owned_folder() as folder:
        key = os.urandom(32)
        person = Person(
            person_id="p1", name="Nimali", role=Role.MANAGER, number_mask="+94 •• ••• 010", number_digest="d"
        )
        number, hashed = NUMBER.encode(), SECRET_TEXT.encode()
        journal = open_journal(folder / "journal.sqlite", key, Environment.LIVE)
        enrolled = Record(
            kind="PERSON_ENROLLED", subject="p1", actor="p1", at=1, wall="", person=person, sealed=number
        )
        chosen = Record(kind="PASSCODE_SET", subject="passcode:p1", actor="p1", at=2, wall="", sealed=hashed)
        journal.append([enrolled, chosen])
        journal.close()
        (folder / "key.kept.elsewhere").write_text(key.hex())
        for each in folder.iterdir():
            if IS_ROOT:
                os.chown(each, NOBODY, NOBODY)
        yield folder


def _strings(folder: Path) -> list[bytes]:
    """Every file as a thief's tool sees it, names too."""
    found = [
        file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name != "key.kept.elsewhere"
    ]
    return [*found, *(file.name.encode() for file in folder.rglob("*"))]


def test_a_copy_without_its_key_opens_for_nobody_and_is_given_no_new_one(till: Path, tmp_path: Path) -> None:
    """The key did not come along: it lies in the other account's key store."""
    copied = tmp_path / "copied"
    shutil.copytree(till, copied)
    (copied / "key.kept.elsewhere").unlink()
    with pytest.raises(SecretsError, match=f"the key of the journal .* put {FILE} back"):
        journal_key(copied, "live", use_keystore=False)
    assert not (copied / FILE).exists()
    with pytest.raises(JournalKeyWrong):
        open_journal(copied / "journal.sqlite", os.urandom(32), Environment.LIVE)
    assert (copied / "journal.sqlite").exists(), "another's journal is not moved aside"


def test_a_copy_tells_no_number_and_no_passcode_s_hash(till: Path) -> None:
    """What must not be read is sealed; a scan for strings finds amounts, names and masks."""
    wanted = Scanner([("the number", NUMBER), ("the hash", SECRET_TEXT), ("a passcode", PASSCODE)])
    wanted_parts = Scanner((digits, digits) for digits in NUMBERS)
    for content in _strings(till):
        assert wanted.in_bytes(content) == []
        assert wanted_parts.in_bytes(content) == []
    found = re.findall(rb"[ -~]{6,}", (till / "journal.sqlite").read_bytes())
    assert any(b"PERSON_ENROLLED" in each for each in found), "the scan reads the file"


def test_the_sealed_need_the_very_key(till: Path) -> None:
    """Opened with it, all is there: the proof that it was there to be hidden."""
    key = bytes.fromhex((till / "key.kept.elsewhere").read_text())
    with closing(open_journal(till / "journal.sqlite", key, Environment.LIVE)) as journal:
        assert journal.unsealed("p1") == NUMBER.encode()
        assert journal.unsealed("passcode:p1") == SECRET_TEXT.encode()


@pytest.mark.skipif(not IS_ROOT, reason="only root can be two other users, one after the other")
def test_another_user_of_the_machine_reads_and_changes_nothing(till: Path) -> None:
    """Folder 0700, files 0600: not the journal, not its key, not the secrets beside it."""
    (till / FILE).touch(0o600)
    os.chown(till / FILE, NOBODY, NOBODY)
    mode = till.stat().st_mode & 0o777
    assert mode == 0o700
    program = f"""
import os, sys
os.setgroups([]); os.setgid({NOBODY - 1}); os.setuid({NOBODY - 1})
for name in ("journal.sqlite", "{FILE}", "log"):
    for how in ("rb", "ab"):
        try:
            open(os.path.join({str(till)!r}, name), how).close(); print("opened", name, how)
        except PermissionError:
            print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused"] * 6


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder to another user")
def test_another_user_s_key_is_not_taken(till: Path, tmp_path: Path) -> None:
    """A folder copied with its owner: whoever owns the key can write a journal that verifies."""
    (till / FILE).touch(0o600)
    (till / FILE).write_text(os.urandom(32).hex())
    os.chown(till / FILE, NOBODY - 1, NOBODY - 1)
    journal_key(tmp_path, "live", use_keystore=False)
    with somebody(), pytest.raises(SecretsError, match="cannot be read"):
        journal_key(till, "live", use_keystore=False)


def test_a_copied_key_of_another_folder_is_another_s(till: Path, tmp_path: Path) -> None:
    """Each folder has a key of its own; one journal's key opens no other's."""
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    other = journal_key(own, "live", use_keystore=False)
    with pytest.raises(JournalError):
        open_journal(till / "journal.sqlite", other, Environment.LIVE)
    read_only(till / "journal.sqlite").close()
