"""The sentences above the methods, as text: why no payment may start, what became of a parked one. Knows no Qt."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.ids import installation_of
from pos_app.domain.membership import StoreView
from pos_app.domain.people import FIRST_MANAGER
from pos_app.domain.views import AttemptChanged, Block, DayStep, Terminal
from pos_app.i18n.words.day import words as said_of_day
from pos_app.i18n.words.joined import words as joined
from pos_app.i18n.words.store import words as said_of_store
from pos_app.i18n.words.till import Words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

_NAME = 40
"""Characters of what a store is called."""

_NAMED = 3
"""How many payments from before a restart, or times without a whole list, are named."""


def block_words(terminal: Terminal, config: TillViewConfig, words: Words) -> str:
    """Why no new payment may start, "" when one may."""
    if terminal.block is Block.STARTING and terminal.open:
        said = words.bar
        named = [
            joined.commas(
                (words.result.sale.format(sale=each.sale_id), config.figure_of(each.amount, each.currency))
            )
            for each in terminal.open[:_NAMED]
        ]
        return said.starting.of(len(terminal.open), which=joined.semicolons(named))
    sentence = words.block[terminal.block]
    detail = clean(terminal.block_detail, DETAILS_LIMIT)
    return f"{sentence} ({detail})" if sentence and detail else sentence


def rebuilt_words(terminal: Terminal, words: Words) -> str:
    """What became of payments and people after the record was damaged, "" when it was not."""
    rebuilt, managers = terminal.rebuilt, (each for each in terminal.people if each.is_manager)
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


def store_words(terminal: Terminal) -> str:
    """What a manager has to see to about the central store, "" for anybody else: a cashier can do nothing about it."""
    person = terminal.signed_in
    is_manager = person is not None and person.is_manager and not terminal.locked
    return said_of_store.attention(clean_view(terminal.store)) if is_manager else ""


def store_standing(terminal: Terminal) -> str:
    """How it stands with the central store, for the managers' menu."""
    return said_of_store.standing(clean_view(terminal.store))


def clean_view(view: StoreView) -> StoreView:
    """What a store calls itself is a stranger's text."""
    return replace(view, store_name=clean(view.store_name, _NAME), shop_name=clean(view.shop_name, _NAME))


def day_words(terminal: Terminal) -> str:
    """That somebody should close the day, or finish closing it; "" where nobody has to, or it is under way."""
    day = terminal.day
    if day.step is DayStep.INTERRUPTED:
        return said_of_day.OVERDUE_INTERRUPTED
    if day.overdue and day.step is DayStep.OPEN:
        return said_of_day.OVERDUE.format(date=time_words.day(date.fromisoformat(day.business_date)))
    return ""


def ended_words(change: AttemptChanged, config: TillViewConfig, words: Words) -> tuple[str, str]:
    """The tone and the words for a parked payment that ended meanwhile."""
    attempt = change.attempt
    said = words.bar.parked_ended.format(
        sale=attempt.sale_id,
        money=config.money_of(attempt.amount, attempt.currency),
        state=words.state[attempt.state],
    )
    text = config.sale(said)
    if attempt.state is State.PAID:
        # In no colour: it stands above the next sale.
        return "text", text
    return ("warn" if attempt.state in MONEY or not attempt.is_final else "bad"), text
