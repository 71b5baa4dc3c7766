"""The table of rights can fail: gates that a hurried hand would build, each caught by a cell or a test of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pos_app.domain.commands import SignOut
from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import RIGHTS, Act, Grant
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.engine.core.admission import Admission
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff import approvals, authorizer
from pos_app.engine.staff.approvals import Approvals, Verdict
from pos_app.engine.staff.authentication import Authentication
from pos_app.engine.staff.authorizer import Allowed, Authorizer
from pos_app.engine.staff.passcodes import Passcodes
from pos_app.engine.staff.permits import Permits
from pos_app.engine.staff.refusals import Refusals
from pos_app.engine.staff.roster import Roster
from tests.unit.engine import test_approvals as by_approval
from tests.unit.engine import test_gate as by_hand
from tests.unit.engine.gate_standings import Standing
from tests.unit.engine.test_gate_table import test_cell as cell
from tests.verification.simulation.planting import Plant, Planter, planted

S = Standing


def on_the_button_only(planter: Planter) -> None:
    """The engine does what it is told: the window greys the buttons."""
    planter.put(Authorizer, "judge", lambda _self, command: Allowed(command, TERMINAL))


def trusts_who(planter: Planter) -> None:
    """Whoever the wish says it is of."""

    def wrong(command: Any, person: Any) -> Any:
        allowed = right(command, person)
        return msgspec.structs.replace(allowed, command=command)

    planter.put(authorizer, "is_anothers", lambda _command, _person_id: False)
    right = planter.put(authorizer, "in_name_of", wrong)


def trusts_the_name(planter: Planter) -> None:
    """Whatever was typed is written."""

    def wrong(command: Any, person: Any) -> Any:
        allowed = right(command, person)
        if hasattr(command, "name") and hasattr(allowed.command, "name"):
            return msgspec.structs.replace(
                allowed, command=msgspec.structs.replace(allowed.command, name=command.name)
            )
        return allowed

    right = planter.put(authorizer, "in_name_of", wrong)


def no_owner(planter: Planter) -> None:
    """Anybody's payment is everybody's."""
    planter.put(Authorizer, "_owner", lambda _self, _command: TERMINAL)


def no_lock(planter: Planter) -> None:
    """Who is signed in is there."""
    planter.put(
        Authorizer,
        "present",
        property(lambda self: self._staff.signed_in and self.on_list(self._staff.signed_in.person_id)),
    )


def disabled_may(planter: Planter) -> None:
    """The list is asked for the role alone."""

    def wrong(act: Act, person: Any, owner: str = TERMINAL, opened: frozenset[Act] = frozenset()) -> bool:
        enabled = None if person is None else msgspec.structs.replace(person, enabled=True)
        return bool(right(act, enabled, owner, opened))

    right = planter.put(authorizer, "may", wrong)


def any_second_person(planter: Planter) -> None:
    """The role is not looked at, neither here nor there."""

    def wrong(self: Any, asked: Any) -> None:
        self._asked = asked
        self._checked(Verdict())

    planter.put(Approvals, "_ask_the_manager", wrong)
    planter.put(
        Authorizer, "judge_for", lambda _self, command, person: authorizer.in_name_of(command, person)
    )


def no_passcode(planter: Planter) -> None:
    """Whoever names the manager has their leave."""
    planter.put(Authentication, "check_passcode", lambda _self, _person, _passcode, then: then(Verdict()))


def tries_uncounted(planter: Planter) -> None:
    """A manager beside a cashier is not somebody guessing."""
    planter.put(Passcodes, "_count", lambda _self, _person: True)


def disabled_manager_approves(planter: Planter) -> None:
    """Once a manager, always a manager: neither the gate nor the desk looks."""

    def wrong(self: Any, person_id: str) -> Any:
        person = right(self, person_id)
        return None if person is None else msgspec.structs.replace(person, enabled=True)

    right = planter.put(Authorizer, "on_list", wrong)
    planter.put(Roster, "enabled", Roster.find)


def approves_anything(planter: Planter) -> None:
    """A manager's passcode opens every wish."""
    planter.put(approvals, "_wrong_from_the_start", lambda _asked: StaffProblem.NONE)


def approval_unwritten(planter: Planter) -> None:
    """It is done; who allowed it is nobody's business."""

    def wrong(self: Any, kind: str, *told: Any, **facts: Any) -> Any:
        return right(self, "NOTED" if kind == approvals.APPROVED else kind, *told, **facts)

    right = planter.put(LivePayments, "record", wrong)


def approved_in_the_cashiers_name(planter: Planter) -> None:
    """The manager only nodded."""

    def wrong(self: Any, command: Any, person: Any) -> Any:
        judged = right(self, command, person)
        cashier = self.present
        if isinstance(judged, Allowed) and cashier is not None:
            return authorizer.in_name_of(judged.command, cashier)
        return judged

    right = planter.put(Authorizer, "judge_for", wrong)


def permits_unwritten(planter: Planter) -> None:
    """Leave is given at once."""
    planter.put(
        Permits,
        "give",
        lambda self, allowed, *_: StaffAnswered(
            request_id=allowed.command.request_id, shown=self._number_of(allowed.command.about)
        ),
    )


def permits_everything(planter: Planter) -> None:
    """A permit for any act of the table."""
    planter.put(authorizer, "PERMITS", frozenset(Act))


def refuses_and_does(planter: Planter) -> None:
    """It is told, and done all the same."""

    def wrong(self: Any, command: Any) -> Any:
        allowed = right(self, command)
        if isinstance(self.authorizer.judge(command), authorizer.Refused):
            return Allowed(command, TERMINAL)
        return allowed

    right = planter.put(Admission, "command", wrong)


def floods_the_journal(planter: Planter) -> None:
    """Each refusal is an event."""

    def wrong(self: Any, *told: Any) -> None:
        self._written.clear()
        right(self, *told)

    right = planter.put(Refusals, "note", wrong)


def asking_needs_somebody(planter: Planter) -> None:
    """No asking behind a lock."""
    planter.put(authorizer, "RIGHTS", {**RIGHTS, Act.CHECK: Grant.SIGNED_IN})


def rules_off_without_sign_in(planter: Planter) -> None:
    """At the command line anybody signs off."""
    planter.put(authorizer, "OF_THE_RULES", frozenset())


def goes_on_for_who_has_left(planter: Planter) -> None:
    """The approval is of the wish, whoever stands there by then."""

    def wrong(self: Any, verdict: Verdict) -> None:
        if self._asked is not None:
            self._asked = msgspec.structs.replace(self._asked, cashier="")
        right(self, verdict)

    right = planter.put(Approvals, "_checked", wrong)


Caught = Callable[[], None]


def _cell(act: Act, standing: Standing) -> Caught:
    return lambda: cell(act, standing)


WRONG: dict[Plant, Caught] = {
    on_the_button_only: _cell(Act.CANCEL, S.NOBODY),
    trusts_who: lambda: by_hand.test_a_wish_in_anothers_name_is_refused("person-2"),
    trusts_the_name: by_hand.test_an_answer_carries_the_name_on_the_list,
    no_owner: _cell(Act.CLOSE, S.NOT_OWNER),
    no_lock: _cell(Act.CHARGE, S.LOCKED_CASHIER),
    disabled_may: _cell(Act.PARK, S.DISABLED),
    any_second_person: _cell(Act.CANCEL, S.FALSELY_APPROVED),
    no_passcode: _cell(Act.CANCEL, S.WRONG_PASSCODE),
    approves_anything: _cell(Act.CHANGE_PERSON, S.APPROVED),
    tries_uncounted: by_approval.test_each_wrong_passcode_counts_and_the_tries_run_out,
    disabled_manager_approves: by_approval.test_nothing_is_done_by_a_manager_who_is_none_any_more,
    goes_on_for_who_has_left: lambda: by_approval.test_nothing_is_done_for_a_cashier_who_has_left_meanwhile(
        SignOut(), StaffProblem.NOT_SIGNED_IN
    ),
    approval_unwritten: _cell(Act.CANCEL, S.APPROVED),
    approved_in_the_cashiers_name: _cell(Act.CANCEL, S.APPROVED),
    permits_unwritten: _cell(Act.UNMASK_NUMBER, S.MANAGER),
    permits_everything: lambda: by_hand.test_only_what_is_done_outside_the_engine_can_be_permitted(S.MANAGER),
    refuses_and_does: _cell(Act.CANCEL, S.NOT_OWNER),
    floods_the_journal: by_hand.test_refusals_do_not_flood_the_journal,
    asking_needs_somebody: _cell(Act.CHECK, S.LOCKED_CASHIER),
    rules_off_without_sign_in: _cell(Act.SIGN_OFF, S.COMMAND_LINE),
}


@pytest.mark.parametrize("plant", WRONG, ids=lambda plant: plant.__name__)
def test_a_wrong_gate_is_caught(plant: Plant) -> None:
    """And the right one is not."""
    WRONG[plant]()
    with planted(plant), pytest.raises((AssertionError, AttributeError, LookupError)):
        WRONG[plant]()
