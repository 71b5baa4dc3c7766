"""A shop at work: its journal, its log and the end of both. What only looks at a shop writes no log."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pos_app.commands.opening import Shop, open_shop
from pos_app.commands.printing import note
from pos_app.domain.secret import Secret

LOG_FOLDER = "log"


@contextmanager
def shop_at_work(arguments: argparse.Namespace) -> Iterator[Shop]:
    """The shop with its journal, for as long as a verb works with it. Raises CommandError."""
    shop = open_shop(arguments)
    try:
        stop_log = start_log_of(shop, arguments.log_level)
        try:
            yield shop
        finally:
            stop_log()
    finally:
        shop.close()


def start_log_of(shop: Shop, level: str) -> Callable[[], None]:
    """Logs into the shop's data folder, without its secrets, until the result is called.

    For the process that holds the journal: two would turn over the same files.
    """
    from pos_app.log import start_log

    secrets = shop.secrets
    known = [
        secrets.access_token,
        secrets.merchant_secret_code,
        secrets.merchant_password,
        secrets.otp_access_token,
        secrets.token_client_secret,
    ]
    if shop.control is not None:
        known.append(Secret(shop.control.control_token))
    try:
        return start_log(shop.data_dir / LOG_FOLDER, level, [each for each in known if each.reveal()])
    except OSError as error:
        note(f"no log is written: {error.strerror}")
        return lambda: None
