"""The short form: a machine starts into the till, sells by keyboard and touch, and is reset in a payment."""

from __future__ import annotations

from tests.verification.machine.counter import (
    asked_to_charge,
    charge,
    charge_by_touch,
    ended_in_money,
    in_the_journal,
    paid,
    sign_in,
    sold,
)
from tests.verification.machine.machine import Machine, until


def test_it_sells_by_keyboard_and_by_touch(till: Machine) -> None:
    """Each code is read from the display as a wallet does, and PAID is read there, too."""
    code = charge(till, "1250")
    till.picture("code")
    till.services().scan(code)
    paid(till)
    till.picture("paid")
    till.tap("Next sale")
    till.find("How does the customer pay")
    till.services().scan(charge_by_touch(till, "340"))
    paid(till)
    till.picture("paid-by-touch")
    assert sold(till) == [("1250.00", "Payment Success"), ("340.00", "Payment Success")]
    assert asked_to_charge(till) == 2
    assert in_the_journal(till) == ["PAID", "PAID"]


def test_the_till_is_its_services_own(till: Machine) -> None:
    """All of it is in the service's group of processes: there systemd hears it, and its limits hold."""
    group = till.do(f"cat /proc/{till.till()}/cgroup")
    assert group == "0::/system.slice/pos-app-kiosk.service"
    assert till.service("StatusText") == "The till is open"
    assert till.service("NRestarts") == "0"


def test_a_reset_during_a_payment_charges_once(till: Machine) -> None:
    """The customer has paid when the machine is reset: it is taken up after the start, and ends once and in truth."""
    till.services().scan(charge(till, "75"))
    till.reset()
    till.booted()
    till.stands()
    sign_in(till)
    until(lambda: ended_in_money(till), what="the payment of before the reset is PAID")
    till.picture("after-the-reset")
    assert sold(till) == [("75.00", "Payment Success")]
    assert asked_to_charge(till) == 0
