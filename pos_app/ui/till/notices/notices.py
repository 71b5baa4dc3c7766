"""The sentences above the methods: why no payment may start, what became of a parked one, who paid twice."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import Attempt
from pos_app.domain.views import AttemptChanged, Terminal
from pos_app.i18n.words.day import words as day
from pos_app.i18n.words.till import Words
from pos_app.ui.till.amount.methods_panel import MethodsPanel
from pos_app.ui.till.notices.notice_words import (
    block_words,
    day_words,
    ended_words,
    moved_words,
    rebuilt_words,
    store_words,
)
from pos_app.ui.view_config import TillViewConfig


class Notices:
    """Keeps the parked payment of each cashier that ended last, until it was looked at."""

    def __init__(self, methods: MethodsPanel, config: TillViewConfig, words: Words) -> None:
        self._methods = methods
        self._config = config
        self._words = words
        self._ended: dict[str, AttemptChanged] = {}

    def take_over(self, old: Notices) -> None:
        """What another window kept."""
        self._ended = old._ended | self._ended

    def take_ended(self, change: AttemptChanged) -> None:
        """A parked payment ended; the newest of each cashier is kept until they, or a manager, looked at it."""
        self._ended.pop(change.attempt.owner, None)
        self._ended[change.attempt.owner] = change

    def show_ended(self, concerns: Callable[[Attempt], bool]) -> None:
        """Tell what concerns whoever is at the till, without disturbing."""
        change = self._newest(concerns)
        if change is None:
            self._methods.ended.say("")
            return
        tone, text = ended_words(change, self._config, self._words)
        self._methods.ended.say(text, tone, self._words.bar.show)

    def give_ended(self, concerns: Callable[[Attempt], bool]) -> AttemptChanged | None:
        """Hand it over; it has been looked at."""
        change = self._newest(concerns)
        if change is not None:
            del self._ended[change.attempt.owner]
        self.show_ended(concerns)
        return change

    def drop_ended(self, attempt_id: str) -> None:
        """It was looked at elsewhere."""
        self._ended = {
            who: each for who, each in self._ended.items() if each.attempt.attempt_id != attempt_id
        }

    def _newest(self, concerns: Callable[[Attempt], bool]) -> AttemptChanged | None:
        return next((each for each in reversed(self._ended.values()) if concerns(each.attempt)), None)

    def take_terminal(self, terminal: Terminal) -> None:
        """What stands in the way, and whose refund waits for a manager."""
        self._methods.set_blocked(block_words(terminal, self._config, self._words))
        self._methods.rebuilt.say(rebuilt_words(terminal, self._words))
        self._methods.moved.say(moved_words(terminal, self._words))
        self._methods.store.say(store_words(terminal), "text")
        reminder = day_words(terminal)
        self._methods.day.say(reminder, button=day.SHOW if reminder else "")
        twice = terminal.overpaid
        said = self._words.result
        sentence = said.twice_more.format(sale=twice[0].sale_id) if twice else ""
        self._methods.overpaid.say(sentence, "bad", said.sign_refund)
