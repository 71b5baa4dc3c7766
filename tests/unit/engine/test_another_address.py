"""Rule 10 in the engine: attempts of another service are left alone, whoever wants them asked about."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.commands import CheckNow
from pos_app.domain.flow import Rules
from pos_app.domain.origins import SERVICE, named_origins
from pos_app.domain.replies import Refused
from pos_app.domain.views import Block, Decline
from pos_app.engine.core.config import EngineConfig, Reconfigured
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.journal_store import JournalStore
from tests.unit.engine.damage import Opens, begun_anew, harm
from tests.unit.engine.rig import AMOUNT, SITE, Rig

HERE, THERE = "https://a.example", "https://b.example"


def at(origin: str) -> EngineConfig:
    """A till whose settings name this service."""
    return replace(SITE, rules=Rules(origin=origin))


def moved(rig: Rig, origin: str, off_s: float = 0) -> Rig:
    """The same till after its settings were changed and it was started anew."""
    rig.config = at(origin)
    rig.restart(off_s)
    return rig


@pytest.fixture
def home(journal: JournalStore) -> Rig:
    return Rig(journal, at(HERE)).start()


def waiting(rig: Rig, **facts: Any) -> str:
    attempt_id = rig.charge(**facts)
    rig.initiated()
    return attempt_id


def test_nothing_is_asked_and_the_till_sells_at_once(home: Rig) -> None:
    """Not the payment, and no probe either: nothing goes to a new address before somebody charges there."""
    first = waiting(home)
    moved(home, THERE)
    assert home.block() is Block.NONE
    home.wait(120)
    home.tell(CheckNow(first))
    assert home.names() == []
    assert (home.state(first), home.attempt(first).reason) == (State.UNRESOLVED, Reason.OTHER_ORIGIN)
    assert [each.attempt_id for each in home.terminal.attention] == [first]
    second = home.pay(amount=Decimal("3.00"))
    assert home.attempt(second).origin == THERE
    assert all(first != call[1] for call in home.calls.made)
    moved(home, HERE)
    home.asked("Payment Success", first)
    assert home.state(first) is State.PAID


def test_its_own_sale_stays_closed_and_a_like_one_is_asked_about(home: Rig) -> None:
    """Rule 5 and rule 17 count it as what it is: money that may yet be taken."""
    first = waiting(home)
    sale_id = home.attempt(first).sale_id
    moved(home, THERE)
    assert home.charge(sale_id=sale_id) == ""
    assert home.why() is Decline.EARLIER_ATTEMPT_OPEN
    assert home.charge(Kind.PUSH) == ""
    assert home.why() is Decline.LOOKS_OPEN
    assert home.names() == []


def test_the_probe_names_no_payment_of_another_service(home: Rig) -> None:
    paid = home.pay()
    moved(home, HERE, off_s=3_600)
    assert home.take("probe")[1] == paid
    moved(home, THERE, off_s=3_600)
    assert home.take("probe")[1] == ""


def test_what_an_older_version_wrote_belongs_to_the_first_service_that_is_named(
    journal: JournalStore,
) -> None:
    """The first start of a version that writes it down; every later address is another one."""
    rig = Rig(journal, at("")).start()
    first = waiting(rig)
    assert rig.attempt(first).origin == ""
    moved(rig, HERE)
    rig.asked("Merchant Initiated", first)
    moved(rig, THERE)
    assert (rig.names(), rig.attempt(first).reason) == ([], Reason.OTHER_ORIGIN)
    moved(rig, HERE)
    rig.asked("Payment Success", first)
    assert rig.state(first) is State.PAID
    assert named_origins(journal.events_of(SERVICE)) == [HERE, THERE, HERE]


def test_an_old_ended_attempt_is_not_asked_about_elsewhere(journal: JournalStore) -> None:
    """One that is not in hand, and names no service: rule 5 would have it asked about once more."""
    rig = Rig(journal, at("")).start()
    refused = rig.charge()
    rig.initiated(Refused("5003"))
    sale_id = rig.attempt(refused).sale_id
    moved(rig, HERE, off_s=30 * 86_400)
    rig.calls.made.clear()
    moved(rig, THERE)
    assert rig.charge(sale_id=sale_id) == ""
    assert all(call[1] != refused for call in rig.calls.made)


def test_a_running_till_takes_no_other_address(home: Rig) -> None:
    """That is another till, begun anew."""
    news = Reconfigured(config=at(THERE), who="person-1", changed=("gateway.base_url",))
    with pytest.raises(ValueError, match="another till"):
        home.tell(news)


@pytest.mark.parametrize(("origin", "lists"), [(HERE, 1), (THERE, 0)])
def test_a_record_begun_anew_is_told_by_its_own_service_alone(
    path: Path, opens: Opens, origin: str, lists: int
) -> None:
    """Else whoever spoils a journal and changes an address writes the shop's record."""
    journal = opens()
    rig = Rig(journal, at(HERE)).start()
    proven, hinted = waiting(rig), waiting(rig, amount=AMOUNT * 2)
    journal.close()
    forged = f"UPDATE event SET content = replace(content, '{HERE}', '{THERE}') WHERE subject = '{hinted}'"
    harm(path, forged, f"UPDATE attempt SET snapshot = replace(snapshot, '{HERE}', '{THERE}')")

    asked: list[Any] = []
    anew = Rig(begun_anew(opens), at(origin))
    anew.engine = Engine(anew.config, anew.ports(list_payments=asked.append))
    anew.start().wait(1)
    assert len(asked) == lists
    for attempt_id in (proven, hinted):
        assert anew.attempt(attempt_id).origin == HERE
        assert (anew.attempt(attempt_id).reason is Reason.OTHER_ORIGIN) is (origin == THERE)
    assert anew.block() is not Block.REBUILDING or lists
