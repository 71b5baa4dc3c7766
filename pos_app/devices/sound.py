"""Short sounds by the system's own player. Nothing waits for one, and a till that cannot make any is silent."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from pos_app.devices.players import Player, players
from pos_app.system.resources import resources

STOP_LIMIT_S = 1.0
WAITING = 2
"""So many sounds wait behind the one that plays; a later one would tell of what is long over."""

ECHO_S = 0.5
"""The same sound again so soon tells of the same thing: a late payment is a result and an alert."""


class Sound(StrEnum):
    """What a sound means; also the name of its file."""

    PAID = "paid"
    NOT_PAID = "not_paid"
    ATTENTION = "attention"


def folder() -> Path:
    """Where the sounds lie."""
    return resources("sounds")


class Speaker:
    """Plays on a thread of its own, started with the first sound. `volume`: 0 (silent) to 100.

    `stop` ends the thread; a sound that plays just then is not waited for.
    """

    def __init__(self, volume: int, candidates: Sequence[Player] | None = None) -> None:
        self.volume = volume
        self._candidates = candidates
        self._wanted: queue.Queue[Sound | None] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None
        self._player: Player | None = None
        self._stopped = threading.Event()
        self._last: tuple[Sound | None, float] = (None, 0.0)

    def play(self, sound: Sound) -> None:
        """Soon, or never; returns at once."""
        now = time.monotonic()
        is_echo = sound is self._last[0] and now - self._last[1] < ECHO_S
        if self.volume <= 0 or self._stopped.is_set() or is_echo:
            return
        self._last = (sound, now)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="sound", daemon=True)
            self._thread.start()
        try:
            self._wanted.put_nowait(sound)
        except queue.Full:
            return

    def stop(self) -> None:
        """No more sounds."""
        self._stopped.set()
        if self._player is not None:
            self._player.end()
        if self._thread is not None:
            with contextlib.suppress(queue.Empty):
                while True:
                    self._wanted.get_nowait()
            self._wanted.put(None)
            self._thread.join(STOP_LIMIT_S)

    def _work(self) -> None:
        left = list(players() if self._candidates is None else self._candidates)
        while (sound := self._wanted.get()) is not None:
            file = folder() / f"{sound.value}.wav"
            while left and not self._stopped.is_set():
                self._player = left[0]
                if self._player.play(file, self.volume):
                    break
                # It is not there, or has no device: the next one is tried, now and from now on.
                del left[0]
