"""`pos-app join`: has a store take this counter in, with the code that its owner was given. Charges nothing."""

from __future__ import annotations

import argparse

import msgspec

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.printer import printer_of
from pos_app.domain.shipping import read_code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where, and by what right."""
    parser.add_argument("address", metavar="ADDRESS", help="the store's, for example https://store.example")
    parser.add_argument("code", metavar="CODE", help="as the store's page shows it, for example 7K2M-Q9XB")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 joined, 1 the store refused, 69 it does not answer, 73 the journal is in use or takes nothing."""
    try:
        code = read_code(arguments.code)
    except ValueError as error:
        raise CommandError(Exit.USAGE, str(error)) from error
    with shop_at_work(options) as shop:
        return _join(shop, arguments.address, code, options)


def _join(shop: Shop, address: str, code: str, options: Options) -> int:
    from pos_app.bootstrap.membership import Refused, join

    try:
        joined = join(shop, address, code)
    except Refused as refused:
        raise CommandError(Exit.NOT_PAID, str(refused)) from refused
    printer_of(options, goes_on=True).value(
        {"joined": msgspec.to_builtins(joined)},
        f"joined {joined.store_name}, {joined.shop_name}, as counter {joined.counter}",
    )
    return Exit.OK
