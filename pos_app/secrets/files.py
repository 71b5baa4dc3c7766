"""Secrets in a TOML file that only its owner may read."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pos_app.domain.secret import Secret, SecretError
from pos_app.domain.text import clean_text
from pos_app.secrets.acl import is_for_us_alone
from pos_app.secrets.errors import SecretsError, SecretsMissingError
from pos_app.system import windows_acl
from pos_app.system.file_permissions import is_anothers, is_open_to_all
from pos_app.system.plain_file import NotPlainError, open_plain

NAMES = (
    "access_token",
    "merchant_secret_code",
    "merchant_password",
    "otp_access_token",
    "token_client_secret",
)
OF_PROVIDER = {"access_token": "static", "token_client_secret": "oauth2"}
"""Secrets that one way of coming by a token (`gateway.token_provider`) needs, and no other."""
MOST_BYTES = 64 * 1024


def read_secrets(path: Path) -> dict[str, Secret]:
    """The secrets of a file. Raises SecretsError naming file and key, never a value."""
    try:
        text = read_private(path).removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        # `from None` here and below: the error itself holds the bytes of the file.
        raise SecretsError(f"{path.name} is not UTF-8 text: save it as UTF-8") from None
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):
        # The parser's own message may quote a secret: only its kind is passed on.
        raise SecretsError(
            f'{path.name} is not TOML: write access_token = "…" on a line of its own, each key once'
        ) from None
    return checked(document, path.name)


def checked(values: Mapping[str, Any], source: str) -> dict[str, Secret]:
    """Named texts as secrets. Raises SecretsError naming the source and the key, never a value."""
    found: dict[str, Secret] = {}
    for name, value in values.items():
        if name not in NAMES:
            # Somebody may have written the secret where its name belongs: a name is short and plain.
            shown = clean_text(name) if len(name) <= 32 and name.replace("_", "").isalpha() else "a key"
            raise SecretsError(f"{source}: {shown} is not a secret here; known are {', '.join(NAMES)}")
        if not isinstance(value, str) or not value:
            raise SecretsError(f"{source}: {name} must be a text in quotes")
        try:
            found[name] = Secret(value)
        except SecretError as error:
            raise SecretsError(f"{source}: {name} {error}") from None
    return found


def read_private(path: Path) -> bytes:
    """A file that nobody else can read, change or put another in place of. Raises SecretsError."""
    try:
        file = open_plain(path)
    except NotPlainError as error:
        raise SecretsError(f"{path} is not a plain file") from error
    except FileNotFoundError as error:
        raise SecretsMissingError(f"{path} does not exist") from error
    except (OSError, ValueError) as error:
        raise SecretsError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    with file:
        descriptor = file.fileno()
        if sys.platform == "win32":
            problem = windows_acl.problem_of_opened(path, descriptor, secret=True)
            if problem:
                raise SecretsError(f"{path.name} {problem}: it must be yours alone")
        else:
            status = os.fstat(descriptor)
            _check_permissions(path, status, is_for_us_alone(descriptor) if status.st_uid == 0 else False)
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise SecretsError(f"{path.name} is larger than {MOST_BYTES // 1024} KiB")
    return data


def _check_permissions(path: Path, status: os.stat_result, lent: bool) -> None:
    """The opened file's own, whatever links led to it, and those of the folder it lies in.

    `lent`: root's own, with a list that lets us alone read it, as a service manager gives credentials.
    """
    if status.st_mode & (0o037 if lent else 0o077):
        raise SecretsError(f"{path.name}: permissions too open, others can read it; run: chmod 600 {path}")
    if is_anothers(status):
        raise SecretsError(f"{path.name} belongs to another user, who can read and change it")
    if is_open_to_all(path.resolve().parent.stat()):
        raise SecretsError(
            f"{path.name}: permissions too open, others can replace it; run: chmod 700 {path.parent}"
        )
