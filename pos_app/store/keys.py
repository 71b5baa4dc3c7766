"""The store's own secret, a file apart from the database: seals numbers, signs papers, and is never in a backup."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

LENGTH = 32


class Keys:
    """What is made of the store's secret: one key per purpose."""

    def __init__(self, secret: bytes) -> None:
        """ValueError for what is no secret."""
        if len(secret) != LENGTH:
            raise ValueError(f"a store's key has {LENGTH} bytes, this has {len(secret)}")
        self._secret = secret

    def __repr__(self) -> str:
        return "Keys(…)"

    def derived(self, purpose: str) -> bytes:
        """32 bytes for this purpose alone."""
        return HKDF(SHA256(), LENGTH, None, b"pos_app store " + purpose.encode()).derive(self._secret)

    @property
    def papers(self) -> Ed25519PrivateKey:
        """What signs papers for counters."""
        return Ed25519PrivateKey.from_private_bytes(self.derived("papers"))


def make(file: Path) -> Keys:
    """A new secret in a file of its own (0600), whole or not there. FileExistsError where there is one: it stays."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    secret = secrets.token_bytes(LENGTH)
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, secret)
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        # Not `rename`: it would take the place of a key that is there.
        os.link(part, file)
    finally:
        part.unlink()
    return Keys(secret)


def load(file: Path) -> Keys:
    """Raises OSError, ValueError."""
    return Keys(file.read_bytes())
