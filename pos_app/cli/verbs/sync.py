"""`pos-app sync`: what the store has yet to hear of this counter, and what it holds against it; --once tells it now.

Looks at the journal beside a till at work: whichever of them is first, the store takes each event once.
"""

from __future__ import annotations

import argparse
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import data_folder, environment_of, open_reading, reading_keys, settings_ahead
from pos_app.cli.printer import printer_of
from pos_app.domain.membership import Conviction, StoreState

if TYPE_CHECKING:
    from pos_app.engine.shipping import Shipper

LONGEST_S = 600.0
"""A backlog of years takes minutes; a store that takes nothing is not waited for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whether anything is done about it."""
    parser.add_argument("--once", action="store_true", help="tells the store all that waits, then ends")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 nothing waits, 1 a copy of this folder or an older one, 4 something waits, 69 the store does not answer."""
    environment = environment_of(options)
    journal = open_reading(options, environment)
    if journal is None:
        raise CommandError(Exit.CANNOT_CREATE, "there is no journal yet: start the till once")
    journal.close()
    folder = data_folder(options, environment)
    shipper = _shipper(options, environment, folder)
    try:
        wait_ms = shipper.turn()
        until = time.monotonic() + LONGEST_S
        pause = threading.Event()
        while arguments.once and shipper.waiting > 0 and shipper.view.state is StoreState.WELL:
            if time.monotonic() >= until:
                break
            pause.wait(wait_ms / 1000)
            wait_ms = shipper.turn()
    finally:
        shipper.close()
        shipper.keep()
    return _say(options, shipper)


def _shipper(options: Options, environment: str, folder: Path) -> Shipper:
    from pos_app.bootstrap.journal import JOURNAL
    from pos_app.bootstrap.shipping import shipper_of
    from pos_app.journal.device import Device
    from pos_app.journal.outbox import Outbox

    keys, settings = reading_keys(options, environment), settings_ahead(options)
    outbox = Outbox(folder / JOURNAL, keys.receipt_code, lambda: settings.store.references)
    return shipper_of(lambda: settings, outbox, Device(keys.device), folder, lambda _: None)


def _say(options: Options, shipper: Shipper) -> int:
    view, waiting = shipper.view, shipper.waiting
    waiting = view.waiting if view.state is not StoreState.WELL else waiting
    printer = printer_of(options)
    code, text = {
        StoreState.NONE: (Exit.OK, "this counter is no store's"),
        StoreState.WELL: (
            Exit.NOT_KNOWN if waiting else Exit.OK,
            f"{view.store_name} has yet to hear of {waiting} events"
            if waiting
            else f"{view.store_name} has all",
        ),
        StoreState.LOST: (Exit.UNAVAILABLE, f"{view.store_name} does not answer; {waiting} events wait"),
        StoreState.REFUSED: (
            Exit.UNAVAILABLE,
            f"{view.store_name} refuses this counter ({view.why}): ask its owner, or join anew",
        ),
        StoreState.REJOIN: (
            Exit.UNAVAILABLE,
            f"this till has another identity than the one that joined {view.store_name}: leave, and join anew",
        ),
        StoreState.STRANGE: (
            Exit.UNAVAILABLE,
            f"{view.store_name} says of this counter what it never signed: nothing is sent there",
        ),
        StoreState.STOPPED: (Exit.NOT_PAID, _CONVICTED.get(view.conviction, "")),
    }[view.state]
    printer.value(
        {
            "state": view.state.value,
            "store": view.store_name,
            "shop": view.shop_name,
            "counter": view.counter,
            "waiting": waiting,
            "why": view.why,
            "conviction": view.conviction.value,
        },
        text,
    )
    return code


_CONVICTED = {
    Conviction.FORK: "a copy of this data folder sells as this counter, too: begin anew at the till (call the manager)",
    Conviction.OLDER: "this data folder is an older one that was put back: begin anew at the till (call the manager)",
}
