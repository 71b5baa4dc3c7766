"""Every text of the till in every language: there, whole, in its own letters, and short where it stands on a button."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

from hatch_build import forms, places
from tests.unit.i18n import catalogs
from tests.unit.i18n.catalogs import FOLDER, Entry, plural_forms
from tests.unit.i18n.tables import LANGUAGES, template

SCRIPT = {"si": ("\u0d80", "\u0dff"), "ta": ("\u0b80", "\u0bff"), "ar": ("\u0600", "\u06ff")}
_OWN_NAMES = "English සිංහල தமிழ் العربية"
"""A language is offered by the name its speakers give it."""

_LATIN = {
    *("QR", "SMS", "USB", "PIN", "LKR", "ASCII", "Latin", "OAuth", "token_provider", "screenshot", "English"),
    *("Enter", "Esc", "Delete", "Backspace", "Tab", "true", "false"),
    *("chargeTotal", "amount", "https", "http", "pay", "example", "com", "xn", "eyJhbGciOi", "M"),
    *(
        "Client",
        "ID",
        "secret",
    ),  # what a token service's papers call them; "client" is the customer in other languages
    *("X", "Z", "PDF", "virtual", "Windows"),  # reports by their letters; a printer's kind as the file has it
    *(
        "CSV",
        "Excel",
        "JSON",
        "SHA",
    ),  # kinds of files, and what a file is known by, as others' programs call them
    *("fK", "x", "s3cret", "Word"),  # of the examples 7fK2-x91 and s3cret-Word
}
"""Latin letters that stand in every language: marks, keys, names of the protocol, examples to be typed."""

_SAME = {"QR", "SMS", "chargeTotal", "amount", "Z {number}"}
"""Texts that are the same in every language."""

_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")

RESULTS = ("paid", "not_paid", "not_known", "disputed", "late", "paid_twice", "signed_off")


@cache
def _all(language: str) -> tuple[Entry, ...]:
    return catalogs.said(language)


@cache
def _said(language: str) -> dict[str, Entry]:
    """By name, but the counted things, which have more than one text."""
    return {entry.name: entry for entry in _all(language) if not entry.form}


def _each(language: str) -> Iterator[Entry]:
    yield from (entry for entry in _all(language) if entry.said)


def _bare(text: str) -> str:
    """Without what stays as it is in every language: what is filled in, keys, and what is typed at a prompt."""
    return re.sub(r"\{\w+\}|\bF\d{1,2}\b|\bpos-app(?: [a-z]+)+", " ", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_none_waits_for_a_second_look(language: str) -> None:
    in_file = {message.context: message.id for message in catalogs.catalog(language) if message.context}
    to_do = f"translate it in resources/languages/{language}.po, then make languages"
    in_tables = {message.context: message.id for message in template() if message.context}
    assert in_file == in_tables, "make languages"
    assert [each for each in _all(language) if not each.said] == [], to_do
    assert [each.name for each in _all(language) if each.fuzzy] == [], to_do


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_places_of_the_english_text(language: str) -> None:
    for entry in _each(language):
        differ = places(entry.english) ^ places(entry.said)
        assert differ <= ({"count"} if entry.form else set()), entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_counted_thing_has_all_forms_of_its_language(language: str) -> None:
    counted = [message for message in catalogs.catalog(language) if message.pluralizable]
    assert {len(forms(message.string)) for message in counted} == {len(plural_forms(language))}
    # Sinhala says 0 with the form of 1, so that form names its count as well.
    needs_count = ("one", "other") if language == "si" else ("other",)
    for entry in _each(language):
        assert "{count}" in entry.said or entry.form not in needs_count, entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left_in_a_translation(language: str) -> None:
    left = {}
    for entry in _each(language):
        latin = set(re.findall(r"[A-Za-z](?:\w*[A-Za-z])?", _bare(entry.said))) - _LATIN
        if latin:
            left[entry.name] = latin
    assert left == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_is_in_its_own_letters(language: str) -> None:
    first, last = SCRIPT[language]
    for entry in _each(language):
        if not re.search(r"[A-Za-z]", _bare(entry.english)) or entry.english in _SAME:
            continue
        assert any(first <= letter <= last for letter in entry.said), entry
        others = [pair for code, pair in SCRIPT.items() if code != language]
        if not any(name in entry.said for name in _OWN_NAMES.split()):
            assert not any(low <= letter <= high for low, high in others for letter in entry.said), entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_begins_and_ends_as_the_english_text_does(language: str) -> None:
    for entry in _each(language):
        assert entry.said == entry.said.strip(), entry
        assert "  " not in entry.said, entry
        assert _INVISIBLE.search(entry.said) is None, entry
        assert entry.said.count("\n") == entry.english.count("\n"), entry
        for end in ("…", ":"):
            assert entry.said.endswith(end) == entry.english.endswith(end), entry
        if entry.english.endswith("?"):
            assert entry.said.endswith(("?", "؟")), entry


def test_arabic_has_its_own_comma_and_question_mark() -> None:
    for entry in _each("ar"):
        assert "?" not in entry.said, entry
        assert ";" not in entry.said, entry
        assert "," not in entry.said, entry


def test_sinhala_joins_its_letters() -> None:
    """Rakaransaya and yansaya need a joiner between; without it a reader sees a broken word."""
    for entry in _each("si"):
        assert re.search("(?<!\u0dbb)\u0dca[\u0dba\u0dbb]", entry.said) is None, entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_text_stays_short(language: str) -> None:
    """What stands on a button or a tab may be wider than English, but not without bound."""
    for entry in _each(language):
        if len(entry.english) <= 20 and "{" not in entry.english:
            assert _width(entry.said) <= max(2.2 * len(entry.english), len(entry.english) + 16), entry


def _width(text: str) -> int:
    """Letters that stand beside each other: vowel signs, joiners and the like take no place of their own."""
    return sum(1 for letter in text if not _is_mark(letter))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")


@pytest.mark.parametrize("language", LANGUAGES)
def test_results_cannot_be_taken_for_each_other(language: str) -> None:
    said = _said(language)
    results = {name: said[f"till:result.{name}"].said for name in RESULTS}
    assert len(set(results.values())) == len(results)
    paid = results.pop("paid")
    for name, other in results.items():
        assert paid not in other, name
        assert other not in paid, name
        assert other.split()[0] != paid.split()[0], name
        assert _width(other) <= 24, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_is_called_what_its_result_is_called(language: str) -> None:
    """The list, the result and the course name a payment's end alike."""
    said = _said(language)
    assert said["till:state.PAID"].said == said["till:result.paid"].said
    assert said["till:state.FAILED"].said == said["till:result.not_paid"].said
    assert said["till:state.UNRESOLVED"].said == said["till:result.not_known"].said
    for name, entry in said.items():
        for english, result in (("NOT PAID", "not_paid"), ("NOT KNOWN YET", "not_known")):
            if name.startswith("training:") and english in entry.english:
                assert said[f"till:result.{result}"].said in entry.said, name
        if name.startswith("training:") and re.search(r"(?<!NOT )\bPAID\b", entry.english):
            assert said["till:result.paid"].said in entry.said, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_to_cancel_a_payment_is_not_to_close_a_window(language: str) -> None:
    """Three acts, three words: a cashier who closes a panel has cancelled nothing."""
    said = _said(language)
    cancel = said["open_payments:CANCEL"].said
    shut_for_good = said["open_payments:SHUT"].said
    close = said["open_payments:CLOSE"].said
    assert len({cancel, shut_for_good, close}) == 3
    assert close not in cancel
    assert close not in shut_for_good


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("sentence", "where", "number"),
    [
        ("Do not take the payment again.", "till:result.do_not_repeat", 0),
        ("Nothing was charged.", "till:result.cancelled", 1),
        ("Do not hand over goods.", "till:result.no_goods", 0),
        ("Call the manager.", "till:code.5001.todo", 0),
    ],
)
def test_what_decides_about_money_is_said_alike_everywhere(
    language: str, sentence: str, where: str, number: int
) -> None:
    words = _said(language)[where].said.split(". ")[number].rstrip(".")
    differ = [entry for entry in _each(language) if sentence in entry.english and words not in entry.said]
    assert differ == [], words


@pytest.mark.parametrize("name", RESULTS)
def test_the_glossary_names_the_results_as_the_till_does(name: str) -> None:
    glossary = (FOLDER / "GLOSSARY.md").read_text("utf-8")
    said = {language: _said(language)[f"till:result.{name}"] for language in LANGUAGES}
    rows = [line for line in glossary.splitlines() if line.startswith(f"| {said['si'].english} |")]
    assert len(rows) == 1
    assert [cell.strip() for cell in rows[0].split("|")[2:5]] == [
        said[each].said for each in ("si", "ta", "ar")
    ]
