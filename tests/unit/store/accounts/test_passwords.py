"""A password is long, is never looked at on the loop, and tells a stranger nothing about who has an account."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.secret import Secret
from pos_app.store.accounts import delays, passwords, tokens
from pos_app.store.accounts.passwords import Busy, PasswordProblem, Passwords, problem_of

LOW_COST = 64
"""KiB: what is tried here is who waits for whom, not how long a guess takes."""


@pytest.fixture
def looked_at() -> Iterator[Passwords]:
    made = Passwords(LOW_COST)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("short", PasswordProblem.TOO_SHORT),
        ("x" * 129, PasswordProblem.TOO_LONG),
        ("aaaaaaaaaaaaaa", PasswordProblem.TOO_PLAIN),
        ("abababababababab", PasswordProblem.TOO_PLAIN),
        ("123456789012", PasswordProblem.TOO_PLAIN),
        ("abcdefghijklmnop", PasswordProblem.TOO_PLAIN),
        ("Nimali.Perera", PasswordProblem.IS_THE_NAME),
        ("three green cups", None),
        ("මුරපදයක් දිගට", None),
    ],
)
def test_a_chosen_password_is_judged(password: str, problem: PasswordProblem | None) -> None:
    assert problem_of(password, password, "nimali.perera") == problem


def test_both_times_it_is_the_same() -> None:
    assert problem_of("three green cups", "three green cup", "n") is PasswordProblem.NOT_THE_SAME


async def _one(looked_at: Passwords) -> None:
    hashed = await looked_at.hashed(Secret("three green cups"))
    assert hashed.startswith("$argon2id$")
    assert "three" not in hashed
    assert await looked_at.is_right(Secret("three green cups"), hashed)
    assert not await looked_at.is_right(Secret("three green cup"), hashed)
    assert not await looked_at.is_right(Secret("three green cups"), None)


def test_a_hash_is_right_for_its_password_alone(looked_at: Passwords) -> None:
    asyncio.run(_one(looked_at))


async def _hashed(looked_at: Passwords) -> str:
    with looked_at.turn():
        return await looked_at.hashed(Secret("x"))


async def _crowd(looked_at: Passwords) -> None:
    many = [_hashed(looked_at) for _ in range(passwords.WAITING_MOST + 5)]
    answers = await asyncio.gather(*many, return_exceptions=True)
    assert sum(isinstance(each, Busy) for each in answers) == 5
    assert await _hashed(looked_at)


def test_a_crowd_is_told_to_come_again(looked_at: Passwords) -> None:
    asyncio.run(_crowd(looked_at))


@given(st.integers(0, 10_000), st.floats(-1e9, 1e9))
def test_a_wait_is_bounded_and_ends(wrong: int, since: float) -> None:
    assert 0 <= delays.left_s(wrong, since) <= delays.LONGEST_S
    assert delays.left_s(wrong, delays.LONGEST_S) == 0
    assert delays.wait_s(wrong) <= delays.wait_s(wrong + 1)


def test_a_person_may_mistype_and_a_program_may_not() -> None:
    assert [delays.wait_s(each) for each in range(9)] == [0, 0, 0, 0, 0, 30, 60, 120, 240]


def test_a_form_belongs_to_its_session() -> None:
    one, other = tokens.new_token(), tokens.new_token()
    assert tokens.is_form_token(tokens.form_token(one), one)
    assert not tokens.is_form_token(tokens.form_token(one), other)
    assert not tokens.is_form_token("", one)
    assert not tokens.is_form_token("\udcff é", one)
    assert tokens.digest_of(one) != tokens.digest_of(other)
    assert one not in tokens.form_token(one)
