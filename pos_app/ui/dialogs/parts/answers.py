"""Brings an answer given on any thread to the window's. It starts nothing and waits for nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot


class Answers(QObject):
    """One question at a time: the answer to an earlier question is dropped, as is one that comes too late."""

    came = Signal(object)
    _given = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._number = 0
        self._given.connect(self._take)

    def next(self) -> Callable[[object], None]:
        """What whoever answers calls, once, on whatever thread."""
        self._number += 1
        number = self._number

        def give(answer: object) -> None:
            # The panel may be gone by now, and with it whoever wanted to know.
            with contextlib.suppress(RuntimeError):
                self._given.emit(number, answer)

        return give

    def drop(self) -> None:
        """Nobody wants the answer any more."""
        self._number += 1

    @Slot(int, object)
    def _take(self, number: int, answer: object) -> None:
        if number == self._number:
            self._number += 1
            self.came.emit(answer)
