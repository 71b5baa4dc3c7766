"""What names a person lies in the file under lock: sealed bytes, keyed digests, nothing in clear."""

from __future__ import annotations

import base64
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, JournalTrouble, Trouble, open_journal
from pos_app.journal.seal import SealBroken, seal, unseal
from tests.support.builders import KEY, attempt, record

NUMBER = "94771234567"
BYTES = b'{"request":{"externalWalletId":"94771234567","amount":12.50}}'


def test_sealed_bytes_come_back_to_the_byte(journal: Journal, opened: Callable[[], Journal]) -> None:
    """The newest ones of a subject, also after a restart: they are what a re-send sends."""
    one, two = attempt(1), attempt(2)
    journal.append([record(one, sealed=b"older"), record(one, sealed=BYTES), record(two, sealed=b"\0\xff")])
    journal.append([record(one)])
    journal.close()
    again = opened()
    assert again.unsealed(one.attempt_id) == BYTES
    assert again.unsealed(two.attempt_id) == b"\0\xff"
    assert again.unsealed("nobody") is None


def test_no_number_lies_in_the_files(path: Path, journal: Journal) -> None:
    """Neither as digits nor encoded, neither in the database nor in its log nor beside it."""
    digest = journal.digest(NUMBER)
    journal.append([record(attempt(1, wallet_digest=digest, wallet_mask="+94 •••• 567"), sealed=BYTES)])
    _nothing_in(path.parent)
    journal.close()
    _nothing_in(path.parent)


def _nothing_in(folder: Path) -> None:
    number = NUMBER.encode()
    forms = [number, number[::-1], number.hex().encode(), BYTES[3:40], KEY, KEY.hex().encode()]
    forms += [base64.b64encode(b"x" * shift + number)[4:-4] for shift in range(3)]
    for file in folder.iterdir():
        data = file.read_bytes()
        assert not [form for form in forms if form in data], file.name


def test_equal_numbers_have_equal_digests_under_one_key_alone(tmp_path: Path, journal: Journal) -> None:
    """So that a list of digests from one till says nothing about another's."""
    assert journal.digest(NUMBER) == journal.digest(NUMBER)
    assert journal.digest(NUMBER) != journal.digest(NUMBER + "0")
    other = open_journal(tmp_path / "other.sqlite", b"k" * 32, Environment.SANDBOX)
    assert other.digest(NUMBER) != journal.digest(NUMBER)
    other.close()
    assert len(journal.digest("")) == 32


@pytest.mark.parametrize("at", [0, 12, -1])
def test_changed_sealed_bytes_do_not_open(at: int) -> None:
    """Nonce, text and tag alike."""
    made = bytearray(seal(b"s" * 32, "subject", BYTES))
    assert unseal(b"s" * 32, "subject", bytes(made)) == BYTES
    made[at] ^= 1
    with pytest.raises(SealBroken):
        unseal(b"s" * 32, "subject", bytes(made))


def test_sealed_bytes_of_another_subject_do_not_open() -> None:
    """One attempt's bytes cannot be sent as another's."""
    with pytest.raises(SealBroken):
        unseal(b"s" * 32, "other", seal(b"s" * 32, "subject", BYTES))
    with pytest.raises(SealBroken):
        unseal(b"s" * 32, "subject", b"")


def test_a_broken_seal_is_damage_not_a_crash(path: Path, journal: Journal) -> None:
    """The engine then asks instead of sending."""
    one = attempt(1)
    journal.append([record(one, sealed=BYTES)])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("DROP TRIGGER event_is_never_changed")
    other.execute("UPDATE event SET sealed = zeroblob(60)")
    other.close()
    with pytest.raises(JournalTrouble) as caught:
        journal.unsealed(one.attempt_id)
    assert caught.value.trouble is Trouble.DAMAGED


def test_opening_loads_nothing_heavy(tmp_path: Path) -> None:
    """Start-up is reading and checking; ciphers, settings' writers and key stores come when they are needed."""
    heavy = ["cryptography", "keyring", "tomlkit", "logging.handlers", "httpx", "asyncio", "PySide6"]
    program = (
        "import sys; from pathlib import Path\n"
        "from pos_app.journal import open_journal; from pos_app.domain.attempt import Environment\n"
        "import pos_app.settings, pos_app.secrets, pos_app.system.paths, pos_app.log\n"
        f"open_journal(Path({str(tmp_path / 'j.sqlite')!r}), bytes(32), Environment.LIVE).close()\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
