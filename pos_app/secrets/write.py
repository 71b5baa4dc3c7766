"""Stores the shop's secrets: in the system's key store, else in a file of the owner's alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from pos_app.domain.secret import Secret
from pos_app.secrets import keystore
from pos_app.secrets.files import read_secrets


def write_secrets(
    changes: Mapping[str, Secret], own_file: Path, environment: str, *, use_keystore: bool = True
) -> str:
    """Stores the given secrets beside those already stored; empty ones change nothing. Returns the place.

    May take some seconds: never on the window's thread. Raises OSError.
    """
    name = f"{environment}-secrets"
    stored = keystore.read(name) if use_keystore and not own_file.exists() else None
    known = msgspec.json.decode(stored, type=dict[str, str]) if stored else {}
    if own_file.exists():
        known = {key: secret.reveal() for key, secret in read_secrets(own_file).items()}
    known |= {key: secret.reveal() for key, secret in changes.items() if secret.reveal()}
    if use_keystore and not own_file.exists() and keystore.write(name, msgspec.json.encode(known).decode()):
        return "key store"
    _write_file(own_file, known)
    return str(own_file)


def _write_file(path: Path, known: Mapping[str, str]) -> None:
    import tomlkit

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = tomlkit.document()
    for key, value in known.items():
        document[key] = value
    # mkstemp makes the file 0600 from the first byte.
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "wb") as file:
        file.write(tomlkit.dumps(document).encode())
        file.flush()
        os.fsync(file.fileno())
    Path(beside).replace(path)
