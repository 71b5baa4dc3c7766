"""What the window must know of the settings; composition fills it, the window never reads a setting."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Environment, Kind
from pos_app.domain.money import AmountFormat, Currency, format_amount
from pos_app.domain.receipt import Letterhead
from pos_app.i18n.words.band import words


class TillViewConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The counter as the window shows it. `theme` is "light" or "dark"; `lock_after_s`: without a touch.

    `scan_prefix`, `scan_suffix`: what the scanner puts around a code; `scan_into`: "invoice", "reference" or "nowhere".
    `letterhead`, `paper_language` ("": the till's), `paper_mm`: what receipts look like. `papers_folder`: where those
    that somebody keeps are saved, "" for nowhere. `prints`: all, ask or off; "" without a printer.
    """

    shop_name: str
    counter_id: int
    currency: Currency
    country: str
    environment: Environment
    written: AmountFormat = AmountFormat()
    default_method: Kind = Kind.QR
    theme: str = "light"
    text_percent: int = 100
    language: str = "en"
    max_amount: Decimal = Decimal("999999.99")
    confirm_above: Decimal = Decimal(50000)
    sign_in_required: bool = True
    lock_after_s: float = 300
    scan_prefix: str = ""
    scan_suffix: str = ""
    scan_into: str = "invoice"
    letterhead: Letterhead = Letterhead()
    paper_language: str = ""
    paper_mm: int = 80
    prints: str = ""
    papers_folder: str = ""
    cashier_may_close: bool = False

    @property
    def is_sandbox(self) -> bool:
        """Whether the band stands on every window."""
        return self.environment is Environment.SANDBOX

    def sale(self, said: str) -> str:
        """What names a sale, as it is shown: in the sandbox with the word beside it."""
        return words.beside(said) if self.is_sandbox else said

    def figure(self, amount: Decimal) -> str:
        """An amount without its currency: "1,250.00"."""
        return format_amount(amount, self.written)

    def written_example(self) -> str:
        """How an amount is typed: "1,250.00"."""
        return self.figure(Decimal(1250).quantize(self.currency.smallest))

    def money_of(self, amount: Decimal, code: str) -> str:
        """An amount of whatever currency: of another one than the counter's as it was written."""
        return self.money(amount) if code == self.currency.code else f"{code} {amount}"

    def figure_of(self, amount: Decimal, code: str) -> str:
        """The same without the counter's own currency: "1,250.00", but "KWD 1.250"."""
        return self.figure(amount) if code == self.currency.code else self.money_of(amount, code)

    def money(self, amount: Decimal) -> str:
        """An amount with its currency: "LKR 1,250.00"."""
        return f"{self.currency.code} {self.figure(amount)}"
