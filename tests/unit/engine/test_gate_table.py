"""Role by act, cell by cell, on the engine: what is allowed is told with its actor, what is not changes nothing."""

from __future__ import annotations

from typing import get_args

import pytest

from pos_app.domain.commands import Command
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import RIGHTS, Act, Grant
from pos_app.domain.staff import Approvable, StaffCommand
from pos_app.domain.views import (
    ChargeDeclined,
    CommandRefused,
    Decline,
    PaymentsCounted,
    PaymentsFound,
    PaymentsSummed,
    StaffAnswered,
    StaffLog,
    StaffProblem,
)
from pos_app.engine.staff import authorizer
from tests.unit.engine.gate_deeds import DEEDS, OWNER
from tests.unit.engine.gate_standings import MANAGER, OTHER, Stand, Standing, attempt_it, stand

P, S = StaffProblem, Standing

Expected = StaffProblem | PasscodeProblem

_ALL_BUT_ABSENT: dict[Standing, Expected] = {
    S.NOBODY: P.NOT_SIGNED_IN,
    S.LOCKED_CASHIER: P.LOCKED,
    S.OWNER: P.NONE,
    S.NOT_OWNER: P.NONE,
    S.DISABLED: P.NOT_ALLOWED,
    S.MANAGER: P.NONE,
    S.LOCKED_MANAGER: P.LOCKED,
    S.APPROVED: P.NONE,
    S.FALSELY_APPROVED: PasscodeProblem.NOT_A_MANAGER,
    S.WRONG_PASSCODE: PasscodeProblem.WRONG,
    S.COMMAND_LINE: P.NONE,
}

EXPECTED: dict[Grant, dict[Standing, Expected]] = {
    Grant.ANYBODY: dict.fromkeys(Standing, P.NONE),
    Grant.SIGNED_IN: _ALL_BUT_ABSENT,
    Grant.OWNER: {**_ALL_BUT_ABSENT, S.NOT_OWNER: P.NOT_ALLOWED},
    Grant.MANAGER: {**_ALL_BUT_ABSENT, S.OWNER: P.NOT_ALLOWED, S.NOT_OWNER: P.NOT_ALLOWED},
}
"""Said here once more, and not taken from `may`: the two must agree."""

OF_THE_RULES = {Act.SIGN_OFF, Act.SIGN_REFUND}
BY_APPROVAL = {S.APPROVED, S.FALSELY_APPROVED, S.WRONG_PASSCODE}
ACTOR = {S.OWNER: OWNER, S.NOT_OWNER: OTHER, S.MANAGER: MANAGER, S.APPROVED: MANAGER}


def expected(act: Act, standing: Standing) -> Expected:
    """The cell."""
    if standing in BY_APPROVAL and not isinstance(DEEDS[act].command("", ""), Approvable):
        return P.NOT_ALLOWED  # whoever approves: it is nothing that can be approved
    if standing is S.COMMAND_LINE and act in OF_THE_RULES:
        return P.NOT_ALLOWED
    return EXPECTED[RIGHTS[act]][standing]


CELLS = [(act, standing) for act in RIGHTS for standing in Standing]


@pytest.mark.parametrize(("act", "standing"), CELLS)
def test_cell(act: Act, standing: Standing) -> None:
    """On an engine, not on a button."""
    on = stand(act, standing)
    written, shown = len(on.journal.records), len(on.rig.shown)
    wanted = expected(act, standing)
    attempt_it(on, act, standing)
    if not wanted:
        _done(on, act, standing, written, shown)
    else:
        _refused(on, act, wanted, written, shown)


def _done(on: Stand, act: Act, standing: Standing, written: int, shown: int) -> None:
    assert not [each for each in on.rig.shown[shown:] if _problem(each)]
    deed = DEEDS[act]
    told = [each for each in on.journal.records[written:] if each.kind == deed.told]
    assert bool(told) == bool(deed.told)
    for each in told:
        anybody = RIGHTS[act] is Grant.ANYBODY or standing is S.COMMAND_LINE
        assert each.actor == ACTOR.get(standing, TERMINAL) or (anybody and standing not in ACTOR)
    if deed.sends:
        assert deed.sends in on.rig.names()
    approved = [each for each in on.journal.records[written:] if each.kind == "APPROVED"]
    assert bool(approved) == (standing is S.APPROVED)
    for each in approved:
        assert (each.actor, each.content["act"], each.content["for"]) == (MANAGER, act.value, OTHER)
        assert each.content["name"] == "Nimali"
        assert on.journal.records.index(each) < on.journal.records.index(told[0])


def _refused(on: Stand, act: Act, wanted: Expected, written: int, shown: int) -> None:
    """Nothing but the refusal is written, shown or sent."""
    news = on.journal.records[written:]
    assert {each.kind for each in news} <= {"RIGHT_REFUSED", "APPROVAL_REFUSED", "PASSCODE_TRY"}
    assert [each.content["act"] for each in news if each.kind.endswith("_REFUSED")] == [act.value]
    assert not on.rig.calls.made
    assert [_problem(each) for each in on.rig.shown[shown:]] in ([wanted], [Decline.NOT_ALLOWED])


def _problem(picture: object) -> str:
    """What a picture says against the wish; "" when it says nothing against it."""
    match picture:
        case ChargeDeclined(decline=Decline.NOT_ALLOWED):
            return Decline.NOT_ALLOWED
        case StaffAnswered():
            return picture.problem or picture.passcode
        case PaymentsFound() | PaymentsSummed() | PaymentsCounted() | StaffLog() | CommandRefused():
            return picture.problem
        case _:
            return ""


def test_no_cell_is_missing() -> None:
    """Every act has a deed, every column an expectation."""
    assert set(DEEDS) == set(Act) == set(RIGHTS)
    assert all(set(column) == set(Standing) for column in EXPECTED.values())
    assert set(EXPECTED) == set(Grant)


def test_every_wish_is_known_to_the_gate() -> None:
    """A wish that is not in its table would be nobody's act; the engine does none that is not."""
    commands = {each for union in (Command, StaffCommand) for each in get_args(union)}
    assert commands == authorizer.WISHES
    assert not set(authorizer.ACTS) & set(authorizer.NEEDS_NO_RIGHT)
    said_by_themselves = {*authorizer.ANSWERS.values(), *authorizer.PERMITS, *authorizer.OF_PAPER.values()}
    assert {*authorizer.ACTS.values()} | said_by_themselves == set(Act)
