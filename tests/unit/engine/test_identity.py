"""Who a till is to the service: on another machine it takes a new id, and two copies never share one (rules 18, 20)."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from pos_app.domain import replies
from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.commands import SignOut
from pos_app.domain.events import StatusAnswered
from pos_app.domain.ids import installation_of, sale_and_number
from pos_app.domain.installation import SUBJECT, TAKEN, TOLD, Why
from pos_app.domain.list_reader import FORM
from pos_app.domain.people import TERMINAL
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, Refused
from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.views import Block, StaffAnswered
from pos_app.engine.connection.calls import ListAnswered
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import AMOUNT, Rig
from tests.unit.engine.staff_steps import KAMALA, NIMALI, Staffed
from tests.unit.engine.test_disk import full, unreadable


def kinds(journal: JournalStore) -> list[str]:
    """What was written of the installation."""
    return [each.kind for each in journal.events_of(SUBJECT)]


def moved(rig: Rig) -> None:
    """The folder wakes on another machine."""
    rig.journal.machine = "another machine"  # type: ignore[misc]
    rig.restart()


def test_the_first_start_writes_which_machine_it_is_and_no_start_does_again(rig: Rig) -> None:
    """It is at home there."""
    rig.restart()
    assert kinds(rig.journal) == ["ON_MACHINE"]


def test_on_another_machine_a_new_id_is_taken_before_the_first_sale(rig: Rig) -> None:
    """And the payments of the old one are still asked about and shown."""
    old = rig.charge(Kind.PUSH)
    rig.initiated()
    before = rig.journal.installation_id
    moved(rig)
    assert kinds(rig.journal) == ["ON_MACHINE", TAKEN]
    assert rig.journal.installation_id != before
    rig.asked("Payment Success", old)
    assert rig.state(old) is State.PAID
    new = rig.charge(amount=AMOUNT + 1)
    assert installation_of(new) == rig.journal.installation_id
    assert installation_of(old) == before
    assert sale_and_number(new) == ("0002", 1)
    rig.restart()
    assert kinds(rig.journal) == ["ON_MACHINE", TAKEN]


def test_where_the_new_id_cannot_be_written_nothing_is_sold_under_the_old_one(frail: Rig) -> None:
    """Until the disk takes it."""
    before = frail.journal.installation_id
    full(frail, True)
    moved(frail)
    assert frail.block() is Block.JOURNAL_HALTED
    assert frail.charge() == ""
    full(frail, False)
    frail.wait(1)
    assert frail.block() is Block.NONE
    assert installation_of(frail.charge()) == frail.journal.installation_id != before


def test_a_manager_is_told_once(till: Staffed) -> None:
    """Cashiers are not, and nobody is told twice."""
    rig = till.rig
    moved(rig)
    assert rig.terminal.new_identity == ""
    till.types(KAMALA)
    assert (till.here, rig.terminal.new_identity) == (KAMALA, "")
    rig.tell(SignOut())
    till.types(NIMALI)
    assert rig.terminal.new_identity == Why.OTHER_MACHINE
    assert kinds(rig.journal) == ["ON_MACHINE", TAKEN, TOLD]
    rig.tell(SignOut())
    till.types(NIMALI)
    assert rig.terminal.new_identity == ""
    rig.restart()
    till.by_sms(NIMALI)
    assert (till.here, rig.terminal.new_identity) == (NIMALI, "")


def test_a_manager_ends_the_block_of_an_identity_that_is_used_twice(till: Staffed) -> None:
    """With a reason; what was opened under the old id stays."""
    rig = till.rig
    before = rig.journal.installation_id
    used_twice(rig)
    assert rig.block() is Block.IDENTITY_USED_TWICE
    rig.restart()
    till.types(NIMALI)
    assert rig.block() is Block.IDENTITY_USED_TWICE
    assert rig.charge(who=NIMALI) == ""
    rig.tell(Permit(request_id="n", act=Act.RENEW_IDENTITY, reason="The other till is off"))
    assert rig.last(StaffAnswered) == StaffAnswered(request_id="n")
    assert rig.block() is Block.NONE
    assert rig.journal.installation_id != before
    (taken,) = [each for each in rig.journal.events_of(SUBJECT) if each.kind == TAKEN]
    assert (taken.actor, taken.content["before"]) == (NIMALI, before)
    rig.restart()
    assert rig.block() is Block.NONE


def test_a_manager_has_a_new_identity_made_that_nothing_asked_for(till: Staffed) -> None:
    """A store knows the old one as another counter's: what is open goes on, and the journal says that it was a wish."""
    rig = till.rig
    till.types(NIMALI)
    attempt_id = rig.charge(who=NIMALI)
    before = rig.journal.installation_id
    rig.tell(Permit(request_id="n", act=Act.RENEW_IDENTITY, reason="It has another counter number now"))
    (taken,) = [each for each in rig.journal.events_of(SUBJECT) if each.kind == TAKEN]
    assert (taken.content["why"], taken.content["before"]) == (Why.ASKED, before)
    assert before in attempt_id
    assert not rig.attempt(attempt_id).is_final
    assert rig.block() is Block.NONE


def used_twice(rig: Rig) -> None:
    """The first send of an id is called taken, and what lies there is another sale (rule 18)."""
    rig.charge(Kind.PUSH, who=NIMALI)
    rig.initiated(Refused("5000"))
    rig.wait(1)
    attempt_id = str(rig.take("ask")[1])
    rig.tell(
        StatusAnswered(attempt_id, replace(rig.report(attempt_id, "Merchant Initiated"), invoice_number="x"))
    )
    assert rig.attempt(attempt_id).reason is Reason.IDENTITY_USED_TWICE


def test_two_runs_from_one_copy_never_ask_by_the_same_id(memory: MemoryJournal) -> None:
    """The folder is put back after a sale: its numbers come again, its ids do not."""
    copy = list(memory.records)
    first = Rig(memory).start().charge()
    memory.records[:] = copy
    second = Rig(memory).start().charge()
    assert sale_and_number(second) == sale_and_number(first)
    assert second != first


def test_money_for_a_code_that_never_reached_the_till_is_disputed(rig: Rig) -> None:
    """Rule 10: nobody can have scanned it; another copy of this till has sold."""
    attempt_id = rig.charge()
    rig.wait(4)
    rig.asked("Payment Success")
    assert (rig.state(attempt_id), rig.attempt(attempt_id).reason) == (
        State.DISPUTED,
        Reason.CODE_NEVER_SHOWN,
    )
    assert rig.attempt(attempt_id).owner != TERMINAL


class Listing(Rig):
    """A till that can ask for the service's lists."""

    def boot(self) -> None:
        super().boot()
        self.looked: list[QueryFilter] = []
        self.engine = Engine(self.config, self.ports(list_payments=self.looked.append))

    def lists(self, *external_ids: str) -> None:
        """The service answers the oldest question with these."""
        rows = tuple(ListedTransaction(external_id=each, status="Payment Success") for each in external_ids)
        self.tell(ListAnswered(self.looked.pop(0), replies.Listing(rows)))


def test_a_folder_that_was_put_back_sees_the_sales_it_has_lost(memory: MemoryJournal) -> None:
    """Rule 20: an id of this installation that the journal does not know stops the selling."""
    rig = Listing(memory)
    rig.start()
    known = rig.pay()
    copy = list(memory.records)
    lost = rig.pay(amount=AMOUNT + 1)
    memory.records[:] = copy
    rig.restart()
    assert [each.from_date for each in rig.looked] == [rig.attempt(known).transaction_date_time]
    rig.lists(known, lost, "SBX-TAAAAAAAA-0009-1-AAAAAA", "x")
    assert rig.block() is Block.IDENTITY_USED_TWICE
    assert rig.charge() == ""
    rig.restart()
    assert rig.block() is Block.IDENTITY_USED_TWICE


@pytest.mark.parametrize("sold_before", [True, False])
def test_a_clock_that_was_ahead_hides_no_lost_sale(memory: MemoryJournal, sold_before: bool) -> None:
    """It asks from what its newest payment of a time that has been says, or from its own beginning."""
    rig = Listing(memory)
    rig.start()
    begun = rig.clock.wall().strftime(FORM)
    known = rig.attempt(rig.pay()).transaction_date_time if sold_before else begun
    rig.clock.pushed = timedelta(days=40)
    ahead = rig.pay(amount=AMOUNT + 1)
    rig.clock.pushed = timedelta()
    copy = list(memory.records)
    lost = rig.pay(amount=AMOUNT + 2)
    memory.records[:] = copy
    rig.restart()
    (looked,) = rig.looked
    assert begun[:10] <= looked.from_date <= known
    assert looked.from_date <= rig.clock.wall().strftime(FORM)
    rig.lists(ahead, lost)
    assert rig.block() is Block.IDENTITY_USED_TWICE


def test_a_folder_from_before_its_first_sale_sees_them_too(memory: MemoryJournal) -> None:
    """It asks from its own beginning, by the clock on the wall that its sales would have been told by."""
    rig = Listing(memory)
    rig.start()
    assert rig.looked == []
    copy = list(memory.records)
    lost = rig.pay()
    sold_at = rig.attempt(lost).transaction_date_time
    memory.records[:] = copy
    rig.restart()
    (looked,) = rig.looked
    assert copy[0].wall[:10] <= looked.from_date <= sold_at
    assert looked.counter_id == str(rig.config.counter_id)


def test_a_list_that_did_not_come_is_asked_for_again_from_where_it_was_first(memory: MemoryJournal) -> None:
    """Though all else is answered, and though something was sold meanwhile: that hides nothing older."""
    rig = Listing(memory)
    rig.start()
    known = rig.pay()
    copy = list(memory.records)
    lost = rig.pay(amount=AMOUNT + 1)
    memory.records[:] = copy
    rig.restart(off_s=60)
    asked = rig.looked[0]
    rig.tell(ListAnswered(rig.looked.pop(0), replies.NoAnswer(replies.Why.TIME_OUT, sent=True)))
    rig.pay(amount=AMOUNT + 2)
    rig.wait(60)
    assert rig.looked == [asked]
    rig.lists(known, lost)
    assert rig.block() is Block.IDENTITY_USED_TWICE
    rig.wait(120)
    assert rig.looked == []


def test_a_folder_put_back_from_before_its_first_sale_sees_what_it_has_lost(memory: MemoryJournal) -> None:
    """It asks from when it was begun."""
    rig = Listing(memory)
    rig.start()
    copy = list(memory.records)
    lost = rig.pay()
    memory.records[:] = copy
    rig.restart()
    assert len(rig.looked) == 1
    rig.lists(lost)
    assert rig.block() is Block.IDENTITY_USED_TWICE


def test_a_journal_that_cannot_be_read_when_the_list_comes_is_no_proof(memory: MemoryJournal) -> None:
    """It is asked for again, and read then."""
    rig = Listing(memory)
    rig.start()
    rig.pay()
    rig.restart()
    unreadable(rig, True)
    sold = f"SBX-T{rig.journal.installation_id}-0009-1-AAAAAA"
    rig.lists(sold)
    unreadable(rig, False)
    assert rig.block() is Block.NONE
    rig.wait(30)
    rig.lists(sold)
    assert rig.block() is Block.IDENTITY_USED_TWICE


def test_what_the_journal_knows_and_what_is_another_tills_stops_nobody(memory: MemoryJournal) -> None:
    """An empty till asks for no list; a line that is down is asked again when it is back."""
    rig = Listing(memory)
    rig.start()
    assert rig.looked == []
    known = rig.pay()
    rig.restart()
    rig.tell(ListAnswered(rig.looked.pop(0), replies.NoAnswer(replies.Why.TIME_OUT, sent=True)))
    sold = rig.charge(amount=AMOUNT + 1)
    rig.initiated(replies.NoAnswer(replies.Why.CONNECT, sent=False))
    rig.wait(1)
    rig.initiated()
    rig.lists(known, sold, "SBX-TAAAAAAAA-0009-1-AAAAAA", "x")
    assert rig.block() is Block.NONE
    rig.restart()
    rig.lists(known, sold)
    rig.asked("Merchant Initiated", sold)
    assert (rig.looked, rig.block()) == ([], Block.NONE)
