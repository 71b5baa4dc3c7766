"""`pos-app pay`: one sale from the amount to its end, with the window's own engine, journal and rules."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from decimal import Decimal

from pos_app.commands.arguments import Flag, Once
from pos_app.commands.customer import CHOICES, Customer
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.following import AFTER_GIVE_UP_S, Deadline, Run, exit_of, has_ended
from pos_app.commands.opening import Shop, open_shop
from pos_app.commands.printing import Printer, printer_of
from pos_app.domain.attempt import Attempt, Kind
from pos_app.domain.money import AmountError, AmountFormat, Currency, format_amount, parse_amount
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import NumberError, parse_number
from pos_app.domain.views import AttemptChanged, ChargeDeclined, ChargeOpened, Decline, Published
from pos_app.domain.wishes import Cancel, Charge
from pos_app.engine.mailbox import Event

_TEXT = re.compile(r"[A-Za-z0-9 \-/.]{1,40}")
REQUEST = "pay"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is charged, to whom, and by which shop."""
    parser.add_argument("--amount", action=Once, required=True, metavar="12.50")
    method = parser.add_mutually_exclusive_group(required=True)
    method.add_argument("--qr", action=Flag, help="by a QR code")
    method.add_argument("--push", action=Once, metavar="NUMBER", help="by a request to this phone")
    parser.add_argument("--invoice", action=Once, default="", metavar="TEXT")
    parser.add_argument("--reference", action=Once, default="", metavar="TEXT")
    parser.add_argument("--give-up-after", action=Once, type=_seconds, metavar="SECONDS")
    parser.add_argument("--another-customer", action=Flag, help="not the customer of the open payment alike")
    parser.add_argument("--sandbox", action=Flag, default=argparse.SUPPRESS, help="on a sandbox of its own")
    parser.add_argument("--customer", action=Once, choices=CHOICES, help="what the sandbox's customer does")


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) or not 0 < float(text) <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; it is 0.001 to 86400 seconds, for example 60")
    return float(text)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of the sale's end."""
    if arguments.customer and not arguments.sandbox:
        raise CommandError(Exit.USAGE, "--customer needs --sandbox: real customers decide for themselves")
    for name in ("invoice", "reference"):
        text = getattr(arguments, name)
        if text and (not _TEXT.fullmatch(text) or not text.strip()):
            raise CommandError(
                Exit.USAGE, f"--{name}: use up to 40 letters, digits, space, - / . , for example INV-0042"
            )
    shop = open_shop(arguments)
    try:
        charge = _charge(arguments, shop)
        control = shop.control
        customer = Customer(control, arguments.customer) if control and arguments.customer else None
        return int(Run(shop, Payment(charge, printer_of(arguments), customer)).run())
    finally:
        shop.close()


def _charge(arguments: argparse.Namespace, shop: Shop) -> Charge:
    site = shop.site()
    return Charge(
        request_id=REQUEST,
        kind=Kind.QR if arguments.qr else Kind.PUSH,
        amount=_amount(arguments.amount, site.currency, site.max_amount),
        who=TERMINAL,
        wallet_number="" if arguments.qr else _number(arguments.push, site.country),
        invoice_number=arguments.invoice,
        payment_reference=arguments.reference,
        another_customer=bool(arguments.another_customer),
        give_up_after_s=arguments.give_up_after,
        extendable=arguments.give_up_after is None,
    )


def _amount(text: str, currency: Currency, most: Decimal) -> Decimal:
    try:
        amount = parse_amount(text, currency, AmountFormat(".", ""))
        if amount <= most:
            return amount
    except AmountError:
        pass
    least, example = currency.smallest, Decimal("12.5").quantize(currency.smallest)
    raise CommandError(
        Exit.USAGE,
        f"--amount: enter an amount between {least} and {format_amount(most)}, for example {example}",
    )


def _number(text: str, country: str) -> str:
    try:
        return parse_number(text, country)
    except NumberError as error:
        raise CommandError(
            Exit.USAGE, "--push: enter the number with country code, for example +94 77 123 4567"
        ) from error


class Payment:
    """The sale of this run; follows its newest attempt, because a lost QR text starts the next by itself."""

    def __init__(self, charge: Charge, printer: Printer, customer: Customer | None) -> None:
        self._charge = charge
        self._printer = printer
        self._customer = customer
        self._newest: Attempt | None = None
        self._sale_id = ""
        self._drawn = ""

    def began(self, post: Callable[[Event], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post = post
        self._end = end
        self._deadline = Deadline(self._time_is_up)

    def ready(self) -> None:
        """Charge."""
        self._post(self._charge)

    def take(self, published: Published) -> None:
        """Follows the sale."""
        match published:
            case ChargeOpened(request_id=request, sale_id=sale_id) if request == REQUEST:
                self._sale_id = sale_id
            case ChargeDeclined(request_id=request) if request == REQUEST:
                self._declined(published)
            case AttemptChanged(attempt=attempt) if attempt.sale_id == self._sale_id:
                self._changed(attempt)

    def _changed(self, attempt: Attempt) -> None:
        if self._newest is not None and attempt.number < self._newest.number:
            return
        self._newest = attempt
        self._printer.attempt(attempt)
        self._draw(attempt)
        if self._customer is not None:
            self._customer.see(attempt)
        if has_ended(attempt):
            self._deadline.cancel()
            self._end(exit_of(attempt))
        elif attempt.gave_up_at is not None:
            self._deadline.set(AFTER_GIVE_UP_S)

    def _draw(self, attempt: Attempt) -> None:
        if attempt.qr_showable and attempt.qr_text != self._drawn and sys.stdout.isatty():
            from pos_app.commands.terminal_qr import drawn

            self._drawn = attempt.qr_text
            self._printer.text(drawn(attempt.qr_text))

    def _declined(self, declined: ChargeDeclined) -> None:
        similar = declined.similar
        if declined.decline is Decline.LOOKS_OPEN and similar is not None:
            minutes = max(1, round(declined.similar_age_s / 60))
            text = (
                f"{similar.currency} {similar.amount} is still open (sale {similar.sale_id}, {minutes} min): "
                f"go on with it by `open --resolve 60`, or say --another-customer"
            )
            code = Exit.USAGE
        else:
            text, code = f"not started: {declined.decline.value.replace('_', ' ')}", Exit.CANNOT_CREATE
        sys.stderr.write(f"pos-app: {text}\n")
        self._end(code)

    def _time_is_up(self) -> None:
        if self._newest is not None:
            self._end(exit_of(self._newest))

    def interrupted(self) -> None:
        """A cancel wish; before there is anything to cancel, the end."""
        if self._newest is None:
            self._end(Exit.NOT_PAID)
        else:
            self._post(Cancel(self._newest.attempt_id, TERMINAL))
