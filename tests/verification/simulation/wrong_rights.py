"""Wrong tills, part four: who may do what is judged wrongly, or the lock reaches further than the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pos_app.domain.commands import AnswerPrint, Cancel, LeavePrint
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import TERMINAL
from pos_app.engine.core import live_payments
from pos_app.engine.core.effect_dispatcher import EffectDispatcher
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff import approvals, authorizer
from pos_app.engine.staff.approvals import Approvals, Verdict
from pos_app.engine.staff.authentication import Authentication
from pos_app.engine.staff.authorizer import Allowed, Authorizer
from pos_app.engine.staff.sessions import Sessions
from tests.verification.simulation.planting import Planter


def sells_for_anybody(planter: Planter) -> None:
    """The window greys its buttons; the engine does what it is told."""
    planter.put(Authorizer, "judge", lambda _self, command: Allowed(command, TERMINAL))


def believes_the_window(planter: Planter) -> None:
    """A wish is of whoever it says, though another has taken the till meanwhile."""

    def wrong(command: Any, person: Any) -> Allowed:
        return Allowed(command, getattr(command, "who", ""), person.name if person else "")

    planter.put(authorizer, "is_anothers", lambda *_: False)
    planter.put(authorizer, "in_name_of", wrong)


def cancels_for_any_cashier(planter: Planter) -> None:
    """Whose payment it is, is not looked at."""
    planter.put(Authorizer, "_owner", lambda *_: TERMINAL)


def works_behind_the_lock(planter: Planter) -> None:
    """The lock is a picture over the window."""
    planter.put(Authorizer, "present", property(lambda self: self._staff.signed_in))


def stays_signed_in_over_a_kill(planter: Planter) -> None:
    """Who was there is still there, whoever switched the machine on."""

    def wrong(self: Any) -> None:
        right(self)
        newest = [each for each in self._journal.newest_of("person-1", 1) if each.kind == "SIGNED_IN"]
        if newest:
            self._seated = "person-1"

    right = planter.put(Sessions, "take_up", wrong)


def cashiers_approve(planter: Planter) -> None:
    """A second person is enough; the role is not looked at."""

    def wrong(self: Any, asked: Any) -> None:
        self._asked = asked
        self._authentication.check_passcode(
            self._authorizer.on_list(asked.approve.manager_id), asked.approve.passcode, self._checked
        )

    planter.put(Approvals, "_ask_the_manager", wrong)
    planter.put(
        Authorizer, "judge_for", lambda _self, command, person: authorizer.in_name_of(command, person)
    )


def approves_by_any_passcode(planter: Planter) -> None:
    """What came of the passcode is not looked at, and the manager need not be one."""

    def checked(self: Any, _verdict: Any) -> Any:
        return right(self, Verdict())

    right: Callable[..., Any] = planter.put(Approvals, "_checked", checked)
    planter.put(approvals, "APPROVED", "NOTED")
    planter.put(
        Authentication, "check_passcode", lambda _s, _p, _c, then: then(Verdict(PasscodeProblem.WRONG))
    )


def gives_it_to_who_touched_it(planter: Planter) -> None:
    """A payment belongs to whoever did something to it last."""

    def wrong(self: Any, event: Any, live: Any, path: Any) -> Any:
        if isinstance(event, Cancel):
            live = replace(live, attempt=replace(live.attempt, owner=event.who))
            self.keep(live)
        return right(self, event, live, path)

    right = planter.put(LivePayments, "of_event", wrong)


def asks_for_nobody_behind_the_lock(planter: Planter) -> None:
    """A locked till rests: nothing that is due is done until somebody is there."""

    def due(self: Any, now: int, at_most: int) -> Any:
        return [] if _locked["now"] else right_due(self, now, at_most)

    def due_at(self: Any) -> int | None:
        _locked["now"] = self._authentication.locked
        at = right_due_at(self)
        return None if _locked["now"] else at

    _locked = {"now": False}
    right_due = planter.put(EffectDispatcher, "due", due)
    right_due_at = planter.put(Engine, "due_at", due_at)


def a_lock_breaks_the_line(planter: Planter) -> None:
    """Replies that come while the till is locked are let fall."""

    def wrong(self: Any, event: Any) -> None:
        if not self._authentication.locked:
            right(self, event)

    right = planter.put(Engine, "_of_attempt", wrong)


def prints_for_any_cashier(planter: Planter) -> None:
    """Paper is only paper: whose payment it is about is not looked at."""
    planter.put(Authorizer, "_owner_of_paper", lambda *_, **__: TERMINAL)


def copies_for_ever(planter: Planter) -> None:
    """A quarter of an hour is a long time."""
    planter.put(live_payments, "OWN_COPY_MS", 10**12)


def prints_of_closed_days(planter: Planter) -> None:
    """Whose payment it is, it stays, whatever was closed meanwhile."""
    planter.put(LivePayments, "printable_by", lambda _self, attempt, **_: attempt.owner)


def answers_for_the_printer_by_anybody(planter: Planter) -> None:
    """Whoever goes and looks can say what lies there."""

    def wrong(self: Any, command: Any) -> Any:
        return TERMINAL if isinstance(command, AnswerPrint | LeavePrint) else right(self, command)

    right = planter.put(Authorizer, "_owner", wrong)
