"""Stores the shop's secrets: in the system's key store, else in a file of the owner's alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from pos_app.domain.secret import Secret
from pos_app.secrets import keystore
from pos_app.secrets.files import read_secrets
from pos_app.secrets.load import secrets_name, stored_secrets


def write_secrets(
    changes: Mapping[str, Secret], own_file: Path, environment: str, *, use_keystore: bool = True
) -> str:
    """Stores the given secrets beside those already stored; empty ones change nothing. Returns the place.

    May take some seconds: never on the window's thread. Raises OSError, SecretsError.
    """
    in_file = own_file.exists()
    known = read_secrets(own_file) if in_file else stored_secrets(environment) if use_keystore else {}
    given = {name: secret for name, secret in changes.items() if secret}
    texts = {name: secret.reveal() for name, secret in {**known, **given}.items()}
    if use_keystore and not in_file:
        kept = msgspec.json.encode(texts).decode()
        if keystore.write(secrets_name(environment), kept):
            return "key store"
    _write_file(own_file, texts)
    return str(own_file)


def _write_file(path: Path, known: Mapping[str, str]) -> None:
    import tempfile

    import tomlkit

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = tomlkit.document()
    for key, value in known.items():
        document[key] = value
    # mkstemp makes the file 0600 from the first byte.
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(tomlkit.dumps(document).encode())
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink(missing_ok=True)
        raise
