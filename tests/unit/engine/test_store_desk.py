"""What the engine makes of a store's news: its own signature stops it, and what it has forgotten is asked about."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pos_app.domain import whitelist
from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import Cancel
from pos_app.domain.membership import (
    BEHIND,
    CONVICTED,
    HINTED,
    JOINED,
    LEFT,
    SUBJECT,
    Conviction,
    StoreState,
    StoreView,
)
from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import Act
from pos_app.domain.shipping import Told
from pos_app.domain.staff import Permit
from pos_app.domain.views import Block, MembershipRecorded, StaffAnswered, StaffProblem
from pos_app.engine.connection.calls import (
    MembershipChanged,
    StoreConvicted,
    StoreFellBehind,
    StoreSaid,
    StoreTold,
)
from pos_app.engine.core.config import Reconfigured
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import Rig
from tests.unit.engine.staff_steps import NIMALI, Staffed


def kinds(journal: JournalStore) -> list[str]:
    return [each.kind for each in journal.events_of(SUBJECT)]


def convicted(journal: JournalStore, why: Conviction = Conviction.OLDER, **facts: Any) -> StoreConvicted:
    usual: dict[str, Any] = {"first": 3, "last": 9, "head": 7, "installation_id": journal.installation_id}
    return StoreConvicted(why=why, **(usual | facts))


def forgotten(journal: JournalStore, at: int = 40, **facts: Any) -> Told:
    """A payment as this installation told it, of which its journal holds nothing."""
    source = Rig(MemoryJournal()).start()
    made = source.attempt(source.charge())
    sale = f"{at:04d}"
    own = f"SBX-T{journal.installation_id}-{sale}-1-K7Q2M9"
    whole = msgspec.structs.replace(
        made,
        **(
            {
                "attempt_id": own,
                "sale_id": sale,
                "number": 1,
                "state": State.PAID,
                "receipt": 5,
                "receipt_of": journal.installation_id,
            }
            | facts
        ),
    )
    return Told(attempt_id=whole.attempt_id, seq=at, attempt=whitelist.attempt_of(whole, references=False))


def told(journal: JournalStore, *hints: Told, more: int = 0) -> StoreTold:
    return StoreTold(installation_id=journal.installation_id, told=hints, more=more, forgotten=1_000)


def test_what_the_store_says_is_shown_and_changes_no_payment(rig: Rig) -> None:
    attempt_id = rig.charge()
    before = rig.attempt(attempt_id)
    for state in StoreState:
        rig.tell(StoreSaid(StoreView(state=state, store_name="Chain", waiting=7)))
        assert rig.terminal.store.state is state
        assert rig.block() is Block.NONE
    assert rig.attempt(attempt_id) == before
    assert kinds(rig.journal) == []


@pytest.mark.parametrize("why", [Conviction.FORK, Conviction.OLDER])
def test_a_conviction_stops_selling_and_open_payments_are_asked_on(rig: Rig, why: Conviction) -> None:
    attempt_id = rig.charge()
    rig.initiated()
    rig.tell(convicted(rig.journal, why))
    assert rig.block() is Block.IDENTITY_USED_TWICE
    assert rig.charge() == ""
    rig.wait(3)
    rig.asked("Payment Success", attempt_id)
    assert rig.state(attempt_id) is State.PAID
    rig.restart()
    assert rig.block() is Block.IDENTITY_USED_TWICE
    rig.tell(convicted(rig.journal, why))
    assert kinds(rig.journal) == [CONVICTED], "written once, however often it is met"


def test_another_installation_s_conviction_is_nobody_s(rig: Rig) -> None:
    rig.tell(convicted(rig.journal, installation_id="OTHER234"))
    assert rig.block() is Block.NONE


def test_a_manager_begins_anew_with_one_act(till: Staffed) -> None:
    """The same as with rule 18: another installation id, and the till sells."""
    rig = till.rig
    before = rig.journal.installation_id
    rig.tell(convicted(rig.journal))
    rig.restart()
    till.types(NIMALI)
    assert rig.block() is Block.IDENTITY_USED_TWICE
    rig.tell(Permit(request_id="n", act=Act.RENEW_IDENTITY, reason="Put back from a copy"))
    assert rig.last(StaffAnswered) == StaffAnswered(request_id="n")
    assert rig.journal.installation_id != before
    assert rig.block() is Block.NONE
    rig.tell(convicted(rig.journal, installation_id=before))
    assert rig.block() is Block.NONE


def test_what_was_forgotten_is_in_doubt_and_asked_of_the_service(rig: Rig) -> None:
    hint = forgotten(rig.journal)
    rig.tell(told(rig.journal, hint))
    attempt = rig.attempt(hint.attempt_id)
    assert (attempt.state, attempt.recovered, attempt.receipt) == (State.IN_DOUBT, True, 0)
    assert rig.names().count("ask") == 1
    rig.asked("Payment Success", hint.attempt_id)
    assert rig.state(hint.attempt_id) is State.PAID_LATE
    assert rig.attempt(hint.attempt_id).receipt > 0
    assert kinds(rig.journal) == [HINTED]
    assert rig.journal.sale("0040") is not None


def test_what_is_entered_is_given_up_by_the_settings_that_hold(rig: Rig) -> None:
    """They were changed while the till works."""
    config = msgspec.structs.replace(rig.config, give_up_after_ms=rig.config.give_up_after_ms * 2)
    rig.tell(Reconfigured(config=config, who=TERMINAL, changed=("payment.give_up_s",)))
    hint = forgotten(rig.journal)
    rig.tell(told(rig.journal, hint))
    assert rig.attempt(hint.attempt_id).give_up_after_ms == config.give_up_after_ms


def test_the_store_s_word_is_no_proof(rig: Rig) -> None:
    """It said PAID; the service says something else."""
    hint = forgotten(rig.journal)
    rig.tell(told(rig.journal, hint))
    rig.asked("Payment Fail", hint.attempt_id)
    assert rig.state(hint.attempt_id) is State.FAILED


def test_it_is_taken_up_once_also_after_a_restart(rig: Rig) -> None:
    hint = forgotten(rig.journal)
    rig.tell(told(rig.journal, hint))
    rig.restart()
    rig.tell(told(rig.journal, hint))
    assert kinds(rig.journal) == [HINTED]
    assert len(rig.journal.events_of(hint.attempt_id)) <= 1


def test_what_is_known_stays_as_it_is(rig: Rig) -> None:
    attempt_id = rig.pay()
    before = rig.attempt(attempt_id)
    lie = msgspec.structs.replace(before, state=State.FAILED)
    fact = Told(attempt_id=attempt_id, seq=1, attempt=whitelist.attempt_of(lie, references=False))
    rig.tell(told(rig.journal, fact))
    assert rig.attempt(attempt_id) == before
    assert kinds(rig.journal) == []


def test_a_taken_place_is_named_and_counted(rig: Rig) -> None:
    rig.pay()
    hint = forgotten(rig.journal, 1)
    rig.tell(told(rig.journal, hint))
    assert rig.journal.attempt(hint.attempt_id) is None
    (said,) = [each for each in rig.journal.events_of(SUBJECT) if each.kind == HINTED]
    assert (said.content["entered"], said.content["others"]) == (0, 1)
    rig.tell(told(rig.journal, hint))
    assert kinds(rig.journal) == [HINTED]


def strange(journal: JournalStore) -> list[Told]:
    """Hints that no payment of this till can be."""
    right = forgotten(journal)
    other = right.attempt_id.replace(journal.installation_id, "23456777")
    about: list[dict[str, object]] = [
        {"attempt_id": other},
        {"merchant_id": "M-2"},
        {"environment": "live"},
        {"currency": "USD"},
        {"sale_id": "0041"},
        {"number": 2},
        {"origin": "https://evil.example"},
        {"amount": []},
        {"tapped_at": "then"},
        {"state": "GOLDEN"},
    ]
    return [
        Told(
            attempt_id=str(each.get("attempt_id", right.attempt_id)),
            seq=right.seq,
            attempt={**right.attempt, **each},
        )
        for each in about
    ] + [Told(attempt_id="", seq=1), Told(attempt_id="x", seq=1, attempt={})]


def test_what_cannot_be_this_till_s_is_counted_only(rig: Rig) -> None:
    """A lying store has nothing asked at another address, and enters nobody else's payments."""
    hints = strange(rig.journal)
    rig.tell(told(rig.journal, *hints, more=3))
    assert "ask" not in rig.names()
    (said,) = rig.journal.events_of(SUBJECT)
    assert (said.content["entered"], said.content["others"]) == (0, len(hints) + 3)


HOSTILE: list[dict[str, object]] = [
    {"amount": "NaN"},
    {"amount": "1E+999999"},
    {"amount": "1.005"},
    {"amount": "0"},
    {"prices": ["NaN"]},
    {"tapped_at": -(10**30)},
    {"released_at": 10**30},
    {"give_up_after_ms": 10**30},
    {"cancel_wish": {"who": "p", "at": 10**30}},
    {"tapped_wall": "0001-01-01T00:00:00+14:00"},
]


@pytest.mark.parametrize("more", HOSTILE, ids=lambda more: next(iter(more)))
def test_what_no_journal_can_hold_is_counted_and_the_till_goes_on(rig: Rig, more: dict[str, object]) -> None:
    right = forgotten(rig.journal)
    hint = Told(attempt_id=right.attempt_id, seq=1, attempt={**right.attempt, **more})
    rig.tell(told(rig.journal, hint))
    assert rig.journal.attempt(hint.attempt_id) is None
    (said,) = rig.journal.events_of(SUBJECT)
    assert (said.content["entered"], said.content["others"]) == (0, 1)
    assert rig.block() is Block.NONE
    assert rig.pay()


def test_a_sale_ahead_of_all_that_was_forgotten_is_not_entered(rig: Rig) -> None:
    """Its number would be the last one that there is: no sale could begin behind it, ever."""
    last = forgotten(rig.journal, 9_999_999_999)
    ahead = forgotten(rig.journal, rig.journal.next_sale_number() + 1_000)
    newest = forgotten(rig.journal, rig.journal.next_sale_number() + 999)
    rig.tell(told(rig.journal, last, ahead, newest))
    entered = [each for each in (last, ahead, newest) if rig.journal.attempt(each.attempt_id) is not None]
    assert entered == [newest]
    assert rig.journal.next_sale_number() == int(rig.attempt(newest.attempt_id).sale_id) + 1


def test_hostile_text_of_a_hint_is_entered_plain(rig: Rig) -> None:
    hint = forgotten(rig.journal, note="\u202e\x1b[31mx" * 1_000, wallet_mask="\u202e567")
    rig.tell(told(rig.journal, hint))
    attempt = rig.attempt(hint.attempt_id)
    for text in (attempt.note, attempt.wallet_mask):
        assert text.isprintable()
        assert len(text) <= 200


def test_a_wish_to_cancel_is_not_taken_from_a_store(rig: Rig) -> None:
    own = rig.charge()
    rig.initiated()
    rig.tell(Cancel(own, "person-1"))
    wished = rig.attempt(own).cancel_wish
    hint = forgotten(rig.journal, cancel_wish=wished, state=State.WAITING)
    rig.tell(told(rig.journal, hint))
    assert rig.attempt(hint.attempt_id).cancel_wish is None


def test_a_store_that_fell_behind_is_written_down(rig: Rig) -> None:
    rig.tell(StoreFellBehind(held=3, acknowledged=9, epoch=2))
    (said,) = rig.journal.events_of(SUBJECT)
    assert (said.kind, said.actor) == (BEHIND, TERMINAL)
    assert said.content == {"held": 3, "acknowledged": 9, "epoch": 2}


def test_a_store_that_says_so_all_the_time_fills_no_journal(rig: Rig) -> None:
    for epoch in range(2, 40):
        rig.tell(StoreFellBehind(held=3, acknowledged=9, epoch=epoch))
        rig.wait(30)
    assert kinds(rig.journal) == [BEHIND]
    rig.wait(3_600)
    rig.tell(StoreFellBehind(held=3, acknowledged=9, epoch=40))
    assert kinds(rig.journal) == [BEHIND, BEHIND]


def test_a_full_disk_keeps_what_a_store_said_for_later(frail: Rig, memory: MemoryJournal) -> None:
    memory.full = True
    frail.tell(convicted(memory))
    assert frail.block() is Block.JOURNAL_HALTED
    memory.full = False
    frail.wait(3)
    assert frail.block() is Block.IDENTITY_USED_TWICE
    assert kinds(memory) == [CONVICTED]


def test_a_hint_has_the_types_of_a_payment(rig: Rig) -> None:
    """What leaves is what comes back: to the store and again."""
    fact = forgotten(rig.journal)
    again = msgspec.json.decode(msgspec.json.encode(fact), type=Told)
    assert msgspec.convert(again.attempt, Attempt).attempt_id == fact.attempt_id


def test_many_are_entered_slice_by_slice(rig: Rig) -> None:
    """Whoever taps meanwhile waits for one slice, not for all of them."""
    hints = [forgotten(rig.journal, number) for number in range(100, 140)]
    rig.engine.handle(told(rig.journal, *hints, more=2))
    written: list[int] = []
    while (due := rig.engine.due_at()) is not None and due <= rig.clock.ms and len(written) < 50:
        rig.engine.tick()
        written.append(sum(rig.journal.attempt(each.attempt_id) is not None for each in hints))
    assert written[0] <= 8
    assert written[-1] == len(hints)
    (said,) = [each for each in rig.journal.events_of(SUBJECT) if each.kind == HINTED]
    assert (said.content["entered"], said.content["others"]) == (40, 2)


def test_two_of_one_sale_have_their_places(rig: Rig) -> None:
    first = forgotten(rig.journal, 50)
    other = forgotten(rig.journal, 50, attempt_id=first.attempt_id.replace("K7Q2M9", "K7Q2M8"))
    second = forgotten(
        rig.journal, 50, number=2, attempt_id=first.attempt_id.replace("-1-K7Q2M9", "-2-K7Q2M9")
    )
    rig.tell(told(rig.journal, first, other, second))
    assert [each.number for each in rig.journal.attempts_of("0050")] == [1, 2]
    (said,) = [each for each in rig.journal.events_of(SUBJECT) if each.kind == HINTED]
    assert (said.content["entered"], said.content["others"]) == (2, 1)


def test_a_full_disk_enters_what_was_forgotten_later(frail: Rig, memory: MemoryJournal) -> None:
    hint = forgotten(memory)
    memory.full = True
    frail.tell(told(memory, hint))
    assert memory.attempt(hint.attempt_id) is None
    memory.full = False
    frail.wait(15)
    assert memory.attempt(hint.attempt_id) is not None
    assert kinds(memory) == [HINTED]


def changed(journal: JournalStore, kind: str = JOINED, **facts: Any) -> MembershipChanged:
    usual: dict[str, Any] = {
        "request_id": "r",
        "actor": NIMALI,
        "kind": kind,
        "content": {"store_name": "Central", "told": False},
        "installation_id": journal.installation_id,
    }
    return MembershipChanged(**(usual | facts))


def test_joined_and_left_are_recorded_in_a_name_before_anybody_is_told(journal: JournalStore) -> None:
    rig = Rig(journal).start()
    woken: list[bool] = []
    rig.restart_with(wake_store=lambda: woken.append(True))
    for kind in (JOINED, LEFT):
        rig.tell(changed(journal, kind))
        recorded = rig.last(MembershipRecorded)
        assert (recorded.request_id, recorded.joined, recorded.told) == ("r", kind == JOINED, False)
        assert recorded.problem is StaffProblem.NONE
    written = journal.events_of(SUBJECT)
    assert [(each.kind, each.actor) for each in written] == [(JOINED, NIMALI), (LEFT, NIMALI)]
    assert len(woken) == 2


def test_what_was_said_under_another_identity_is_not_recorded(journal: JournalStore) -> None:
    rig = Rig(journal).start()
    rig.tell(changed(journal, installation_id="ABCDEFGH"))
    assert rig.last(MembershipRecorded).problem is StaffProblem.CANNOT_RECORD
    assert not journal.events_of(SUBJECT)


def test_a_disk_that_takes_nothing_stops_no_sale_because_of_a_store() -> None:
    journal = MemoryJournal()
    rig = Rig(journal).start()
    journal.full = True
    rig.tell(changed(journal))
    assert rig.last(MembershipRecorded).problem is StaffProblem.CANNOT_RECORD
    assert rig.terminal.block is Block.NONE
