"""Which events are acts of people: what a manager looks through. Named here once, for their index and its query."""

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
