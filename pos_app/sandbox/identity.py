"""Everything random, derived from one root key so that a seed repeats it; it must not store anything."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

SECRET_MARK = "sbx_s3cr3t_"
"""Every secret made here begins with it: whoever finds one where none belongs knows what it is."""


def root_key(seed: int | None) -> bytes:
    return (
        secrets.token_bytes(32) if seed is None else hashlib.sha256(f"sandbox seed {seed}".encode()).digest()
    )


@dataclass(slots=True)
class Identity:
    """`epoch` counts the resets: a number used once for one transaction is never used for another."""

    root: bytes
    epoch: int

    def derive(self, *parts: str | int) -> bytes:
        return hmac.digest(self.root, "/".join(map(str, parts)).encode(), "sha256")

    def token(self, *parts: str | int) -> str:
        return SECRET_MARK + self.derive(*parts)[:24].hex()

    def wallet_id(self, number: int) -> str:
        """Sixteen digits, as a service's own id."""
        return str(10**15 + int.from_bytes(self.derive("wallet", self.epoch, number)[:8]) % (9 * 10**15))

    def otp_code(self, number: int) -> str:
        return f"{int.from_bytes(self.derive('otp', self.epoch, number)[:8]) % 10**6:06d}"

    def server_ref(self, number: int) -> str:
        return self.derive("verification", self.epoch, number)[:16].hex()

    def qr_key(self) -> bytes:
        return self.derive("qr key")

    def qr_nonce(self, number: int) -> bytes:
        return self.derive("qr nonce", self.epoch, number)[:12]
