"""Histories of a record out of which rows were taken, with one thing forged: threat 29 and I10 over folders tried."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from tests.verification.simulation.directed import A_FRESH_FOLDER, OF_PEOPLE
from tests.verification.simulation.forging import TILL, record
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.run import play

ANEW = f"{TILL}/0.1"
WHOSE = "passcode:person-1"


@cache
def guessed_unseen() -> History:
    """Nine wrong passcodes taken out where no start looks; the right one is of no use."""
    return play(OF_PEOPLE["a_gap_forgives_wrong_passcodes"]).history


@cache
def guessed_and_found() -> History:
    """The same where the start finds it, and begins another journal."""
    return play(OF_PEOPLE["a_rebuild_forgives_wrong_passcodes"]).history


@cache
def without_managers() -> History:
    """They are taken out, and nobody becomes one."""
    return play(OF_PEOPLE["no_manager_is_a_first_start"]).history


@cache
def codes_of_two_folders() -> History:
    """Three codes in a live shop, and then another folder, which has none to send."""
    return play(A_FRESH_FOLDER).history


HONEST = (guessed_unseen, guessed_and_found, without_managers, codes_of_two_folders)


def _with(history: History, line: str, change: Callable[[Written], Written]) -> History:
    return replace(history, journals={**history.journals, line: tuple(map(change, history.journals[line]))})


def _dead_is_right(each: Written) -> Written:
    return record(each, kind="PASSCODE_RIGHT", person=None) if each.record.kind == "PASSCODE_DEAD" else each


def right_after_a_gap() -> History:
    """The passcode counted, though the wrong ones had gone."""
    return _with(guessed_unseen(), TILL, _dead_is_right)


def _and_right(history: History, line: str) -> History:
    last = history.journals[line][-1]
    more = record(replace(last, seq=last.seq + 1), kind="PASSCODE_RIGHT", subject=WHOSE, person=None)
    return replace(history, journals={**history.journals, line: (*history.journals[line], more)})


def right_after_ten() -> History:
    """Nothing was taken out; it had been wrong eleven times."""
    tried = _with(
        replace(guessed_unseen(), gaps={}),
        TILL,
        lambda each: record(each, kind="PASSCODE_TRY") if each.record.kind == "PASSCODE_DEAD" else each,
    )
    return _and_right(tried, TILL)


def right_beside_a_damaged_one() -> History:
    """In a journal that was begun anew, without a code by SMS."""
    return _and_right(guessed_and_found(), ANEW)


def made_by_nobody() -> History:
    """Somebody is on the list of the new journal by their own hand."""
    history = without_managers()
    made = next(each for each in history.journals[TILL] if each.record.kind == "PERSON_ENROLLED")
    last = history.journals[ANEW][-1]
    more = replace(made, seq=last.seq + 1, at=last.at, record=replace(made.record, actor=made.record.subject))
    return replace(history, journals={**history.journals, ANEW: (*history.journals[ANEW], more)})


def one_code_more() -> History:
    """The other folder sent one, within the quarter of an hour."""
    history = codes_of_two_folders()
    at, _, number = history.messages[-1]
    return replace(history, messages=(*history.messages, (at + 60_000, ANEW, number)))


FORGED_PEOPLE: dict[Callable[[], History], str] = {
    right_after_a_gap: "threat 29",
    right_after_ten: "threat 29",
    right_beside_a_damaged_one: "threat 29",
    made_by_nobody: "threat 29",
    one_code_more: "I10",
}
