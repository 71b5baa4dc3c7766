"""Every word the till says about payments, one table per language. Decides nothing."""

from __future__ import annotations

from pos_app.ui.words.english import ENGLISH
from pos_app.ui.words.table import Words

_LANGUAGES = {"en": ENGLISH}


def words(language: str) -> Words:
    """The table of a language; English where there is none."""
    return _LANGUAGES.get(language, ENGLISH)
