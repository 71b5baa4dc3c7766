"""What machines do to a till: it is killed, hangs, loses its power and its disk's last byte, and is given a display."""

from __future__ import annotations

from tests.verification.machine.counter import (
    asked_to_charge,
    charge,
    code_on,
    ended_in_money,
    in_the_journal,
    paid,
    sign_in,
    sold,
)
from tests.verification.machine.machine import Machine, until


def test_killed_it_is_back_with_the_open_payment(till: Machine) -> None:
    """systemd starts it again, nobody is asked to pay twice, and the payment ends as the customer decides."""
    code = charge(till, "20")
    before = till.till()
    till.do(f"kill -KILL {before}")
    until(lambda: till.service("NRestarts") == "1", what="the service was started again")
    till.stands()
    assert till.till() != before
    sign_in(till)
    till.picture("after-the-kill")
    till.services().scan(code)
    until(lambda: in_the_journal(till) == ["PAID"], what="the payment is PAID")
    assert sold(till) == [("20.00", "Payment Success")]
    assert asked_to_charge(till) == 1


def test_one_that_hangs_is_ended_by_the_watchdog(till: Machine) -> None:
    """It stood still, with a window that looks alive: after the watchdog's time another one stands there."""
    before = till.till()
    till.do(f"kill -STOP {before}")
    until(lambda: till.service("NRestarts") == "1", what="the service was started again")
    till.stands()
    assert till.till() != before
    said = till.do("journalctl --boot --unit=pos-app-kiosk.service --output=cat")
    assert "Watchdog timeout" in said
    till.find("Who is at the till")


def test_without_power_in_a_payment_it_ends_once(till: Machine) -> None:
    """What was on the disk is all that is left: that is enough."""
    till.services().scan(charge(till, "60"))
    till.cut()
    till.start()
    till.booted()
    till.stands()
    sign_in(till)
    until(lambda: ended_in_money(till), what="the payment of before the cut is PAID")
    till.picture("after-the-power-cut")
    assert sold(till) == [("60.00", "Payment Success")]
    assert asked_to_charge(till) == 0


def test_a_full_disk_is_said_and_loses_nothing(till: Machine) -> None:
    """What cannot be written is not sent; with room again it sells on."""
    till.services().scan(charge(till, "10"))
    paid(till)
    till.do(
        "fallocate -l $(df --output=avail -B1 / | tail -n 1) /var/fill; cat /dev/zero >>/var/fill; sync; true"
    )
    assert till.do("df --output=avail / | tail -n 1").strip() == "0"
    asked = asked_to_charge(till)
    till.type("33")
    till.press("f2")
    till.find("disk")
    till.picture("disk-full")
    assert not code_on(till)
    assert asked_to_charge(till) == asked
    till.do("rm /var/fill; sync")
    until(lambda: till.tell("df --output=avail / | tail -n 1")[1].strip() != "0")
    assert "PAID" in in_the_journal(till)


def test_a_second_display_is_given_and_taken(till: Machine) -> None:
    """While a code stands there: with the second one gone it is whole again, and the till sells on."""
    code = charge(till, "45")
    till.second_display(1024, 768)
    until(lambda: connected(till) == 2, what="the second display")
    until(lambda: code_on(till) != code, what="the till, spread over both")
    till.picture("beside-a-second-display")
    till.picture("the-second-display", head=1)
    till.second_display(0, 0)
    until(lambda: connected(till) == 1, what="the second display is gone")
    until(lambda: code_on(till) == code, what="the code, whole on the display that is left")
    till.services().scan(code)
    paid(till)
    assert till.service("NRestarts") == "0"


def connected(machine: Machine) -> int:
    """How many displays the machine inside knows of."""
    return machine.do("cat /sys/class/drm/card*-*/status").splitlines().count("connected")


def consoles(machine: Machine) -> int:
    """How often its console has asked for a name since it was started."""
    return machine.do("journalctl -q -o cat -u getty@tty1.service").count("Started")


def test_stopped_the_console_asks_for_a_name_and_restarted_it_does_not(till: Machine) -> None:
    """Who stops it wants the console; who restarts it wants the till, which the console's question would hang up on."""
    till.do("systemctl stop pos-app-kiosk")
    till.find("login")
    till.picture("stopped")
    till.do("systemctl start --no-block pos-app-kiosk")
    till.stands()
    asked = consoles(till)
    for _ in range(2):
        till.do("systemctl restart --no-block pos-app-kiosk")
        until(lambda: till.service("StatusText") != "The till is open", what="the restart began")
        till.stands()
    assert till.tell("systemctl is-active getty@tty1.service")[1] == "inactive"
    assert consoles(till) == asked, "nor for a moment"
    till.find("Who is at the till")
