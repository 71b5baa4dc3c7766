"""What is made from the code is up to date, and says what the code takes."""

from __future__ import annotations

import pytest

from pos_app.settings.model import BY_NAME, KEYS
from tests.documents import made


def test_every_made_page_is_up_to_date() -> None:
    """Change a declaration, and `make docs` writes the page again."""
    stale = [page.name for page, text in made.pages().items() if page.read_text("utf-8") != text]
    assert not stale, f"make docs: {', '.join(stale)}"


def test_every_setting_stands_on_the_page_once() -> None:
    page = made.settings_page()
    for key in KEYS:
        variable = f"`POS_APP_{key.name.replace('.', '_').upper()}`"
        assert page.count(variable) == 1


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("payment.give_up_s", "a number of seconds from 5 to 3600"),
        ("payment.extension_s", "a number of seconds from 0 to 3600"),
        ("window.text_percent", "100, 125, 150 or 200"),
        ("customer_display.language", "may be empty; two small letters"),
        ("shop.currency", "a currency's code of three letters"),
        ("gateway.token_provider", "`static`, `file`, `command`, `oauth2`"),
        ("gateway.base_url", "https (or http://127.0.0.1 in sandbox)"),
        ("otp.message", "must contain {{code}} exactly once"),
    ],
)
def test_limits_are_the_words_of_the_check(name: str, limits: str) -> None:
    """Asked of the check itself, so that the page cannot differ from it."""
    assert made.limits_of(BY_NAME[name]) == limits


def test_a_page_without_its_marks_is_told() -> None:
    with pytest.raises(ValueError, match="no place for matrix"):
        made.with_part("# Failure model\n", "matrix", "|")


def test_a_word_that_no_language_has_is_told() -> None:
    """A term's word on the screens is one of the till's, in each language."""
    with pytest.raises(ValueError, match="not said in every language"):
        made.with_words("| sale | owed | `Sale` | a word of nobody | | | |")


def test_words_are_those_of_the_translators() -> None:
    filled = made.with_words("| terminal | the till | `TERMINAL` | cashier | old | old | old |")
    assert filled.startswith("| terminal | the till | `TERMINAL` | cashier | ")
    assert "old" not in filled.removeprefix("| terminal | the till")
