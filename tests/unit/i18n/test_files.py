"""Translators' files and what the till loads are as fresh as the tables; nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from pos_app.i18n import languages as spoken_languages
from pos_app.i18n.languages import NAMES, languages, speak, words_in
from pos_app.i18n.plural import Form, form_of, forms
from pos_app.i18n.table import Plural
from pos_app.i18n.words.till import BarWords, words
from tests.unit.i18n.__main__ import FOLDER, fresh
from tests.unit.i18n.keeping import compiled, kept, wrong_places
from tests.unit.i18n.po import Entry, read, written
from tests.unit.i18n.tables import LANGUAGES, entries

PAID = Entry(context="till:state.PAID", english="Paid", said="Bezahlt")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_fresh(language: str) -> None:
    """`make languages` writes them."""
    stale = [path.name for path, text in fresh(language).items() if path.read_text("utf-8") != text]
    assert stale == []


def test_every_language_has_a_name_and_a_file() -> None:
    assert set(languages()) == {"en", *LANGUAGES} == set(NAMES)
    assert spoken_languages.folder() == FOLDER


def test_what_was_written_is_read_back() -> None:
    odd = Entry(context="a:b", english='"quoted" \\ and\nbroken', said="යි “–” ⟦x⟧", fuzzy=True, was="old")
    assert tuple(read(written("ta", (PAID, odd)))) == (PAID, odd)
    wrapped = 'msgid ""\nmsgstr ""\n\n# hers\n#: till.py:3\nmsgctxt "a:b"\nmsgid "Pa"\n"id"\nmsgstr ""\n"Be"\n"zahlt"\n'
    assert next(read(wrapped)) == Entry(context="a:b", english="Paid", said="Bezahlt")
    with pytest.raises(ValueError, match="no line"):
        tuple(read("rubbish"))


def test_a_text_whose_english_changed_is_fuzzy_and_not_spoken() -> None:
    changed = replace(PAID, english="Paid in full", said="")
    (now,) = kept((changed,), (PAID,))
    assert (now.said, now.fuzzy, now.was) == ("Bezahlt", True, "Paid")
    assert "Bezahlt" not in compiled((now,))
    assert "Bezahlt" in compiled((replace(now, fuzzy=False),))
    (back,) = kept((replace(PAID, said=""),), (now,))
    assert back == PAID
    assert tuple(kept((), (PAID,))) == ()


@pytest.mark.parametrize(
    ("english", "said", "wrong"),
    [
        ("{money}, sale {sale}", "{sale}: {money}", ""),
        ("{money}, sale {sale}", "{money}", "{sale} is missing"),
        ("Sale {sale}", "{sale} {amount}", "{amount} cannot be filled in"),
        ("Sale {sale}", "{sale", "expected '}' before end of string"),
    ],
)
def test_a_translation_that_could_not_be_filled_in_is_refused(english: str, said: str, wrong: str) -> None:
    entry = Entry(context="till:x", english=english, said=said)
    assert wrong_places(entry) == wrong
    if wrong:
        with pytest.raises(ValueError, match="till:x"):
            compiled((entry,))


def test_arabic_counts_in_six_forms_the_others_in_two() -> None:
    counts = {language: [each.context for each in entries(language)] for language in LANGUAGES}
    assert len([each for each in counts["ar"] if each.startswith("till:bar.open.")]) == 6
    assert len([each for each in counts["ta"] if each.startswith("till:bar.open.")]) == 2
    assert set(forms("en")) == {Form.ONE, Form.OTHER}


@pytest.mark.parametrize(
    ("language", "count", "form"),
    [
        *(("en", count, "one" if count == 1 else "other") for count in (0, 1, 2, 21)),
        *(("si", count, "one" if count < 2 else "other") for count in (0, 1, 2, 11)),
        *(("ar", count, "few") for count in (3, 10, 103, 110, 1003)),
        *(("ar", count, "many") for count in (11, 26, 99, 111)),
        *(("ar", count, "other") for count in (100, 101, 102, 200, 1002)),
        *(("ar", count, form) for count, form in ((0, "zero"), (1, "one"), (2, "two"))),
    ],
)
def test_forms_are_those_of_the_unicode_tables(language: str, count: int, form: str) -> None:
    assert form_of(language, count) == form


def test_a_counted_thing_without_its_form_is_said_in_the_other() -> None:
    assert Plural(language="ar", other="{count} x").of(3) == "3 x"
    assert words.bar.open.of(1) == "1 open payment"
    assert words.bar.open.of(7) == "7 open payments"


def test_one_table_may_go_on_in_its_own_language() -> None:
    """The customer's screen speaks another language than the cashier's."""
    own = words_in(BarWords, "ta")
    english, tamil = words.bar.clock, own.clock
    assert speak("si")
    assert words.bar.clock not in (english, tamil)
    assert own.clock == tamil
    assert not speak("si")
    assert speak("xx")
    assert words.bar.clock == english
