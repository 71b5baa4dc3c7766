"""Which role may do what: the one table, asked by the engine's gate and, for greying a button, by the window."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pos_app.domain.people import TERMINAL, Person


class Act(StrEnum):
    """What a person can want of the till, as far as a right is needed for it."""

    CHARGE = "charge"
    CHECK = "check"
    PARK = "park"
    LEAVE = "leave"
    CANCEL = "cancel"
    CONTINUE = "continue"
    CLOSE = "close"
    COMPLETE = "complete"
    REFUND = "refund"
    SIGN_OFF = "sign_off"
    SIGN_REFUND = "sign_refund"
    GIVE_REFUND = "give_refund"
    WITHDRAW_REFUND = "withdraw_refund"
    UNMASK_NUMBER = "unmask_number"
    CHOOSE_PASSCODE = "choose_passcode"
    CHOOSE_LANGUAGE = "choose_language"
    ENROL = "enrol"
    RENUMBER = "renumber"
    CHANGE_PERSON = "change_person"
    CHANGE_SETTINGS = "change_settings"
    CHANGE_SECRETS = "change_secrets"
    TEST_CONNECTION = "test_connection"
    DIAGNOSTICS = "diagnostics"
    LEAVE_KIOSK = "leave_kiosk"
    RENEW_IDENTITY = "renew_identity"
    PUT_OFF_UPDATE = "put_off_update"
    READ_STAFF_LOG = "read_staff_log"
    FIND_PAYMENTS = "find_payments"
    SEE_SUMS = "see_sums"
    READ_X = "read_x"
    CLOSE_DAY = "close_day"
    RECONCILE = "reconcile"
    PRINT = "print"
    REPRINT = "reprint"
    EXPORT = "export"
    EXPORT_NUMBERS = "export_numbers"
    READ_HISTORY = "read_history"
    JOIN_STORE = "join_store"


class Grant(StrEnum):
    """Who has a right. A manager has each of them.

    ANYBODY: asking does not depend on who is signed in, or a lock (rule 12); and a panel that is closed is
    closed, whoever closed it: its attempt is released, so that a late success is told as one.
    """

    ANYBODY = "anybody"
    SIGNED_IN = "whoever is signed in"
    OWNER = "whose payment it is"
    MANAGER = "a manager"


RIGHTS: Mapping[Act, Grant] = {
    Act.CHARGE: Grant.SIGNED_IN,
    Act.CHECK: Grant.ANYBODY,
    Act.PARK: Grant.SIGNED_IN,
    Act.LEAVE: Grant.ANYBODY,
    Act.CANCEL: Grant.OWNER,
    Act.CONTINUE: Grant.OWNER,
    Act.CLOSE: Grant.OWNER,
    Act.COMPLETE: Grant.OWNER,
    Act.REFUND: Grant.MANAGER,
    Act.SIGN_OFF: Grant.MANAGER,
    Act.SIGN_REFUND: Grant.MANAGER,
    Act.GIVE_REFUND: Grant.SIGNED_IN,
    Act.WITHDRAW_REFUND: Grant.MANAGER,
    Act.UNMASK_NUMBER: Grant.MANAGER,
    Act.CHOOSE_PASSCODE: Grant.SIGNED_IN,
    Act.CHOOSE_LANGUAGE: Grant.SIGNED_IN,
    Act.ENROL: Grant.MANAGER,
    Act.RENUMBER: Grant.MANAGER,
    Act.CHANGE_PERSON: Grant.MANAGER,
    Act.CHANGE_SETTINGS: Grant.MANAGER,
    Act.CHANGE_SECRETS: Grant.MANAGER,
    Act.TEST_CONNECTION: Grant.MANAGER,
    Act.DIAGNOSTICS: Grant.MANAGER,
    Act.LEAVE_KIOSK: Grant.MANAGER,
    Act.RENEW_IDENTITY: Grant.MANAGER,
    Act.PUT_OFF_UPDATE: Grant.MANAGER,
    Act.READ_STAFF_LOG: Grant.MANAGER,
    Act.FIND_PAYMENTS: Grant.SIGNED_IN,
    Act.SEE_SUMS: Grant.MANAGER,
    Act.READ_X: Grant.OWNER,
    Act.CLOSE_DAY: Grant.MANAGER,
    Act.RECONCILE: Grant.MANAGER,
    Act.PRINT: Grant.OWNER,
    Act.REPRINT: Grant.OWNER,
    Act.EXPORT: Grant.MANAGER,
    Act.EXPORT_NUMBERS: Grant.MANAGER,
    Act.READ_HISTORY: Grant.MANAGER,
    Act.JOIN_STORE: Grant.MANAGER,
}
"""READ_X: one's own takings; the whole till's belong to nobody but a manager. A setting opens CLOSE_DAY to others.

PRINT: of one's own payment while its day is open. REPRINT: for a quarter of an hour. Later both are nobody's but a
manager's (`printable_by` in pos_app/engine/core/live_payments.py says whose a payment's paper is).

JOIN_STORE: and to leave it.

REFUND: the note that money goes back is a manager's. GIVE_REFUND: who hands it over and has the slip signed says so.
"""


def may(act: Act, person: Person | None, owner: str = TERMINAL, opened: frozenset[Act] = frozenset()) -> bool:
    """Whether this person may do it alone; `owner` is the person_id of whose payment it is about.

    `opened`: what the settings open to whoever is signed in.

    What the till began by itself or at the command line (TERMINAL) is everybody's.
    """
    if RIGHTS[act] is Grant.ANYBODY:
        return True
    if person is None or not person.enabled:
        return False
    if person.is_manager or act in opened:
        return True
    match RIGHTS[act]:
        case Grant.SIGNED_IN | Grant.ANYBODY:
            return True
        case Grant.OWNER:
            return owner in (TERMINAL, person.person_id)
        case Grant.MANAGER:
            return False
