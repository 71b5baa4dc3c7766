"""The journal's key: made at the first start, kept in the key store or beside the journal, nowhere else."""

from __future__ import annotations

import hmac
import secrets
from pathlib import Path

from pos_app.secrets import keystore
from pos_app.secrets.errors import SecretsError, SecretsMissingError
from pos_app.secrets.files import read_private
from pos_app.system.atomic_file import write_whole
from pos_app.system.one_at_a_time import alone_in

KEY_BYTES = 32
FILE = "journal.key"
_MADE_IN_S = 20.0
"""A key store is asked and told within seconds, or not at all."""


MARK = "first-start"
"""Lies beside the journal from the moment its key is made until it is open for the first time: a key without a
journal is a journal that was lost, unless the very first start was cut off there. Made with the key, so that
nobody without it makes one to have a lost journal forgotten.
"""


def journal_key(
    data_dir: Path, environment: str, *, use_keystore: bool, fresh: bool = False, make: bool = True
) -> bytes:
    """The key (32 bytes). A journal without its key is not given a new one: SecretsError.

    `make`: where there is none, and no journal either, one is made.

    `fresh`: nothing else in the folder says that there has been a till; if there is no key either, this is the
    first start, and `is_first_start` says so until `end_first_start`.

    With `use_keystore` this may take some seconds.
    """
    path, name = data_dir / FILE, f"{environment}-journal-{data_dir.resolve()}"
    found, answers = _found(path, name, ask=use_keystore)
    if found is None and make:
        # Whoever waited for another start's key finds it now: two keys of one journal would be one too many.
        with alone_in(data_dir, _MADE_IN_S):
            found, answers = _found(path, name, ask=answers)
            if found is None and not (data_dir / "journal.sqlite").exists():
                return _made(path, name if answers else "", fresh=fresh)
    if found is None:
        raise SecretsError(
            f"the key of the journal in {data_dir} cannot be had: unlock the key store, or put {FILE} back"
        )
    return found


def _found(path: Path, name: str, *, ask: bool) -> tuple[bytes | None, bool]:
    """The key that there is, and whether the key store answers, if it is asked: else it may have one of this name, and
    is not written over."""
    try:
        return _decoded(read_private(path), str(path)), ask
    except SecretsMissingError:
        pass
    if not ask:
        return None, False
    try:
        stored = keystore.read(name)
    except keystore.NoAnswerError:
        return None, False
    return (_decoded(stored.encode("utf-8", "replace"), "the key store") if stored else None), True


def _made(path: Path, name: str, *, fresh: bool) -> bytes:
    """A new one; in the key store by this name, where there is one."""
    data_dir = path.parent
    made = secrets.token_bytes(KEY_BYTES)
    try:
        if fresh:
            _mark(data_dir, made)
        if name and keystore.write(name, made.hex()):
            return made
        kept = _kept(path, made)
        if fresh and kept != made:
            _mark(data_dir, kept)
    except OSError as error:
        raise SecretsError(f"{path} cannot be written: {error.strerror}") from error
    return kept


def is_first_start(data_dir: Path, key: bytes) -> bool:
    """Whether this key was made by the first start, and no start has opened a journal with it yet."""
    try:
        said = (data_dir / MARK).read_text("ascii")
    except (OSError, ValueError):
        return False
    return hmac.compare_digest(said.encode(), _mark_of(key).encode())


def end_first_start(data_dir: Path) -> None:
    """The journal is open: from now on it is missed when it is gone. Raises OSError."""
    (data_dir / MARK).unlink(missing_ok=True)


def _mark_of(key: bytes) -> str:
    return hmac.digest(key, b"pos_app first start", "sha256").hex()


def _mark(data_dir: Path, key: bytes) -> None:
    write_whole(data_dir / MARK, _mark_of(key).encode())


def _kept(path: Path, made: bytes) -> bytes:
    """Writes the key before there is a journal; another start that was faster has made the key of both."""
    try:
        write_whole(path, made.hex().encode(), new=True)
    except FileExistsError:
        return _decoded(read_private(path), str(path))
    return made


def _decoded(text: bytes, source: str) -> bytes:
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SecretsError(f"the journal's key in {source} is not a key: put it back from a backup")
    return key
