"""Certificates that cannot be read for as long as anybody likes, as on a network share that hangs: a pipe plays it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.domain.replies import NoAnswer, Why
from pos_app.services import client as client_module
from pos_app.services.client import ServiceClient
from pos_app.services.payments import Payments
from pos_app.services.token import StaticTokens
from tests.unit.services.conftest import MERCHANT, TOKEN

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="nothing here plays a share that hangs")

ENOUGH_S = 15


@pytest.fixture
def client(tmp_path: Path) -> ServiceClient:
    share = tmp_path / "root.pem"
    os.mkfifo(share)
    return ServiceClient("https://localhost:1", str(share))


class Asking(threading.Thread):
    """Asks for a list, and is held by the share until `go_on`."""

    def __init__(self, client: ServiceClient, share: Path) -> None:
        super().__init__(name="asking", daemon=True)
        self._payments = Payments(client, MERCHANT, StaticTokens(TOKEN))
        self.found: list[object] = []
        self.start()
        # Stands once somebody reads it.
        self._writer = os.open(share, os.O_WRONLY)

    def run(self) -> None:
        self.found.append(self._payments.todays_list())

    def go_on(self) -> None:
        os.close(self._writer)
        for each in threading.enumerate():
            if each.name == "certificates":
                each.join(ENOUGH_S)


@pytest.fixture
def asking(client: ServiceClient, tmp_path: Path) -> Iterator[Asking]:
    asking = Asking(client, tmp_path / "root.pem")
    yield asking
    asking.go_on()
    asking.join(ENOUGH_S)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LOADING_S", 0.05, raising=False)


@pytest.mark.usefixtures("impatient")
def test_what_is_asked_is_answered_in_time(asking: Asking) -> None:
    """Nothing has left: a payment that nobody answers would wait for ever."""
    asking.join(ENOUGH_S)
    (reply,) = asking.found
    assert isinstance(reply, NoAnswer)
    assert (reply.why, reply.sent) == (Why.CONNECT, False)


def test_the_end_waits_for_nobody_who_reads_them(client: ServiceClient, asking: Asking) -> None:
    closing = threading.Thread(target=client.close, daemon=True)
    closing.start()
    closing.join(ENOUGH_S)
    assert not closing.is_alive()
    asking.join(ENOUGH_S)
    (reply,) = asking.found
    assert isinstance(reply, NoAnswer)
    assert (reply.why, reply.sent) == (Why.CONNECT, False)
