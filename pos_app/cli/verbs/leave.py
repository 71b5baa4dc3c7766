"""`pos-app leave`: this counter is no store's any more, from here on, whether the store can be told or not."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.printer import printer_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None: a counter leaves for itself."""
    del parser


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 left, or there was nothing to leave; 73 the journal is in use or takes nothing."""
    del arguments
    from pos_app.bootstrap.membership import leave

    with shop_at_work(options) as shop:
        left, told = leave(shop)
    printer = printer_of(options, goes_on=True)
    if left is None:
        printer.value({"left": "", "told": False}, "this counter is no store's")
    else:
        heard = "it was told" if told else "it could not be told: its owner sees this counter as missing"
        printer.value({"left": left.store_name, "told": told}, f"left {left.store_name}; {heard}")
    return Exit.OK
