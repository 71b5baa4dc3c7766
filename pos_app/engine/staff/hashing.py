"""Passcodes as Argon2id hashes, to store and to check. Slow on purpose: never on the engine's thread."""

from __future__ import annotations

import secrets
from functools import cache

from pos_app.domain.secret import Secret
from pos_app.system.memory import return_large_blocks

SALT_BYTES, HASH_BYTES = 16, 32
PASSES, LANES, MEMORY_KIB = 2, 1, 19 * 1024


def hash_passcode(passcode: Secret) -> bytes:
    """The hash with its salt and its cost, as PHC text."""
    # Imported here: a till that starts, locked or not, must not wait for it.
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    _memory_goes_back()
    salt = secrets.token_bytes(SALT_BYTES)
    made = Argon2id(salt=salt, length=HASH_BYTES, iterations=PASSES, lanes=LANES, memory_cost=MEMORY_KIB)
    return made.derive_phc_encoded(_bytes(passcode)).encode()


def is_passcode(passcode: Secret, hashed: bytes) -> bool:
    """Whether the hash was made of this passcode; never for what is no hash."""
    from cryptography.exceptions import InvalidKey
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    _memory_goes_back()
    try:
        Argon2id.verify_phc_encoded(_bytes(passcode), hashed.decode("ascii", "replace"))
    except InvalidKey:
        return False
    return True


def _bytes(passcode: Secret) -> bytes:
    return passcode.reveal().encode()


@cache
def _memory_goes_back() -> None:
    """Before the first block of MEMORY_KIB: each thread that hashes would keep one otherwise."""
    return_large_blocks()
