"""A shop at work: its journal, its log and the end of both. What only looks at a shop writes no log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.journal import LOG_FOLDER
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.shop import Shop, open_shop
from pos_app.bootstrap.updates import seen
from pos_app.domain.secret import Secret

_log = logging.getLogger(__name__)


@contextmanager
def shop_at_work(options: Options) -> Iterator[Shop]:
    """The shop with its journal, for as long as a verb works with it. Raises CommandError."""
    shop = open_shop(options)
    try:
        stop_log = start_log_of(shop, options.log_level)
        try:
            with seen(shop.presence):
                yield shop
        except CommandError:
            raise
        except Exception:
            # While there is a log: what the error says is told nowhere else, since it may hold what the log takes out.
            _log.critical("unexpected error", exc_info=True)
            raise
        finally:
            stop_log()
    finally:
        shop.close()


def start_log_of(shop: Shop, level: str) -> Callable[[], None]:
    """Logs into the shop's data folder, without its secrets, until the result is called.

    For the process that holds the journal: two would turn over the same files.
    """
    from pos_app.log import start_log

    known = list(shop.secrets.given())
    if shop.control is not None:
        known.append(Secret(shop.control.control_token))
    try:
        log = start_log(shop.data_dir / LOG_FOLDER, level, known)
    except OSError as error:
        note(f"no log is written: {error.strerror}")
        from pos_app.log.hooks import without_a_log

        return without_a_log()
    shop.hears_of_secrets = lambda secrets: log.learn(secrets.given())
    return log
