"""Which events are acts of people, and which make a person what they are. Named here once, for index and query."""

from __future__ import annotations

ACTS = (
    "PERSON_ENROLLED", "PERSON_RENUMBERED", "PERSON_CHANGED",
    "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_DEAD",
    "APPROVED", "APPROVAL_REFUSED", "PERMITTED", "NUMBER_UNMASKED", "RIGHT_REFUSED",
    "ANSWER", "REFUND_SIGNED", "SETTINGS_IN_FORCE", "SETTINGS_NOT_WRITTEN",
)  # fmt: skip
"""As migration 3 has them: one more needs a migration of its own."""

IS_ACT = f"kind IN ({', '.join(repr(kind) for kind in ACTS)})"
"""The condition of the index, to the letter: a query with other words would walk the whole table."""

MAKES_A_PERSON = (
    "PERSON_ENROLLED", "PERSON_RENUMBERED", "PERSON_CHANGED", "PERSON_RECOVERED",
    "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_DEAD",
)  # fmt: skip
"""The events with a person's snapshot, few in a year among thousands of sign-ins. As migration 4 has them."""

IS_OF_A_PERSON = f"kind IN ({', '.join(repr(kind) for kind in MAKES_A_PERSON)})"
"""The condition of their index, to the letter."""
