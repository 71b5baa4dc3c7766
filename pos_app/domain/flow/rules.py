"""The numbers of docs/payment-rules.md; the settings may change them, the flow only reads them. Times in ms."""

from __future__ import annotations

import msgspec

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

MAX_QR_BYTES = 2_953
"""What the largest QR code holds in byte mode at the lowest error level."""

REFUSALS = frozenset({"5001", "5002", "5003", "5004", "5005", "5008", "5010", "5011", "5012", "5013", "5015"})
"""Rule 4: definite refusals, on the first send of an id."""

SET_UP_REFUSALS = frozenset({"5001", "5002", "5008", "5011", "5012", "5015"})
"""Rule 4: refusals that an ask repeats instead of answering 5009."""

MISCONFIGURED = frozenset({"5001", "5015"})
NO_PERMISSION = frozenset({"5008", "5011", "5012"})
KNOWN_CODES = frozenset(f"50{number:02}" for number in range(16))
ALREADY_PROCESSED = frozenset({"5006", "5007"})
TOO_LATE = "5006"
"""The one answer to a cancel by which a failed scan may be an end (the status table): 5007 says less."""
NOT_UNIQUE = "5000"
NOT_FOUND = "5009"

HTTP_REFUSALS = frozenset({400, 404, 405, 406, 415})
"""Rule 4: HTTP statuses that, without our envelope, may mean the request was never looked at."""


class Rules(msgspec.Struct, frozen=True):
    """Defaults are the binding ones.

    `origin`: the address of the service that the settings now name; an attempt of another is left alone.
    """

    origin: str = ""
    silent_initiate: int = 4 * SECOND
    connect_retries: tuple[int, ...] = (1 * SECOND, 3 * SECOND)
    resend_delays: tuple[int, ...] = (3 * SECOND, 10 * SECOND, 30 * SECOND)
    resend_until: int = 60 * SECOND
    doubt_limit: int = 5 * MINUTE
    unknown_limit: int = 3 * MINUTE
    extension: int = 2 * MINUTE
    give_up_ask_wait: int = 2 * SECOND
    unresolved_after_give_up: int = 60 * SECOND
    start_ask_wait: int = 5 * SECOND
    cancel_spacing: int = 5 * SECOND
    close_spacing: int = 5 * SECOND
    http_refusal_spacing: int = 3 * SECOND
    contradiction_spacing: int = 10 * SECOND
    tolerance: int = 3
    """Unreadable, strange or misconfigured answers, or contradictions, before a person is asked."""
    rechecks: tuple[int, ...] = (10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE)
    refusal_checks: tuple[int, ...] = (1 * SECOND, 3 * SECOND, 10 * SECOND)
    first_ask: int = 3 * SECOND
    polling: tuple[tuple[int, int], ...] = ((60 * SECOND, 2 * SECOND), (3 * MINUTE, 3 * SECOND))
    polling_last: int = 5 * SECOND
    progress_burst: tuple[int, int] = (30 * SECOND, 1 * SECOND)
    released_polling: tuple[tuple[int, int], ...] = (
        (15 * MINUTE, 10 * SECOND),
        (HOUR, 30 * SECOND),
        (DAY, 5 * MINUTE),
        (7 * DAY, HOUR),
    )
    back_off: tuple[int, ...] = (1 * SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 10 * SECOND)
    back_off_old: int = 30 * SECOND
    back_off_young: int = 15 * MINUTE
    automatic_qr_attempts: int = 3
    verification_fail_is_final: bool = False
