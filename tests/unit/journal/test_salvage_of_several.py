"""Damaged more than once: what the newer journal says holds, and what only an older one knows is not lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, State
from pos_app.domain.membership import JOINED, LEFT, membership_in
from pos_app.domain.membership import SUBJECT as STORE
from pos_app.domain.origins import NAMED, SERVICE
from pos_app.domain.passcode import SET, TRY, subject_of
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILD_ENDED, REBUILT
from pos_app.domain.record import Record
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Journal, JournalDamaged, set_aside
from pos_app.journal.salvage import Salvage, salvage_all
from tests.support.builders import INSTALLATION, KEY, WALL, attempt, ended, intent, person, sale
from tests.unit.journal.tampering import tamper

IDS = {number: attempt(number).attempt_id for number in range(1, 5)}

LayAside = Callable[..., str]


def _said(kind: str, subject: str, **facts: Any) -> Record:
    return Record(**{"kind": kind, "subject": subject, "actor": "p1", "at": 1, "wall": WALL, **facts})


SPOILT = "UPDATE event SET actor = 'p9' WHERE seq = "


@pytest.fixture
def lay_aside(path: Path, opened: Callable[[], Journal]) -> LayAside:
    """Writes a journal, spoils it, and lets a start move it aside; whose it was.

    Its first event is spoilt unless told otherwise, so the given ones begin at 2; `spoilt` are numbers of more.
    """

    def lay(*records: Record, spoilt: tuple[int, ...] = (), first: bool = True) -> str:
        journal = opened()
        journal.append([_said("TILL_STARTED", "till"), *records])
        journal.close()
        tamper(path, *(f"{SPOILT}{seq}" for seq in (*([1] if first else []), *spoilt)))
        with pytest.raises(JournalDamaged):
            opened()
        return journal.installation_id

    return lay


def _had(path: Path) -> Salvage:
    return salvage_all(set_aside(path), KEY, Environment.SANDBOX)


def test_the_newer_word_on_a_payment_holds_and_the_others_are_added(path: Path, lay_aside: LayAside) -> None:
    """Attempts, sales and sealed bytes, each by itself."""
    lay_aside(
        replace(intent(1), sealed=b"old"),
        replace(intent(2), sealed=b"only here"),
        _said("SOLD", "0004", sale=sale(4)),
    )
    paid = replace(ended(attempt(1), State.PAID, 1_500), sealed=b"new")
    lay_aside(paid, intent(3), _said("SOLD", "0004", sale=sale(4, invoice_number="INV-9")))
    found = _had(path)
    states = {number: found.attempts[IDS[number]].state for number in (1, 2, 3)}
    assert states == {1: State.PAID, 2: State.INTENT, 3: State.INTENT}
    assert len(found.attempts) == 3
    assert {*found.sales} == {"0001", "0002", "0003", "0004"}
    assert found.sales["0004"].invoice_number == "INV-9"
    assert found.sealed == {IDS[1]: b"new", IDS[2]: b"only here"}


def test_a_hint_of_the_older_is_none_where_the_newer_proves_it(path: Path, lay_aside: LayAside) -> None:
    """What is doubtful stays so, and each journal's findings are told, the newer's first."""
    lay_aside(intent(1), intent(2), intent(3), spoilt=(2, 3))
    lay_aside(
        ended(attempt(1), State.PAID, 1_500), intent(4), ended(attempt(2), State.PAID, 2), spoilt=(3, 4)
    )
    found = _had(path)
    assert {*found.attempts} == {IDS[1], IDS[3]}
    assert {key: hint.state for key, hint in found.hints.items()} == {
        IDS[2]: State.PAID,
        IDS[4]: State.INTENT,
    }
    assert found.doubtful == {IDS[1], IDS[2], IDS[4]}
    assert [finding.seq for finding in found.findings] == [1, 3, 4, 1, 2, 3]


@pytest.mark.parametrize("order", [(7, 2), (2, 7)])
def test_new_numbers_begin_behind_those_of_all(
    path: Path, lay_aside: LayAside, order: tuple[int, int]
) -> None:
    """A sale, a person and a time; whichever of the journals had the highest."""
    for number in order:
        newcomer = replace(person(number), person_id=f"person-{number}")
        lay_aside(intent(number), _said("PERSON_ENROLLED", newcomer.person_id, person=newcomer))
    found = _had(path)
    assert (found.next_sale, found.next_person, found.last_at) == (8, 8, 7_001)


def test_the_list_of_people_is_the_newest_there_is(path: Path, lay_aside: LayAside) -> None:
    """Whoever was taken off it does not come back with an older one; without one, the older is better than none."""
    lay_aside(*(_said("PERSON_ENROLLED", f"p{number}", person=person(number)) for number in (1, 2)))
    lay_aside(intent(1))
    assert _had(path).people == {"p1": person(1), "p2": person(2)}
    lay_aside(_said("PERSON_CHANGED", "p1", person=person(1, name="Nimali")))
    assert _had(path).people == {"p1": person(1, name="Nimali")}


def test_wrong_passcodes_of_an_older_journal_count_until_there_is_a_newer_passcode(
    path: Path, lay_aside: LayAside
) -> None:
    """Nobody gets ten more tries by damaging a second journal; a passcode that was set since has its own."""
    first, second, third = (subject_of(f"p{number}") for number in (1, 2, 3))
    old = [_said(TRY, subject, at=5) for subject in (first, second, third)]
    new = _said(TRY, third, at=6)
    lay_aside(*(_said(SET, subject, sealed=b"hash") for subject in (first, second, third)), *old)
    lay_aside(_said(SET, second, sealed=b"another hash"), new)
    found = _had(path)
    assert found.tries == {first: [old[0]], third: [new]}
    assert found.sealed == {first: b"hash", second: b"another hash", third: b"hash"}


def test_a_code_that_both_have_counted_is_one(path: Path, lay_aside: LayAside) -> None:
    """By its number's digest and its stamp; the older ones first."""
    counted = [
        _said("OTP_SEND", digest, content={"stamp": {"at": at}})
        for digest, at in (("d1", 1), ("d1", 2), ("d2", 1))
    ]
    lay_aside(*counted[:2])
    lay_aside(replace(counted[1], content={**counted[1].content, "recovered": True}), counted[2])
    found = _had(path)
    assert [(send.subject, send.content["stamp"]["at"]) for send in found.sends] == [
        ("d1", 1),
        ("d1", 2),
        ("d2", 1),
    ]
    assert [bool(send.content.get("recovered")) for send in found.sends] == [False, True, False]


def test_whose_payments_there_may_be_is_known_of_all(path: Path, lay_aside: LayAside) -> None:
    """Each installation once, the newer's first; the services in the order of time, as the last is the present one."""
    told: list[str] = []
    for origin, claimed in (("https://a.example", "BBBBBBBB"), ("https://b.example", "CCCCCCCC")):
        about = {"installations": ["AAAAAAAA"], "claimed": ["DDDDDDDD", claimed]}
        named = _said(NAMED, SERVICE, content={"origin": origin})
        told.append(lay_aside(named, _said(REBUILT, JOURNAL, content=about), intent(len(told) + 1)))
    found = _had(path)
    older, newer = told
    assert found.installations == [newer, "AAAAAAAA", INSTALLATION, older]
    assert found.claimed == ["DDDDDDDD", "CCCCCCCC", "BBBBBBBB"]
    assert found.origins == ["https://a.example", "https://b.example"]


def test_which_store_it_belonged_to_is_known_of_the_newest_word(path: Path, lay_aside: LayAside) -> None:
    """Joined in the older one; what was begun anew is another installation, and has to join anew."""
    about = {
        "address": "https://s.example",
        "store_id": "S",
        "installation_id": "AAAAAAAA",
        "shop_name": "Main",
    }
    lay_aside(_said(JOINED, STORE, content=about), intent(1))
    lay_aside(intent(2))
    found = _had(path)
    wall = datetime.fromisoformat("2026-03-03T10:00:00+05:30")
    (said,) = [each for each in records_of(found, "damaged", 60, wall) if each.kind == JOINED]
    here = membership_in([said])
    assert here is not None
    assert (here.shop_name, here.installation_id) == ("Main", "AAAAAAAA")
    lay_aside(_said(LEFT, STORE, content={"store_id": "S"}), intent(3))
    assert not [each for each in records_of(_had(path), "damaged", 60, wall) if each.kind == JOINED]


def _sold_on(day: int, number: int) -> Record:
    return intent(number, transaction_date_time=f"2026-03-{day:02} 10:15:30")


BEGUN = _said(REBUILT, JOURNAL)
ENDED = _said(REBUILD_ENDED, JOURNAL)
SOLD = (_sold_on(4, 4), _sold_on(5, 5))


@pytest.mark.parametrize(
    ("newer", "spoilt", "day"),
    [
        ((BEGUN, *SOLD), 4, "2026-03-02"),
        ((BEGUN, *SOLD), 2, "2026-03-02"),
        ((BEGUN,), 2, "2026-03-02"),
        ((BEGUN, _said(REBUILD_ENDED, "list"), *SOLD), 5, "2026-03-02"),
        ((BEGUN, ENDED, *SOLD), 3, "2026-03-02"),
        ((BEGUN, ENDED, BEGUN, *SOLD), 6, "2026-03-02"),
        ((BEGUN, ENDED, *SOLD), 5, "2026-03-04"),
        ((_sold_on(1, 4), BEGUN, _sold_on(2, 5)), 4, "2026-03-01"),
    ],
    ids=[
        "not ended",
        "its beginning spoilt",
        "nothing proven",
        "an end of something else",
        "its end spoilt",
        "begun again",
        "ended",
        "the newer lost more",
    ],
)
def test_what_the_older_lost_is_asked_for_until_a_rebuilding_has_ended(
    path: Path, lay_aside: LayAside, newer: tuple[Record, ...], spoilt: int, day: str
) -> None:
    """A second damage in the midst of it: else what was paid on the days between would never be looked for."""
    lay_aside(_sold_on(2, 1), _sold_on(3, 2), _sold_on(4, 3), spoilt=(3,), first=False)
    lay_aside(*newer, spoilt=(spoilt,), first=False)
    assert _had(path).day_before_gap() == day


def test_an_older_journal_that_was_asked_for_settles_those_before_it(path: Path, lay_aside: LayAside) -> None:
    """Of three, the oldest has been asked for, the second has not."""
    lay_aside(_sold_on(1, 1), _sold_on(2, 2), spoilt=(3,), first=False)
    lay_aside(BEGUN, ENDED, _sold_on(3, 3), _sold_on(4, 4), spoilt=(5,), first=False)
    lay_aside(BEGUN, _sold_on(5, 5), spoilt=(3,), first=False)
    assert _had(path).day_before_gap() == "2026-03-03"


def test_of_no_journal_nothing_is_had(path: Path) -> None:
    """And nothing is lost, so numbers begin at one."""
    found = _had(path)
    assert (found.attempts, found.installations, found.next_sale, found.lost) == ({}, [], 1, 0)
