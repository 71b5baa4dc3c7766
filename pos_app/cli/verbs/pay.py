"""`pos-app pay`: one sale from the amount to its end, with the window's own engine, journal and rules."""

from __future__ import annotations

import argparse
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit, number_problem
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import settings_ahead
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.customer import CHOICES, Customer
from pos_app.cli.headless_till import Run
from pos_app.cli.paper_of_payment import paper_of_payment
from pos_app.cli.parser import private, seconds
from pos_app.cli.payment import Payment
from pos_app.cli.printer import printer_of
from pos_app.cli.qr_file import ENDING, QrFile
from pos_app.domain.attempt import Kind
from pos_app.domain.commands import Charge
from pos_app.domain.money import AmountError, AmountFormat, Currency, currency, parse_amount
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import NumberError, parse_number
from pos_app.domain.text import is_reference
from pos_app.settings.model import Shop as ShopSettings

_LONGEST_S = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is charged, and to whom."""
    parser.add_argument(
        "--amount", required=True, metavar="12.50", help="what is charged, in the shop's currency"
    )
    method = parser.add_mutually_exclusive_group(required=True)
    method.add_argument("--qr", action="store_true", help="by a QR code")
    method.add_argument(
        "--push",
        type=private,
        metavar="NUMBER",
        help="by a request to this phone; - reads the number from input",
    )
    parser.add_argument(
        "--qr-file", type=_png, metavar="FILE.png", help="keeps the code there while it can be scanned"
    )
    parser.add_argument("--invoice", type=_text, metavar="TEXT", help="the invoice number")
    parser.add_argument("--reference", type=_text, metavar="TEXT", help="the payment's reference")
    parser.add_argument(
        "--give-up-after",
        type=seconds(0.001, _LONGEST_S, 60),
        metavar="SECONDS",
        help="instead of the settings' payment.give_up_s",
    )
    parser.add_argument(
        "--another-customer", action="store_true", help="not the customer of the open payment like it"
    )
    parser.add_argument("--customer", choices=CHOICES, help="what the sandbox's customer does")


def _text(text: str) -> str:
    if not text or not is_reference(text):
        raise argparse.ArgumentTypeError("use up to 40 letters, digits, space, - / . , for example INV-0042")
    return text


def _png(text: str) -> Path:
    path = Path(text)
    if "\0" in text or path.suffix.lower() != ENDING:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a picture, for example code{ENDING}")
    return path


def run(options: Options, arguments: argparse.Namespace) -> int:
    """The exit code of the sale's end."""
    if arguments.customer and not options.sandbox:
        raise CommandError(Exit.USAGE, "--customer needs --sandbox: real customers decide for themselves")
    if arguments.qr_file and not arguments.qr:
        raise CommandError(Exit.USAGE, "--qr-file needs --qr: a request to a phone has no code")
    charge = _charge(arguments, settings_ahead(options).shop)
    with shop_at_work(options) as shop, paper_of_payment(shop) as paper:
        control = shop.control
        customer = Customer(control, arguments.customer) if control and arguments.customer else None
        qr_file = QrFile(arguments.qr_file) if arguments.qr_file else None
        printer = printer_of(options, goes_on=True)
        payment = Payment(charge, printer, customer=customer, qr_file=qr_file, paper=paper.last)
        try:
            code = Run(shop, payment, printing=paper.line).run()
        finally:
            if qr_file is not None:
                qr_file.end()
        paper.say(printer, payment.paid)
        return int(code)


def _charge(arguments: argparse.Namespace, shop: ShopSettings) -> Charge:
    return Charge(
        request_id="pay",
        kind=Kind.QR if arguments.qr else Kind.PUSH,
        amount=_amount(arguments.amount, currency(shop.currency), shop.max_amount),
        who=TERMINAL,
        wallet_number="" if arguments.qr else _number(arguments.push, shop.country),
        invoice_number=arguments.invoice or "",
        payment_reference=arguments.reference or "",
        another_customer=arguments.another_customer,
        give_up_after_s=arguments.give_up_after,
        extendable=arguments.give_up_after is None,
    )


def _amount(text: str, unit: Currency, most: Decimal) -> Decimal:
    try:
        amount = parse_amount(text, unit, AmountFormat(".", ""))
        if amount <= most:
            return amount
    except AmountError:
        pass
    least = unit.smallest
    most = most.quantize(least, ROUND_FLOOR)
    # Where little is taken, or a currency's unit is much: an example that can be typed.
    example = min(Decimal("12.5").quantize(least), most)
    raise CommandError(
        Exit.USAGE, f"--amount: enter an amount between {least} and {most}, for example {example}"
    )


def _number(text: str, country: str) -> str:
    try:
        return parse_number(text, country)
    except NumberError as error:
        raise CommandError(Exit.USAGE, f"--push: {number_problem(error, country)}") from error
