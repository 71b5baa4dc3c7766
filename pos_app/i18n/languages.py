"""The languages the till has, and the one place where all tables are told to speak one. Knows no window."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from pos_app.i18n.table import Said, Table, lay_all, spoken
from pos_app.system.resources import resources

SomeTable = TypeVar("SomeTable", bound=Table)

ENGLISH = "en"
NAMES = {"en": "English", "si": "සිංහල", "ta": "தமிழ்", "ar": "العربية"}
"""Each by its own name, in whatever language the till speaks: whoever looks for theirs reads no other."""

RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ur"})


def folder() -> Path:
    """Where the languages lie: a .po for translators and a .json for the till of each."""
    return resources("languages")


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages the till can speak; English, which needs no file, first."""
    return (ENGLISH, *sorted(path.stem for path in folder().glob("*.json")))


def speak(language: str) -> bool:
    """Everything is said in this language from now on, in English where the till has no such one.

    True where that is another language than before: windows then show their words anew.
    """
    chosen = language if language in languages() else ENGLISH
    if chosen == spoken():
        return False
    lay_all(chosen, {} if chosen == ENGLISH else _said(chosen))
    return True


def words_in(kind: type[SomeTable], language: str) -> SomeTable:
    """A table of its own in this language, whatever the till speaks: for the customer's screen."""
    said = _said(language) if language in languages() and language != ENGLISH else {}
    return kind.apart(language if said else ENGLISH, said.get(kind.module(), {}))


def is_right_to_left(language: str) -> bool:
    """Whether its lines begin at the right."""
    return language in RIGHT_TO_LEFT


@cache
def _said(language: str) -> dict[str, Said]:
    read = (folder() / f"{language}.json").read_bytes()
    return dict(msgspec.json.decode(read, type=dict[str, dict[str, str]]))
