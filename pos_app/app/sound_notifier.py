"""Which sound goes with what the till shows. The player is loaded with the first one; nothing waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from pos_app.settings.model import Sound as SoundSettings
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.till.window.main_window import MainWindow

if TYPE_CHECKING:
    from pos_app.devices.sound import Speaker


class SoundNotifier(QObject):
    """`settings` are asked at each sound, so that a change holds from the next one on."""

    def __init__(self, settings: Callable[[], SoundSettings], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._speaker: Speaker | None = None
        self._stopped = False

    def listen_to(self, window: MainWindow) -> None:
        """Its results, and what it wants somebody to look at."""
        window.result_shown.connect(self._result)
        window.attention_wanted.connect(self._attention)

    def stop(self) -> None:
        """Silent from now on."""
        self._stopped = True
        if self._speaker is not None:
            self._speaker.stop()

    def _result(self, tone: str) -> None:
        names = {Tone.PAID: "paid", Tone.NOT_PAID: "not_paid"}
        self._play(names.get(Tone(tone), "attention"))

    def _attention(self) -> None:
        self._play("attention")

    def _play(self, name: str) -> None:
        wanted = self._settings()
        if self._stopped or not wanted.on:
            return
        from pos_app.devices.sound import Sound, Speaker

        if self._speaker is None:
            self._speaker = Speaker(wanted.volume)
        self._speaker.volume = wanted.volume
        self._speaker.play(Sound(name))
