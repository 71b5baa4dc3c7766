"""A damaged record begun anew: what is proven stays, the service is asked for the rest, people are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain import list_reader
from pos_app.domain.attempt import Kind, State
from pos_app.domain.events import StatusAnswered
from pos_app.domain.ids import installation_of, sale_and_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, Refused, Why
from pos_app.domain.views import Block
from pos_app.engine.connection.calls import JournalFound, JournalMended, ListAnswered
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.identity import FAR_OFF
from pos_app.journal.pages import PageFilter
from tests.unit.domain.listing_service import Order, Service
from tests.unit.engine.damage import Opens, begun_anew, harm
from tests.unit.engine.recorder import START
from tests.unit.engine.rig import AMOUNT, Rig

SOLD_AT = f"{datetime.fromtimestamp(START / 1000, UTC):%Y-%m-%d %H:%M:%S}"


class ListingRig(Rig):
    """A till whose lists are answered by the test."""

    def boot(self) -> None:
        super().boot()
        self.lists: list[QueryFilter] = []
        self.engine = Engine(self.config, self.ports(list_payments=self.lists.append))

    @property
    def told(self) -> Rebuilt:
        """What people are told."""
        assert self.terminal.rebuilt is not None
        return self.terminal.rebuilt

    def list_all(self, *transactions: ListedTransaction) -> Service:
        """The service's list holds these; answers whatever is asked of it in these seconds."""
        return self.serve(Service(rows=list(transactions), pages="number"))

    def serve(self, service: Service) -> Service:
        """Until no list is due in the next two seconds."""
        waited = 0
        while waited < 4:
            waited = 0 if self.lists else waited + 1
            if self.lists:
                wanted = self.lists.pop()
                self.tell(ListAnswered(wanted, service.query(wanted)))
            self.wait(0.5)
        return service

    def read_again(self, service: Service) -> None:
        """Some minutes later."""
        self.wait(300)
        self.serve(service)


def listed(
    attempt_id: str, status: str, amount: Decimal | None = AMOUNT, at: datetime | None = None, **more: Any
) -> ListedTransaction:
    return ListedTransaction(
        f"W-{attempt_id}",
        attempt_id,
        SOLD_AT if at is None else f"{at:%Y-%m-%d %H:%M:%S}",
        amount=amount,
        status=status,
        **more,
    )


def test_what_is_proven_stays_and_what_is_lost_is_found_at_the_service(path: Path, opens: Opens) -> None:
    """A paid one proven, an open one proven, the last one cut off the journal and paid at the service."""
    journal = opens()
    rig = Rig(journal).start()
    rig.sign_in()
    paid, waiting = rig.pay(), rig.charge(amount=Decimal("7.00"))
    rig.initiated()
    before = journal.head()[0]
    lost = rig.charge(Kind.PUSH, amount=Decimal("9.00"))
    old = journal.installation_id
    journal.close()
    harm(path, f"DELETE FROM event WHERE seq > {before}", "DELETE FROM attempt WHERE place > 29999")

    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.journal.installation_id != old
    assert [each.name for each in rig.journal.people()] == ["Nimali"]
    assert rig.journal.unsealed("person-1") == b"+94771234567"
    assert (rig.state(paid), rig.attempt(waiting).amount) == (State.PAID, Decimal("7.00"))
    assert rig.journal.unsealed(waiting) is not None
    rig.tell(JournalMended(()))
    rig.asked("Merchant Initiated", waiting)
    assert rig.block() is Block.REBUILDING
    assert rig.charge() == ""
    push = listed(lost, "Payment Success", Decimal("9.00"), wallet_account_number="+94771234567")
    known = [listed(each, "Payment Success") for each in (paid, waiting)]
    others = [listed("SBX-TAAAAAAAA-0001-1", "Payment Success"), listed("x", "?")]
    service = rig.list_all(push, *known, *others)
    rig.asked("Payment Success", lost)
    assert rig.state(lost) is State.PAID_LATE
    assert rig.attempt(lost).wallet_mask
    assert "+94771234567" not in repr(rig.attempt(lost))
    assert rig.block() is Block.NONE
    rig.read_again(service)
    assert (rig.told.found, rig.told.ended, rig.told.incomplete) == (3, True, ())
    waits = [each.attempt_id for each in rig.terminal.attention]
    assert waits == [lost]
    new = rig.charge(amount=Decimal("3.00"))
    assert installation_of(new) == rig.journal.installation_id
    assert int(rig.attempt(new).sale_id) > 3


@pytest.mark.parametrize(("said", "written"), [("9", "9.00"), ("9.5", "9.50"), ("1.25E+3", "1250.00")])
def test_what_is_found_is_written_with_the_currencys_digits(
    path: Path, opens: Opens, said: str, written: str
) -> None:
    """A service may drop them; looked for by the amount that its customer paid, such a payment was not there."""
    journal = opens()
    rig = Rig(journal).start()
    rig.sign_in()
    rig.pay()
    before = journal.head()[0]
    lost = rig.charge(Kind.QR, amount=Decimal(written))
    journal.close()
    harm(path, f"DELETE FROM event WHERE seq > {before}", "DELETE FROM attempt WHERE place > 19999")
    anew = begun_anew(opens)
    rig = ListingRig(anew)
    rig.start()
    rig.tell(JournalMended(()))
    rig.list_all(listed(lost, "Payment Success", Decimal(said)))
    assert [each.attempt_id for each in anew.page(PageFilter(amount=written))] == [lost]
    rig.asked(replace(rig.report(lost, "Payment Success"), amount=Decimal(said)), lost)
    assert (rig.state(lost), str(rig.attempt(lost).amount)) == (State.PAID_LATE, written)


def test_a_hint_is_asked_about_and_believed_in_nothing(path: Path, opens: Opens) -> None:
    """An event changed to PAID is no payment; what the service does not know needs a manager."""
    journal = opens()
    rig = Rig(journal).start()
    first = rig.charge()
    rig.initiated()
    seq = journal.head()[0]
    journal.close()
    forged = f"UPDATE event SET content = replace(content, 'WAITING', 'PAID') WHERE seq <= {seq}"
    harm(path, forged, "DELETE FROM event WHERE seq = 1")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.state(first) is State.IN_DOUBT
    rig.asked(Refused("5009"), first)
    rig.list_all()
    for _ in range(30):
        rig.wait(10)
        if "ask" in rig.names():
            rig.asked(Refused("5009"), first)
    assert rig.state(first) is State.UNRESOLVED
    assert "initiate" not in rig.names()
    assert "re-send" not in rig.names()
    assert [each.attempt_id for each in rig.terminal.attention] == [first]


def test_a_hint_of_a_time_to_come_holds_no_limit_off(path: Path, opens: Opens) -> None:
    """The clock has been set back since: what is not answered for needs a manager as soon as ever."""
    journal = opens()
    rig = Rig(journal)
    rig.clock.ms += 3_600_000
    rig.start()
    first = rig.charge()
    rig.initiated()
    journal.close()
    harm(path, "UPDATE event SET at = at + 1", "DELETE FROM event WHERE seq = 1")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.state(first) is State.IN_DOUBT
    rig.list_all()
    for _ in range(40):
        rig.wait(10)
        if "ask" in rig.names():
            rig.asked(Refused("5009"), first)
    assert rig.state(first) is State.UNRESOLVED


def test_a_proven_end_that_the_list_contradicts_is_asked_about(path: Path, opens: Opens) -> None:
    """And an unproven later event makes it asked about without the list."""
    journal = opens()
    rig = Rig(journal).start()
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail")
    last = journal.head()[0]
    journal.close()
    harm(path, f"UPDATE event SET actor = 'x' WHERE seq = {last}")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    assert rig.state(first) is State.WAITING
    rig.asked("Payment Fail", first)
    assert rig.state(first) is State.FAILED
    rig.list_all(listed(first, "Payment Success"))
    rig.asked("Payment Success", first)
    assert rig.state(first) is State.PAID_LATE


def _emptied(path: Path, opens: Opens) -> tuple[ListingRig, str]:
    """A journal of which the anchor alone says whose it was."""
    journal = opens()
    rig = Rig(journal).start()
    lost = rig.charge()
    journal.close()
    path.write_bytes(b"no database" * 500)
    rig = ListingRig(begun_anew(opens))
    rig.start()
    return rig, lost


def test_a_journal_that_is_garbage_is_rebuilt_from_the_service_alone(path: Path, opens: Opens) -> None:
    """The anchor knows whose payments they are; an amount nobody told makes a dispute."""
    rig, lost = _emptied(path, opens)
    rig.wait(0)
    other = lost.replace("-0001-", "-0002-")
    service = rig.list_all(listed(lost, "Payment Success"), listed(other, "Payment Success", None))
    rig.asked(rig.report(lost, "Payment Success"), lost)
    report = rig.report(other, "Payment Success")
    rig.asked(type(report)(report.name, other, report.wallet_transaction_id, AMOUNT, "M-1"), other)
    assert rig.state(lost) is State.PAID_LATE
    assert rig.state(other) is State.DISPUTED
    rig.read_again(service)
    rig.restart()
    # A till that is no longer rebuilding looks for another copy of itself, and reads nothing once more.
    assert [each.to_date for each in rig.lists] == [FAR_OFF]
    assert (rig.told.found, rig.told.ended) == (2, True)
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
    for _ in range(2):
        # The first ask is only to see how much the service gives; it may be refused.
        rig.tell(ListAnswered(rig.lists.pop(), Refused("5012")))
        rig.wait(1)
    assert rig.block() is Block.NONE
    rig.wait(61)
    assert len(rig.lists) == 1
    rig.tell(ListAnswered(QueryFilter(), Listing()))
    assert len(rig.lists) == 1


def _lost(lost: str, count: int) -> list[ListedTransaction]:
    """Payments of the lost journal, one a minute and the last one now."""
    last = datetime.fromtimestamp(START / 1000, UTC)
    return [
        listed(
            lost.replace("-0001-", f"-{number:04d}-"),
            "Payment Success",
            at=last - timedelta(minutes=count - number),
        )
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize("order", ["newest", "oldest", "shuffled"])
@pytest.mark.parametrize("cut", [0, 7])
def test_every_payment_is_found_behind_a_silent_cap(path: Path, opens: Opens, cut: int, order: Order) -> None:
    """Issue 10, 1.4: today's rebuild took one answer of each day as whole."""
    rig, lost = _emptied(path, opens)
    rows = _lost(lost, 60)
    service = Service(rows=list(rows), cut=cut, order=order, pages="ignored")
    rig.serve(service)
    rig.read_again(service)
    assert {each.external_id for each in rows} <= _found(rig)
    assert (rig.told.found, rig.told.ended, rig.told.incomplete) == (60, True, ())


def _found(rig: Rig) -> set[str]:
    return {each.attempt_id for each in rig.journal.recent(1_000)}


@pytest.mark.parametrize("wrong", ["first page", "as large as the largest"])
def test_a_reader_that_believes_too_soon_is_caught(
    path: Path, opens: Opens, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the first answer taken as the list; an answer as large as the largest taken as whole."""

    def believes(reading: list_reader.Reading, answer: Any) -> bool:
        return wrong == "first page" or len(answer) <= reading.most

    monkeypatch.setattr(list_reader.Reading, "_is_whole", believes)
    rig, lost = _emptied(path, opens)
    rows = _lost(lost, 60)
    service = Service(rows=list(rows), cut=7)
    rig.serve(service)
    rig.read_again(service)
    assert not {each.external_id for each in rows} <= _found(rig)
    assert rig.told.incomplete == ()


def test_a_restart_goes_on_where_the_list_was_left(path: Path, opens: Opens) -> None:
    """However often it is cut short: what is done with is not read once more, and nothing is left out."""
    rig, lost = _emptied(path, opens)
    rows = _lost(lost, 60)
    service = Service(rows=list(rows), cut=7)
    restarts = 0
    rig.wait(1)
    for _ in range(400):
        if rig.told.ended:
            break
        for _ in range(30):
            rig.wait(301 if not rig.lists else 0)
            if rig.lists:
                wanted = rig.lists.pop()
                rig.tell(ListAnswered(wanted, service.query(wanted)))
        restarts += 1
        rig.restart(off_s=1)
        rig.wait(1)
    assert rig.told.ended
    assert restarts > 1
    assert {each.external_id for each in rows} <= _found(rig)
    assert rig.told.incomplete == ()
    windows = [each.content for each in rig.journal.events_of("list") if each.content.get("turn") == 1]
    assert len({each["from"] for each in windows}) == len(windows)


def test_what_cannot_be_proven_is_said_and_recorded(path: Path, opens: Opens) -> None:
    """More in one second than the service gives, and no pages: found as far as it goes, and named."""
    rig, lost = _emptied(path, opens)
    now = datetime.fromtimestamp(START / 1000, UTC)
    crowd = [
        listed(lost.replace("-0001-", f"-{each:04d}-"), "Payment Success", at=now) for each in range(1, 30)
    ]
    service = Service(rows=crowd, cut=7, pages="ignored")
    rig.serve(service)
    rig.read_again(service)
    assert rig.told.ended
    assert rig.told.incomplete == ("2023-11-14 22:13:19 – 22:13:21",)
    ended = rig.journal.events_of("journal")[-1]
    assert ended.content["incomplete"] == list(rig.told.incomplete)
    assert 7 <= len(_found(rig)) < 29
    rig.restart(off_s=6 * 24 * 60 * 60)
    assert rig.told.incomplete
    rig.restart(off_s=24 * 60 * 60)
    assert rig.terminal.rebuilt is None


def test_a_payment_whose_place_another_has_is_named_by_its_time(path: Path, opens: Opens) -> None:
    """Two copies of one till gave the same number out: one is entered, and people hear when the other was made."""
    rig, lost = _emptied(path, opens)
    twin = lost[:-6] + "222222"
    service = rig.list_all(listed(lost, "Payment Success"), listed(twin, "Payment Success"))
    rig.restart()
    rig.serve(service)
    rig.read_again(service)
    assert rig.told.ended
    assert len({lost, twin} & _found(rig)) == 1
    assert rig.told.incomplete == (SOLD_AT,)


def test_a_payment_with_the_last_sale_number_is_named_by_its_time(path: Path, opens: Opens) -> None:
    """Entered, it would have been the last sale of this till: the next number is one more than the highest."""
    rig, lost = _emptied(path, opens)
    start, _, end = lost.rpartition(f"-{sale_and_number(lost)[0]}-")
    highest = f"{start}-9999999999-{end}"
    service = rig.list_all(listed(lost, "Payment Success"), listed(highest, "Payment Success"))
    rig.restart()
    rig.serve(service)
    rig.read_again(service)
    assert rig.told.ended
    assert highest not in _found(rig)
    assert rig.told.incomplete == (SOLD_AT,)
    assert rig.journal.next_sale_number() < 1_000


def test_a_payment_that_the_list_shows_late_is_found(path: Path, opens: Opens) -> None:
    """The newest hour is read again, when the service has had five minutes to bring its list up to date."""
    rig, lost = _emptied(path, opens)
    service = rig.list_all()
    before = rig.told
    assert (rig.block(), before.ended) == (Block.NONE, False)
    service.add(listed(lost, "Payment Success"))
    rig.read_again(service)
    assert rig.told.ended
    assert lost in _found(rig)


def test_a_list_without_a_payment_that_is_known_there_is_not_the_list(path: Path, opens: Opens) -> None:
    """The service has answered for it: rows are cut off before the dates are looked at, or it lists too little."""
    journal = opens()
    rig = Rig(journal).start()
    paid = rig.pay()
    last = journal.head()[0]
    journal.close()
    harm(path, f"UPDATE event SET actor = 'x' WHERE seq = {last}")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    rig.asked("Payment Success", paid)
    service = rig.list_all()
    rig.read_again(service)
    assert rig.told.incomplete == ("2023-11-13 00:00:00 – 2023-11-15 23:59:59",)
    assert rig.journal.events_of("journal")[-1].content["not_in_the_list"] == [paid]


def test_a_clock_that_was_ahead_hides_no_payment_from_the_rebuilding(path: Path, opens: Opens) -> None:
    """The last proven payment says a day that is still to come: nobody knows when that was."""
    journal = opens()
    rig = Rig(journal).start()
    rig.clock.pushed = timedelta(days=40)
    paid = rig.pay()
    before = journal.head()[0]
    rig.clock.pushed = timedelta()
    lost = rig.charge(amount=Decimal("7.00"))
    journal.close()
    harm(path, f"DELETE FROM event WHERE seq > {before}", "DELETE FROM attempt WHERE place > 19999")
    rig = ListingRig(begun_anew(opens))
    rig.start()
    at = rig.clock.wall().replace(tzinfo=None)
    sold = [
        listed(paid, "Payment Success", at=at + timedelta(days=40)),
        listed(lost, "Payment Success", Decimal("7.00"), at=at - timedelta(days=20)),
        *(
            listed(f"SBX-TAAAAAAAA-000{n}-1", "Payment Success", at=at - n * list_reader.SECOND)
            for n in range(1, 6)
        ),
    ]
    # A service that gives three rows at once, so that nothing older comes along with the first, wider ask.
    rig.read_again(rig.serve(Service(rows=sold, pages="number", cut=3)))
    assert lost in _found(rig)


def test_an_id_of_this_very_installation_means_another_copy(path: Path, opens: Opens) -> None:
    """Rule 20: the journal knows each id that it drew."""
    rig, lost = _emptied(path, opens)
    own = lost.replace(installation_of(lost), rig.journal.installation_id)
    rig.list_all(listed(own, "Payment Success"))
    assert rig.block() is Block.IDENTITY_USED_TWICE
    assert own not in _found(rig)
    assert [each.kind for each in rig.journal.events_of("terminal")].count("IDENTITY_USED_TWICE") == 1


def test_lists_are_asked_for_at_most_twice_a_second_and_slower_when_told_so(path: Path, opens: Opens) -> None:
    """429 slows; what it says of the wait is kept."""
    rig, _ = _emptied(path, opens)
    service = Service(rows=[])

    def next_list() -> float:
        began = rig.clock.ms
        while not rig.lists:
            rig.wait(0.1)
        return (rig.clock.ms - began) / 1000

    next_list()
    rig.tell(ListAnswered(wanted := rig.lists.pop(), service.query(wanted)))
    assert next_list() >= 0.5
    slow = NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429, retry_after_s=30)
    rig.tell(ListAnswered(rig.lists.pop(), slow))
    assert next_list() >= 30
    assert len(rig.lists) == 1


def test_the_next_list_waits_until_what_the_last_one_showed_is_asked_about(path: Path, opens: Opens) -> None:
    """Memory does not grow with the list, and asks come first."""
    rig, lost = _emptied(path, opens)
    service = Service(rows=_lost(lost, 150))
    rig.wait(0)
    rig.tell(ListAnswered(wanted := rig.lists.pop(), service.query(wanted)))
    rig.wait(5)
    assert not rig.lists
    for each in sorted(_found(rig))[:60]:
        rig.tell(StatusAnswered(each, Refused("5009")))
    rig.wait(0)
    assert len(rig.lists) == 1


def test_a_list_that_is_too_long_is_halved(path: Path, opens: Opens) -> None:
    """Down to what can be read at once."""
    rig, lost = _emptied(path, opens)
    rows = _lost(lost, 60)
    service = Service(rows=list(rows), too_large=9)
    rig.serve(service)
    rig.read_again(service)
    assert {each.external_id for each in rows} <= _found(rig)
    assert rig.told.incomplete == ()


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
    kinds = [each.kind for each in rig.journal.events_of("journal")]
    assert kinds == ["JOURNAL_DAMAGED", "JOURNAL_DAMAGED"]
