"""The counter's own signature: what it swears to a store, and how it knows what it has sworn. Loads cryptography late.

The key is made of the journal's (`Keys.device`): it is there as long as the journal can be opened, lies nowhere else,
and a folder that was copied or put back has the same. So whatever it once signed convicts every copy of it, and
nothing that it did not sign convicts any (docs/store.md).
"""

from __future__ import annotations

from pos_app.domain.shipping import (
    BATCH_LABEL,
    MAC_LENGTH,
    BadBatch,
    Header,
    Signed,
    read_header,
    session_text,
)


class Device:
    """One installation's signatures. `seed`: 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._private = Ed25519PrivateKey.from_private_bytes(seed)

    def __repr__(self) -> str:
        return "Device(…)"

    @property
    def public_key(self) -> bytes:
        """32 bytes."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def signed(self, header: bytes) -> Signed:
        """A batch's header, sworn to."""
        return Signed(header=header, signature=self._private.sign(BATCH_LABEL + header))

    def answer_to(self, store_id: str, challenge: bytes) -> bytes:
        """The signature that opens a session at this store, and at no other."""
        return self._private.sign(session_text(store_id, challenge))

    def own(self, shown: Signed | None, installation: str) -> Header | None:
        """What this key has sworn to under this installation id; None for anything else that is shown."""
        from cryptography.exceptions import InvalidSignature

        if shown is None:
            return None
        try:
            self._private.public_key().verify(shown.signature, BATCH_LABEL + shown.header)
            header = read_header(shown.header)
        except (InvalidSignature, ValueError, BadBatch):
            return None
        is_whole = 1 <= header.first <= header.last and len(header.mac) == MAC_LENGTH
        return header if is_whole and header.installation == installation else None
