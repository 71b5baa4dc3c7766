"""A printer that a test may look into, on a socket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer


@pytest.fixture
def printer() -> VirtualPrinter:
    """Its sheets can be read."""
    return VirtualPrinter()


@pytest.fixture
def server(printer: VirtualPrinter) -> Iterator[PrinterServer]:
    """The printer on a socket."""
    served = PrinterServer(printer)
    served.start()
    yield served
    served.stop()
