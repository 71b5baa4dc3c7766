"""Request bytes and phone numbers under AES-256-GCM, bound to their subject. Loads cryptography at first use only."""

from __future__ import annotations

import os

NONCE_LENGTH = 12


class SealBroken(ValueError):
    """Sealed bytes that were changed, moved to another subject, or sealed with another key."""


def seal(key: bytes, subject: str, plain: bytes) -> bytes:
    """Nonce and ciphertext of `plain`; opens only for the same subject."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(NONCE_LENGTH)
    return nonce + AESGCM(key).encrypt(nonce, plain, subject.encode())


def unseal(key: bytes, subject: str, sealed: bytes) -> bytes:
    """What was sealed; raises SealBroken."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(sealed[:NONCE_LENGTH], sealed[NONCE_LENGTH:], subject.encode())
    except (InvalidTag, ValueError) as error:
        raise SealBroken(f"sealed bytes of {subject} cannot be opened") from error
