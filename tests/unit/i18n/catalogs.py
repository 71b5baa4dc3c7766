"""The translators' files: what they say, and how they are brought up to the tables. Translates nothing."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from babel.plural import to_gettext

import hatch_build
from hatch_build import forms
from tests.unit.i18n.tables import template

FOLDER = Path(__file__).parents[3] / hatch_build.LANGUAGES

_HEAD = r"""msgid ""
msgstr ""
"Language: {language}\n"
"Plural-Forms: {plurals}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A text, or one form of a counted thing, as the languages' pages have it: `form` is CLDR's name of it, else ""."""

    name: str
    english: str
    said: str
    fuzzy: bool = False
    form: str = ""


def source(language: str) -> Path:
    """The translators' file."""
    return FOLDER / f"{language}.po"


def catalog(language: str) -> Catalog:
    """What it holds, as Babel has it; nothing yet where there is no such file."""
    return hatch_build.read(source(language)) if source(language).exists() else began(language)


def began(language: str) -> Catalog:
    """A file without a text."""
    catalog = Catalog(locale=language)
    catalog.mime_headers = [("Plural-Forms", _counting(language))]
    return catalog


def said(language: str) -> tuple[Entry, ...]:
    """Each text of a language."""
    return tuple(entries(language, catalog(language)))


def fresh(language: str) -> str:
    """What its file should hold now."""
    now = catalog(language)
    merge(now, template())
    return written(language, now)


def merge(catalog: Catalog, template: Catalog) -> None:
    """Each text of the template with its translation; fuzzy where the English changed, gone where nobody says it.

    Babel's own guess, the most similar English text, is none here: a text is known by its name.
    """
    before = {message.context: message for message in catalog if message.id and any(forms(message.string))}
    for wanted in template:
        was = before.get(wanted.context)
        if wanted.id and was is not None and was.id != wanted.id:
            catalog.delete(was.id, was.context)
            catalog.add(
                wanted.id,
                was.string,
                flags=was.flags | {"fuzzy"},
                user_comments=was.user_comments,
                context=wanted.context,
            )
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)


def written(language: str, catalog: Catalog) -> str:
    """The whole file; without a date or a version, so that it changes when a text does."""
    for message in catalog:
        # Other editors keep the English from before here; Babel would make it a translator's comment.
        message.user_comments = [each for each in message.user_comments if not each.startswith("|")]
    file = io.BytesIO()
    write_po(file, catalog, width=0, omit_header=True, no_location=True, ignore_obsolete=True)
    head = _HEAD.format(language=language, plurals=_counting(language))
    return head + file.getvalue().decode().rstrip("\n") + "\n"


def _counting(language: str) -> str:
    """As CLDR counts, in gettext's words."""
    return to_gettext(Locale(language).plural_form).rstrip(";")


def entries(language: str, catalog: Catalog) -> Iterator[Entry]:
    """Each text and form of a file, beside the English that it is said for."""
    tags = plural_forms(language)
    for message in catalog:
        if message.context and not message.pluralizable:
            said, english = str(message.string or ""), str(message.id)
            yield Entry(name=message.context, english=english, said=said, fuzzy=message.fuzzy)
        elif message.context:
            one, other = forms(message.id)
            for form, said in zip(tags, message.string or ("",) * len(tags), strict=True):
                english = one if form == "one" else other
                yield Entry(name=message.context, english=english, said=said, fuzzy=message.fuzzy, form=form)


def plural_forms(language: str) -> tuple[str, ...]:
    """CLDR's names of the forms a language counts in, in the order of a translators' file."""
    has = {*Locale(language).plural_form.tags, "other"}
    return tuple(form for form in ("zero", "one", "two", "few", "many", "other") if form in has)
