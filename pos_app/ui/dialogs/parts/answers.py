"""Brings an answer given on any thread to the window's. It starts nothing and waits for nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot


def while_there(emit: Callable[..., None]) -> Callable[..., None]:
    """A signal's `emit` for another thread: nothing happens once the window is gone, and with it who wanted to know."""

    def give(*answer: object) -> None:
        with contextlib.suppress(RuntimeError):
            emit(*answer)

    return give


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

        return partial(while_there(self._given.emit), number)

    def drop(self) -> None:
        """Nobody wants the answer any more."""
        self._number += 1

    @Slot(int, object)
    def _take(self, number: int, answer: object) -> None:
        if number == self._number:
            self._number += 1
            self.came.emit(answer)
