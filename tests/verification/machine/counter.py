"""A person at the machine: signs in, sells by keyboard and by touch, and reads what stands on the display."""

from __future__ import annotations

import json

import zxingcpp

from tests.guards.canaries import PASSCODE
from tests.verification.machine.image import NUMBER
from tests.verification.machine.machine import BOOT_LIMIT_S, Machine, Word, until

_NAME = "Nimali"
"""The only one on the list of those who may sign in. It comes a moment behind the page, which moves to make room."""
_KEYPAD = {
    "1": (69, 350), "2": (171, 350), "3": (273, 350), "4": (69, 451), "5": (171, 451), "6": (273, 451),
    "7": (69, 551), "8": (171, 551), "9": (273, 551), ".": (69, 652), "0": (171, 652),
}  # fmt: skip
"""Where the till's keys lie on a display of 1280 by 800."""


def code_of(machine: Machine) -> str:
    """The newest sign-in code that came by SMS."""
    return str(machine.services().sms(NUMBER.lstrip("+"))[0]["code"])


def sms_of(machine: Machine) -> int:
    """How many codes came."""
    return len(machine.services().sms(NUMBER.lstrip("+")))


def first_sign_in(machine: Machine) -> None:
    """By the code that comes by SMS; then a passcode is chosen."""
    machine.find("Who is at the till")
    before = sms_of(machine)
    machine.tap(_NAME)

    def sent() -> bool:
        # The first manager was made with a code too, in another life of the machine: how long ago, no clock can tell
        # there, so a till that has just been started lets half a minute go by.
        if machine.says("Send a new code"):
            machine.tap("Send a new code")
        return sms_of(machine) > before

    until(sent, what="a sign-in code by SMS")
    machine.find("Type the code")
    machine.type(code_of(machine))
    machine.find("New passcode")
    machine.type(PASSCODE)
    machine.picture("passcode")
    machine.press("ret")
    machine.find("The same once more")
    machine.type(PASSCODE)
    machine.press("ret")
    machine.find("How does the customer pay")


def sign_in(machine: Machine) -> None:
    """By the passcode."""
    machine.find("Who is at the till", limit_s=BOOT_LIMIT_S)
    machine.tap(_NAME)
    # The list of names speaks of a passcode too, and what is typed there is lost.
    machine.find("opens this till")
    machine.type(PASSCODE)
    machine.press("ret")
    # Beside the name of who is signed in, and only there; dim behind what asks about a payment that came late.
    machine.find("Connected", "Digits still go to the next amount")


def charge(machine: Machine, amount: str) -> str:
    """A new sale by QR, by the keyboard; the code as it was read from the display."""
    machine.type(amount)
    machine.find(f"{int(amount):,}")
    machine.press("f2")
    return until(lambda: code_on(machine), what="a code on the display")


def charge_by_touch(machine: Machine, amount: str) -> str:
    """The same by a finger alone."""
    for sign in amount:
        machine.touch(*_KEYPAD[sign])
    machine.find(f"{int(amount):,}")
    machine.tap("Show a QR code")
    return until(lambda: code_on(machine), what="a code on the display")


def code_on(machine: Machine) -> str:
    """What a wallet's camera reads before the display; nothing where there is no code."""
    found = zxingcpp.read_barcodes(machine.look())
    return found[0].text if len(found) == 1 else ""


def paid(machine: Machine) -> Word:
    """Once the display says so."""
    return machine.find("PAID")


def sold(machine: Machine) -> list[tuple[str, str]]:
    """What the services have, oldest first: amount and status."""
    return [(each["transactionAmount"], each["status"]) for each in machine.services().transactions()[::-1]]


def asked_to_charge(machine: Machine) -> int:
    """How often the till asked the services for money since they were started, however it went."""
    return len(machine.services().calls("initiate_qr"))


def in_the_journal(machine: Machine) -> list[str]:
    """The state of each payment that the till has written down, oldest first."""
    listed = machine.pos_app("transactions --local --json")
    return [json.loads(line)["state"] for line in listed.splitlines() if line.startswith("{")][::-1]


def ended_in_money(machine: Machine) -> bool:
    """The one payment has ended as what it is: PAID, or late where the machine was down longer than a code lives."""
    return in_the_journal(machine) in (["PAID"], ["PAID_LATE"])
