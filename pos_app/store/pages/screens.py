"""The table of screens, in the navigation's order, and of the forms that change something. Who adds one adds a row."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from pos_app.store.accounts.accounts import Role
from pos_app.store.pages import attention, counters, day, figures, finding, people, record, today
from pos_app.store.pages.asking import Ask, Page
from pos_app.store.pages.html import Element

Draw = Callable[[Ask], Awaitable[Page]]
Parts = Callable[[Ask], Awaitable[dict[str, Element]]]
Do = Callable[[Ask], Awaitable[Page | str]]


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """`title`: an attribute of PageWords, "" for a page the navigation does not name. `parts`: what is kept live.

    `path` may hold {places}: they come in `Ask.query`. A reader sees the shops for which the role is `needs` or more.
    """

    path: str
    draw: Draw
    sign: str = ""
    title: str = ""
    needs: Role = Role.READER
    parts: Parts | None = None

    @property
    def name(self) -> str:
        """As the stream calls it."""
        return self.path.strip("/") or "today"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A form that changes something: `do` writes its act, and gives a page, or the path to look at then."""

    path: str
    do: Do
    needs: Role


async def _today(ask: Ask) -> Page:
    return Page(
        title=ask.speech.words.TODAY,
        body=(*(await _today_parts(ask)).values(),),
        parts=("sum", "hours", "counters"),
    )


async def _today_parts(ask: Ask) -> dict[str, Element]:
    return today.parts(ask.speech, await figures.today(ask.connection), ask.shops)


async def _attention(ask: Ask) -> Page:
    return Page(
        title=ask.speech.words.ATTENTION, body=(*(await _attention_parts(ask)).values(),), parts=("needs",)
    )


async def _attention_parts(ask: Ask) -> dict[str, Element]:
    return attention.parts(ask.speech, await figures.needs(ask.connection), ask.shops, ask.now)


SCREENS: tuple[Screen, ...] = (
    Screen(path="/", draw=_today, sign="shop", title="TODAY", parts=_today_parts),
    Screen(path="/attention", draw=_attention, sign="warning", title="ATTENTION", parts=_attention_parts),
    Screen(
        path="/counters",
        draw=counters.counters_page,
        sign="connected",
        title="COUNTERS",
        parts=counters.counter_parts,
    ),
    Screen(path="/counters/{counter}/revoke", draw=counters.revoke_page, needs=Role.MANAGER),
    Screen(path="/find", draw=finding.find_page, sign="eye", title="FIND"),
    Screen(path="/payment", draw=finding.payment_page),
    Screen(path="/days", draw=day.days_page, sign="shift", title="DAYS"),
    Screen(path="/day", draw=day.day_page),
    Screen(path="/people", draw=people.people_page, sign="person", title="PEOPLE", needs=Role.OWNER),
    Screen(path="/people/{shop}/{account}", draw=people.person_page, needs=Role.OWNER),
    Screen(path="/acts", draw=record.acts_page, sign="list", title="ACTS", needs=Role.MANAGER),
)

CHANGES: tuple[Change, ...] = (
    Change(path="/counters/code", do=counters.make_code, needs=Role.MANAGER),
    Change(path="/counters/{counter}/revoke", do=counters.revoke, needs=Role.MANAGER),
    Change(path="/day", do=day.sign, needs=Role.MANAGER),
    Change(path="/people", do=people.add, needs=Role.OWNER),
    Change(path="/people/{shop}/{account}/role", do=people.give_role, needs=Role.OWNER),
    Change(path="/people/{shop}/{account}/away", do=people.take_away, needs=Role.OWNER),
    Change(path="/people/{shop}/{account}/link", do=people.new_link, needs=Role.OWNER),
)
