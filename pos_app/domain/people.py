"""Who may stand at the till. Numbers and passcodes lie sealed in the journal; what is here is fit for a screen."""

from __future__ import annotations

import unicodedata
from enum import StrEnum

import msgspec

TERMINAL = "terminal"
"""The owner recorded for what the till does by itself or at the command line."""

FIRST_MANAGER = "pos-app first-manager NAME NUMBER"
"""What the administrator of the machine types where no manager is left; the same in every language."""

LONGEST_NAME = 40
"""Signs of a person's name; what an older list has longer is cut where it is shown."""


class Role(StrEnum):
    """What a person may do; which acts those are says domain/rights.py."""

    CASHIER = "cashier"
    MANAGER = "manager"


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A member of staff on the list of cashiers.

    `passcode_set`: they have chosen one; `passcode_signs_in`: a manager allows it in place of an SMS;
    `passcode_dead`: too many wrong ones, only a code by SMS or a manager helps. `language`: of their SMS and screen.
    """

    person_id: str
    name: str
    role: Role
    number_mask: str
    number_digest: str
    enabled: bool = True
    passcode_set: bool = False
    passcode_signs_in: bool = False
    passcode_dead: bool = False
    language: str = ""

    @property
    def is_manager(self) -> bool:
        """Whether a manager's acts are theirs, where they may act at all (`may_manage`)."""
        return self.role is Role.MANAGER

    @property
    def may_manage(self) -> bool:
        """Whether a manager's word counts: a disabled one's does not."""
        return self.enabled and self.is_manager


def number_in(person_id: str) -> int:
    """Which number a person is: 3 of "person-3"; 0 of an id that holds none."""
    number = person_id.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() else 0


def is_same_name(one: str, other: str) -> bool:
    """Whether nobody could tell the two apart on a list."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    # Two keyboards write the same vowel sign, or accent, as one character and as two.
    return " ".join(unicodedata.normalize("NFC", name.casefold()).split())
