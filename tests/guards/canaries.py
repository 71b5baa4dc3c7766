"""Finds canaries in whatever was written: raw, encoded, compressed, in archives. Knows what they are, not whose."""

from __future__ import annotations

import base64
import bz2
import gzip
import hashlib
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote, quote_plus

SANDBOX_MARK = "sbx_s3cr3t_"
"""Every secret that the sandbox makes begins with it: tokens, secret codes, passwords, its control token."""
PASSCODE = "7391846205"
"""Chosen by the people of those tests that look for it."""
NUMBERS = ("77123456", "77000000", "77000001")
"""What the wallet and staff numbers of the tests have in common, however they are written before it."""
_BEFORE_A_NUMBER = ("", "0", "94", "0094")

MARKS = {
    "a sandbox's secret": SANDBOX_MARK,
    "a passcode": PASSCODE,
    **{f"a number with {digits}": digits for digits in NUMBERS},
}

_SHORT_GAP, _LONG_GAP = bytes(8), bytes(64)
_GAP = re.compile(rb"\0{64,}")

MOST_BYTES = 64 * 1024 * 1024


def forms_of(text: str) -> frozenset[bytes]:
    """How a text may stand in a file; of base64 what is the same wherever in a longer text it stood."""
    raw = text.encode("utf-8")
    in_json = json.dumps(text)[1:-1]
    forms = {
        raw,
        text.encode("latin-1", "replace"),
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        raw.hex().encode(),
        raw.hex().upper().encode(),
        raw.hex(" ").encode(),
        quote(text, safe="").encode(),
        quote_plus(text).encode(),
        "".join(f"%{byte:02X}" for byte in raw).encode(),
        "".join(f"\\u{ord(sign):04x}" for sign in text).encode(),
        in_json.encode(),
        in_json.replace("/", "\\/").encode(),
        json.dumps(in_json.replace("/", "\\/"))[1:-1].encode(),
        json.dumps(in_json)[1:-1].encode(),
        repr(text)[1:-1].encode(),
        raw[::-1],
        *_in_base64(raw),
        *_in_base64(text.encode("utf-16-le")),
    }
    return frozenset(form for form in forms if len(form) >= 6)


def _in_base64(raw: bytes) -> Iterator[bytes]:
    """At each of the three places it can have in a longer text, without the signs it shares with others."""
    for ahead in range(3):
        coded = base64.b64encode(b"\0" * ahead + raw)
        first = (0, 2, 3)[ahead]
        shared = (len(raw) + ahead) % 3
        inner = coded[first : len(coded) - (0, 3, 2)[shared] - (1 if shared else 0)]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")


class Scanner:
    """Looks for some texts. `what` names each without saying it."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._forms = [
            (what, form, _as_a_number(form, text)) for what, text in texts for form in forms_of(text)
        ]

    def in_bytes(self, data: bytes) -> list[str]:
        """What stands in it, also inside what it packs."""
        found = {
            what
            for content in map(_without_gaps, unpacked(data))
            for what, form, number in self._forms
            if form in content and (number is None or number.search(content))
        }
        return sorted(found)

    def in_text(self, text: str) -> list[str]:
        """The same for a text."""
        return self.in_bytes(text.encode("utf-8", "surrogatepass"))

    def in_tree(self, folder: Path) -> Iterator[tuple[Path, list[str]]]:
        """Every plain file below, and its name; links are not followed."""
        # Most files of a run are equal to others of it, empty journals above all: each content is looked through once.
        known: dict[bytes, list[str]] = {}
        for path in sorted(folder.rglob("*")):
            found = self.in_text(path.name)
            if path.is_file() and not path.is_symlink():
                content = _content(path)
                digest = hashlib.blake2b(content).digest()
                if digest not in known:
                    known[digest] = self.in_bytes(content)
                found += known[digest]
            if found:
                yield path, found


def _without_gaps(data: bytes) -> bytes:
    """Most of a small journal is room for what comes later: zeros, more in a row than any form of a text has."""
    return _GAP.sub(_SHORT_GAP, data) if _LONG_GAP in data else data


def _as_a_number(form: bytes, text: str) -> re.Pattern[bytes] | None:
    """How a number stands where it is one. A time of day may hold the same digits: 1795277000000 is a second of
    2026, and a run that wrote it down would be told of a leak."""
    if text not in NUMBERS:
        return None
    ahead = "|".join(_BEFORE_A_NUMBER)
    patterns = {
        text.encode(): rf"(?<!\d)(?:{ahead}){text}",
        text[::-1].encode(): rf"{text[::-1]}(?:{ahead[::-1]})(?!\d)",
    }
    return re.compile(patterns[form].encode()) if form in patterns else None


@cache
def known() -> Scanner:
    """Of all there is to be found anywhere."""
    return Scanner(MARKS.items())


def secrets_alone() -> Scanner:
    """Of what nobody types on a command line; a customer's number somebody may (`pay --push`)."""
    return Scanner((what, text) for what, text in MARKS.items() if text not in NUMBERS)


def unpacked(data: bytes, depth: int = 2) -> Iterator[bytes]:
    """The data itself, and what is in it where it is an archive or compressed."""
    yield data
    if not depth:
        return
    for inner in _inner(data):
        yield from unpacked(inner, depth - 1)


def _inner(data: bytes) -> Iterator[bytes]:
    if data.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield "\n".join(archive.namelist()).encode()
                yield from (archive.read(name) for name in archive.namelist())
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error):
            return
    for magic, unpack in _PACKED:
        if data.startswith(magic):
            try:
                yield unpack(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
                return


_PACKED = (
    (b"\x1f\x8b", gzip.decompress),
    (b"BZh", bz2.decompress),
    (b"\xfd7zXZ", lzma.decompress),
    (b"\x78\x9c", zlib.decompress),
)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""
