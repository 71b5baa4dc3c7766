"""The journal's key: made at the first start, kept in the key store or beside the journal, nowhere else."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from pos_app.paths import sync_folder
from pos_app.secrets import keystore
from pos_app.secrets.errors import SecretsError, SecretsMissingError
from pos_app.secrets.files import read_private

KEY_BYTES = 32
FILE = "journal.key"


def journal_key(data_dir: Path, environment: str, *, use_keystore: bool) -> bytes:
    """The key (32 bytes). A journal without its key is not given a new one: SecretsError.

    With `use_keystore` this may take some seconds.
    """
    path = data_dir / FILE
    try:
        return _decoded(read_private(path), str(path))
    except SecretsMissingError:
        pass
    name = f"{environment}-journal-{data_dir.resolve()}"
    stored = keystore.read(name) if use_keystore else None
    if stored:
        return _decoded(stored.encode("utf-8", "replace"), "the key store")
    if (data_dir / "journal.sqlite").exists():
        raise SecretsError(
            f"the key of the journal in {data_dir} cannot be had: unlock the key store, or put {FILE} back"
        )
    made = secrets.token_bytes(KEY_BYTES)
    if use_keystore and keystore.write(name, made.hex()):
        return made
    try:
        return _kept(path, made)
    except OSError as error:
        raise SecretsError(f"{path} cannot be written: {error.strerror}") from error


def _kept(path: Path, made: bytes) -> bytes:
    """Writes the key whole or not at all; another start that was faster has made the key of both."""
    # Loaded here: it is slow to load, and a start writes neither keys nor settings.
    import tempfile

    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(made.hex())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, path)
        except FileExistsError:
            return _decoded(read_private(path), str(path))
        except OSError:
            # A file system without links.
            Path(beside).replace(path)
        # A journal whose key a power cut took cannot be opened: the key's name lasts before there is one.
        sync_folder(path.parent)
    finally:
        Path(beside).unlink(missing_ok=True)
    return made


def _decoded(text: bytes, source: str) -> bytes:
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SecretsError(f"the journal's key in {source} is not a key: put it back from a backup")
    return key
