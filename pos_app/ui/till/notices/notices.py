"""The sentences above the methods: why no payment may start, what became of a parked one, who paid twice."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.ids import installation_of
from pos_app.domain.people import FIRST_MANAGER, Role
from pos_app.domain.views import AttemptChanged, Block, Terminal
from pos_app.i18n.words.joined import words as joined
from pos_app.i18n.words.till import Words
from pos_app.ui.till.amount.methods_panel import MethodsPanel
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

_NAMED = 3
"""How many payments from before a restart, or times without a whole list, are named."""


def block_words(terminal: Terminal, config: TillViewConfig, words: Words) -> str:
    """Why no new payment may start, "" when one may."""
    if terminal.block is Block.STARTING and terminal.open:
        said = words.bar
        named = [
            joined.commas((words.result.sale.format(sale=each.sale_id), config.figure(each.amount)))
            for each in terminal.open[:_NAMED]
        ]
        return said.starting.of(len(terminal.open), which=joined.semicolons(named))
    sentence = words.block[terminal.block]
    detail = clean(terminal.block_detail, DETAILS_LIMIT)
    return f"{sentence} ({detail})" if sentence and detail else sentence


def rebuilt_words(terminal: Terminal, words: Words) -> str:
    """What became of payments and people after the record was damaged, "" when it was not."""
    rebuilt, managers = terminal.rebuilt, (each for each in terminal.people if each.role is Role.MANAGER)
    missing = ""
    if terminal.people and not any(each.enabled for each in managers):
        missing = words.bar.no_manager.format(command=FIRST_MANAGER)
    if rebuilt is None:
        return missing
    said = [words.bar.rebuilt.format(found=rebuilt.found)]
    if not rebuilt.ended:
        said.append(words.bar.rebuilding)
    if rebuilt.incomplete:
        times = [*rebuilt.incomplete[:_NAMED], *(["…"] if len(rebuilt.incomplete) > _NAMED else [])]
        said.append(words.bar.list_incomplete.format(times="; ".join(times)))
    waiting = sum(installation_of(each.attempt_id) != rebuilt.installation_id for each in terminal.attention)
    if waiting:
        said.append(words.bar.need_manager.format(count=waiting))
    if rebuilt.others:
        said.append(words.bar.not_taken_up.format(count=rebuilt.others))
    return " ".join([*said, missing]).strip()


def moved_words(terminal: Terminal, words: Words) -> str:
    """Why the till has a new identity, "" where it has none or the manager was told before."""
    return words.bar.moved if terminal.new_identity else ""


def ended_words(change: AttemptChanged, config: TillViewConfig, words: Words) -> tuple[str, str]:
    """The tone and the words for a parked payment that ended meanwhile."""
    attempt = change.attempt
    said = words.bar.parked_ended.format(
        sale=attempt.sale_id, money=config.money(attempt.amount), state=words.state[attempt.state]
    )
    text = config.sale(said)
    if attempt.state is State.PAID:
        # In no colour: it stands above the next sale.
        return "text", text
    return ("warn" if attempt.state in MONEY or not attempt.is_final else "bad"), text


class Notices:
    """Keeps the parked payment of each cashier that ended last, until it was looked at."""

    def __init__(self, methods: MethodsPanel, config: TillViewConfig, words: Words) -> None:
        self._methods = methods
        self._config = config
        self._words = words
        self._ended: dict[str, AttemptChanged] = {}

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
        twice = terminal.overpaid
        said = self._words.result
        sentence = said.twice_more.format(sale=twice[0].sale_id) if twice else ""
        self._methods.overpaid.say(sentence, "bad", said.sign_refund)
