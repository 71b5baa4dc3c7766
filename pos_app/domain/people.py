"""Who may stand at the till. Numbers lie sealed in the journal; what is here is fit for a screen."""

from __future__ import annotations

from enum import StrEnum

import msgspec

TERMINAL = "terminal"
"""The owner recorded for what the till does by itself or at the command line."""


class Role(StrEnum):
    """What a person may do."""

    CASHIER = "cashier"
    MANAGER = "manager"


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A member of staff on the list of cashiers."""

    person_id: str
    name: str
    role: Role
    number_mask: str
    number_digest: str
    enabled: bool = True
