"""The QR text: AES-256-GCM over 35 bytes, 84 characters; only the sandbox's customer can read it."""

import base64
import binascii
import hashlib
import struct
from dataclasses import dataclass
from decimal import Decimal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_VERSION = 1
_LAYOUT = struct.Struct(">BQBQq9s")
_NONCE_BYTES = 12


class UnreadableCodeError(Exception):
    """The text is no QR text of this sandbox."""


@dataclass(frozen=True, slots=True)
class QrContent:
    wallet_id: str
    amount: Decimal


def seal(key: bytes, nonce: bytes, wallet_id: str, amount: str, merchant: str, created_s: float) -> str:
    """`amount` is the exact text of a positive decimal."""
    places = len(amount.partition(".")[2])
    mantissa = int(amount.replace(".", ""))
    mark = hashlib.sha256(merchant.encode()).digest()[:9]
    plain = _LAYOUT.pack(_VERSION, int(wallet_id), places, mantissa, int(created_s * 1000), mark)
    return base64.urlsafe_b64encode(nonce + AESGCM(key).encrypt(nonce, plain, None)).decode()


def unseal(key: bytes, text: str) -> QrContent:
    try:
        data = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
        plain = AESGCM(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], None)
        version, wallet, places, mantissa, _, _ = _LAYOUT.unpack(plain)
    except (UnicodeEncodeError, binascii.Error, InvalidTag, ValueError, struct.error) as error:
        raise UnreadableCodeError("not a code of this sandbox") from error
    if version != _VERSION:
        raise UnreadableCodeError("a code of another sandbox version")
    return QrContent(str(wallet), Decimal(mantissa).scaleb(-places))
