"""Says aloud what changed, for whoever listens instead of looking. It shows nothing and remembers one sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pos_app.ui.widgets.clean import clean


class Announcer:
    """The voice of one part of the screen; the same sentence twice in a row is said once."""

    def __init__(self, part: QWidget) -> None:
        self._part = part
        self._said = ""

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """To the screen reader, if one runs; `urgent` breaks into what it is saying. "" begins anew."""
        if sentence == self._said:
            return
        self._said = sentence
        if not sentence:
            return
        # It brings hundreds of names, and the first paint has nothing to say.
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        if not QAccessible.isActive():
            return
        event = QAccessibleAnnouncementEvent(self._part, clean(sentence))
        if urgent:
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)
