"""The ways in which a text may come to be written; for planting, as the scanner knows them by itself."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Callable
from urllib.parse import quote


def zipped(data: bytes) -> bytes:
    """A zip file with it inside."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner", data)
    return file.getvalue()


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "raw": lambda text: text.encode(),
    "latin-1": lambda text: text.encode("latin-1"),
    "utf-16-le": lambda text: text.encode("utf-16-le"),
    "utf-16-be": lambda text: text.encode("utf-16-be"),
    "hex": lambda text: text.encode().hex().encode(),
    "HEX": lambda text: text.encode().hex().upper().encode(),
    "hex dump": lambda text: text.encode().hex(" ").encode(),
    "url": lambda text: quote(text, safe="").encode(),
    "url, every sign": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()).encode(),
    "json": lambda text: json.dumps(text).encode(),
    "json, slashes escaped": lambda text: json.dumps(text).replace("/", "\\/").encode(),
    "json, in json": lambda text: json.dumps(json.dumps(text)).encode(),
    "escaped": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text).encode(),
    "repr": lambda text: repr(text).encode(),
    "reversed": lambda text: text.encode()[::-1],
    "base64": lambda text: base64.b64encode(text.encode()),
    "base64 of Basic": lambda text: base64.b64encode(f"till-3:{text}".encode()),
    "base64, one ahead": lambda text: base64.b64encode(f"x{text}y".encode()),
    "base64, two ahead": lambda text: base64.b64encode(f"xx{text}yy".encode()),
    "base64 url": lambda text: base64.urlsafe_b64encode(text.encode()),
    "base64 utf-16": lambda text: base64.b64encode(text.encode("utf-16-le")),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "zlib": lambda text: zlib.compress(text.encode()),
    "zip": lambda text: zipped(text.encode()),
    "zip, in a zip": lambda text: zipped(zipped(text.encode())),
}

WRITTEN_AS_TEXT = (
    *("raw", "hex", "HEX", "hex dump", "url", "url, every sign", "json", "json, in json"),
    *("json, slashes escaped", "escaped", "repr"),
    *("base64", "base64 of Basic", "base64, one ahead", "base64, two ahead", "base64 url", "base64 utf-16"),
    *("utf-16-le", "utf-16-be", "reversed"),
)
