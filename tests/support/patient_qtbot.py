"""A qtbot that waits longer: a machine that is busy elsewhere for some seconds makes no test fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.support.patience import PATIENCE_S

PATIENCE_MS = int(PATIENCE_S * 1000)


class PatientQtBot(QtBot):
    """Differs from its base in the default of `timeout`, and in keeping the windows until it has closed them.

    Its base knows them weakly: one that only a test's function held is collected before it is closed whenever the
    collector is due in between, and what listens to the application is emptied first and called then.
    """

    def addWidget(self, widget: Any, *, before_close_func: Any = None) -> None:
        """To be closed when the test has ended, unless the test has destroyed it itself."""
        super().addWidget(widget, before_close_func=before_close_func)
        kept = self._request.node.qt_widgets
        kept[-1] = (lambda: widget if isValid(widget) else None, before_close_func)

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
