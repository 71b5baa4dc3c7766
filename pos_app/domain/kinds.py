"""What the events of an attempt are called in the journal: names on paper, whatever a class is called. Pure.

A kind is read for as long as journals are; renaming a class must not rename what was written. A new event gets
a row here and one in docs/journal-format.md, and the literal list in tests/journal/test_kinds.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pos_app.domain import facts, wishes

OF_ATTEMPTS: Mapping[type[msgspec.Struct], str] = {
    facts.InitiateAnswered: "INITIATE_ANSWERED",
    facts.StatusAnswered: "STATUS_ANSWERED",
    facts.CancelAnswered: "CANCEL_ANSWERED",
    facts.TimeCame: "TIME_CAME",
    facts.TillStarted: "TILL_STARTED",
    facts.SignInRenewed: "SIGN_IN_RENEWED",
    facts.ConnectionReturned: "CONNECTION_RETURNED",
    facts.AnotherStarted: "ANOTHER_STARTED",
    facts.Superseded: "SUPERSEDED",
    wishes.Cancel: "CANCEL",
    wishes.CheckNow: "CHECK_NOW",
    wishes.Park: "PARK",
    wishes.LeavePanel: "LEAVE_PANEL",
    wishes.Continue: "CONTINUE",
    wishes.Close: "CLOSE",
    wishes.Answer: "ANSWER",
}


def kind_of(event: msgspec.Struct) -> str:
    """The kind under which an attempt's event is journalled. KeyError: our bug, it has none."""
    return OF_ATTEMPTS[type(event)]
