"""The counter's printer from its settings: as the queue knows it, and the device itself. Opens nothing yet."""

from __future__ import annotations

from pathlib import Path

from pos_app.devices.printers.printer import Printer
from pos_app.engine.core.config import Printing
from pos_app.settings import Settings

VIRTUAL = "virtual"
"""The kind of the pretended printer, which is beside a window."""

RESULT_FIRST_MS = 250
"""At a window a paper is drawn so long after it was asked for. Python does one thing at a time: drawn at once, it held
up the painting of the result by 12 ms of 28. A sale is not slower for having a receipt."""


def printing_of(settings: Settings, language: str, *, at_window: bool) -> Printing | None:
    """None where the counter has no printer. `language`: of its papers."""
    printer = settings.printer
    if not printer.is_there:
        return None
    return Printing(
        printer=printer.kind,
        auto=printer.auto,
        width=printer.width,
        language=language,
        rests_ms=RESULT_FIRST_MS if at_window else 0,
    )


def printer_of(settings: Settings, virtual: Printer | None = None) -> Printer | None:
    """The device of the settings. `virtual`: the pretended one, where somebody shows its paper."""
    printer = settings.printer
    # Each kind is loaded where it is wanted: a till without a printer starts as ever.
    match printer.kind:
        case "network":
            from pos_app.devices.printers import network

            return network.NetworkPrinter(printer.reached_at, printer.port, network.LIMITS)
        case "device":
            from pos_app.devices.printers.device_file import DevicePrinter

            return DevicePrinter(Path(printer.path))
        case "system":
            from pos_app.devices.printers.system import SystemPrinter

            return SystemPrinter(printer.name)
        case "windows":
            from pos_app.devices.printers.windows import WindowsPrinter

            return WindowsPrinter(printer.name)
        case "file":
            from pos_app.devices.printers.folder import FolderPrinter

            return FolderPrinter(Path(printer.path))
        case "virtual":
            return virtual
        case _:
            return None
