"""The guides say what stands on the screens, in each language alike; each message has its row; the site is whole."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pos_app.cli.main import VERBS
from pos_app.secrets.files import read_secrets
from pos_app.settings.load import load_settings
from tests.documents import messages, pictures, site
from tests.unit.i18n.catalogs import said

GUIDES = messages.GUIDES
COMMAND_LINE = GUIDES.parent / "command-line.md"
CASHIER = {language: GUIDES / f"cashier.{language}.md" for language in pictures.LANGUAGES}
OTHERS = ("manager.md", "installer.md", "troubleshooting.md", "scripts.md")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_PICTURE = re.compile(r"!\[[^\]]*\]\(pictures/([a-z]{2})/([\w-]+)\.png\)")
_PLACE = re.compile(r"\{[^{}]*\}")
_SAYS = re.compile(r"\w\S*\w|\w \w")
"""What is more than a place, a sign and a unit: "{number}k" is everything that ends so."""
_KEY = re.compile(r"`([^`]+)`")


@cache
def words(language: str) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """All that the till may show: texts, and patterns of those with a place, which takes anything."""
    if language == "en":
        texts = {*messages.words().values(), *(entry.english for entry in said("si"))}
    else:
        texts = {entry.said for entry in said(language)}
    filled = [text for text in texts if _PLACE.search(text) and _SAYS.search(_PLACE.sub("", text))]
    patterns = (re.compile(".+".join(map(re.escape, _PLACE.split(text)))) for text in filled)
    return frozenset(texts), tuple(patterns)


def is_a_word(text: str, language: str) -> bool:
    texts, patterns = words(language)
    return text in texts or any(pattern.fullmatch(text) for pattern in patterns)


@pytest.mark.parametrize(
    "page", [*CASHIER.values(), *(GUIDES / name for name in OTHERS)], ids=lambda page: page.name
)
def test_what_is_bold_stands_on_the_till(page: Path) -> None:
    """So that who reads finds the button, by the letter, in the language of the page."""
    language = page.suffixes[0].strip(".") if page in CASHIER.values() else "en"
    cited = set(_BOLD.findall(page.read_text("utf-8")))
    assert cited or page.name == "scripts.md"
    assert not [text for text in sorted(cited) if not is_a_word(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "stands"),
    [
        ("Cancel the payment", "en", True),
        ("1 open payment", "en", True),
        ("… · manager", "en", True),
        ("Cancel that payment", "en", False),
        ("Park it", "en", False),
        ("එය තිබේ", "si", True),
        ("எய் திபே", "ta", False),
        ("Cancel the payment", "ar", False),
    ],
)
def test_a_word_of_the_till_is_known_by_the_letter(text: str, language: str, stands: bool) -> None:
    assert is_a_word(text, language) is stands


def _shape(page: Path) -> list[object]:
    """What must be alike in every language: headings, points, rows, keys and pictures, in their order."""
    shape: list[object] = []
    for line in page.read_text("utf-8").splitlines():
        kind = re.match(r"#+ |- |\d\. |\|(?=-)|\|(?!-)|> |!\[", line)
        shape += [kind[0]] if kind else []
        shape += [name for _, name in _PICTURE.findall(line)]
    keys = sorted(_KEY.findall(page.read_text("utf-8")))
    return [*shape, keys]


@pytest.mark.parametrize("language", [language for language in CASHIER if language != "en"])
def test_the_cashiers_page_is_the_same_in_each_language(language: str) -> None:
    assert _shape(CASHIER[language]) == _shape(CASHIER["en"])


def test_every_picture_is_one_that_the_tour_takes_in_the_language_of_the_page() -> None:
    taken = pictures.names()
    assert not {"a-picture-that-nobody-takes"} <= taken
    for page in (*CASHIER.values(), *(GUIDES / name for name in OTHERS)):
        language = page.suffixes[0].strip(".") if page in CASHIER.values() else "en"
        for of, name in _PICTURE.findall(page.read_text("utf-8")):
            assert of == language, page.name
            assert name in taken, f"{page.name}: {name}"


def test_the_settings_of_the_installers_guide_are_settings(tmp_path: Path) -> None:
    """The site's and the counter's, as they stand there, read as strictly as at a counter."""
    texts = re.findall(r"```toml\n(.*?)```", (GUIDES / "installer.md").read_text("utf-8"), re.DOTALL)
    site_file, secrets, own = tmp_path / "site.toml", tmp_path / "secrets.toml", tmp_path / "own.toml"
    for path, text in zip((site_file, secrets, own), texts, strict=True):
        path.write_text(text.replace("…", "as-it-was-written"), "utf-8")
        path.chmod(0o600)
    assert read_secrets(secrets).keys() == {"access_token", "merchant_secret_code", "merchant_password"}
    settings = load_settings(None, {}, site_file=site_file, user_file=own)
    assert (settings.gateway.counter_id, settings.printer.kind) == (7, "network")
    assert "shop.currency" in settings.locked
    assert not settings.sandbox_allowed


def _till(root: Path) -> Path:
    """A till of three files."""
    for name, text in {
        "pos_app/ui/a.py": "A",
        "resources/languages/si.po": "B",
        "resources/icons/c.svg": "C",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@pytest.mark.parametrize("changed", ["pos_app/ui/a.py", "resources/languages/si.po", "resources/icons/c.svg"])
def test_a_picture_is_current_only_of_the_very_till(tmp_path: Path, changed: str) -> None:
    """A changed screen, word or icon: `make docs` takes them anew."""
    till, kept = _till(tmp_path / "till"), tmp_path / "kept"
    for language in pictures.LANGUAGES:
        (kept / language).mkdir(parents=True)
    assert not pictures.is_current(kept, pictures.taken_of(till))
    (kept / "taken-of").write_text(pictures.taken_of(till), "utf-8")
    assert pictures.is_current(kept, pictures.taken_of(till))
    (till / changed).write_text("other", "utf-8")
    assert not pictures.is_current(kept, pictures.taken_of(till))


def test_a_language_without_pictures_is_not_current(tmp_path: Path) -> None:
    (tmp_path / "taken-of").write_text("sum", "utf-8")
    assert not pictures.is_current(tmp_path, "sum")


def _listed(kind: str) -> list[str]:
    return [name for row in messages.rows() for name in row.get(kind, ())]


def test_every_message_of_the_till_is_in_the_guide() -> None:
    """A new sentence on a screen: a row in docs/guides/troubleshooting.toml, or a reason why it is no message."""
    missing = messages.without_a_row(messages.messages(), _listed("says"))
    assert not missing, f"docs/guides/troubleshooting.toml says nothing of {', '.join(missing)}"
    gone = [each for each in _listed("says") if not messages.fitting(each, messages.words())]
    assert not gone, f"no word of the till any more: {', '.join(gone)}"


def test_a_message_without_a_row_is_named() -> None:
    assert messages.without_a_row(["till:block.NEW"], _listed("says")) == ["till:block.NEW"]
    assert messages.is_message("till:block.NEW", "No new payments.")
    assert messages.is_message("safe_screen:OTHER_TITLE", "The till is cold")
    assert not messages.is_message("till:wait.park", "Park")
    assert not messages.is_message("training:goal.NEW", "Take a payment.")


def test_every_reason_not_to_be_a_message_is_needed() -> None:
    patterns = [each for group in messages.source()["quiet"].values() for each in group]
    assert not [each for each in patterns if not messages.fitting(each, messages.words())]


def test_every_end_of_a_verb_is_in_the_guide() -> None:
    """But for usage: those lines say what to write."""
    assert messages.lines() - set(_listed("line")) == set()
    assert set(_listed("line")) - messages.lines() == set()


def test_every_verb_stands_on_the_page_of_the_command_line() -> None:
    """That page is written by hand; what each option does is in the guide for scripts, made from the grammar."""
    page = COMMAND_LINE.read_text("utf-8").partition("## Exit codes")[0]
    rows = re.findall(r"^\| (`.+?) \|", page, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row)]
    assert sorted(named) == sorted(VERBS)


def test_everything_that_doctor_finds_is_in_the_guide() -> None:
    assert messages.findings() - set(_listed("doctor")) == set()
    assert set(_listed("doctor")) - messages.findings() == set()


def test_each_row_says_what_to_do() -> None:
    for row in messages.rows():
        assert row["means"].endswith((".", "?", ")")), row
        assert row["todo"].endswith((".", "?", ")")), row


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that is gone afterwards: the pages' own examples are among the canaries, and pages are no leak."""
    with tempfile.TemporaryDirectory(prefix="pos-app-site-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """The site as `make docs` makes it; its pictures are blank, one for each that the guides show."""
    if not site.MKDOCS.exists():
        pytest.skip("the site is made by mkdocs: `sh packaging/bootstrap.sh docs` installs it")
    with tempfile.TemporaryDirectory(prefix="pos-app-site-") as made:
        folder, shown = Path(made) / "site", Path(made) / "pictures"
        _build(folder, shown)
        yield folder


def _build(folder: Path, shown: Path) -> None:
    for page in GUIDES.glob("*.md"):
        for language, name in _PICTURE.findall(page.read_text("utf-8")):
            (shown / language).mkdir(parents=True, exist_ok=True)
            (shown / language / f"{name}.png").write_bytes(b"")
    done = site.build(folder, shown)
    assert done.returncode == 0, done.stderr


def test_every_link_of_the_site_leads_somewhere_and_nothing_comes_from_elsewhere(built: Path) -> None:
    """A stick without a network shows all of it, and every page is reached from the first."""
    assert list(site.faults(built)) == []


def test_arabic_goes_from_right_to_left(built: Path) -> None:
    directions = {
        language: site.Page((built / "guides" / f"cashier.{language}.html").read_text("utf-8")).direction
        for language in CASHIER
    }
    assert directions == {"en": "ltr", "si": "ltr", "ta": "ltr", "ar": "rtl"}


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ('<a href="nowhere.html">x</a>', "index.html: nowhere.html leads nowhere"),
        ('<a href="other.html#no">x</a>', "index.html: other.html#no leads to no heading"),
        ('<img src="pictures/en/x.png">', "index.html: pictures/en/x.png leads nowhere"),
        (
            '<link rel="stylesheet" href="https://cdn.example/x.css">',
            "index.html: fetches https://cdn.example/x.css",
        ),
        ("<p>| a | b | |---|---|</p>", "index.html: a table that is none"),
        ("<script>1</script>", "index.html: fetches a script"),
        ("", "other.html: no page leads there"),
    ],
)
def test_each_fault_of_a_site_is_found(tmp_path: Path, html: str, says: str) -> None:
    (tmp_path / "index.html").write_text(html, "utf-8")
    (tmp_path / "other.html").write_text('<p id="yes"></p>', "utf-8")
    assert says in list(site.faults(tmp_path))


def test_a_style_that_fetches_is_found(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("body { background: url(https://x.example/y.png) }", "utf-8")
    assert list(site.faults(tmp_path)) == ["style.css: fetches url(https://x.example/y.png)"]


def test_a_picture_that_is_missing_stops_the_build(built: Path, elsewhere: Path) -> None:
    """A site with a hole in it is not made."""
    done = site.build(elsewhere / "site", elsewhere / "no pictures")
    assert (built / "guides" / "pictures" / "si" / "paid.png").exists()
    assert done.returncode != 0
    assert "pictures/si/paid.png" in done.stderr
