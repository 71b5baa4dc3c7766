"""There is a word for everything that can happen, and each sentence can be filled in."""

from __future__ import annotations

import re
import string
from enum import StrEnum

import pytest

from pos_app.domain.attempt import Flag, Reason, State
from pos_app.domain.flow.rules import KNOWN_CODES
from pos_app.domain.money import AmountProblem
from pos_app.domain.otp import OtpProblem
from pos_app.domain.phone import NumberProblem
from pos_app.domain.views import Block, Connection, Decline
from pos_app.i18n.table import Plural, texts
from pos_app.i18n.words import open_payments, reconcile
from pos_app.i18n.words.till import words
from pos_app.ui.till.window.keys import KEY_TABLE, Action, cap
from tests.unit.i18n.tables import tables

ENGLISH = words
SILENT = {Reason.NONE, Block.NONE, Connection.CONNECTED, Connection.UNKNOWN}
CODES = sorted(KNOWN_CODES)


@pytest.mark.parametrize(
    ("table", "members"),
    [
        (ENGLISH.state, State),
        (ENGLISH.reason, Reason),
        (ENGLISH.flag, Flag),
        (ENGLISH.decline, Decline),
        (ENGLISH.block, Block),
        (ENGLISH.connection, Connection),
        (ENGLISH.trouble, Connection),
        (ENGLISH.pad.problem, AmountProblem),
        (ENGLISH.method.problem, NumberProblem),
        (ENGLISH.key, Action),
    ],
    ids=["state", "reason", "flag", "decline", "block", "connection", "trouble", "amount", "number", "key"],
)
def test_each_member_has_words(table: dict[StrEnum, str], members: type[StrEnum]) -> None:
    for member in members:
        assert member in table, member
        if member not in SILENT:
            assert table[member].strip(), member


@pytest.mark.parametrize("code", CODES)
def test_each_service_code_says_what_happened_and_what_to_do(code: str) -> None:
    assert ENGLISH.code[code].said.endswith(".")
    assert ENGLISH.code[code].todo.endswith(".")
    assert code not in ENGLISH.code[code].said


def test_no_code_beyond_the_services_own() -> None:
    assert sorted(ENGLISH.code) == CODES


def test_each_sign_in_problem_has_words() -> None:
    from pos_app.i18n.words.sign_in import words as sign_in_words

    for problem in OtpProblem:
        assert sign_in_words.PROBLEM[problem] or problem is OtpProblem.NONE, problem


def test_each_key_of_the_table_is_explained() -> None:
    assert {row.action for row in KEY_TABLE} == set(ENGLISH.key)


def test_texts_are_plain_and_their_places_are_named() -> None:
    said = [
        (at, each)
        for at, text in texts(ENGLISH)
        for each in ((text.one, text.other) if isinstance(text, Plural) else (text,))
    ]
    assert len(said) > 150
    for at, text in said:
        assert "<" not in text, at
        assert text == text.strip(), at
        assert "  " not in text, at
        for _literal, place, _spec, _conversion in string.Formatter().parse(text):
            assert place is None or place.isidentifier(), (at, place)


def test_the_key_that_is_named_beside_a_page_opens_it() -> None:
    """The store's page sent the manager to F9 for the open payments, which locks the till."""
    opened = {cap(Action.OPEN): open_payments.words.TITLE, cap(Action.MANAGER): reconcile.words.TITLE}
    said = [text for table in tables().values() for _, text in texts(table) if isinstance(text, str)]
    named = [each for text in said for each in re.findall(r"\((F\d+), “([^”]+)”\)", text)]
    assert len(named) >= 2
    assert [each for each in named if opened.get(each[0]) != each[1]] == []
