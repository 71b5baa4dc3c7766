"""Passcodes: which may be chosen, and how many wrong ones there may be. Counts and ages are arguments."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

import msgspec

FEWEST, MOST = 6, 12

TRY, RIGHT, DEAD = "PASSCODE_TRY", "PASSCODE_RIGHT", "PASSCODE_DEAD"
SET, RESET, RECOVERED = "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_RECOVERED"
ENDS_A_ROW = frozenset({RIGHT, SET, RESET})
"""Events after which the wrong ones are counted from none again; a recovery does not forgive any."""


class PasscodeProblem(StrEnum):
    """What stands in the way of a passcode; the screen has words and a next step for each."""

    NONE = ""
    WRONG = "wrong_passcode"
    WAIT = "wait"
    DEAD = "only_a_code_by_sms_helps"
    NOT_SET = "no_passcode_set"
    NEEDS_SMS = "needs_a_code_by_sms"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_DIGITS = "digits_only"
    TOO_EASY = "too_easy"
    SAME_AS_BEFORE = "same_as_before"
    UNKNOWN_PERSON = "unknown_person"
    NOT_A_MANAGER = "not_a_manager"
    BUSY = "busy"
    CANNOT_RECORD = "cannot_record"


class PasscodeLimits(msgspec.Struct, frozen=True):
    """After so many wrong ones in a row the wait (ms) before the next; after `tries` it is dead.

    Ten tries against a million (six digits) and no more, whatever is killed or set between them.
    """

    waits_ms: tuple[tuple[int, int], ...] = ((3, 10_000), (5, 60_000), (7, 300_000))
    tries: int = 10


def subject_of(person_id: str) -> str:
    """Under which, in the journal, a hash lies sealed and its tries are counted."""
    return f"passcode:{person_id}"


def problem_of_choice(text: str, number: str = "") -> PasscodeProblem:
    """Why this may not be somebody's passcode. `number`: their own, digits of which are no secret."""
    if not text.isascii() or not text.isdigit():
        return PasscodeProblem.NOT_DIGITS
    if len(text) < FEWEST:
        return PasscodeProblem.TOO_SHORT
    if len(text) > MOST:
        return PasscodeProblem.TOO_LONG
    return PasscodeProblem.TOO_EASY if _is_easy(text) or text in number else PasscodeProblem.NONE


def _is_easy(text: str) -> bool:
    """One or two digits alone, a run up or down, or a block said again ("123123")."""
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(text)}
    repeated = any(
        len(text) % size == 0 and text == text[:size] * (len(text) // size)
        for size in range(1, len(text) // 2 + 1)
    )
    return len(set(text)) < 3 or steps <= {1} or steps <= {9} or repeated


def wait_before_next(wrong: int, limits: PasscodeLimits) -> int:
    """How long (ms) after the `wrong`-th wrong one in a row the next is looked at."""
    return max((wait for count, wait in limits.waits_ms if wrong >= count), default=0)


def is_dead(wrong: int, limits: PasscodeLimits) -> bool:
    """Whether so many wrong ones in a row have ended the passcode."""
    return wrong >= limits.tries


def wait_left(ages_ms: Sequence[int], limits: PasscodeLimits) -> int:
    """What is left (ms) of the wait after the newest of these tries, all wrong; oldest first."""
    if not ages_ms:
        return 0
    return max(0, wait_before_next(len(ages_ms), limits) - ages_ms[-1])
