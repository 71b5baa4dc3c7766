"""What the events of an attempt are called in the journal: names on paper, whatever a class is called. Pure.

A kind is read for as long as journals are; renaming a class must not rename what was written. A new event gets
a row here and one in docs/journal-format.md, and the literal list in tests/unit/journal/test_kinds.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pos_app.domain import commands, events

OF_ATTEMPTS: Mapping[type[msgspec.Struct], str] = {
    events.InitiateAnswered: "INITIATE_ANSWERED",
    events.StatusAnswered: "STATUS_ANSWERED",
    events.CancelAnswered: "CANCEL_ANSWERED",
    events.TimeCame: "TIME_CAME",
    events.TillStarted: "TILL_STARTED",
    events.SignInRenewed: "SIGN_IN_RENEWED",
    events.ConnectionReturned: "CONNECTION_RETURNED",
    events.AnotherStarted: "ANOTHER_STARTED",
    events.Superseded: "SUPERSEDED",
    commands.Cancel: "CANCEL",
    commands.CheckNow: "CHECK_NOW",
    commands.Park: "PARK",
    commands.LeavePanel: "LEAVE_PANEL",
    commands.Continue: "CONTINUE",
    commands.Close: "CLOSE",
    commands.Answer: "ANSWER",
}


def kind_of(event: msgspec.Struct) -> str:
    """The kind under which an attempt's event is journalled. KeyError: our bug, it has none."""
    return OF_ATTEMPTS[type(event)]
