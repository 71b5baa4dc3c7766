"""The faults a call can meet, by name, and what the till is told where that does not depend on the service."""

from __future__ import annotations

from pos_app.domain.replies import NoAnswer, Why

UNSENT = {
    "no_name": NoAnswer(Why.NAME, sent=False),
    "no_connection": NoAnswer(Why.CONNECT, sent=False),
    "no_tls": NoAnswer(Why.TLS, sent=False),
}
"""No byte of the request left."""

LOST = ("lost", "reply_lost", "reset", "reply_reset", "late", "twice", "twice_second", "stale", "slow")
"""Rows 20 to 24 of the failure model; `value` is a delay in ms, for `stale` how many states back."""

SILENT = {
    "unreadable": NoAnswer(Why.UNREADABLE, sent=True, http_status=200),
    "redirect": NoAnswer(Why.REDIRECT, sent=True, http_status=302),
    "too_large": NoAnswer(Why.TOO_LARGE, sent=True, http_status=200),
    "sign_in": NoAnswer(Why.SIGN_IN, sent=True, http_status=401),
    "forbidden": NoAnswer(Why.FORBIDDEN, sent=True, http_status=403),
}
"""What came back says nothing. The request was looked at if `value` is odd."""

HTTP = (400, 404, 405, 406, 415, 500, 502, 503, 504)
RETRY_AFTER = (None, 1.0, 5.0, 20.0, 60.0)
CODES = (
    "5000", "5001", "5002", "5003", "5004", "5005", "5006", "5007", "5008",
    "5009", "5010", "5011", "5012", "5013", "5014", "5015", "5999", "",
)  # fmt: skip
LIST_REFUSED = "5008"
NAMES = ("Payment success", "Payment Success ", "Paid", "", "Payment Succes\u0455", "Refund", "SUCCESS")
"""Unknown status names, among them look-alikes."""

GARBLED = (
    "other_id", "other_wallet", "other_merchant", "other_amount", "no_amount", "no_id", "unknown_status",
    "no_qr", "huge_qr", "no_wallet_id", "hollow_success",
)  # fmt: skip
"""A readable reply with something wrong in it."""

KINDS = (*UNSENT, *LOST, *SILENT, "http", "slow_down", "code", *GARBLED)
"""Every fault that breaks neither E1 nor E2."""


def silence(fault: str, value: int) -> NoAnswer | None:
    """What the till hears where the fault alone decides it."""
    if fault in SILENT:
        return SILENT[fault]
    if fault == "http":
        return NoAnswer(Why.HTTP, sent=True, http_status=HTTP[value // 2 % len(HTTP)])
    if fault == "slow_down":
        wait = RETRY_AFTER[value // 2 % len(RETRY_AFTER)]
        return NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429, retry_after_s=wait)
    return None
