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
        self.is_muted = False

    def listen_to(self, window: MainWindow) -> None:
        """Its results, what it wants somebody to look at, and its button that switches them off."""
        window.mute_wanted.connect(lambda muted: self._mute(window, muted))
        self.show_on(window)
        window.result_shown.connect(self._result)
        window.attention_wanted.connect(self._attention)

    def show_on(self, window: MainWindow) -> None:
        """Whether there are sounds, on its bar."""
        wanted = self._settings()
        window.show_sounds(heard=wanted.on and wanted.volume > 0, muted=self.is_muted)

    def _mute(self, window: MainWindow, muted: bool) -> None:
        """For whoever is at the till now: it is no setting, and ends with the till."""
        self.is_muted = muted
        self.show_on(window)

    def try_out(self, volume: int) -> None:
        """At this volume, whatever is set: the sound that says of no payment that it is paid."""
        self._sound("attention", volume)

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
        if wanted.on and not self.is_muted:
            self._sound(name, wanted.volume)

    def _sound(self, name: str, volume: int) -> None:
        if self._stopped:
            return
        from pos_app.devices.sound import Sound, Speaker

        if self._speaker is None:
            self._speaker = Speaker(volume)
        self._speaker.volume = volume
        self._speaker.play(Sound(name))
