"""A damaged record begun anew: what is proven stays, the service is asked for the rest, people are told."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.domain.attempt import Kind, State
from pos_app.domain.ids import installation_of
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, Refused, Why
from pos_app.domain.views import Block
from pos_app.engine.calls import JournalFound, JournalMended, ListAnswered
from pos_app.engine.engine import Engine
from pos_app.journal import JournalTrouble
from tests.engine.damage import Opens, begun_anew, harm
from tests.engine.rig import AMOUNT, Rig


class ListingRig(Rig):
    """A till whose lists are answered by the test."""

    def _boot(self) -> None:
        super()._boot()
        self.lists: list[QueryFilter] = []
        trouble = (JournalTrouble,)
        self.engine = Engine(
            self.site,
            self.book,
            self.calls,
            self.clock,
            self.shown.append,
            self.posted.append,
            trouble,
            self.lists.append,
        )

    def listed(self, *transactions: ListedTransaction) -> None:
        """Answers the list under way."""
        self.tell(ListAnswered(self.lists.pop(), Listing(transactions)))

    def list_all(self, *transactions: ListedTransaction) -> int:
        """The first list holds these, the others nothing; how many there were."""
        self.listed(*transactions)
        days = 1
        while self.lists:
            self.listed()
            days += 1
        return days


def _listed(attempt_id: str, status: str, amount: Decimal | None = AMOUNT, **more: Any) -> ListedTransaction:
    return ListedTransaction(
        f"W-{attempt_id}", attempt_id, "2023-11-14 22:13:20", amount=amount, status=status, **more
    )


def test_what_is_proven_stays_and_what_is_lost_is_found_at_the_service(path: Path, opens: Opens) -> None:
    """A paid one proven, an open one proven, the last one cut off the journal and paid at the service."""
    book = opens()
    rig = Rig(book).start()
    rig.sign_in()
    paid, waiting = rig.pay(), rig.charge(amount=Decimal("7.00"))
    rig.initiated()
    before = book.head()[0]
    lost = rig.charge(Kind.PUSH, amount=Decimal("9.00"))
    old = book.installation_id
    book.close()
    harm(path, f"DELETE FROM event WHERE seq > {before}", "DELETE FROM attempt WHERE place > 29999")

    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.book.installation_id != old
    assert [each.name for each in rig.book.people()] == ["Nimali"]
    assert rig.book.unsealed("person-1") == b"+94771234567"
    assert (rig.state(paid), rig.attempt(waiting).amount) == (State.PAID, Decimal("7.00"))
    assert rig.book.unsealed(waiting) is not None
    rig.tell(JournalMended(()))
    rig.asked("Merchant Initiated", waiting)
    assert rig.block() is Block.REBUILDING
    assert rig.charge() == ""
    push = _listed(lost, "Payment Success", Decimal("9.00"), wallet_account_number="+94771234567")
    days = rig.list_all(push, _listed("SBX-TAAAAAAAA-0001-1", "Payment Success"), _listed("x", "?"))
    assert 3 <= days <= 31
    rig.asked("Payment Success", lost)
    assert rig.state(lost) is State.PAID_LATE
    assert rig.attempt(lost).wallet_mask
    assert "+94771234567" not in repr(rig.attempt(lost))
    assert rig.block() is Block.NONE
    told = rig.terminal.rebuilt
    assert told is not None
    assert (told.found, told.ended) == (3, True)
    waits = [each.attempt_id for each in rig.terminal.attention]
    assert waits == [lost]
    new = rig.charge(amount=Decimal("3.00"))
    assert installation_of(new) == rig.book.installation_id
    assert int(rig.attempt(new).sale_id) > 3


def test_a_hint_is_asked_about_and_believed_in_nothing(path: Path, opens: Opens) -> None:
    """An event changed to PAID is no payment; what the service does not know needs a manager."""
    book = opens()
    rig = Rig(book).start()
    first = rig.charge()
    rig.initiated()
    seq = book.head()[0]
    book.close()
    forged = f"UPDATE event SET content = replace(content, 'WAITING', 'PAID') WHERE seq <= {seq}"
    harm(path, forged, "DELETE FROM event WHERE seq = 1")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.state(first) is State.IN_DOUBT
    rig.asked(Refused("5009"), first)
    rig.list_all()
    for _ in range(40):
        rig.wait(10)
        if "ask" in rig.names():
            rig.asked(Refused("5009"), first)
    assert rig.state(first) is State.UNRESOLVED
    assert "initiate" not in rig.names()
    assert "re-send" not in rig.names()
    assert [each.attempt_id for each in rig.terminal.attention] == [first]


def test_a_proven_end_that_the_list_contradicts_is_asked_about(path: Path, opens: Opens) -> None:
    """And an unproven later event makes it asked about without the list."""
    book = opens()
    rig = Rig(book).start()
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail")
    last = book.head()[0]
    book.close()
    harm(path, f"UPDATE event SET actor = 'x' WHERE seq = {last}")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.state(first) is State.WAITING
    rig.asked("Payment Fail", first)
    assert rig.state(first) is State.FAILED
    rig.list_all(_listed(first, "Payment Success"))
    rig.asked("Payment Success", first)
    assert rig.state(first) is State.PAID_LATE


def _emptied(path: Path, opens: Opens) -> tuple[ListingRig, str]:
    """A journal of which the anchor alone says whose it was."""
    book = opens()
    rig = Rig(book).start()
    lost = rig.charge()
    book.close()
    path.write_bytes(b"no database" * 500)
    rig = ListingRig(begun_anew(opens))
    rig.start()
    return rig, lost


def test_a_journal_that_is_garbage_is_rebuilt_from_the_service_alone(path: Path, opens: Opens) -> None:
    """The anchor knows whose payments they are; an amount nobody told makes a dispute."""
    rig, lost = _emptied(path, opens)
    rig.wait(0)
    other = lost.replace("-0001-", "-0002-")
    assert rig.list_all(_listed(lost, "Payment Success"), _listed(other, "Payment Success", None)) == 32
    rig.asked(rig.report(lost, "Payment Success"), lost)
    report = rig.report(other, "Payment Success")
    rig.asked(type(report)(report.name, other, report.wallet_transaction_id, AMOUNT, "M-1"), other)
    assert rig.state(lost) is State.PAID_LATE
    assert rig.state(other) is State.DISPUTED
    rig.restart()
    assert not rig.lists
    told = rig.terminal.rebuilt
    assert told is not None
    assert (told.found, told.ended) == (2, True)
    rig.restart(off_s=90_000)
    assert rig.terminal.rebuilt is None


def test_without_lists_selling_waits_a_minute_and_no_longer(path: Path, opens: Opens) -> None:
    """No answer is tried again; a refusal lifts the block at once; a restart begins where it was."""
    rig, _ = _emptied(path, opens)
    rig.wait(0)
    rig.tell(ListAnswered(rig.lists.pop(), NoAnswer(Why.TIME_OUT, sent=True)))
    assert rig.block() is Block.REBUILDING
    rig.wait(70)
    rig.tell(ListAnswered(rig.lists.pop(), NoAnswer(Why.TIME_OUT, sent=True)))
    assert rig.block() is Block.NONE
    rig.restart()
    rig.wait(0)
    assert rig.block() is Block.REBUILDING
    rig.tell(ListAnswered(rig.lists.pop(), Refused("5012")))
    assert rig.block() is Block.NONE
    rig.wait(61)
    assert len(rig.lists) == 1
    rig.tell(ListAnswered(QueryFilter(), Listing()))
    assert len(rig.lists) == 1


def test_a_list_that_is_too_long_is_halved(path: Path, opens: Opens) -> None:
    """Until it fits, or is a minute long."""
    rig, _ = _emptied(path, opens)
    rig.wait(0)
    asked: list[QueryFilter] = []
    while rig.lists and len(asked) < 20:
        asked.append(rig.lists.pop())
        rig.tell(ListAnswered(asked[-1], NoAnswer(Why.TOO_LARGE, sent=True)))
    assert asked[0].from_date[:10] == asked[-1].from_date[:10]
    assert 8 < len(asked) < 20
    assert asked[-1].to_date < asked[0].to_date


def test_damage_found_in_use_stops_the_selling_and_nothing_else(opens: Opens) -> None:
    """Row 7, in use: no new payments; open ones are still checked; what was found is written down."""
    rig = Rig(opens()).start()
    first = rig.charge()
    rig.initiated()
    rig.tell(JournalFound(("event 2 is not as it was written",)))
    rig.tell(JournalFound(("event 9 is missing",)))
    assert rig.block() is Block.JOURNAL_HALTED
    assert "event 2 is not as it was written" in rig.terminal.block_detail
    assert rig.charge() == ""
    rig.wait(3)
    rig.asked("Payment Success")
    assert rig.state(first) is State.PAID
    kinds = [each.kind for each in rig.book.events_of("journal")]
    assert kinds == ["JOURNAL_DAMAGED", "JOURNAL_DAMAGED"]
