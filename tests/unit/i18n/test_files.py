"""Translators' files and what the till loads are as fresh as the tables; nothing is lost on the way."""

from __future__ import annotations

import gettext
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

from hatch_build import compile_all, compiled, read, wrong_places
from pos_app.domain.attempt import State
from pos_app.i18n import languages as spoken_languages
from pos_app.i18n.languages import NAMES, languages, speak, words_in
from pos_app.i18n.table import Plural
from pos_app.i18n.words.till import BarWords, words
from tests.unit.i18n.catalogs import FOLDER, began, catalog, fresh, merge, plural_forms, said, source, written
from tests.unit.i18n.tables import LANGUAGES, template

ROOT = FOLDER.parents[1]
PAID = "till:state.PAID"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Gone with the test: the languages have example numbers in them, which the guards of the log look for."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def _one(english: str, text: str = "", *, flags: tuple[str, ...] = (), comment: str = "") -> Catalog:
    """A German file of one text."""
    made = began("de")
    made.add(english, text, context=PAID, flags=flags, user_comments=[comment] if comment else [])
    return made


def _merged(before: Catalog, *texts: str) -> Message | None:
    wanted = Catalog()
    for english in texts:
        wanted.add(english, context=PAID)
    merge(before, wanted)
    again = read_po(io.StringIO(written("de", before)), locale="de")
    return next((message for message in again if message.id), None)


def _spoken(of: Catalog, english: str) -> str:
    return gettext.GNUTranslations(io.BytesIO(compiled(of))).pgettext(PAID, english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_fresh(language: str) -> None:
    """`make languages` writes the first; it, and every make target that runs something here, builds the second."""
    assert source(language).read_text("utf-8") == fresh(language)
    assert source(language).with_suffix(".mo").read_bytes() == compiled(catalog(language))


def test_every_language_has_a_name_and_a_file() -> None:
    assert set(languages()) == {"en", *LANGUAGES} == set(NAMES)
    assert spoken_languages.folder() == FOLDER


def test_each_text_is_found_under_its_name_once() -> None:
    names = [message.context for message in template() if message.id]
    assert len(names) == len(set(names)) > 1_000
    assert {"till:state.PAID", "till:bar.open", "training:RIGHTS.late", "passcode:RULES.0"} <= set(names)


def test_what_is_built_says_what_the_translators_wrote() -> None:
    for language in LANGUAGES:
        speak(language)
        assert words.state[State.PAID] == next(each.said for each in said(language) if each.name == PAID)


def test_what_another_editor_wrote_is_read(tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    file.write_text(
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n# hers\n#: till.py:3\n#| msgid "Pay"\n'
        'msgctxt "till:state.PAID"\nmsgid "Pa"\n"id"\nmsgstr ""\n"Be"\n"zahlt"\n'
    )
    now = read(file)
    merge(now, _one("Paid"))
    assert '# hers\nmsgctxt "till:state.PAID"\nmsgid "Paid"\nmsgstr "Bezahlt"\n' in written("de", now)
    file.write_text('msgid "Paid"\nrubbish\n')
    with pytest.raises(PoFileError):
        read(file)


def test_a_text_whose_english_changed_is_fuzzy_and_not_spoken() -> None:
    before = _one("Paid", "Bezahlt", comment="hers")
    assert _spoken(before, "Paid") == "Bezahlt"
    now = _merged(before, "It is all there now")
    assert now is not None
    assert (now.string, now.fuzzy, now.user_comments) == ("Bezahlt", True, ["hers"])
    assert _spoken(before, "It is all there now") == "It is all there now"
    looked_at = _one("It is all there now", "Alles da")
    assert _spoken(looked_at, "It is all there now") == "Alles da"
    assert _merged(looked_at) is None


def test_a_text_that_was_built_before_its_english_changed_is_not_spoken() -> None:
    assert _spoken(_one("Paid", "Bezahlt"), "Paid late") == "Paid late"


@pytest.mark.parametrize(
    ("english", "text", "wrong"),
    [
        ("{money}, sale {sale}", "{sale}: {money}", ""),
        ("{money}, sale {sale}", "{money}", "{sale} is missing"),
        ("Sale {sale}", "{sale} {amount}", "{amount} cannot be filled in"),
        ("Sale {sale}", "{sale", "expected '}' before end of string"),
        (("1 sale", "{count} sales"), ("ein Verkauf", "{count} Verkäufe"), ""),
        (("1 of {all}", "{count} of {all}"), ("{count} von {all}", "{count}"), "{all} is missing"),
        (("1 sale", "{count} sales"), ("1 {sale}", "{count}"), "{sale} cannot be filled in"),
    ],
)
def test_a_translation_that_could_not_be_filled_in_is_refused(
    english: str | tuple[str, str], text: str | tuple[str, str], wrong: str
) -> None:
    made = began("de")
    made.add(english, text, context="till:x")
    (message,) = (each for each in made if each.id)
    assert wrong_places(message) == wrong
    if wrong:
        with pytest.raises(ValueError, match="till:x"):
            compiled(made)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_takes_the_form_that_the_unicode_tables_give_it(language: str) -> None:
    """The header of the file is what gettext counts by."""
    rule, tags = Locale(language).plural_form, plural_forms(language)
    forms = {each.form: each.said for each in said(language) if each.name == "till:bar.open"}
    assert tuple(forms) == tags
    assert len(tags) == (6 if language == "ar" else 2)
    speak(language)
    for count in (*range(131), 200, 1002, 1003, 1011, 1100, 1_000_000):
        assert words.bar.open.of(count) == forms[rule(count)].format(count=count), count


def test_english_counts_in_two() -> None:
    assert words.bar.open.of(0) == "0 open payments"
    assert words.bar.open.of(1) == "1 open payment"
    assert words.bar.open.of(7) == "7 open payments"
    assert Plural("{count} digit: {written}", "{count} digits: {written}").of(2, written="x") == "2 digits: x"


def test_one_table_may_go_on_in_its_own_language() -> None:
    """The customer's screen speaks another language than the cashier's."""
    own = words_in(BarWords, "ta")
    english, tamil = words.bar.clock, own.clock
    assert words_in(BarWords, "xx").clock == words_in(BarWords, "en").clock == english
    assert speak("si")
    assert words.bar.clock not in (english, tamil)
    assert own.clock == tamil
    assert words_in(BarWords, "en").open.of(2) == "2 open payments"
    assert not speak("si")
    assert speak("xx")
    assert words.bar.clock == english


def test_a_language_that_is_gone_is_not_built(folder: Path) -> None:
    (folder / "xx.mo").touch()
    shutil.copy(source("ta"), folder)
    compile_all(folder)
    assert [path.name for path in sorted(folder.iterdir())] == ["ta.mo", "ta.po"]


@pytest.mark.slow
def test_a_wheel_is_packed_with_every_language(folder: Path) -> None:
    """Out of a clone, in which nothing has been built yet."""
    for name in ("pyproject.toml", "README.md", "hatch_build.py"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(FOLDER, folder / "resources" / "languages", ignore=shutil.ignore_patterns("*.mo"))
    shutil.copy(ROOT / ".gitignore", folder)
    package = folder / "pos_app"
    package.mkdir()
    (package / "__init__.py").touch()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True, timeout=60)
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        for language in LANGUAGES:
            built = packed.read(f"pos_app/resources/languages/{language}.mo")
            assert built == compiled(catalog(language))
