"""How a text may stand in another: as it is, escaped, in hex, in base64. Knows no secret and no log."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

SHORTEST_PART = 8
"""A shorter piece of base64 may stand in any text by chance."""


def encodings(text: str) -> set[str]:
    """All of them; a character outside Latin-1 has no place in a secret."""
    in_json = json.dumps(text)[1:-1]
    # As PHP writes it by itself, and so many a gateway.
    with_slashes = in_json.replace("/", "\\/")
    forms = {
        text,
        text[::-1],
        in_json,
        with_slashes,
        repr(text)[1:-1],
        repr(in_json)[1:-1],
        json.dumps(in_json)[1:-1],
        json.dumps(with_slashes)[1:-1],
        json.dumps(with_slashes)[1:-1].replace("/", "\\/"),
        json.dumps(text, ensure_ascii=False)[1:-1],
        "".join(f"\\u{ord(sign):04x}" for sign in text),
    }
    for raw in {text.encode("latin-1"), text.encode("utf-8")}:
        forms |= {quote(raw, safe=""), quote_plus(raw), "".join(f"%{byte:02X}" for byte in raw)}
        forms |= {raw.hex(), raw.hex().upper(), raw.hex(" "), raw[::-1].decode("latin-1")}
        forms |= {raw.decode("latin-1"), *_in_base64(raw)}
    for raw in (text.encode("utf-16-le"), text.encode("utf-16-be")):
        forms |= {raw.decode("latin-1"), *_in_base64(raw)}
    return forms


def _in_base64(raw: bytes) -> set[str]:
    """Also as a part of a longer text, at each of the three places it can have there."""
    forms = {base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()}
    forms |= {form.rstrip("=") for form in forms}
    for ahead in range(3):
        coded = base64.b64encode(b"\0" * ahead + raw).decode()
        # Without the signs at either end that are made of neighbours as well.
        inner = coded[(0, 2, 3)[ahead] : len(coded) - (0, 3, 2)[(len(raw) + ahead) % 3]]
        if len(inner) >= SHORTEST_PART:
            forms |= {inner, inner.replace("+", "-").replace("/", "_")}
    return forms
