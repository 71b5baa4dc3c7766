"""One life of the real till with a printer, and a manager at it who sells, wants copies, goes to look, closes days.

python -m tests.verification.campaign.printing.till
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

from pos_app.devices.printers.channel import ChannelSession
from pos_app.devices.printers.network import SocketChannel
from pos_app.domain.passcode import SET
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from pos_app.engine.staff.hashing import hash_passcode
from tests.support.driver import Key
from tests.verification.campaign.kills import till as kills
from tests.verification.campaign.kills.cashier import PASSCODE, Cashier
from tests.verification.campaign.kills.hooks import Death
from tests.verification.campaign.kills.orders import Orders
from tests.verification.simulation.planting import Planter

A_JOB = 1_000
"""Bytes: what is shorter asks the printer how it is."""

MANAGER = 0
OVER_THE_TILL = ("sign_in", "approval", "answer_panel", "settle", "question", "confirm", "wallet_number")
LOOKS_AT_THE_DAY, A_LOOK = 15, 5
EMPTY_LOOKS = 4


class Clerk(Cashier):
    """Looks at the paper, too; else as the cashier."""

    def __init__(self, *told: Any) -> None:
        super().__init__(*told)
        self._until_left = LOOKS_AT_THE_DAY
        self._served = 0
        self._empty_looks = 0

    def look(self) -> None:
        """One look, one act."""
        for name, act in (
            ("copy_ask_yes", lambda: self._hands.touch_first("copy_ask_yes")),
            ("day_ask_yes", lambda: self._hands.touch_first("day_ask_yes")),
            ("day", self._day),
            ("managers_menu", self._menu),
            ("prints", self._prints),
        ):
            if self._hands.seen(name):
                act()
                return
        if self._hands.seen("methods_panel") and not self._orders.tidy and self._wants_paper():
            return
        if self._orders.tidy and self._hands.seen("printing_notice_button") and self._goes_to_look():
            return
        super().look()

    def _goes_to_look(self) -> bool:
        """Once nothing else of the day is open, and nothing lies over the till."""
        if any(self._hands.seen(name) for name in OVER_THE_TILL):
            return False
        if self._hands.seen("open_payments"):
            if not self._hands.buttons("shut_", "cancel_", "answer_", "sign_refund_", "sign_off_", "check_"):
                self._hands.press(Key.Key_Escape)
                return True
            return False
        # A result that nobody puts away stays, and the notice stands beside it.
        is_free = self._hands.seen("methods_panel") or self._hands.seen("result_panel")
        return is_free and bool(self._hands.touch_first("printing_notice_button"))

    def _wants_paper(self) -> bool:
        """Between two sales, once: a copy, a look at the list, or the end of the day."""
        if self._served >= self.sales:
            return False
        self._served = self.sales
        wish = self._chance.random()
        if wish < 0.25:
            self._hands.press(Key.Key_F12)
        elif wish < 0.6:
            return bool(self._hands.touch_first("printing_notice_button"))
        elif wish < 0.9:
            self._hands.press(Key.Key_F10)
        else:
            return False
        return True

    def _menu(self) -> None:
        self._until_left = LOOKS_AT_THE_DAY
        if self._orders.tidy or not self._hands.touch_first("manager_day"):
            self._hands.press(Key.Key_Escape)

    def _day(self) -> None:
        """Closes it, and finishes or leaves one that was interrupted; then goes back to selling."""
        self._until_left -= 1
        if self._orders.tidy or self._until_left <= 0:
            self._hands.press(Key.Key_Escape)
        elif self._until_left % A_LOOK == 0:
            leaves = self._chance.random() < 0.15
            wanted = ("day_leave", "day_close") if leaves else ("day_close", "day_print")
            if not self._hands.touch_first(*wanted):
                self._hands.press(Key.Key_Escape)

    def _prints(self) -> None:
        """Somebody has looked: it is there, or it is wanted again; what waits is tried, or given up."""
        names = self._hands.buttons("print_")
        asked = [name for name in names if name.endswith(("_there", "_again"))]
        waiting = [name for name in names if name.endswith(("_now", "_leave"))]
        if asked and self._orders.tidy:
            self._hands.touch_first(*(name for name in asked if name.endswith("_there")))
        elif asked:
            self._hands.touch_first(self._chance.choice(asked))
        elif waiting and not self._orders.tidy and self._chance.random() < 0.4:
            self._hands.touch_first(self._chance.choice(waiting))
        elif waiting or self._is_still_empty():
            self._hands.press(Key.Key_Escape)

    def _is_still_empty(self) -> bool:
        """Its rows go and come while it is drawn anew; and Escape twice is one too many: that cancels a payment."""
        self._empty_looks = (self._empty_looks + 1) % EMPTY_LOOKS
        return self._empty_looks == 0


class Shift(kills.Shift):
    """With the clerk."""

    cashier = Clerk


def enrol(orders: Orders) -> None:
    """A manager whose passcode signs in without a message."""
    journal = kills.open_journal_of(orders)
    wall = datetime.now().astimezone().isoformat(timespec="milliseconds")
    if not journal.people():
        one = orders.people[MANAGER]
        number = f"+{one.msisdn}"
        person = Person(
            person_id=one.person_id,
            name=one.name,
            role=Role.MANAGER,
            number_mask=mask_number(number),
            number_digest=journal.digest(number),
            passcode_set=True,
            passcode_signs_in=True,
        )
        about: dict[str, Any] = {
            "actor": person.person_id,
            "at": journal.last_at(),
            "wall": wall,
            "person": person,
        }
        passcode = hash_passcode(Secret(PASSCODE))
        journal.append(
            [
                Record(kind="PERSON_ENROLLED", subject=person.person_id, sealed=number.encode(), **about),
                Record(kind=SET, subject=f"passcode:{person.person_id}", sealed=passcode, **about),
            ]
        )
    journal.close()


def hook_printer(death: Death) -> None:
    """The points of a print, by the bytes that go to the printer."""
    planter = Planter()

    def written(channel: SocketChannel, data: bytes, until: float) -> None:
        if len(data) < A_JOB:
            write(channel, data, until)
            return
        death.passing("print:before")
        if death.waits_at("print:first byte"):
            write(channel, data[:1], until)
        death.passing("print:first byte")
        if death.waits_at("print:half"):
            write(channel, data[: len(data) // 2], until)
        death.passing("print:half")
        write(channel, data, until)
        death.passing("print:written")

    def sent(session: ChannelSession, *told: Any) -> Any:
        death.passing("print:opened")
        state = send(session, *told)
        death.passing("print:ended")
        return state

    write = planter.put(SocketChannel, "write", written)
    send = planter.put(ChannelSession, "send", sent)


if __name__ == "__main__":
    sys.exit(kills.main(Shift, enrol, hook_printer))
