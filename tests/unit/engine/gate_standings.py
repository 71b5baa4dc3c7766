"""Who stands at a till with three people on its list, for the table of rights; put there by their own wishes."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.passcode import subject_of
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import mask_number, msisdn
from pos_app.domain.replies import OtpVerified
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approvable, Approve, Lock
from pos_app.engine.core.config import Printing
from pos_app.engine.core.mailbox import Message
from tests.support import builders
from tests.support.memory_journal import MemoryJournal
from tests.unit.domain.flow.story import TIME_OUT
from tests.unit.engine.gate_deeds import DEEDS, OWNER, REASON
from tests.unit.engine.rig import NUMBER, REF, SITE, Rig

OTHER, MANAGER = "person-2", "person-3"
NUMBERS = {OWNER: NUMBER, OTHER: "+94771234568", MANAGER: "+94771234569"}
NAMES = {OWNER: "Kamala", OTHER: "Ruwan", MANAGER: "Nimali"}
PASSCODE, WRONG = Secret("602957"), Secret("111122")
SIGNED = msgspec.structs.replace(SITE, sign_in_required=True)


class Standing(StrEnum):
    """The columns of the table."""

    NOBODY = "nobody"
    LOCKED_CASHIER = "locked cashier"
    OWNER = "cashier, owner"
    NOT_OWNER = "cashier, not owner"
    DISABLED = "disabled cashier"
    MANAGER = "manager"
    LOCKED_MANAGER = "locked manager"
    APPROVED = "cashier and a manager's approval"
    FALSELY_APPROVED = "cashier and a cashier's approval"
    WRONG_PASSCODE = "cashier and a wrong passcode"
    COMMAND_LINE = "command line"


AT_THE_TILL = {
    Standing.NOBODY: "",
    Standing.LOCKED_CASHIER: OWNER,
    Standing.OWNER: OWNER,
    Standing.NOT_OWNER: OTHER,
    Standing.DISABLED: OWNER,
    Standing.MANAGER: MANAGER,
    Standing.LOCKED_MANAGER: MANAGER,
    Standing.APPROVED: OTHER,
    Standing.FALSELY_APPROVED: OTHER,
    Standing.WRONG_PASSCODE: OTHER,
    Standing.COMMAND_LINE: "",
}
LOCKED = {Standing.LOCKED_CASHIER, Standing.LOCKED_MANAGER}


def person(person_id: str) -> Person:
    """As on the list."""
    number = NUMBERS[person_id]
    return builders.person(
        person_id=person_id,
        name=NAMES[person_id],
        role=Role.MANAGER if person_id == MANAGER else Role.CASHIER,
        number_mask=mask_number(number),
        number_digest=MemoryJournal().digest(number),
        passcode_set=True,
    )


def enrolled(rig: Rig) -> None:
    """The three are on the list, as a journal has it."""
    for person_id, number in NUMBERS.items():
        each = person(person_id)
        record = rig.record("PERSON_ENROLLED", person_id, MANAGER, person=each, sealed=number.encode())
        own = subject_of(person_id)
        chosen = rig.record("PASSCODE_SET", own, person_id, sealed=PASSCODE.reveal().encode())
        rig.journal.append([record, chosen])


def signed_in(rig: Rig, person_id: str) -> None:
    """By a code."""
    rig.tell(SendOtp(person_id))
    rig.otp_sent()
    rig.tell(SubmitOtp(person_id, "123456"))
    rig.otp_submitted(OtpVerified(REF, msisdn(NUMBERS[person_id])))
    assert rig.terminal.signed_in is not None
    assert rig.terminal.signed_in.person_id == person_id


class Stand(msgspec.Struct, frozen=True):
    """A till with somebody at it, and what the act of this cell would be done to."""

    rig: Rig
    journal: MemoryJournal
    about: str
    who: str
    """Whom the window takes to be signed in."""


def stand(act: Act, standing: Standing) -> Stand:
    """What is prepared was the owner's, at a till that asked nobody to sign in."""
    journal = MemoryJournal()
    rig = Rig(journal).start()
    enrolled(rig)
    about = DEEDS[act].prepare(rig)
    config = SITE if standing is Standing.COMMAND_LINE else SIGNED
    rig.config = msgspec.structs.replace(config, printing=Printing(printer="network"))
    rig.restart()
    for _ in range(2):
        while "ask" in rig.names():
            rig.asked(TIME_OUT)
        rig.wait(1)
    who = AT_THE_TILL[standing]
    if who:
        signed_in(rig, who)
    if standing is Standing.DISABLED:
        disabled(rig, who)
    if standing in LOCKED:
        rig.tell(Lock())
        assert rig.terminal.locked
    rig.calls.made.clear()
    return Stand(rig, journal, about, who or "terminal")


def disabled(rig: Rig, person_id: str) -> None:
    """No longer on the list's good side, while they still stand there: the desk would have shown them out."""
    rig.engine._authentication._roster.put(msgspec.structs.replace(person(person_id), enabled=False))


def attempt_it(on: Stand, act: Act, standing: Standing) -> None:
    """The wish, or a manager asked to approve it."""
    command: Message = DEEDS[act].command(on.about, on.who)
    match standing:
        case Standing.APPROVED:
            approve(on.rig, command, MANAGER, PASSCODE)
        case Standing.FALSELY_APPROVED:
            approve(on.rig, command, OWNER, PASSCODE)
        case Standing.WRONG_PASSCODE:
            approve(on.rig, command, MANAGER, WRONG)
        case _:
            on.rig.tell(command)


def approve(rig: Rig, command: Message, manager_id: str, passcode: Secret) -> None:
    """As the window asks for it: even for what is not to be approved by anybody."""
    approvable: Approvable = command  # type: ignore[assignment]
    whose = manager_id
    rig.tell(Approve(request_id="r", command=approvable, manager_id=whose, passcode=passcode, reason=REASON))
    if "check passcode" in rig.names():
        rig.passcode_checked()
