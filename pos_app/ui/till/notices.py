"""The sentences above the methods: why no payment may start, what became of a parked one, who paid twice."""

from __future__ import annotations

from pos_app.domain.views import AttemptChanged, Terminal
from pos_app.ui.face import Face
from pos_app.ui.till.methods_panel import MethodsPanel
from pos_app.ui.till.notice_words import block_words, ended_words, rebuilt_words
from pos_app.ui.words.table import Words


class Notices:
    """Keeps the parked payment that ended last, until it was looked at."""

    def __init__(self, methods: MethodsPanel, face: Face, words: Words) -> None:
        self._methods = methods
        self._face = face
        self._words = words
        self._ended: AttemptChanged | None = None

    def take_ended(self, change: AttemptChanged) -> None:
        """A parked payment ended: tell it without disturbing."""
        self._ended = change
        tone, text = ended_words(change, self._face, self._words)
        self._methods.ended.say(text, tone, self._words.bar.show)

    def give_ended(self) -> AttemptChanged | None:
        """Hand it over; it has been looked at."""
        change, self._ended = self._ended, None
        self._methods.ended.say("")
        return change

    def take_terminal(self, terminal: Terminal) -> None:
        """What stands in the way, and whose refund waits for a manager."""
        self._methods.set_blocked(block_words(terminal, self._face, self._words))
        self._methods.rebuilt.say(rebuilt_words(terminal, self._words))
        twice = terminal.overpaid
        said = self._words.result
        sentence = said.twice_more_short.format(sale=twice[0].sale_id) if twice else ""
        self._methods.overpaid.say(sentence, "bad", said.sign_refund)
