"""A record that is wholly gone: what may be this till's is shown to a manager, and never taken for its money."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.attempt import Reason, State
from pos_app.domain.commands import Answer, Cancel, Close
from pos_app.domain.people import TERMINAL
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.replies import ListedTransaction, Refused
from pos_app.engine.core import rebuilding
from tests.unit.engine.damage import Opens
from tests.unit.engine.recorder import START
from tests.unit.engine.rig import Rig
from tests.unit.engine.test_rebuilding import ListingRig, listed

OLD, OTHER = "SBX-TAAAAAAAA-0007-1", "SBX-TBBBBBBBB-0008-1"


def gone(opens: Opens, **said: Any) -> ListingRig:
    """The fresh journal of a till of whose old one only so much is known."""
    journal = opens()
    about = {"installations": [], "claimed": [], "next_sale": 1001, "since": "", "found": 0} | said
    wall = datetime.fromtimestamp(START / 1000, UTC).isoformat()
    journal.append(
        [Record(kind=REBUILT, subject=JOURNAL, actor=TERMINAL, at=START, wall=wall, content=about)]
    )
    rig = ListingRig(journal)
    rig.start()
    rig.wait(0)
    return rig


def lists(rig: ListingRig, *rows: ListedTransaction) -> None:
    """What the service lists, read to its end and some minutes later once more."""
    rig.read_again(rig.list_all(*rows))


def told(rig: Rig) -> tuple[int, int]:
    """Payments found, and others of this counter."""
    rebuilt = rig.terminal.rebuilt
    assert rebuilt is not None
    assert rebuilt.ended
    return rebuilt.found, rebuilt.others


def test_a_paid_one_is_disputed_and_stays_no_money_of_ours(opens: Opens) -> None:
    """Whatever the service says of it, and after a manager has said that it is not this till's."""
    rig = gone(opens)
    assert rig.lists[0].counter_id == "1"
    lists(rig, listed(OLD, "Payment Success"), listed("no-id-of-a-till", "Payment Success"))
    assert told(rig) == (1, 0)
    assert (rig.state(OLD), rig.attempt(OLD).reason) == (State.DISPUTED, Reason.NOT_PROVEN_OURS)
    rig.asked("Payment Success", OLD)
    assert rig.state(OLD) is State.DISPUTED
    rig.sign_in()
    rig.tell(Answer(OLD, "not_paid", "Nimali", "of the other till", "person-1"))
    assert rig.state(OLD) is State.SIGNED_OFF
    rig.wait(3600)
    while "ask" in rig.names():
        rig.asked("Payment Success")
    assert rig.state(OLD) is State.SIGNED_OFF
    rig.restart()
    assert rig.state(OLD) is State.SIGNED_OFF


@pytest.mark.parametrize("command", [Cancel(OLD, "person-1"), Close(OLD, "person-1")])
def test_one_that_waits_may_be_another_tills_and_is_left_alone(opens: Opens, command: Cancel | Close) -> None:
    """It is asked about; no cancel and no copy of it leaves this till."""
    rig = gone(opens)
    lists(rig, listed(OLD, "Merchant Initiated"))
    rig.asked("Merchant Initiated", OLD)
    rig.tell(command)
    for _ in range(20):
        rig.wait(10)
        if "ask" in rig.names():
            rig.asked("Merchant Initiated")
    assert not {"cancel", "initiate", "re-send"} & {*rig.names()}
    assert rig.state(OLD) is State.DISPUTED


def test_where_something_names_an_installation_the_others_are_counted(opens: Opens) -> None:
    """By a log or a hint; it is said how many more there are under this counter."""
    rig = gone(opens, claimed=["AAAAAAAA"])
    lists(rig, listed(OLD, "Payment Success"), listed(OTHER, "Payment Success"))
    assert rig.state(OLD) is State.DISPUTED
    assert rig.journal.attempt(OTHER) is None
    assert told(rig) == (1, 1)
    rig.restart()
    assert told(rig) == (1, 1)


def test_with_a_proven_installation_nothing_else_is_looked_at(opens: Opens) -> None:
    """Row 13: another terminal's ids are its own affair."""
    rig = gone(opens, installations=["AAAAAAAA"], claimed=["BBBBBBBB"])
    lists(rig, listed(OLD, "Payment Success"), listed(OTHER, "Payment Success"))
    rig.asked("Payment Success", OLD)
    assert rig.state(OLD) is State.PAID_LATE
    assert rig.journal.attempt(OTHER) is None
    assert told(rig) == (1, 0)


def test_what_ended_unpaid_is_nobodys_affair(opens: Opens) -> None:
    """Nor is what this very till has sold since."""
    rig = gone(opens)
    lists(rig, *(listed(OLD, name) for name in ("Payment Fail", "Customer Reject", "Merchant Cancel")))
    assert told(rig) == (0, 0)
    assert rig.journal.attempt(OLD) is None


def test_so_many_and_no_more(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy counter's month is not a manager's morning: the rest are counted."""
    monkeypatch.setattr(rebuilding, "MOST_ENTERED", 2)
    rig = gone(opens)
    lists(rig, *(listed(f"SBX-TAAAAAAAA-{sale:04d}-1", "Payment Success") for sale in range(1, 6)))
    assert told(rig) == (2, 3)
    rig.asked(Refused("5009"), "SBX-TAAAAAAAA-0005-1")
    assert rig.state("SBX-TAAAAAAAA-0005-1") is State.DISPUTED
