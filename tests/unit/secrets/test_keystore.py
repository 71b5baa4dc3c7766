"""The key store: absent, locked, never answering, failing; and the journal's key.

Each in a process of its own, with a store of the test's in the place of the platform's. The platform's own, and all
that would like to be taken for it, are in test_keystore_chosen.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.secrets import SecretsError, journal_key
from pos_app.secrets.journal_key import FILE
from tests.support.owners_alone import is_owners_alone

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parent.parent.parent
CANARY = "canary-4f1d9c"

# Only of those that do not answer is it waited for the limit.
LIMITS_S = {"Silent": 0.3, "Late": 0.3}
DOES_NOT_ANSWER = "SecretsError the key store does not answer: unlock it; nothing was changed"
STORES = f"""
import json, threading
from pathlib import Path
from keyring.backend import KeyringBackend
from keyring.errors import InitError, KeyringLocked, PasswordSetError

class Working(KeyringBackend):
    priority = 5
    file = Path(__file__).with_name("stored.json")
    def _all(self):
        return json.loads(self.file.read_text()) if self.file.exists() else {{}}
    def get_password(self, service, name):
        return self._all().get(f"{{service}}/{{name}}")
    def set_password(self, service, name, value):
        self.file.write_text(json.dumps(self._all() | {{f"{{service}}/{{name}}": value}}))
    def delete_password(self, service, name):
        raise NotImplementedError

class Plain(Working):
    priority = 0.5

class Locked(Working):
    def get_password(self, service, name):
        raise KeyringLocked("{CANARY}")
    def set_password(self, service, name, value):
        raise PasswordSetError(value)

class Failing(Working):
    def get_password(self, service, name):
        raise InitError("{CANARY}")
    def set_password(self, service, name, value):
        raise ValueError(value)

class Silent(Working):
    def get_password(self, service, name):
        threading.Event().wait()
    set_password = get_password

class Late(Working):
    def get_password(self, service, name):
        threading.Event().wait(0 if hasattr(Late, "woken") else 0.6)
        Late.woken = True
        return super().get_password(service, name)

class Opening(Working):
    def get_password(self, service, name):
        if not hasattr(Opening, "opened"):
            Opening.opened = True
            raise KeyringLocked("{CANARY}")
        return super().get_password(service, name)

class Leaving(Working):
    def get_password(self, service, name):
        Leaving.priority = 0
        return super().get_password(service, name)

class Foreign(Working):
    def get_password(self, service, name):
        return '{{"access_token": "{CANARY}\\\\r\\\\n"}}' if "secrets" in name else "not hex {CANARY}"
"""


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """A folder with the module of key stores; everything a child makes goes beside it."""
    (tmp_path / "stores.py").write_text(STORES)
    return tmp_path


def _run(folder: Path, store: str, program: str) -> str:
    """What a process says that has this key store."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    named = f"stores.{store}" if store else "keyring.backends.fail.Keyring"
    opening = (
        "from pathlib import Path; import time\n"
        "from pos_app.domain.secret import Secret\n"
        "from pos_app.secrets import *\n"
        "from pos_app.secrets import keystore\n"
        f"import sys; keystore.BY_PLATFORM = {{sys.platform: {named!r}}}\n"
        f"keystore.LIMIT_S = {LIMITS_S.get(store, 20)}\n"
        f"folder = Path({str(folder)!r}); own = folder / 'secrets.toml'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", opening + program],
        env=environment, capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert CANARY not in done.stderr
    return (done.stdout + done.stderr).strip()


STORE = f"print(write_secrets({{'access_token': Secret('{CANARY}')}}, own, 'live'))\n"
LOAD = "found = load_secrets(None, {}, own, 'live'); print(found.source, len(found.access_token.reveal()))\n"
TRY = """
try:
    print(load_secrets(None, {}, own, 'live').source)
except SecretsError as error:
    print(type(error).__name__, error)
"""


THREE = """
write_secrets({'access_token': Secret('one'), 'merchant_secret_code': Secret('two'),
               'merchant_password': Secret('three')}, own, 'live')
"""
CHANGE = """
try:
    write_secrets({'access_token': Secret('new')}, own, 'live')
    print('changed')
except SecretsError as error:
    print(type(error).__name__, error)
"""
CHANGE_AT_THE_TILL = """
import os
# Windows asks its own list of places, and platformdirs this variable before it.
os.environ |= {'XDG_CONFIG_HOME': str(folder), 'WIN_PD_OVERRIDE_LOCAL_APPDATA': str(folder)}
from pos_app.app.settings.store import SettingsStore, StoreError
from pos_app.bootstrap.options import Options
try:
    SettingsStore(Options(config=folder / 'config.toml')).change(
        {}, {'access_token': Secret('new')}, (), 'live'
    )
    print('changed')
except StoreError as error:
    print(error)
"""
ALL = """
found = load_secrets(None, {}, own, 'live')
print(*(getattr(found, name).reveal() for name in ('access_token', 'merchant_secret_code', 'merchant_password')))
"""
ASK = """
def asked():
    try:
        return keystore.read('x')
    except keystore.NoAnswerError:
        return 'no answer'
"""


def test_a_key_store_that_works_is_used(stores: Path) -> None:
    """Nothing lies in a file then, and a second process finds it; each environment its own."""
    assert _run(stores, "Working", STORE + "print(keystore.available() != '')") == "key store\nTrue"
    assert not (stores / "secrets.toml").exists()
    assert _run(stores, "Working", LOAD) == f"key store {len(CANARY)}"
    assert "SecretsMissingError" in _run(stores, "Working", TRY.replace("'live'", "'sandbox'"))


@pytest.mark.parametrize("store", ["", "Plain"])
def test_without_a_key_store_a_private_file_serves(stores: Path, store: str) -> None:
    """Absent, or keeping its secrets in clear."""
    assert _run(stores, store, STORE) == str(stores / "secrets.toml")
    assert is_owners_alone(stores / "secrets.toml")
    assert _run(stores, store, LOAD) == f"{stores / 'secrets.toml'} {len(CANARY)}"
    assert not (stores / "stored.json").exists()


def test_a_question_that_no_thread_could_ask_is_not_in_the_way_of_the_next(stores: Path) -> None:
    """A system that gives no more threads, for a moment: every later question met a store that does not answer."""
    program = (
        STORE
        + ASK.replace("'x'", "'live-secrets'")
        + """
import threading
start = threading.Thread.start
def none(thread):
    raise RuntimeError("can't start new thread")
threading.Thread.start = none
first = asked()
threading.Thread.start = start
keystore.LIMIT_S = 1
print(first, asked() != 'no answer')
"""
    )
    assert _run(stores, "Working", program).splitlines()[-1] == "no answer True"


def test_with_neither_the_start_says_what_is_missing(stores: Path) -> None:
    assert _run(stores, "", TRY).startswith("SecretsMissingError no secrets found")


@pytest.mark.parametrize("store", ["Locked", "Failing", "Silent"])
def test_a_store_that_does_not_answer_is_not_an_empty_one(stores: Path, store: str) -> None:
    """The start says so in time, and one secret is not stored where the others would be lost."""
    assert _run(stores, store, TRY) == DOES_NOT_ANSWER
    assert _run(stores, store, CHANGE) == DOES_NOT_ANSWER
    assert not (stores / "secrets.toml").exists()


@pytest.mark.parametrize("store", ["Locked", "Failing", "Silent", "Late", "Opening"])
@pytest.mark.parametrize("change", ["CHANGE", "CHANGE_AT_THE_TILL"])
def test_one_secret_is_not_changed_at_the_cost_of_the_others(stores: Path, store: str, change: str) -> None:
    """Also by a store that opens between the question and the change, and by a till's settings."""
    _run(stores, "Working", THREE)
    before = (stores / "stored.json").read_bytes()
    assert _run(stores, store, globals()[change]).endswith(DOES_NOT_ANSWER.removeprefix("SecretsError "))
    assert (stores / "stored.json").read_bytes() == before
    assert list(stores.rglob("secrets.toml")) == []
    assert _run(stores, "Working", CHANGE) == "changed"
    assert _run(stores, "Working", ALL) == "new two three"


def test_a_store_that_is_gone_meanwhile_keeps_what_it_has(stores: Path) -> None:
    """Its owner ended it under the open till: a file with one secret would hide the others for good."""
    _run(stores, "Working", THREE)
    assert _run(stores, "Leaving", ALL + CHANGE) == f"one two three\n{DOES_NOT_ANSWER}"
    assert not (stores / "secrets.toml").exists()


def test_a_store_that_hangs_is_waited_for_once(stores: Path) -> None:
    """Secrets, the journal's key and the doctor ask one after the other; the start waits for the first alone."""
    program = ASK + (
        "began = time.monotonic(); answers = {asked() for _ in range(50)}\n"
        "print(answers, time.monotonic() - began < 25)"
    )
    assert _run(stores, "Silent", program) == "{'no answer'} True"


def test_a_store_that_answers_late_is_asked_again(stores: Path) -> None:
    """Its owner came back and unlocked it."""
    program = ASK + (
        "keystore.write('x', 'y')\n"
        "answers = [asked()]\n"
        "while answers[-1] == 'no answer': answers.append(asked())\n"
        "print(answers[0], answers[-1])"
    )
    assert _run(stores, "Late", program) == "no answer y"


def test_a_foreign_entry_is_told_without_its_text(stores: Path) -> None:
    """Somebody's other program under our name."""
    assert _run(stores, "Foreign", TRY) == (
        "SecretsError key store: access_token has a control character or a line break"
    )


MAKE = "key = journal_key(folder, 'live', use_keystore=True)"
KEY = f"{MAKE}; print(len(key), key == journal_key(folder, 'live', use_keystore=True))"


def test_the_journals_key_lies_in_the_key_store(stores: Path) -> None:
    """Made once, and not beside the journal it protects."""
    assert _run(stores, "Working", KEY) == "32 True"
    assert not (stores / FILE).exists()
    assert _run(stores, "Working", KEY) == "32 True"


@pytest.mark.parametrize("store", ["", "Locked", "Silent", "Failing"])
def test_else_it_lies_beside_the_journal(stores: Path, store: str) -> None:
    """For its owner alone."""
    assert _run(stores, store, KEY) == "32 True"
    assert is_owners_alone(stores / FILE)


def test_a_locked_key_store_makes_no_second_key(stores: Path) -> None:
    """A journal that is there needs the key it was made with."""
    _run(stores, "Working", KEY)
    (stores / "journal.sqlite").touch()
    told = _run(stores, "Silent", "try:\n    " + MAKE + "\nexcept SecretsError as e: print(e)")
    assert "unlock the key store, or put journal.key back" in told
    assert not (stores / FILE).exists()


def test_a_key_that_could_not_be_read_is_not_written_over(stores: Path) -> None:
    """Its journal may be put back from a backup."""
    _run(stores, "Working", KEY)
    before = (stores / "stored.json").read_bytes()
    assert _run(stores, "Opening", KEY) == "32 True"
    assert (stores / "stored.json").read_bytes() == before
    assert (stores / FILE).exists()


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_of_two_first_starts_at_once_one_makes_the_key_of_both(stores: Path) -> None:
    """The slower one put its own over the first one's, and ended because a till was at work: whose journal had been
    made with the first one's key, which nobody had any more."""
    program = """
import threading
both = threading.Barrier(2)
read, made = keystore.read, []
def together(name):
    found = read(name)
    try:
        both.wait(1)
    except threading.BrokenBarrierError:
        pass  # the other one waits for its turn
    return found
keystore.read = together
def start():
    made.append(journal_key(folder, 'live', use_keystore=True, fresh=True))
starts = [threading.Thread(target=start) for _ in range(2)]
for each in starts: each.start()
for each in starts: each.join()
keystore.read = read
print(len({*made, journal_key(folder, 'live', use_keystore=True)}))
"""
    assert _run(stores, "Working", program) == "1"


def test_a_journal_that_was_made_meanwhile_is_no_journal_without_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look for the key and the look for the journal another start made both: whoever came second was told
    that the key cannot be had."""
    open_ = os.open

    def overtaken(path: Path, *how: int) -> int:
        monkeypatch.setattr(os, "open", open_)
        try:
            return open_(path, *how)
        finally:
            journal_key(tmp_path, "live", use_keystore=False)
            (tmp_path / "journal.sqlite").touch()

    monkeypatch.setattr(os, "open", overtaken)
    key = journal_key(tmp_path, "live", use_keystore=False)
    assert key == journal_key(tmp_path, "live", use_keystore=False)


def test_a_foreign_key_is_told_without_its_text(stores: Path) -> None:
    """It was never ours."""
    told = _run(stores, "Foreign", "try:\n    " + MAKE + "\nexcept SecretsError as e: print(e)")
    assert told.startswith("the journal's key in the key store is not a key")
    assert CANARY not in told


def test_the_key_file_is_used_as_it_is(tmp_path: Path) -> None:
    """Put back from a backup, with the line's end an editor added."""
    (tmp_path / FILE).touch(0o600)
    (tmp_path / FILE).write_text("ab" * 32 + "\n")
    assert journal_key(tmp_path, "live", use_keystore=False) == b"\xab" * 32


@pytest.mark.parametrize("data", [b"", b"ab", b"\xff" * 64, b"x" * 64, b"ab" * 33])
def test_a_damaged_key_file_is_told(tmp_path: Path, data: bytes) -> None:
    """No new key over it: the old one may be in a backup."""
    (tmp_path / FILE).touch(0o600)
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(SecretsError, match="is not a key"):
        journal_key(tmp_path, "live", use_keystore=False)
    assert (tmp_path / FILE).read_bytes() == data


def test_a_key_file_others_can_read_is_refused(tmp_path: Path) -> None:
    """They could write a journal that verifies."""
    (tmp_path / FILE).write_text("ab" * 32)
    (tmp_path / FILE).chmod(0o644)
    with pytest.raises(SecretsError, match="permissions too open"):
        journal_key(tmp_path, "live", use_keystore=False)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Before anything was made with a key that nobody keeps."""
    with pytest.raises(SecretsError, match="cannot be written"):
        journal_key(tmp_path / "none", "live", use_keystore=False)
