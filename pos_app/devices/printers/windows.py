"""A printer of Windows' spooler, past its driver (RAW). SENT at best: "complete" there only means handed over."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Protocol

from pos_app.devices.printers.printer import BrokeOff, Form, NotReady
from pos_app.domain.print_job import JobState, PrintJob, Why


class Spooler(Protocol):
    """The few calls of winspool.drv that are made, with its own names. Each gives 0 where it failed."""

    def open_printer(self, name: str) -> int: ...
    def start_document(self, printer: int, title: str) -> int: ...
    def start_page(self, printer: int) -> int: ...
    def write(self, printer: int, data: bytes) -> int:
        """How many bytes were taken."""
        ...

    def end_page(self, printer: int) -> int: ...
    def end_document(self, printer: int) -> int: ...
    def abort(self, printer: int) -> int: ...
    def close(self, printer: int) -> int: ...


class WindowsPrinter:
    """`name`: as Windows lists it."""

    form = Form.ESCPOS

    def __init__(self, name: str, spooler: Spooler | None = None) -> None:
        self._name = name
        self._spooler = spooler

    def open(self) -> WindowsSession:
        """As in Printer."""
        spooler = self._spooler or winspool()
        if spooler is None:
            raise NotReady(Why.NO_SUCH_PRINTER)
        printer = spooler.open_printer(self._name)
        if not printer:
            raise NotReady(Why.NO_SUCH_PRINTER)
        return WindowsSession(spooler, printer)


class WindowsSession:
    """One document to an open printer."""

    def __init__(self, spooler: Spooler, printer: int) -> None:
        self._spooler = spooler
        self._printer = printer

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:  # noqa: ARG002 - the spooler takes it at once
        """As in Session. What was handed over half is taken back, as far as the spooler still has it."""
        spooler, printer = self._spooler, self._printer
        if not spooler.start_document(printer, f"pos-app {job.number}"):
            raise BrokeOff
        taken = spooler.write(printer, data) if spooler.start_page(printer) else 0
        if taken != len(data) or not spooler.end_page(printer):
            spooler.abort(printer)
            raise BrokeOff
        if not spooler.end_document(printer):
            raise BrokeOff
        return JobState.SENT

    def close(self) -> None:
        """As in Session."""
        printer, self._printer = self._printer, 0
        if printer:
            self._spooler.close(printer)


def winspool() -> Spooler | None:
    """Windows' own; None elsewhere."""
    return _WinSpool() if sys.platform == "win32" else None


class _DocInfo(ctypes.Structure):
    _fields_ = (("name", ctypes.c_wchar_p), ("output", ctypes.c_wchar_p), ("kind", ctypes.c_wchar_p))


class _WinSpool:
    """winspool.drv by ctypes. A handle is as wide as a pointer: without these types Python would cut it."""

    def __init__(self) -> None:
        library: Any = ctypes.WinDLL("winspool.drv", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
        handle, number = ctypes.c_void_p, ctypes.c_uint32
        self._library = library
        library.OpenPrinterW.argtypes = (ctypes.c_wchar_p, ctypes.POINTER(handle), ctypes.c_void_p)
        library.StartDocPrinterW.argtypes = (handle, number, ctypes.POINTER(_DocInfo))
        library.WritePrinter.argtypes = (handle, ctypes.c_char_p, number, ctypes.POINTER(number))
        for name in ("StartPagePrinter", "EndPagePrinter", "EndDocPrinter", "AbortPrinter", "ClosePrinter"):
            getattr(library, name).argtypes = (handle,)

    def open_printer(self, name: str) -> int:
        printer = ctypes.c_void_p()
        return (printer.value or 0) if self._library.OpenPrinterW(name, ctypes.byref(printer), None) else 0

    def start_document(self, printer: int, title: str) -> int:
        return int(self._library.StartDocPrinterW(printer, 1, ctypes.byref(_DocInfo(title, None, "RAW"))))

    def start_page(self, printer: int) -> int:
        return int(self._library.StartPagePrinter(printer))

    def write(self, printer: int, data: bytes) -> int:
        taken = ctypes.c_uint32()
        done = self._library.WritePrinter(printer, data, len(data), ctypes.byref(taken))
        return int(taken.value) if done else 0

    def end_page(self, printer: int) -> int:
        return int(self._library.EndPagePrinter(printer))

    def end_document(self, printer: int) -> int:
        return int(self._library.EndDocPrinter(printer))

    def abort(self, printer: int) -> int:
        return int(self._library.AbortPrinter(printer))

    def close(self, printer: int) -> int:
        return int(self._library.ClosePrinter(printer))
