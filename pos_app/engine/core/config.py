"""What the engine must know of the shop and the counter: values handed in by the composition root."""

from __future__ import annotations

from datetime import time
from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.flow import Rules
from pos_app.domain.money import Currency
from pos_app.domain.otp import OtpLimits
from pos_app.domain.passcode import PasscodeLimits
from pos_app.domain.rights import Act

CALLS_APART_MS = 500


class Printing(msgspec.Struct, frozen=True, kw_only=True):
    """The counter's printer as its queue sees it. `auto`: which receipts it prints by itself: all, ask or off.

    `printer`: its kind; `width`: of its paper in mm; `language`: of what is printed. `rests_ms`: so long a job rests
    before it is drawn, where a window has the result to paint first.
    """

    printer: str
    auto: str = "off"
    width: int = 80
    language: str = "en"
    rests_ms: int = 0


class EngineConfig(msgspec.Struct, frozen=True, kw_only=True):
    """One counter of one merchant. Messages hold {{code}} exactly once.

    `sign_in_required`: commands need somebody signed in who has the right. Without it (at the command line)
    the account of the machine is the right, and commands go under the name TERMINAL.
    `cutoff`: until then a Z has the date of the day before; it labels and reminds. With `auto_close` the till closes
    behind it what was sold before.
    `printing`: None where there is no printer.
    `otp_messages`: by language; `otp_message` for every other one.
    `calls_apart_ms`: the least between two calls of one reading of the service's lists, asks of it included: at most
    two a second (docs/payment-rules.md, Asking) where others use the service, too.
    """

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
    otp_messages: dict[str, str] = {}
    sign_in_required: bool = False
    cutoff: time = time(4)
    cashier_may_close: bool = False
    auto_close: bool = False
    session_ms: int = 12 * 60 * 60_000
    passcode_limits: PasscodeLimits = PasscodeLimits()
    printing: Printing | None = None
    calls_apart_ms: int = CALLS_APART_MS

    @property
    def opened_acts(self) -> frozenset[Act]:
        """What needs a manager elsewhere, and here no more than somebody who is signed in."""
        return frozenset({Act.CLOSE_DAY} if self.cashier_may_close else ())

    @property
    def origin(self) -> str:
        """The address of the payment service, as attempts keep it: scheme, host, port if not the usual, path."""
        return self.rules.origin


class SetUpNews(msgspec.Struct, frozen=True):
    """News of the till's own set-up, from whoever writes it."""


class Reconfigured(SetUpNews, frozen=True, kw_only=True):
    """New settings or secrets are stored, and hold from here on; the calls already go by them.

    `changed`: names of settings and secrets. `reconnected`: the services are called over new connections.
    Another merchant, counter, currency, environment or address is another till, never this event.
    """

    config: EngineConfig
    who: str
    changed: tuple[str, ...]
    reconnected: bool = False


class SettingsNotWritten(SetUpNews, frozen=True, kw_only=True):
    """What a Permit allowed was not done: `why`, in words without a secret. All is as it was."""

    request_id: str
    who: str
    why: str
