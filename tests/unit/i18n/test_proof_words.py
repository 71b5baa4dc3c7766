"""Paid is said where the money is proven, and nowhere else: on the till, on the customer's screen, phone and course."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from hatch_build import forms
from pos_app.domain.attempt import MONEY, State
from pos_app.gallery.payments import RESULTS, WAITING
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.customer import CustomerWords
from tests.support.published import config, terminal
from tests.support.stage import STATES, Stage
from tests.unit.i18n import catalogs
from tests.unit.i18n.proof_words import MAY_SAY_PAID, PROOF, says_paid
from tests.unit.i18n.tables import LANGUAGES, template
from tests.unit.ui.customer_cases import ATTEMPTS, VIEWS, Shown, said

pytestmark = pytest.mark.slow


SPOKEN = ("en", *LANGUAGES)
MAY = frozenset(name for names in MAY_SAY_PAID.values() for name in names)
PROVEN = frozenset(MONEY) | {State.DISPUTED, State.SIGNED_OFF}
"""Where the screen may speak of money that came: it is there, or was said to be."""


@cache
def _texts(language: str) -> dict[str, str]:
    """By name; each form of a counted thing by itself."""
    if language == "en":
        found = ((message.context, forms(message.id)) for message in template() if message.context)
        return {f"{name}[{at}]" if at else name: text for name, each in found for at, text in enumerate(each)}
    return {
        f"{each.name}[{each.form}]" if each.form else each.name: each.said for each in catalogs.said(language)
    }


@pytest.mark.parametrize("language", SPOKEN)
def test_no_other_text_says_paid(language: str) -> None:
    found = {name: text for name, text in _texts(language).items() if says_paid(language, text)}
    assert {name: text for name, text in found.items() if name not in MAY} == {}


def test_every_leave_to_say_paid_is_used() -> None:
    """One for a text that is gone, or that no language says it in any more, would hide the next that does."""
    used = {name for each in SPOKEN for name, text in _texts(each).items() if says_paid(each, text)}
    assert sorted(MAY - used) == []
    assert [name for name, times in Counter(sum(MAY_SAY_PAID.values(), ())).items() if times > 1] == []


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("name", ["till:result.paid", "till:state.PAID", "customer:PAID", "paper:PAID"])
def test_the_proof_itself_is_declared(language: str, name: str) -> None:
    """A proof in a new word is declared, or the test above would let the new word stand everywhere."""
    assert says_paid(language, _texts(language)[name])


@pytest.mark.parametrize("language", SPOKEN)
def test_the_pretend_phone_has_a_word_of_its_own(language: str) -> None:
    """Held over the counter it must not look like the till, nor like the customer's screen."""
    its = _texts(language)["phone:STATUS.Payment Success"].casefold()
    for name in ("till:result.paid", "customer:PAID"):
        proof = _texts(language)[name].casefold()
        assert its not in proof, name
        assert proof not in its, name
        assert its.split()[0] != proof.split()[0], name


@pytest.mark.parametrize("language", SPOKEN)
def test_what_is_waited_for_begins_unlike_any_result(language: str) -> None:
    """The headline of a live payment is read at a glance, as the results are."""
    texts = _texts(language)
    results = [text for name, text in texts.items() if name in _HEADLINES]
    assert len(results) == len(_HEADLINES)
    for waiting in ("till:wait.title", "till:wait.sending", "till:wait.cancelling"):
        begins = texts[waiting].split()[0].casefold()
        for result in results:
            first = result.split()[0].casefold()
            assert not begins.startswith(first), (waiting, result)
            assert not first.startswith(begins), (waiting, result)


_HEADLINES = frozenset(
    f"till:result.{name}"
    for name in ("paid", "not_paid", "not_known", "disputed", "late", "paid_twice", "signed_off")
)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_window_of_the_till_says_paid_without_money(qtbot: Any, language: str) -> None:
    """All it shows and all a screen reader says, the stages that are drawn among it."""
    unproven = [
        name
        for name, each in RESULTS.items()
        if each.attempt.state not in PROVEN and not each.attempt.is_final
    ]
    states = [name for name in (*WAITING, *unproven, "rejected") if name in STATES]
    assert {"waiting-approved", "unresolved", "not-known"} <= set(states)
    for state in states:
        on = Stage(qtbot, language=language)
        on.receive(terminal(recent=()))
        STATES[state](on)
        on.settle()
        told = [text for text in _told(on.window) if says_paid(language, text)]
        assert told == [], state
    on = Stage(qtbot, language=language)
    STATES["paid"](on)
    assert any(says_paid(language, text) for text in _told(on.window))


@pytest.mark.parametrize("language", SPOKEN)
def test_no_view_of_the_customers_screen_says_paid_without_money(qtbot: Any, language: str) -> None:
    words = words_in(CustomerWords, language)
    for view in VIEWS:
        on = Shown(qtbot, config(language=language), words, (1024, 600))
        on.show(view)
        text = said(on.window)
        is_proven = view in ATTEMPTS and ATTEMPTS[view].state in MONEY
        assert says_paid(language, text) == is_proven, (view, PROOF[language].search(text))


def _told(window: QWidget) -> list[str]:
    parts: list[Any] = [each for each in (window, *window.findChildren(QWidget)) if each.isVisible()]
    texts = [str(each.text()) for each in parts if callable(getattr(each, "text", None))]
    return [*texts, *(f"{each.accessibleName()} {each.accessibleDescription()}" for each in parts)]
