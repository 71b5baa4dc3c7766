"""A till that cannot begin ends: no thread of it is left, which would keep the process, or the journal, for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from pos_app.devices.printers.printer import Printer
from pos_app.domain.secret import Secret
from pos_app.engine import headless
from pos_app.engine.connection.worker_pool import ServiceRoute
from pos_app.engine.core.mailbox import Mailbox
from pos_app.engine.printing.line import Line
from pos_app.engine.till import OptionalParts, Till
from pos_app.journal import Journal
from pos_app.services.open import ServiceConfig, Services, open_services
from pos_app.services.token import StaticTokens
from tests.unit.engine.damage import Opens
from tests.unit.engine.rig import SITE

NOWHERE = ServiceConfig(
    base_url="http://127.0.0.1:1",
    merchant_id="M-1",
    secret_code=Secret("x"),
    password=Secret("x"),
    token=StaticTokens(Secret("x")),
    sandbox=True,
)


class Threadless(Line):
    """Its thread is one too many for the system."""

    def start(self) -> None:
        raise RuntimeError("can't start new thread")


def services() -> Services:
    return open_services(NOWHERE)


def made(journal: Journal, publish: Callable[[Any], None], mailbox: Mailbox | None = None) -> Till:
    printer: Printer | None = None
    parts = OptionalParts(printing=lambda post: Threadless(printer, None, post))  # type: ignore[arg-type]
    return Till(SITE, journal, ServiceRoute(services, "chargeTotal"), publish, mailbox, parts)


def test_a_verb_whose_engine_cannot_begin_leaves_no_thread(opens: Opens) -> None:
    before = set(threading.enumerate())
    with pytest.raises(RuntimeError, match="can't start new thread"):
        headless.run(made(opens(), lambda _: None))
    assert [each.name for each in threading.enumerate() if each not in before and not each.daemon] == []
