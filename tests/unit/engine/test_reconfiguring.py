"""New settings while the till works: they hold for what comes, open payments are asked over the new calls."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.money import currency
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.views import Block, Decline
from pos_app.engine.core.config import Reconfigured, SettingsNotWritten
from tests.unit.domain.flow.story import NOT_FOUND
from tests.unit.engine.rig import SITE, Rig

FORBIDDEN = NoAnswer(Why.SIGN_IN, sent=True, http_status=401)


def changed(*, reconnected: bool = False, **facts: Any) -> Reconfigured:
    config = replace(SITE, **facts)
    return Reconfigured(config=config, who="person-1", changed=tuple(facts), reconnected=reconnected)


def test_a_new_limit_holds_for_the_next_charge_and_the_open_payment_goes_on(rig: Rig) -> None:
    waiting = rig.charge()
    rig.initiated()
    rig.tell(changed(max_amount=Decimal(20), give_up_after_ms=60_000))
    assert not rig.charge(amount=Decimal("20.01"))
    assert rig.why() is Decline.BAD_AMOUNT
    later = rig.charge(amount=Decimal("19.99"))
    assert rig.attempt(later).give_up_after_ms == 60_000
    assert rig.attempt(waiting).give_up_after_ms == SITE.give_up_after_ms
    rig.wait(3)
    rig.asked("Payment Success", waiting)
    assert rig.state(waiting) is State.PAID


def test_a_renewed_secret_is_tried_at_once_and_open_payments_resume(rig: Rig) -> None:
    waiting = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked(FORBIDDEN)
    assert rig.block() is Block.SIGN_IN_REFUSED
    assert not rig.charge(amount=Decimal(7))
    rig.tell(changed(reconnected=True))
    rig.probed(NOT_FOUND)
    assert rig.block() is Block.NONE
    rig.wait(1)
    rig.asked("Payment Success", waiting)
    assert rig.state(waiting) is State.PAID


def test_the_journal_says_who_when_and_what(rig: Rig) -> None:
    rig.tell(changed(country="US"))
    rig.tell(SettingsNotWritten(request_id="r-7", who="person-1", why="No space left on device"))
    there, not_there = [
        each for each in rig.journal.events_of("terminal") if each.kind.startswith("SETTINGS")
    ]
    assert (there.kind, there.actor, there.content) == (
        "SETTINGS_IN_FORCE",
        "person-1",
        {"changed": ["country"]},
    )
    assert (not_there.kind, not_there.actor) == ("SETTINGS_NOT_WRITTEN", "person-1")
    assert not_there.content == {"request_id": "r-7", "why": "No space left on device"}
    assert not_there.at >= there.at > 0


@pytest.mark.parametrize(
    "other", [{"merchant_id": "M-2"}, {"counter_id": 2}, {"currency": currency("USD")}], ids=str
)
def test_another_till_is_never_taken_for_this_one(rig: Rig, other: dict[str, Any]) -> None:
    waiting = rig.charge()
    with pytest.raises(ValueError, match="another till's"):
        rig.tell(changed(**other))
    assert rig.attempt(waiting).merchant_id == SITE.merchant_id
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", waiting)
    assert rig.state(waiting) is State.PAID
