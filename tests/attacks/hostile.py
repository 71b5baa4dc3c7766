"""Texts as a malicious service, shop or person would send them, and how to tell that one got through."""

from __future__ import annotations

import unicodedata

TABLE = "<table width=9999 height=9999 bgcolor=green><tr><td>PAID</td></tr></table>" * 3_800
"""280 kB of it."""

_TAGS: tuple[str, ...] = (
    "b",
    "i",
    "u",
    "h1",
    "big",
    "font color=green size=7",
    "span style='color:green;font-size:99px'",
    "center",
)
_TAGS += (
    "p align=right",
    "pre",
    "code",
    "table",
    "ul",
    "ol",
    "li",
    "a href='https://evil.example'",
    "div",
    "body",
)
_TAGS += (
    "style",
    "script",
    "svg",
    "marquee",
    "blink",
    "img src=x onerror=y",
    "object data=x",
    "iframe src=x",
)
_LINKS = (
    "https://evil.example",
    "file:///etc/passwd",
    "javascript:x()",
    "data:text/html,<b>x",
    "qrc:/x",
    "tel:123",
)
_SOURCES = (
    "/etc/passwd",
    "file:///dev/zero",
    "https://evil.example/x.png",
    "data:image/png;base64,AAAA",
    ":/x.png",
)
_ENTITIES = (
    "&lt;b&gt;PAID",
    "&#80;&#65;&#73;&#68;",
    "&nbsp;" * 50,
    "&amp;amp;",
    "&copy;&bogus;",
    "&Paid",
    "&&&&&&&&",
)
_MARKDOWN = (
    "**PAID**",
    "# PAID",
    "[x](https://evil.example)",
    "![x](/etc/passwd)",
    "`x`",
    "|a|b|\n|-|-|\n|1|2|",
    "---",
)
_BIDI = (
    "\u202ePAID TON",
    "\u2067x\u2069y",
    "\u200f\u200e\u061c",
    "12.50\u202d00.05",
    "\u2066" * 400,
    "\u202a\u202b\u202c",
)
_INVISIBLE = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e"
_INVISIBLE += "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
_JOINERS = (
    "P\u200dAID",
    "\u200dPAID",
    "ක\u200dෂ",
    "ක්\u200d\u200dෂ",
    "ක්\u200c\u200dෂ",
    "ක්\u200b\u200dෂ",
    "ක් \u200dෂ",
    "\U0001f468\u200d\U0001f469",
    "\u0627\u200c\u0628",
    "\u0dd2\u200d",
)
"""A joiner where no virama stands before it: nobody sees it, in Sinhala neither."""
_CONTROLS: tuple[str, ...] = (
    "\x00",
    "\x07\x08",
    "\x1b[2J\x1b[1;1HPAID",
    "\x1b]0;PAID\x07",
    "\x9b31m",
    "\r\rPAID",
    "a\tb",
    "\x7f",
    "\x85",
    "\x0c",
)
_LINES = ("\n" * 500, "a\nb" * 400, "\u2028" * 50, "\u2029PAID", "\r\n\r\nPAID", "\v\v\v")
_BROKEN = ("\ud800", "\udfff\ud800", "x\udc80y", "\ufffe\uffff", "\U0001ffff", "\ufffc", "\ufffd" * 10)
_TAG_CHARACTERS = "".join(chr(0xE0000 + ord(character)) for character in "PAID")
_STACKS = ("P" + "\u0300\u0301\u0302\u0303" * 60, "\u0335" * 100, "क्षि" * 80, "ශ්‍රී" * 60, "ཧཱུྃ" * 60)
_LONG = (
    "W" * 5_000,
    "PAID " * 2_000,
    "i" * 20_000,
    "\U0001f600" * 3_000,
    "ﷺ" * 500,
    "漢" * 4_000,
    "a-" * 3_000,
)
_ODD: tuple[str, ...] = (
    "%s%n%x",
    "{0}{name}{self}",
    "{{code}}",
    "${jndi:ldap://x}",
    "'; DROP TABLE event;--",
    "../../etc/passwd",
    "NUL",
)
_ODD += (
    "C:\\x",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(1)",
    "&PAID",
    "Payment Success",
    "\u0420ayment Success",
    "PAID ✓",
    "✔",
)


def payloads() -> list[str]:
    """Two hundred and some, each another way in."""
    found = [f"<{tag}>PAID</{tag.split()[0]}>" for tag in _TAGS]
    found += [f"<{tag}" for tag in _TAGS] + [f"PAID<{tag}>" * 40 for tag in _TAGS[:12]]
    found += [f"</{tag.split()[0]}>12.50" for tag in _TAGS]
    found += [f"<a href='{link}'>PAID</a>" for link in _LINKS] + [*_LINKS]
    found += [f"<img src='{source}' width=9999 height=9999>" for source in _SOURCES]
    found += [f"<html><head><style>*{{color:{colour}}}</style></head>PAID" for colour in ("green", "white")]
    found += [
        "<!DOCTYPE html><body bgcolor=green>PAID",
        "<?xml version='1.0'?><b>PAID</b>",
        "<b",
        "</b>",
        "<>",
        "< b>",
    ]
    for group in (_ENTITIES, _MARKDOWN, _BIDI, _JOINERS, _CONTROLS, _LINES, _BROKEN, _STACKS, _LONG, _ODD):
        found += group
    found += [f"PA{sign}ID" for sign in _INVISIBLE] + [
        _INVISIBLE * 30,
        _TAG_CHARACTERS,
        f"PAID{_TAG_CHARACTERS}",
    ]
    found += [f"<b>{control}PAID</b>" for control in _CONTROLS] + [TABLE, TABLE + "\u202e", "\u202e" + TABLE]
    return list(dict.fromkeys(found))


WORST = (
    "<img src=/etc/passwd width=9999 height=9999><a href=https://evil.example>x</a>" + TABLE,
    "\u202ePAID\u2066 \x1b[2J\x00\x07\x9b\u200b\u00ad\u3164\ue000\ud800x\udfff"
    + _TAG_CHARACTERS
    + "\n\r\u2028" * 100,
    "P" + "\u0300\u0301" * 300 + "W" * 5_000,
)
"""Each way in at once: markup and size, disguise, and what is wide; for every panel there is."""


def is_written(text: str, at: int) -> bool:
    """Whether the sign is a joiner right after a virama, as Sinhala is written (RFC 5892, appendix A).

    The test's own opinion: it must not ask the till.
    """
    virama = unicodedata.combining("\u0dca")
    return text[at] in ("\u200c", "\u200d") and at > 0 and unicodedata.combining(text[at - 1]) == virama


def unfit(text: str) -> str:
    """What of a text no screen may be given; empty when it is fit. A line break is."""
    seen = {
        character
        for at, character in enumerate(text)
        if (unicodedata.category(character)[0] == "C" or character in _INVISIBLE)
        and character != "\n"
        and not is_written(text, at)
    }
    if seen:
        return f"{ascii(''.join(sorted(seen)))[:80]} in {ascii(text)[:60]}"
    if len(text) > 1_500 or text.count("\n") > 100:
        return f"{len(text)} characters, {text.count(chr(10))} line breaks"
    return ""
