"""A font of plain blocks, made here: the same on every machine, so that pictures of the till can be compared.

Real fonts differ by version, hinting and rasteriser; this one has rectangles as wide and tall as letters are.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

FAMILY = "Till Blocks"
_EM, _ASCENT, _DESCENT = 1000, 1069, 293
_FIRST, _LAST = 0x20, 0x2FFF
_NARROW = frozenset("iIjl.,:;'|!()[]·’‘")
_WIDE = frozenset("mwMW@%…–—")
_NOTHING = frozenset(chr(sign) for sign in (0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x2060, 0x2070)))


class Glyph(NamedTuple):
    """How far it goes on, and how tall its block is; 0 draws nothing."""

    advance: int
    height: int


GLYPHS = (
    Glyph(560, 714),
    Glyph(260, 0),
    Glyph(300, 540),
    Glyph(560, 540),
    Glyph(860, 540),
    Glyph(340, 714),
    Glyph(620, 714),
    Glyph(900, 714),
    Glyph(572, 714),
    Glyph(0, 0),
)
_NOTDEF, _SPACE, _DIGIT, _EMPTY = 0, 1, 8, 9


def _glyph_of(sign: str) -> int:
    if sign in _NOTHING:
        return _EMPTY
    if sign.isspace():
        return _SPACE
    if sign.isdigit():
        return _DIGIT
    width = 0 if sign in _NARROW else 2 if sign in _WIDE else 1
    return (5 if sign.isupper() else 2) + width


def block_font(weight: int) -> bytes:
    """The bytes of a TrueType font of this weight (400 or 700)."""
    wider = 30 if weight > 500 else 0
    glyphs = [Glyph(each.advance + wider if each.advance else 0, each.height) for each in GLYPHS]
    outlines = [_outline(each) for each in glyphs]
    offsets = [sum(map(len, outlines[:at])) for at in range(len(outlines) + 1)]
    tables = {
        b"OS/2": _os2(weight),
        b"cmap": _cmap(),
        b"glyf": b"".join(outlines),
        b"head": struct.pack(
            ">IIIIHHQQhhhhHHhhh",
            0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _EM, 0, 0, 0, -_DESCENT, _EM, _ASCENT,
            1 if weight > 500 else 0, 8, 2, 1, 0,
        ),
        b"hhea": struct.pack(
            ">IhhhHhhhhhhhhhhhH", 0x10000, _ASCENT, -_DESCENT, 0, _EM, 0, 0, _EM, 1, 0, 0, 0, 0, 0, 0, 0,
            len(glyphs),
        ),
        b"hmtx": b"".join(struct.pack(">Hh", each.advance, 0) for each in glyphs),
        b"loca": b"".join(struct.pack(">I", offset) for offset in offsets),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(glyphs), 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _names("Bold" if weight > 500 else "Regular"),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, 0, 0, 0, 0, 0),
    }  # fmt: skip
    return _assembled(tables)


def _outline(glyph: Glyph) -> bytes:
    if not glyph.height:
        return b""
    left, right, top = 50, glyph.advance - 50, glyph.height
    head = struct.pack(">hhhhh", 1, left, 0, right, top)
    ends = struct.pack(">HH", 3, 0)
    flags = bytes([1, 1, 1, 1])
    x = struct.pack(">hhhh", left, 0, right - left, 0)
    y = struct.pack(">hhhh", 0, top, 0, -top)
    made = head + ends + flags + x + y
    return made + b"\0" * (-len(made) % 4)


def _cmap() -> bytes:
    glyphs = [_glyph_of(chr(sign)) for sign in range(_FIRST, _LAST + 1)]
    segments = (_LAST, 0xFFFF, 0, _FIRST, 0xFFFF, 0, 1, 4, 0)
    body = struct.pack(">HHHHH", 4, 4, 1, 0, 0)[2:] + struct.pack(">HHHHHHHHH", *segments)
    body += b"".join(struct.pack(">H", each) for each in glyphs)
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHH", 4, len(body) + 6, 0) + body


def _os2(weight: int) -> bytes:
    ranges = (0xFFFFFFFF, 0xFFFFFFFF, 0, 0)
    return struct.pack(
        ">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHHIIhhHHH",
        4, 560, weight, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0, b"\0" * 10, *ranges, b"TILL",
        0x20 if weight > 500 else 0x40, _FIRST, _LAST, _ASCENT, -_DESCENT, 0, _ASCENT, _DESCENT,
        0xFFFFFFFF, 0, 540, 714, 0, 32, 1,
    )  # fmt: skip


def _names(style: str) -> bytes:
    said = {1: FAMILY, 2: style, 4: f"{FAMILY} {style}", 6: f"TillBlocks-{style}"}
    records, texts = b"", b""
    for number, text in said.items():
        encoded = text.encode("utf-16-be")
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(encoded), len(texts))
        texts += encoded
    return struct.pack(">HHH", 0, len(said), 6 + len(records)) + records + texts


def _assembled(tables: dict[bytes, bytes]) -> bytes:
    directory = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    offset = 12 + 16 * len(tables)
    data = b""
    for tag, table in tables.items():
        padded = table + b"\0" * (-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += tag + struct.pack(">III", total, offset + len(data), len(table))
        data += padded
    return directory + data
