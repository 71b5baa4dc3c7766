"""Writes the two files with which a till talks to this sandbox; it must not overwrite a live till's files."""

import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pos_app.sandbox.accounts import Accounts

_CONFIG = """\
[gateway]
environment = "sandbox"
base_url = "{base_url}"
merchant_pg_identifier = "{merchant}"
counter_id = 1
qr_amount_field = "chargeTotal"
ca_file = ""

[shop]
name = "Corner Shop"
currency = "LKR"
country = "LK"
outlet_id = ""
"""

_SECRETS = """\
access_token = "{access_token}"
merchant_secret_code = "{secret_code}"
merchant_password = "{password}"
"""


class LiveConfigError(Exception):
    """The folder holds the files of a till that is no sandbox till."""


def write_configuration(folder: Path, base_url: str, accounts: Accounts) -> None:
    """Raises OSError when the files cannot be written, LiveConfigError when they must not be."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    config, secrets = folder / "config.toml", folder / "secrets.toml"
    admin = accounts.admin
    fields = {
        "access_token": accounts.access_token,
        "secret_code": admin.secret_code,
        "password": admin.password,
    }
    with _alone(folder):
        _refuse_live(config, secrets)
        _write(config, 0o644, _CONFIG.format(base_url=base_url, merchant=admin.merchant))
        _write(secrets, 0o600, _SECRETS.format(**fields))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """The two files belong together: another sandbox that writes there waits for its turn, where a folder can be
    locked."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _refuse_live(config: Path, secrets: Path) -> None:
    if not config.exists():
        if secrets.exists():
            raise LiveConfigError(f"{secrets} exists without a sandbox config beside it")
        return
    try:
        environment = tomllib.loads(config.read_text()).get("gateway", {}).get("environment")
    except (ValueError, AttributeError):
        environment = None
    if environment != "sandbox":
        raise LiveConfigError(f"{config} is not the config of a sandbox till")


def _write(path: Path, mode: int, text: str) -> None:
    """Beside it first and then in its place, so that no reader sees half a file or too open a mode."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        file.write(text)
    fresh.replace(path)
