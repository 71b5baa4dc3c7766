"""Credentials that a service manager gives: root's files, lent to the till's user by an access list."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from pos_app.domain.secret import Secret
from pos_app.secrets import SecretsError, load_secrets
from pos_app.secrets.files import read_secrets
from pos_app.secrets.load import CREDENTIAL
from tests.support.unprivileged import IS_ROOT, NOBODY, owned_folder, somebody
from tests.unit.secrets.test_files import CANARY, secrets_file


def _lent(path: Path, user: int = 0, group: int = 0, others: int = 0) -> Path:
    """With an access list as a service manager makes it; the mode's group bits are then the list's mask."""
    everybody = 0xFFFFFFFF
    entries = [
        (0x01, 4, everybody),
        (0x02, 4, user),
        (0x04, group, everybody),
        (0x10, 4, everybody),
        (0x20, others, everybody),
    ]
    packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    os.setxattr(path, "system.posix_acl_access", packed)
    return path


@pytest.mark.skipif(not IS_ROOT, reason="only root can lend another user a file of its own")
def test_a_credential_lent_by_an_access_list_is_read() -> None:
    """As newer service managers give them: root's, with a list for this user alone; it looks group-readable."""
    with owned_folder() as folder:
        path = secrets_file(folder / CREDENTIAL, mode=0o400)
        os.chown(path, 0, 0)
        _lent(path, NOBODY)
        assert path.stat().st_mode & 0o777 == 0o440
        with somebody():
            found = load_secrets(None, {"CREDENTIALS_DIRECTORY": str(folder)}, folder / "none", "live")
            assert found.access_token == Secret(CANARY)


@pytest.mark.parametrize(
    "more",
    [{"user": NOBODY - 1}, {"user": NOBODY, "group": 4}, {"user": NOBODY, "others": 4}],
    ids=["another user", "a group", "everybody"],
)
@pytest.mark.skipif(not IS_ROOT, reason="only root can lend another user a file of its own")
def test_a_credential_lent_to_more_than_us_is_refused(more: dict[str, int]) -> None:
    """Whoever else is on the list can read it."""
    with owned_folder() as folder:
        path = secrets_file(folder / CREDENTIAL, mode=0o400)
        os.chown(path, 0, 0)
        _lent(path, **more)
        with somebody(), pytest.raises(SecretsError, match=r"permissions too open|cannot be read"):
            read_secrets(path)
