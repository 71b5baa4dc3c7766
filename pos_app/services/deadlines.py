"""Wall-clock limits of requests, in seconds (docs/payment-rules.md, Asking); defaults of the settings."""

from __future__ import annotations

import msgspec


class Deadlines(msgspec.Struct, frozen=True, kw_only=True):
    """How long each request may take in all, however slowly bytes come."""

    ask_s: float = 5.0
    cancel_s: float = 10.0
    query_s: float = 10.0
    initiate_s: float = 15.0
    otp_s: float = 15.0
    connect_s: float = 5.0
    token_s: float = 10.0


USUAL = Deadlines()
