"""The real engine among random people and faults, for a moment.

`python -m tests.verification.fuzz --target machine` does it for long.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from pos_app.domain.attempt import Kind
from tests.verification.fuzz.machine import ShopMachine
from tests.verification.fuzz.shop import Shop
from tests.verification.simulation.gateway import SUCCESS
from tests.verification.simulation.planting import planted
from tests.verification.simulation.wrong_tills import WRONG_TILLS

ShopMachine.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestShop = ShopMachine.TestCase


def test_an_ordinary_payment_is_known_in_the_end() -> None:
    shop = Shop()
    shop.tap(0, again=False, qr=False)
    shop.wait(3_000)
    (attempt_id,) = shop.stage.gateway.ledger
    assert shop.customer(attempt_id, SUCCESS)
    shop.wait(5_000)
    assert shop.wrong_in_the_end() == []
    assert [each.state for each in shop.attempts()] == ["PAID"]


def test_the_ledger_objects_to_money_nobody_gave() -> None:
    shop = Shop()
    shop.tap(1, again=False, qr=False)
    shop.wait(1_000)
    (attempt_id,) = shop.stage.gateway.ledger
    shop.stage.gateway.move(shop.stage.world.now, attempt_id, SUCCESS)
    shop.wait(10_000)
    assert shop.wrong_now() == [f"{attempt_id} says PAID"]


def test_the_ledger_misses_money_the_till_does_not_know() -> None:
    shop = Shop()
    shop.model.pays("SBX-T00000000-0001-1")
    assert "SBX-T00000000-0001-1 is lost" in shop.wrong_in_the_end()


def test_a_code_nobody_saw_cannot_be_paid() -> None:
    shop = Shop()
    shop.lines[0].ahead.append(("reply_lost", 0))
    shop.tap(0, again=False, qr=False)
    shop.wait(2_000)
    (attempt_id,) = shop.stage.gateway.ledger
    assert shop.stage.gateway.ledger[attempt_id].kind == Kind.QR
    assert not shop.customer(attempt_id, SUCCESS)


@pytest.mark.parametrize(
    "name", ["accepted_is_paid", "cancel_success_believed", "journal_after_send", "bound_to_the_current_sale"]
)
def test_a_wrong_till_is_found(name: str) -> None:
    wanted = settings(
        max_examples=150,
        stateful_step_count=40,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    with planted(WRONG_TILLS[name]), pytest.raises(AssertionError):
        run_state_machine_as_test(ShopMachine, settings=wanted)
