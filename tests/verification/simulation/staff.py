"""Who works in a simulated shop where people sign in: two cashiers and a manager, and what they do at the till."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from pos_app.domain.commands import Cancel, NoteRefund, Park, PrintPaper, SendOtp, SignOut
from pos_app.domain.print_job import PaperKind
from pos_app.domain.refund import NoteReason, NoteWay
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approve, EnterPasscode, Lock
from pos_app.domain.views import ChargeDeclined, Decline
from tests.verification.simulation.network import Schedule
from tests.verification.simulation.roll import CASHIER, ORDER, PASSCODE, WRONG
from tests.verification.simulation.story import Act
from tests.verification.simulation.till import SimTill

A_MOMENT = 1_500
"""From a passcode to the next tap."""

PATIENCE = 3
"""How often a tap that was refused, because of who stood there, is made again."""


class Staff:
    """What the three do, by what the screen shows. `charge` taps again for a sale."""

    def __init__(
        self, schedule: Schedule, now: Callable[[], int], charge: Callable[[SimTill, int], None]
    ) -> None:
        self._schedule = schedule
        self._now = now
        self._charge = charge
        self._tries: dict[int, int] = {}

    def who(self, till: SimTill) -> str:
        """As the window has it: whoever it shows to be signed in."""
        person = till.terminal.signed_in
        return CASHIER if person is None else person.person_id

    def declined(self, till: SimTill, place: int, declined: ChargeDeclined) -> None:
        """Nobody was there, or the till was locked: the passcode first, then the tap again."""
        tries = self._tries.get(place, 0)
        if declined.decline is not Decline.NOT_ALLOWED or tries >= PATIENCE:
            return
        self._tries[place] = tries + 1
        self.come(till, self.who(till))
        self._schedule(self._now() + A_MOMENT, lambda: self._charge(till, place))

    def come(self, till: SimTill, person_id: str, passcode: str = PASSCODE) -> None:
        """Unlocks, switches or signs in."""
        till.tell(EnterPasscode(person_id, Secret(passcode)))

    def act(self, till: SimTill, act: Act, attempt_id: str) -> None:
        """One deed of the story; `value` says whose."""
        person_id = ORDER[act.value % 3]
        match act.verb:
            case "come":
                self.come(till, person_id)
            case "guess":
                self.come(till, person_id, WRONG)
            case "lock":
                till.tell(Lock(idle=act.value % 2 == 1))
            case "sign_out":
                till.tell(SignOut())
            case "code":
                till.tell(SendOtp(person_id))
            case "as_another" if attempt_id:
                till.tell(Cancel(attempt_id, person_id))
                till.tell(Park(attempt_id, person_id))
            case "approve" if attempt_id:
                self._approve(till, Cancel(attempt_id, self.who(till)), attempt_id, person_id)
            case "approve_note" if attempt_id:
                wish = note_wish(act, attempt_id, Decimal("5.00"), self.who(till))
                self._approve(till, wish, attempt_id, ORDER[2])
            case "approve_print" if attempt_id:
                self._approve(till, paper(act, attempt_id, self.who(till)), attempt_id, person_id)
            case "print_z":
                who, again = self.who(till), bool(act.value % 2)
                till.tell(
                    PrintPaper(request_id=f"z {act.at}", paper=PaperKind.Z, about="1", again=again, who=who)
                )

    def _approve(
        self, till: SimTill, command: Cancel | PrintPaper | NoteRefund, attempt_id: str, person_id: str
    ) -> None:
        till.tell(
            Approve(
                request_id=f"approve {attempt_id}",
                command=command,
                manager_id=person_id,
                passcode=Secret(PASSCODE),
                reason="the customer has gone",
            )
        )


PARTS = (Decimal(1), Decimal("0.5"), Decimal("0.25"), Decimal(2))
"""How much of a payment somebody wants to note: also more than there is."""


def note_wish(act: Act, attempt_id: str, amount: Decimal, who: str) -> NoteRefund:
    """The wish for a refund note, of a part of the amount in the currency's digits."""
    part = (amount * PARTS[act.value % 4]).quantize(Decimal("0.01"))
    way = (NoteWay.CASH, NoteWay.TRANSFER)[act.value // 4 % 2]
    return NoteRefund(
        request_id=f"n {act.at}",
        attempt_id=attempt_id,
        amount=part,
        why=NoteReason.RETURNED,
        way=way,
        receiver="Kamala" if way is NoteWay.TRANSFER else "",
        who=who,
    )


def paper(act: Act, attempt_id: str, who: str) -> PrintPaper:
    """The wish for a receipt, or for a copy of it."""
    return PrintPaper(
        request_id=f"p {act.at}",
        paper=PaperKind.RECEIPT,
        about=attempt_id,
        again=bool(act.value % 2),
        who=who,
    )
