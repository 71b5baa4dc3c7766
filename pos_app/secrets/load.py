"""The places in order: a named file, the service manager's credentials, the own file, the key store.

The own file is only made where there is no key store; looking at it first spares the start a slow question.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pos_app.domain.secret import Secret
from pos_app.domain.unreadable import UNREADABLE
from pos_app.secrets import keystore
from pos_app.secrets.errors import SecretsError, SecretsMissingError
from pos_app.secrets.files import NAMES, checked, read_secrets

CREDENTIAL = "pos-app-secrets"
"""The file looked for in $CREDENTIALS_DIRECTORY (systemd's LoadCredential=)."""


class ShopSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """The shop's secrets and where they came from. Empty ones were not given."""

    access_token: Secret
    merchant_secret_code: Secret
    merchant_password: Secret
    otp_access_token: Secret
    token_client_secret: Secret
    source: str

    def given(self) -> tuple[Secret, ...]:
        """Those that are not empty, without their names."""
        found = (getattr(self, name) for name in NAMES)
        return tuple(secret for secret in found if secret)


def load_secrets(
    named: Path | None, variables: Mapping[str, str], own_file: Path, environment: str
) -> ShopSecrets:
    """The first place that has any. `named` is --secrets-file; it, or POS_APP_SECRETS_FILE's, must hold them.

    Asking the key store may take some seconds. Raises SecretsError.
    """
    given = named_file(named, variables)
    if given is not None:
        return _shop(read_secrets(given), str(given))
    for path in (credential_file(variables), own_file):
        if path is None:
            continue
        try:
            return _shop(read_secrets(path), str(path))
        except SecretsMissingError:
            continue
    stored = stored_secrets(environment)
    if stored:
        return _shop(stored, "key store")
    raise SecretsMissingError(f"no secrets found: give --secrets-file FILE with {', '.join(NAMES[:3])}")


def named_file(named: Path | None, variables: Mapping[str, str]) -> Path | None:
    """The file somebody named, which no other place stands in for."""
    if named is not None:
        return named
    given = variables.get("POS_APP_SECRETS_FILE", "")
    return Path(given) if given else None


def credential_file(variables: Mapping[str, str]) -> Path | None:
    """The file a service manager gives, if it gives any."""
    folder = variables.get("CREDENTIALS_DIRECTORY", "")
    return Path(folder) / CREDENTIAL if folder else None


def secrets_name(environment: str) -> str:
    """What they are called in the key store."""
    return f"{environment}-secrets"


def stored_secrets(environment: str) -> dict[str, Secret]:
    """What the key store has. May take some seconds. Raises SecretsError, also where it does not say."""
    try:
        stored = keystore.read(secrets_name(environment))
    except keystore.NoAnswerError:
        # Not taken for empty: whoever changes one secret would lose the others.
        raise SecretsError("the key store does not answer: unlock it; nothing was changed") from None
    if not stored:
        return {}
    try:
        values = msgspec.json.decode(stored, type=dict[str, str])
    except (UnicodeEncodeError, *UNREADABLE):
        raise SecretsError(
            "the key store's entry is not ours: remove it and set the counter up again"
        ) from None
    return checked(values, "key store")


def _shop(found: Mapping[str, Secret], source: str) -> ShopSecrets:
    given = {name: found.get(name, Secret("")) for name in NAMES}
    return ShopSecrets(**given, source=source)
