"""Which events are acts of people, and which make a person what they are. Named here once, for index and query."""

from __future__ import annotations

OF_VERSION_3 = (
    "PERSON_ENROLLED", "PERSON_RENUMBERED", "PERSON_CHANGED",
    "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_DEAD",
    "APPROVED", "APPROVAL_REFUSED", "PERMITTED", "NUMBER_UNMASKED", "RIGHT_REFUSED",
    "ANSWER", "REFUND_SIGNED", "SETTINGS_IN_FORCE", "SETTINGS_NOT_WRITTEN",
)  # fmt: skip
"""As migration 3 has them, for ever."""

OF_VERSION_5 = (*OF_VERSION_3, "X_READ", "CLOSING_BEGAN", "CLOSING_LEFT", "Z_CLOSED")
"""As migration 5 has them, for ever."""

OF_VERSION_6 = (*OF_VERSION_5, "PRINT_ASKED", "COPY_ASKED", "PRINT_SEEN", "PRINT_LEFT")
"""As migration 6 has them, for ever."""

OF_VERSION_7 = (*OF_VERSION_6, "RECON_BEGAN", "DIFFERENCE_DECIDED")
"""As migration 7 has them, for ever."""

ACTS = (*OF_VERSION_7, "REFUND_NOTED", "REFUND_GIVEN", "REFUND_WITHDRAWN")
"""As migration 8 has them: one more needs a migration of its own."""


def condition(kinds: tuple[str, ...]) -> str:
    """The condition of their index, to the letter."""
    return f"kind IN ({', '.join(repr(kind) for kind in kinds)})"


IS_ACT = condition(ACTS)
"""A query with other words would walk the whole table."""

MAKES_A_PERSON = (
    "PERSON_ENROLLED", "PERSON_RENUMBERED", "PERSON_CHANGED", "PERSON_RECOVERED",
    "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_DEAD",
)  # fmt: skip
"""The events with a person's snapshot, few in a year among thousands of sign-ins. As migration 4 has them."""

IS_OF_A_PERSON = condition(MAKES_A_PERSON)
"""The condition of their index, to the letter."""
