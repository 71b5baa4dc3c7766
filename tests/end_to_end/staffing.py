"""A manager's work at the screens: the menu, the list of people, a cashier who takes over. It asserts nothing."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Qt

from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.journal import read_only
from tests.support import till as started
from tests.support.till import PASSCODE, StartedTill


class Written(NamedTuple):
    """What the journal holds."""

    people: list[Person]
    recent: list[Attempt]
    acts: list[Record]


def written(till: StartedTill) -> Written:
    """Read beside the till at work."""
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        return Written(journal.people(), journal.recent(9), journal.newest_acts(99))
    finally:
        journal.close()


def open_menu(till: StartedTill, item: str) -> None:
    """F10, and a row of the menu."""
    till.press(Qt.Key.Key_F10)
    till.touch(item)


def open_people(till: StartedTill) -> None:
    """The list of people."""
    open_menu(till, "manager_people")
    till.until_seen("staff")


def choose(till: StartedTill, name: str) -> None:
    """Somebody's page."""
    till.pick_row("staff", name)
    till.until_says("person_title", name)


def fill(till: StartedTill, **texts: str) -> None:
    """Types into fields by name."""
    for name, text in texts.items():
        till.fill(name, text)


def ask(till: StartedTill, *, reason: int = 0) -> None:
    """One of the usual reasons, and the button that does it."""
    till.touch(f"staff_question_reason_suggestion_{reason}")
    till.touch("staff_question_do")


def act(till: StartedTill, key: str) -> None:
    """One of the acts without a field, on the page of the person that is open."""
    till.touch(f"person_{key}")
    ask(till)
    till.until_seen("person_done")


def type_code(till: StartedTill, number: str) -> None:
    """The newest code that came to a number, from that phone."""
    till.until(lambda: till.takes("code") and till.sandbox.sms(number))
    till.part("code").setFocus()
    till.type(str(till.sandbox.sms(number)[0]["code"]))


def enrol(till: StartedTill, name: str, number: str) -> None:
    """A cashier, by their number: as typed here 0…, as the SMS has it 94…."""
    till.touch("staff_enrol")
    fill(till, person_name=name, person_number="0" + number.removeprefix("94"))
    ask(till)
    type_code(till, number)
    till.until_says("staff_done", name)
    started.NUMBERS[name] = number


def hand_over(till: StartedTill, name: str = "") -> None:
    """The names for the next cashier, who signs in; the first stays signed in behind the scenes."""
    till.touch("person")
    till.touch("menu_switch")
    till.until_seen("people")
    # The overlay's panel is deleted later; until then it holds the keyboard's way.
    till.until(lambda: till.window.findChild(QObject, "person_menu") is None)
    if name:
        till.sign_in(name)


def sign_in_soon(till: StartedTill, name: str) -> None:
    """Somebody whose number was proved a moment ago: the next code may go half a minute after that one."""
    till.pick(name)
    till.until(lambda: till.takes("code") or till.seen("send_new_code"))
    if not till.takes("code"):
        till.until(lambda: till.part("send_new_code").isEnabled())
        till.touch("send_new_code")
        till.until(lambda: till.takes("code"))
    till.type(till.code(name))
    till.until(lambda: till.takes("new_passcode"))
    till.choose_passcode()
    till.until_at_the_till(name)


def allow(till: StartedTill, passcode: str = PASSCODE, *, reason: int = 0) -> None:
    """A manager beside the cashier: a usual reason, and the passcode."""
    till.until_seen("approval")
    if till.seen(f"approval_reason_suggestion_{reason}"):
        till.touch(f"approval_reason_suggestion_{reason}")
    till.until(lambda: till.takes("passcode"))
    till.part("passcode").setFocus()
    till.type(passcode)
    till.touch("submit_passcode")
