"""Which language the till speaks: of whoever is at it, else the one chosen at the sign-in, else the counter's."""

from __future__ import annotations

from pos_app.domain.views import Terminal
from pos_app.ui.language import set_language


class WindowLanguage:
    """Puts it on the application; where it is another than before, every window is told by Qt's LanguageChange."""

    def __init__(self, counter: str) -> None:
        self._counter = counter
        self._chosen = ""
        self._own = ""
        self._is_anybody_here = False
        self._is_open = False
        self._speak()

    def take_terminal(self, terminal: Terminal) -> None:
        """Before anything of it is shown."""
        person = terminal.signed_in
        self._own = person.language if person is not None else ""
        self._is_open = person is not None and not terminal.locked
        if (self._is_anybody_here and person is None) or (self._is_open and self._own):
            # Whoever comes next chooses for themselves.
            self._chosen = ""
        self._is_anybody_here = person is not None
        self._speak()

    def choose(self, language: str) -> None:
        """At the sign-in, where nobody is known: until they sign out, if they have no language of their own."""
        self._chosen = language
        self._speak()

    def _speak(self) -> None:
        first, then = (self._own, self._chosen) if self._is_open else (self._chosen, self._own)
        set_language(first or then or self._counter)
