"""Stores the shop's secrets: in the system's key store, else in a file of the owner's alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from pos_app.domain.secret import Secret
from pos_app.secrets import keystore
from pos_app.secrets.errors import SecretsError
from pos_app.secrets.files import read_secrets
from pos_app.secrets.load import credential_file, named_file, secrets_name, stored_secrets
from pos_app.system.atomic_file import write_whole


def write_secrets(
    changes: Mapping[str, Secret],
    own_file: Path,
    environment: str,
    *,
    use_keystore: bool = True,
    forget: Collection[str] = (),
) -> str:
    """Stores the given secrets beside those already stored; empty ones change nothing. Returns the place.

    Those named in `forget` are stored no more. May take some seconds: never on the window's thread.
    Raises OSError, SecretsError.
    """
    in_file = own_file.exists()
    known = read_secrets(own_file) if in_file else stored_secrets(environment) if use_keystore else {}
    given = {name: secret for name, secret in changes.items() if secret}
    kept = {name: secret for name, secret in known.items() if name not in forget}
    texts = {name: secret.reveal() for name, secret in {**kept, **given}.items()}
    if use_keystore and not in_file:
        encoded = msgspec.json.encode(texts).decode()
        if keystore.write(secrets_name(environment), encoded):
            return "key store"
    _write_file(own_file, texts)
    return str(own_file)


def change_secrets(
    changes: Mapping[str, Secret],
    named: Path | None,
    variables: Mapping[str, str],
    own_file: Path,
    environment: str,
    forget: Collection[str] = (),
) -> str:
    """Stores the given secrets where `load_secrets` with the same arguments finds them. Returns the place.

    May take some seconds: never on the window's thread. Raises OSError, SecretsError.
    """
    given = named_file(named, variables)
    if given is not None:
        return write_secrets(changes, given, environment, use_keystore=False, forget=forget)
    credential = credential_file(variables)
    if credential is not None and credential.exists():
        raise SecretsError(
            f"the secrets are given by the service manager, in {credential}: change them there"
        )
    return write_secrets(changes, own_file, environment, forget=forget)


def _write_file(path: Path, known: Mapping[str, str]) -> None:
    import tomlkit

    # Behind a link the file itself: else the secrets that were changed would stay where the link led.
    path = path.resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = tomlkit.document()
    for key, value in known.items():
        document[key] = value
    write_whole(path, tomlkit.dumps(document).encode())
