"""Reads and writes translators' files (.po): one entry a text, known by its context. Knows no table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import msgspec

_LINE = re.compile(
    r'(?:#, (?P<flags>.*)|#\| msgid (?P<was>".*")|(?P<key>msgctxt|msgid|msgstr) (?P<text>".*")|(?P<more>".*"))$'
)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A text. `fuzzy`: the English changed since it was translated; `was` is the earlier English."""

    context: str
    english: str
    said: str = ""
    fuzzy: bool = False
    was: str = ""
    note: str = ""


def written(language: str, entries: Iterable[Entry]) -> str:
    """The whole file."""
    head = "\n".join(
        [
            'msgid ""',
            'msgstr ""',
            f'"Language: {language}\\n"',
            '"MIME-Version: 1.0\\n"',
            '"Content-Type: text/plain; charset=UTF-8\\n"',
            '"Content-Transfer-Encoding: 8bit\\n"',
        ]
    )
    return "\n\n".join([head, *(_entry(each) for each in entries)]) + "\n"


def _entry(entry: Entry) -> str:
    lines = [f"#. {entry.note}"] if entry.note else []
    if entry.fuzzy:
        lines += ["#, fuzzy", f"#| msgid {_quoted(entry.was)}"]
    lines += [
        f"msgctxt {_quoted(entry.context)}",
        f"msgid {_quoted(entry.english)}",
        f"msgstr {_quoted(entry.said)}",
    ]
    return "\n".join(lines)


def read(text: str) -> Iterator[Entry]:
    """Each entry of a file, its head left out. Wrapped lines and other editors' comments are understood."""
    for number, block in enumerate(re.split(r"\n\s*\n", text.strip())):
        entry = _read(block)
        if entry.context:
            yield entry
        elif number:
            raise ValueError(f"an entry without msgctxt: {block}")


def _read(block: str) -> Entry:
    found = {"msgctxt": "", "msgid": "", "msgstr": "", "was": ""}
    fuzzy, last = False, ""
    for line in block.splitlines():
        match = _LINE.match(line.strip())
        if match is None:
            if not line.startswith("#"):
                raise ValueError(f"no line of a .po file: {line}")
        elif match["flags"]:
            fuzzy = fuzzy or "fuzzy" in match["flags"]
        elif match["was"]:
            found["was"] = json.loads(match["was"])
        else:
            last = match["key"] or last
            found[last] += json.loads(match["text"] or match["more"])
    return Entry(
        context=found["msgctxt"], english=found["msgid"], said=found["msgstr"], fuzzy=fuzzy, was=found["was"]
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
