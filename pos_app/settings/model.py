"""The settings as frozen values, read from here by the composition roots alone."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.settings.otp_messages import OTP_MESSAGE


class Gateway(msgspec.Struct, frozen=True, kw_only=True):
    """The payment service and who the shop is to it."""

    environment: Environment
    base_url: str
    merchant_pg_identifier: str
    counter_id: int
    qr_amount_field: str
    ca_file: str
    otp_base_url: str
    token_provider: str
    token_file: str
    token_command: tuple[str, ...]
    token_url: str
    token_client_id: str
    verification_fail_is_final: bool


class Shop(msgspec.Struct, frozen=True, kw_only=True):
    """The shop as people see it, and its limits."""

    name: str
    currency: str
    country: str
    outlet_id: str
    max_amount: Decimal
    confirm_above: Decimal
    default_method: str


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """How long a payment may take, in seconds (docs/payment-rules.md, rule 7)."""

    give_up_s: int
    extension_s: int


class Otp(msgspec.Struct, frozen=True, kw_only=True):
    """The sign-in message, and the same by language; {{code}} stands in each exactly once. Empty: not given."""

    message: str
    message_si: str
    message_ta: str
    message_ar: str

    @property
    def by_language(self) -> dict[str, str]:
        """Those that were given."""
        given = {"si": self.message_si, "ta": self.message_ta, "ar": self.message_ar}
        return {language: message for language, message in given.items() if message}

    def at(self, counter_language: str) -> str:
        """For whoever chose no language: the counter's, unless the shop wrote a message for all."""
        if self.message != OTP_MESSAGE:
            return self.message
        return self.by_language.get(counter_language, self.message)


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """When an idle screen locks (minutes), and how long a code by SMS carries somebody (hours)."""

    lock_after_min: int
    session_hours: int


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """How the till looks. `text_percent`: of the drawn size; `motion`: whether what comes, comes in."""

    theme: str
    language: str
    text_percent: int
    motion: bool


class Sound(msgspec.Struct, frozen=True, kw_only=True):
    """Whether results are heard, and how loud, of 100."""

    on: bool
    volume: int


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """What a barcode scanner puts before and after a code, and where the code goes."""

    prefix: str
    suffix: str
    into: str


class CustomerDisplay(msgspec.Struct, frozen=True, kw_only=True):
    """The customer's screen: its display's name ("": the first that is free, "off": none), and its language."""

    name: str
    language: str


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All of them. `sources` tells where each value came from ("gateway.base_url" → "user file line 3").

    `locked`: the keys that the site file lets nobody here change. `sandbox_allowed`: it lets the sandbox run here.
    """

    gateway: Gateway
    shop: Shop
    payment: Payment
    otp: Otp
    sign_in: SignIn
    window: Window
    sound: Sound
    scanner: Scanner
    customer_display: CustomerDisplay
    sources: dict[str, str]
    locked: frozenset[str] = frozenset()
    sandbox_allowed: bool = True

    def source_of(self, key: str) -> str:
        """Where a value came from; "default" when nobody set it."""
        return self.sources.get(key, "default")
