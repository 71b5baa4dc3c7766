"""A printer that a test may look into, on a socket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pos_app.devices.printers import network
from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from tests.support.patient_verbs import PATIENT_S, VARIABLE

OWN = network.LIMITS


@pytest.fixture
def printer() -> VirtualPrinter:
    """Its sheets can be read."""
    return VirtualPrinter()


@pytest.fixture
def server(printer: VirtualPrinter, monkeypatch: pytest.MonkeyPatch) -> Iterator[PrinterServer]:
    """The printer on a socket; it is waited for by the tills of this process, and by the verbs of tills made from now
    on, for longer than a machine stands still.
    """
    monkeypatch.setattr(network, "LIMITS", network.Limits(PATIENT_S, PATIENT_S, PATIENT_S))
    monkeypatch.setenv(VARIABLE, str(PATIENT_S))
    served = PrinterServer(printer)
    served.start()
    yield served
    served.stop()


@pytest.fixture
def mute(server: PrinterServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """To be asked for before whatever prints: this printer says nothing, and is waited for no longer than usual."""
    assert server.port
    monkeypatch.setattr(network, "LIMITS", OWN)
    monkeypatch.delenv(VARIABLE)
