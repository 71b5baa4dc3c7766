"""The journal's key: made at the first start, kept in the key store or beside the journal, nowhere else."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from pos_app.secrets import keystore
from pos_app.secrets.errors import SecretsError
from pos_app.secrets.files import check_private

KEY_BYTES = 32
FILE = "journal.key"


def journal_key(data_dir: Path, environment: str, *, use_keystore: bool) -> bytes:
    """The key (32 bytes). A journal without its key is not given a new one: SecretsError.

    With `use_keystore` this may take some seconds.
    """
    path = data_dir / FILE
    if path.exists():
        check_private(path)
        return _decoded(path.read_text("ascii"), str(path))
    name = f"{environment}-journal-{data_dir.resolve()}"
    stored = keystore.read(name) if use_keystore else None
    if stored:
        return _decoded(stored, "key store")
    if (data_dir / "journal.sqlite").exists():
        raise SecretsError(f"the key of the journal in {data_dir} is gone: put {FILE} back from a backup")
    made = secrets.token_bytes(KEY_BYTES)
    if not (use_keystore and keystore.write(name, made.hex())):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(made.hex())
            file.flush()
            os.fsync(file.fileno())
    return made


def _decoded(text: str, source: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SecretsError(f"the journal key in {source} is not a key")
    return key
