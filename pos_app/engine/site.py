"""What the engine must know of the shop and the counter: values handed in by the composition root."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.flow import Rules
from pos_app.domain.money import Currency
from pos_app.domain.otp import OtpLimits


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One counter of one merchant. `otp_message` holds {{code}} exactly once."""

    environment: Environment
    merchant_id: str
    counter_id: int
    currency: Currency
    country: str
    max_amount: Decimal
    give_up_after_ms: int
    otp_message: str
    rules: Rules = Rules()
    otp_limits: OtpLimits = OtpLimits()
