"""Brings a translators' file up to the tables, and turns it into what the till loads. Translates nothing."""

from __future__ import annotations

import json
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from tests.unit.i18n.po import Entry


def kept(wanted: Iterable[Entry], before: Iterable[Entry]) -> Iterator[Entry]:
    """Each wanted text with its translation; fuzzy where the English changed, gone where nobody says it."""
    old = {entry.context: entry for entry in before}
    for entry in wanted:
        was = old.get(entry.context)
        if was is None or not was.said:
            yield entry
        elif was.english == entry.english:
            yield msgspec.structs.replace(entry, said=was.said, fuzzy=was.fuzzy, was=was.was)
        elif was.fuzzy and was.was == entry.english:
            yield msgspec.structs.replace(entry, said=was.said)
        else:
            yield msgspec.structs.replace(
                entry, said=was.said, fuzzy=True, was=was.was if was.fuzzy else was.english
            )


def compiled(entries: Iterable[Entry]) -> str:
    """What the till loads: the finished texts by module and place. One with other {places} is refused."""
    by_module: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry in entries:
        if entry.said and not entry.fuzzy:
            if wrong := wrong_places(entry):
                raise ValueError(f"{entry.context}: {wrong}")
            module, _, place = entry.context.partition(":")
            by_module[module][place] = entry.said
    return _lines(by_module)


def wrong_places(entry: Entry) -> str:
    """What is wrong with the {places} of a translation: at the till they would be filled in or fail."""
    try:
        asked, given = places(entry.english), places(entry.said)
    except ValueError as error:
        return str(error)
    counted = {"count"} if entry.note else set()  # always filled in there; Sinhala's `one` says 0 as well
    missing, unknown = asked - given - counted, given - asked - counted
    if unknown:
        return f"{{{'}, {'.join(sorted(unknown))}}} cannot be filled in"
    return f"{{{'}, {'.join(sorted(missing))}}} is missing" if missing else ""


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def _lines(said: Mapping[str, Mapping[str, str]]) -> str:
    """JSON, a line for each text, so that a change shows as what it is."""
    return json.dumps(said, ensure_ascii=False, indent=0, sort_keys=True) + "\n"
