"""What the tables say is what the events made true: equal to a replay, and found by each question."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Attempt, CancelWish, Environment, Flag, Kind, Resolution, State
from pos_app.domain.record import Record
from pos_app.journal import Journal, open_journal
from tests.support.builders import KEY, attempt, ended, intent, person, record, sale
from tests.unit.journal.dump import tables

pytestmark = pytest.mark.slow


_facts = st.fixed_dictionaries(
    {"state": st.sampled_from(State)},
    optional={
        "ended_at": st.integers(0, 2**53),
        "cancel_wish": st.builds(CancelWish, who=st.text(), at=st.integers(0, 2**53)),
        "flags": st.frozensets(st.sampled_from(Flag)),
        "resolution": st.builds(
            Resolution, action=st.just("refund"), name=st.text(), reason=st.text(), at=st.just(5)
        ),
        "qr_text": st.text(),
        "shown": st.booleans(),
        "kind": st.just(Kind.QR),
    },
)


def _seen(number: int, nth: int, facts: dict[str, Any]) -> Record:
    return record(attempt(number, nth, **facts), sealed=None, content={"note": "a"})


def _sold(number: int, overpaid: bool, refunded: bool) -> Record:
    refund = Resolution(action="refund", name="A", reason="b", at=7) if refunded else None
    made = sale(number, overpaid=overpaid, refund=refund)
    return Record(kind="SALE_CHANGED", subject=made.sale_id, actor="p1", at=number, wall="", sale=made)


def _enrolled(number: int, name: str) -> Record:
    known = person(number, name=name)
    return Record(kind="PERSON_CHANGED", subject=known.person_id, actor="p1", at=1, wall="", person=known)


def _passcode(number: int, known: bool, dead: bool) -> Record:
    whose = person(number, passcode_set=known, passcode_dead=dead, language="si")
    kind, subject = "PASSCODE_SET" if known else "PASSCODE_RESET", f"passcode:{whose.person_id}"
    sealed = b"a hash" if known else None
    return Record(
        kind=kind, subject=subject, actor="p1", at=1, wall="", person=whose, sealed=sealed, content={"n": 1}
    )


def _sent(digest: str, at: int) -> Record:
    return Record(kind="OTP_SEND", subject=digest, actor="terminal", at=at, wall="")


_records = st.one_of(
    st.builds(_seen, st.integers(1, 4), st.integers(1, 3), _facts),
    st.builds(_sold, st.integers(1, 4), st.booleans(), st.booleans()),
    st.builds(_enrolled, st.integers(1, 3), st.text()),
    st.builds(_passcode, st.integers(1, 3), st.booleans(), st.booleans()),
    st.builds(_sent, st.sampled_from(["ab", "cd"]), st.integers(0, 9)),
)


@given(st.lists(st.lists(_records, max_size=3), max_size=12))
def test_the_tables_equal_a_replay(appends: list[list[Record]]) -> None:
    """Whatever was appended, emptying the tables and replaying gives the same to the byte (I6)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        journal = open_journal(path, KEY, Environment.SANDBOX)
        for records in appends:
            journal.append(records)
        _answers_are_the_events(journal, [one for records in appends for one in records])
        before = tables(path)
        journal.rebuild_projections()
        assert tables(path) == before
        assert not journal.verify().broken_at
        journal.close()


def _answers_are_the_events(journal: Journal, records: list[Record]) -> None:
    """Each question, answered from the list of what was appended alone."""
    newest: dict[str, Attempt] = {}
    for one in records:
        if one.attempt is not None:
            newest[one.attempt.attempt_id] = one.attempt
    for attempt_id, expected in newest.items():
        assert journal.attempt(attempt_id) == expected
        assert journal.events_of(attempt_id) == [one for one in records if one.subject == attempt_id]
    open_ids = {one.attempt_id for one in journal.open_attempts()}
    assert open_ids == {key for key, one in newest.items() if not one.is_final}
    waiting = {one.attempt_id for one in journal.needs_answer()}
    assert waiting == {key for key, one in newest.items() if one.needs_answer}
    ends = [one.ended_at for one in journal.attempts_to_watch(100)]
    assert ends == sorted(one.ended_at for one in newest.values() if one.ended_at and one.ended_at > 100)
    overpaid = {}
    for one in records:
        if one.sale is not None:
            overpaid[one.sale.sale_id] = one.sale.overpaid and one.sale.refund is None
    assert [one.sale_id for one in journal.overpaid_sales()] == sorted(k for k, v in overpaid.items() if v)
    assert journal.next_sale_number() == max(map(int, overpaid), default=0) + 1
    people = {one.person.person_id: one.person for one in records if one.person is not None}
    assert {one.person_id: one for one in journal.people()} == people
    sends = [one for one in records if one.kind == "OTP_SEND"]
    assert journal.otp_sends(4) == sends[-4:]
    assert journal.last_at() == (records[-1].at if records else 0)


def test_people_come_in_the_order_they_came(journal: Journal) -> None:
    """A change keeps the place."""
    journal.append([_enrolled(2, "B"), _enrolled(1, "A")])
    journal.append([_enrolled(2, "Bee")])
    assert [one.name for one in journal.people()] == ["Bee", "A"]


def test_a_sales_attempts_come_in_their_order(journal: Journal) -> None:
    """And none of a sale whose number begins alike."""
    journal.append([intent(1, 2), intent(1, 1), intent(10, 1), intent(11, 1)])
    assert [one.number for one in journal.attempts_of("0001")] == [1, 2]
    assert journal.attempts_of("1") == []
    assert journal.attempts_of("no number") == []


def test_unknown_names_find_nothing(journal: Journal) -> None:
    """Not even ones of another form or another installation."""
    journal.append([intent(1)])
    for name in (
        "",
        "0001-1",
        "SBX-TAAAAAAAA-0001-1-K7Q2M9",
        "x" * 500,
        "\ud800",
        "١٢٣",
        "' OR 1=1 --",
        "9" * 30,
    ):
        assert journal.attempt(name) is None
        assert journal.sale(name) is None
        assert journal.events_of(name) == []
        assert journal.unsealed(name) is None


def test_a_settled_attempt_waits_for_nobody(journal: Journal) -> None:
    """A late payment is on the list until a person has settled it."""
    late = ended(attempt(1), State.PAID_LATE, 5_000)
    journal.append([intent(1), late])
    assert [one.attempt_id for one in journal.needs_answer()] == [attempt(1).attempt_id]
    assert late.attempt is not None
    done = Resolution(action="complete", name="A", reason="goods given", at=6_000)
    journal.append([record(msgspec.structs.replace(late.attempt, resolution=done))])
    assert journal.needs_answer() == []
    assert journal.open_attempts() == []


def test_amounts_keep_their_digits(journal: Journal) -> None:
    """12.50 is not 12.5 when it is read again."""
    journal.append([intent(1, amount=Decimal("12.50")), intent(2, amount=Decimal("0.10"))])
    assert [str(one.amount) for one in journal.recent(2)] == ["0.10", "12.50"]
    found = journal.sale("0002")
    assert found is not None
    assert str(found.amount) == "0.10"
