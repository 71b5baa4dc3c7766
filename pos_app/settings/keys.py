"""The one table of settings: each key's type, default, check and example."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec

from pos_app.settings import checks
from pos_app.settings.otp_messages import OTP_MESSAGE, OTP_MESSAGES

REQUIRED = object()


class Key(msgspec.Struct, frozen=True):
    """One setting. `check` returns a problem in words or nothing; `choices` bounds a text."""

    name: str
    type: type
    default: Any
    example: str
    check: Callable[[Any], str] | None = None
    choices: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """Its heading in the file."""
        return self.name.partition(".")[0]

    @property
    def field(self) -> str:
        """Its name under that heading."""
        return self.name.partition(".")[2]


KEYS = (
    Key("gateway.environment", str, "live", '"live"', choices=("live", "sandbox")),
    Key("gateway.base_url", str, REQUIRED, '"https://gateway.example"'),
    Key("gateway.merchant_pg_identifier", str, REQUIRED, '"M-0001"', checks.identifier),
    Key("gateway.counter_id", int, REQUIRED, "1", checks.counter),
    Key("gateway.qr_amount_field", str, "chargeTotal", '"chargeTotal"', choices=("chargeTotal", "amount")),
    Key("gateway.ca_file", str, "", '"/etc/ssl/shop-root.pem"', checks.free_text),
    Key("gateway.otp_base_url", str, "", '"https://otp.example"'),
    Key(
        "gateway.token_provider",
        str,
        "static",
        '"static"',
        choices=("static", "file", "command", "oauth2"),
    ),
    Key("gateway.token_file", str, "", '"/run/pos-app/token"', checks.free_text),
    Key("gateway.token_command", list, (), '["/usr/bin/shop-token", "--json"]'),
    Key("gateway.token_url", str, "", '"https://login.example"'),
    Key("gateway.token_client_id", str, "", '"till-3"', checks.free_text),
    Key("gateway.verification_fail_is_final", bool, False, "false"),
    Key("shop.name", str, REQUIRED, '"Corner Shop"', checks.shop_name),
    Key("shop.currency", str, REQUIRED, '"LKR"', checks.currency),
    Key("shop.country", str, REQUIRED, '"LK"', checks.country),
    Key("shop.outlet_id", str, "", '"12"', checks.free_text),
    Key("shop.max_amount", Decimal, Decimal("999999.99"), "999999.99", checks.amount),
    Key("shop.confirm_above", Decimal, Decimal("50000"), "50000", checks.amount),
    Key("shop.default_method", str, "qr", '"qr"', choices=("qr", "push")),
    Key("payment.give_up_s", int, 300, "300", checks.seconds),
    Key("payment.extension_s", int, 120, "120", checks.extension),
    Key("otp.message", str, OTP_MESSAGE, '"{{code}} is your sign-in code."', checks.sms),
    *(
        Key(f"otp.message_{language}", str, message, '"{{code}} …"', checks.other_sms)
        for language, message in OTP_MESSAGES.items()
    ),
    Key("sign_in.lock_after_min", int, 5, "5", checks.idle_minutes),
    Key("sign_in.session_hours", int, 12, "12", checks.session_hours),
    Key("window.theme", str, "system", '"system"', choices=("system", "light", "dark")),
    Key("window.language", str, "en", '"en"', checks.language),
    Key("window.text_percent", int, 100, "150", checks.text_percent),
    Key("window.motion", bool, True, "true"),
    Key("sound.on", bool, True, "true"),
    Key("sound.volume", int, 70, "70", checks.volume),
    Key("scanner.prefix", str, "", '"~"', checks.around_codes),
    Key("scanner.suffix", str, "", '"~"', checks.around_codes),
    Key("scanner.into", str, "invoice", '"invoice"', choices=("invoice", "reference", "nowhere")),
    Key("customer_display.name", str, "", '"HDMI-2"', checks.display),
    Key("customer_display.language", str, "", '"si"', checks.other_language),
)

BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
