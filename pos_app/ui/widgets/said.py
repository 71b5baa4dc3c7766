"""A text that says what came of something: whoever hears the screen is told, too, wherever the keyboard is."""

from __future__ import annotations

from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.label import Label


class SaidLabel(Label):
    """A Label whose next texts are announced; what is told in the tone "bad" breaks into what is being read."""

    _voice: Announcer | None = None

    def setText(self, text: str) -> None:
        """Another text. The first, with which it is made, is a part of what has just been opened."""
        super().setText(text)
        if self._voice is None:
            self._voice = Announcer(self)
        else:
            self._voice.say(self.text().replace("\u200b", ""), urgent=self.tone == "bad")
