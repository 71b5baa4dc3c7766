"""A qtbot that waits longer: a machine that is busy elsewhere for some seconds makes no test fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE_MS = 30_000
"""Only a test that fails waits as long; one that passes waits until what it waits for is there."""


class PatientQtBot(QtBot):
    """Differs from its base in nothing but the default of `timeout`."""

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        """Until the signal is emitted."""
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        """Until all signals are emitted."""
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE_MS) -> None:
        """Until the callback says so."""
        super().waitUntil(callback, timeout=timeout)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        """Until the widget can be seen."""
        return super().waitExposed(widget, timeout=timeout)
