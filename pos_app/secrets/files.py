"""Secrets in a TOML file that only its owner may read."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

from pos_app.domain.secret import Secret, SecretError
from pos_app.secrets.errors import SecretsError, SecretsMissingError

NAMES = (
    "access_token",
    "merchant_secret_code",
    "merchant_password",
    "otp_access_token",
    "token_client_secret",
)
MOST_BYTES = 64 * 1024


def read_secrets(path: Path) -> dict[str, Secret]:
    """The secrets of a file. Raises SecretsError naming file and key, never a value."""
    text = _private_text(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        # The parser's own message may quote a secret: only its kind is passed on.
        raise SecretsError(
            f'{path.name} is not TOML: write access_token = "…" on a line of its own'
        ) from None
    found: dict[str, Secret] = {}
    for name, value in document.items():
        if name not in NAMES:
            raise SecretsError(f"{path.name}: {name} is not a secret here; known are {', '.join(NAMES)}")
        if not isinstance(value, str) or not value:
            raise SecretsError(f"{path.name}: {name} must be a text in quotes")
        try:
            found[name] = Secret(value)
        except SecretError as error:
            raise SecretsError(f"{path.name}: {name} {error}") from error
    return found


def _private_text(path: Path) -> str:
    check_private(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SecretsError(f"{path.name} cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise SecretsError(f"{path.name} is larger than {MOST_BYTES // 1024} KiB")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        raise SecretsError(f"{path.name} is not UTF-8 text: save it as UTF-8") from None


def check_private(path: Path) -> None:
    """Refuses a file that others can read or change. Raises SecretsError."""
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise SecretsMissingError(f"{path} does not exist") from error
    except OSError as error:
        raise SecretsError(f"{path.name} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise SecretsError(f"{path.name} is not a plain file")
    if os.name == "posix" and status.st_mode & 0o077:
        raise SecretsError(f"{path.name}: permissions too open, others can read it; run: chmod 600 {path}")
