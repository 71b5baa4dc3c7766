"""Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s), and recovery codes for who lost it. Pure."""

from __future__ import annotations

import base64
import hmac
import secrets
import struct
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import quote, urlencode

from pos_app.domain.shipping import CODE_SIGNS

DIGITS = 6
STEP_S = 30
AROUND = 1
"""So many steps before and after now are taken, for clocks that are not quite right."""
SECRET_BYTES = 20
RECOVERY_CODES = 10
RECOVERY_SIGNS = 16
"""80 bits of chance: no hash of one can be guessed, so a plain digest of it is kept."""


def new_secret() -> bytes:
    """A secret of the length that the RFC asks for."""
    return secrets.token_bytes(SECRET_BYTES)


def code_at(secret: bytes, step: int) -> str:
    """The digits that an app shows in that step (Unix time divided by STEP_S)."""
    mac = hmac.digest(secret, struct.pack(">Q", step), "sha1")
    at = mac[-1] & 0x0F
    return str(struct.unpack(">I", mac[at : at + 4])[0] % (1 << 31) % 10**DIGITS).zfill(DIGITS)


def step_of(secret: bytes, typed: str, now: float, after: int) -> int | None:
    """The step that a typed code is of, later than `after` (the last one used: a code is good once); None: wrong.

    `now` is Unix time in seconds. Spaces in what was typed do not matter.
    """
    code = "".join(typed.split())
    if len(code) != DIGITS or not (code.isascii() and code.isdecimal()):
        return None
    middle = int(now // STEP_S)
    found = None
    for step in range(max(0, middle - AROUND), middle + AROUND + 1):
        if hmac.compare_digest(code_at(secret, step), code) and step > after and found is None:
            found = step
    return found


def shown_secret(secret: bytes) -> str:
    """The secret in letters, for whoever types it: in fours."""
    text = base64.b32encode(secret).decode().rstrip("=")
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def enrolment(secret: bytes, name: str, store: str) -> str:
    """What the QR code of an enrolment holds."""
    label = quote(f"{store.replace(':', ' ')}:{name}")
    asked = {
        "secret": shown_secret(secret).replace(" ", ""),
        "issuer": store.replace(":", " "),
        "algorithm": "SHA1",
        "digits": DIGITS,
        "period": STEP_S,
    }
    return f"otpauth://totp/{label}?{urlencode(asked, quote_via=quote)}"


def new_recovery_codes() -> tuple[str, ...]:
    """Ten codes, each good once, in fours: 7K2M-Q9XB-04TZ-WE3N."""
    return tuple(
        _in_fours(secrets.choice(CODE_SIGNS) for _ in range(RECOVERY_SIGNS)) for _ in range(RECOVERY_CODES)
    )


def digest_of_recovery(typed: str) -> bytes | None:
    """What is kept of a recovery code; None where none was typed. O is 0, I and L are 1, as read from paper."""
    text = "".join(typed.split()).replace("-", "").upper().translate(str.maketrans("OIL", "011"))
    if len(text) != RECOVERY_SIGNS or set(text) - set(CODE_SIGNS):
        return None
    return sha256(b"pos_app store recovery 1\0" + text.encode()).digest()


def _in_fours(signs: Iterable[str]) -> str:
    text = "".join(signs)
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))
