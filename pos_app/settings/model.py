"""Every setting, declared once: name and type, default, example, check, place on the screen, what a change asks for.

The file's reader, the settings' screen, docs/settings.md and the variables are made from these declarations; the
composition roots alone read the values. No `annotations` from the future here: the declarations are read as they are.
"""

from datetime import time
from decimal import Decimal
from typing import Annotated

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.paper import BODY
from pos_app.settings import checks
from pos_app.settings.key import REQUIRED, Key, Section, declared
from pos_app.settings.otp_messages import OTP_MESSAGE, OTP_MESSAGES


class Gateway(msgspec.Struct, frozen=True, kw_only=True):
    """The payment service and who the shop is to it."""

    environment: Annotated[
        Environment, Key("live", '"live"', choices=("live", "sandbox"), makes_another_till=True)
    ]
    base_url: Annotated[
        str, Key(REQUIRED, '"https://gateway.example"', is_address=True, makes_another_till=True)
    ]
    merchant_pg_identifier: Annotated[
        str, Key(REQUIRED, '"M-0001"', checks.identifier, makes_another_till=True)
    ]
    counter_id: Annotated[int, Key(REQUIRED, "1", checks.counter, makes_another_till=True)]
    otp_base_url: Annotated[str, Key("", '"https://otp.example"', is_address=True)]
    ca_file: Annotated[str, Key("", '"/etc/ssl/shop-root.pem"', checks.free_text)]
    qr_amount_field: Annotated[str, Key("chargeTotal", '"chargeTotal"', choices=("chargeTotal", "amount"))]
    token_provider: Annotated[
        str,
        Key(
            "static", '"static"', choices=("static", "file", "command", "oauth2"), page="token", is_wide=True
        ),
    ]
    token_file: Annotated[
        str, Key("", '"/run/pos-app/token"', checks.free_text, page="token", of_provider="file")
    ]
    token_command: Annotated[
        tuple[str, ...],
        Key(
            (),
            '["/usr/bin/shop-token", "--json"]',
            checks.command,
            page="token",
            of_provider="command",
            is_wide=True,
            is_command=True,
        ),
    ]
    token_url: Annotated[
        str, Key("", '"https://login.example/token"', page="token", of_provider="oauth2", is_address=True)
    ]
    token_client_id: Annotated[str, Key("", '"till-3"', checks.free_text, page="token", of_provider="oauth2")]
    verification_fail_is_final: Annotated[
        bool, Key(False, "false", page="payment", is_last=True, is_wide=True, reconnects=False)
    ]


class Shop(msgspec.Struct, frozen=True, kw_only=True):
    """The shop as people see it, and its limits."""

    name: Annotated[str, Key(REQUIRED, '"Corner Shop"', checks.shop_name, of_own_sandbox=True)]
    outlet_id: Annotated[str, Key("", '"12"', checks.free_text)]
    country: Annotated[str, Key(REQUIRED, '"LK"', checks.country)]
    currency: Annotated[
        str, Key(REQUIRED, '"LKR"', checks.currency, makes_another_till=True, of_own_sandbox=True)
    ]
    max_amount: Annotated[Decimal, Key(Decimal("999999.99"), "999999.99", checks.amount)]
    confirm_above: Annotated[Decimal, Key(Decimal("50000"), "50000", checks.amount)]
    default_method: Annotated[str, Key("qr", '"qr"', choices=("qr", "push"))]


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """How long a payment may take, in seconds (docs/payment-rules.md, rule 7)."""

    give_up_s: Annotated[int, Key(300, "300", checks.seconds)]
    extension_s: Annotated[int, Key(120, "120", checks.extension)]


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """The counter's day. `cutoff`: what is closed before that time in the night has the date of the day before.

    `auto_close`: the till at its window closes by itself what was sold before it, where the service's time agrees.
    """

    cutoff: Annotated[str, Key("04:00", '"04:00"', checks.cutoff)]
    cashier_may_close: Annotated[bool, Key(False, "false")]
    auto_close: Annotated[bool, Key(False, "false")]

    @property
    def cutoff_time(self) -> time:
        """As a time of the day."""
        return time.fromisoformat(self.cutoff)


class Printer(msgspec.Struct, frozen=True, kw_only=True):
    """The counter's printer, and which receipts it prints by itself. `kind` says which of the others count.

    `width`: of its paper in mm. `path`: a device of this machine, or with `file` a folder.
    """

    kind: Annotated[
        str,
        Key(
            "none",
            '"network"',
            choices=("none", "network", "device", "system", "windows", "file", "virtual"),
        ),
    ]
    auto: Annotated[str, Key("all", '"ask"', choices=("all", "ask", "off"))]
    host: Annotated[str, Key("", '"192.168.1.50"', checks.printer_host)]
    port: Annotated[int, Key(9100, "9100", checks.port)]
    path: Annotated[str, Key("", '"/dev/usb/lp0"', checks.absolute_path)]
    name: Annotated[str, Key("", '"Receipts"', checks.printer_name)]
    width: Annotated[int, Key(80, "58", checks.paper_width)]

    @property
    def is_there(self) -> bool:
        """Whether the counter has one."""
        return self.kind != "none"

    @property
    def reached_at(self) -> str:
        """Its name or address in the network, as it is looked up."""
        return checks.host_of_printer(self.host)


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What a receipt says beside its payment. `size`: the height of its letters in dots, 36 for large print."""

    header: Annotated[
        tuple[str, ...],
        Key((), '["12 Galle Road, Colombo 3", "Tel. 011 234 5678"]', checks.paper_lines, is_wide=True),
    ]
    footer: Annotated[tuple[str, ...], Key((), '["Thank you!"]', checks.paper_lines, is_wide=True)]
    tax_id: Annotated[str, Key("", '"134 567 890"', checks.paper_line)]
    cashier: Annotated[str, Key("name", '"number"', choices=("name", "number", "none"))]
    size: Annotated[int, Key(BODY, "36", checks.paper_size)]


class Otp(msgspec.Struct, frozen=True, kw_only=True):
    """The sign-in message, and the same by language; {{code}} stands in each exactly once. Empty: not given."""

    message: Annotated[str, Key(OTP_MESSAGE, '"{{code}} is your sign-in code."', checks.sms, is_wide=True)]
    message_si: Annotated[str, Key(OTP_MESSAGES["si"], '"{{code}} …"', checks.other_sms, is_wide=True)]
    message_ta: Annotated[str, Key(OTP_MESSAGES["ta"], '"{{code}} …"', checks.other_sms, is_wide=True)]
    message_ar: Annotated[str, Key(OTP_MESSAGES["ar"], '"{{code}} …"', checks.other_sms, is_wide=True)]

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

    lock_after_min: Annotated[int, Key(5, "5", checks.idle_minutes, begins_row=True)]
    session_hours: Annotated[int, Key(12, "12", checks.session_hours)]


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """How the till looks. `text_percent`: of the drawn size; `motion`: whether what comes, comes in.

    `keyboard`: whether a touched text field brings keys to the screen.
    """

    theme: Annotated[str, Key("system", '"system"', choices=("system", "light", "dark"))]
    language: Annotated[str, Key("en", '"en"', checks.language)]
    text_percent: Annotated[int, Key(100, "150", checks.text_percent)]
    motion: Annotated[bool, Key(True, "true")]
    keyboard: Annotated[str, Key("auto", '"auto"', choices=("auto", "always", "never"))]


class Sound(msgspec.Struct, frozen=True, kw_only=True):
    """Whether results are heard, and how loud, of 100."""

    on: Annotated[bool, Key(True, "true")]
    volume: Annotated[int, Key(70, "70", checks.volume)]


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """What a barcode scanner puts before and after a code, and where the code goes."""

    into: Annotated[str, Key("invoice", '"invoice"', choices=("invoice", "reference", "nowhere"))]
    prefix: Annotated[str, Key("", '"~"', checks.around_codes)]
    suffix: Annotated[str, Key("", '"~"', checks.around_codes)]


class CustomerDisplay(msgspec.Struct, frozen=True, kw_only=True):
    """The customer's screen: its display's name ("": the first that is free, "off": none), and its language."""

    name: Annotated[str, Key("", '"HDMI-2"', checks.display)]
    language: Annotated[str, Key("", '"si"', checks.other_language)]


class Store(msgspec.Struct, frozen=True, kw_only=True):
    """The store that this counter tells what it did, once it has joined it (docs/store.md).

    `address`: "" for the one that was joined. `pin`: the SHA-256 of the one certificate in `ca_file` that is believed.
    """

    address: Annotated[str, Key("", '"https://store.example"', checks.store_address, is_wide=True)]
    ca_file: Annotated[str, Key("", '"/etc/ssl/store.pem"', checks.free_text)]
    pin: Annotated[
        str,
        Key("", '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"', checks.fingerprint),
    ]
    references: Annotated[bool, Key(False, "false", is_wide=True)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All of them. `sources` tells where each value came from ("gateway.base_url" → "user file line 3").

    `locked`: the keys that the site file lets nobody here change. `sandbox_allowed`: it lets the sandbox run here.
    """

    gateway: Annotated[Gateway, Section("counter", of_own_sandbox=True, reconnects=True)]
    shop: Annotated[Shop, Section("shop")]
    payment: Annotated[Payment, Section("payment")]
    day: Annotated[Day, Section("shop")]
    printer: Annotated[Printer, Section("printer")]
    receipt: Annotated[Receipt, Section("receipt")]
    otp: Annotated[Otp, Section("sign_in")]
    sign_in: Annotated[SignIn, Section("sign_in")]
    window: Annotated[Window, Section("window")]
    sound: Annotated[Sound, Section("window")]
    scanner: Annotated[Scanner, Section("shop")]
    customer_display: Annotated[CustomerDisplay, Section("window")]
    store: Annotated[Store, Section("store")]
    sources: dict[str, str]
    locked: frozenset[str] = frozenset()
    sandbox_allowed: bool = True

    def source_of(self, key: str) -> str:
        """Where a value came from; "default" when nobody set it."""
        return self.sources.get(key, "default")


KEYS = declared(Settings)
BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
