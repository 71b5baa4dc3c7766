"""The screen Attention: payments that need a person, with age, counter and the next step. Changes none of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.store.pages.figures import Need, Needs, Shop, Unit
from pos_app.store.pages.html import Element, h
from pos_app.store.pages.parts import Speech, chip, money, name, said, table, when

_LOOK = {
    "open": ("", "checking"), "in_doubt": ("warn", "question"), "disputed": ("bad", "warning"),
    "unresolved": ("warn", "warning"), "late": ("warn", "late"), "twice": ("bad", "refund"),
}  # fmt: skip


def parts(speech: Speech, needs: Needs, shops: Sequence[Shop], now: datetime) -> dict[str, Element]:
    """The one list."""
    words = speech.words
    if not needs.listed:
        return {"needs": h("section", said(words.NEEDS_NONE, "ok", "tick"), id="needs")}
    names = {each.shop: each.name for each in shops} if len(shops) > 1 else {}
    heads = [(words.WHAT, ""), (words.AMOUNT, "n"), (words.COUNTER, ""), (words.AGE, ""), (words.NEXT, "")]
    lines = [_line(speech, each, names.get(each.shop, ""), now) for each in needs.listed]
    made = h(
        "section",
        table(heads, lines, words.NEEDS),
        h("p", words.NEEDS_CUT, class_="muted") if needs.is_cut else None,
        h("p", words.NEEDS_MORE, class_="small muted"),
        class_="card",
    )
    return {"needs": h("div", made, id="needs")}


def _line(speech: Speech, each: Need, shop: str, now: datetime) -> Element:
    words = speech.words
    kind, sign = _LOOK[each.kind]
    unit = Unit(each.environment, each.currency)
    shown = money(each.minor, unit) if each.minor is not None else h("bdi", f"{each.currency} {each.amount}")
    seconds = max(0, int((now - each.since).total_seconds()))
    sale = words.SALE.format(sale="\0").partition("\0")
    return h(
        "tr",
        h("th", h("div", chip(words.KIND[each.kind], kind, sign), None if unit.is_real else
                  chip(words.PRETEND, "sandbox", "flask"), class_="chips"), scope="row"),
        h("td", shown, class_="n"),
        h("td", name(each.counter), h("div", name(shop), class_="small muted") if shop else None,
          h("div", sale[0], name(each.sale), sale[2], class_="small muted")),
        h("td", when(speech, each.since, now), h("div", speech.times.age(seconds), class_="small muted")),
        h("td", words.STEP[each.kind]),
    )  # fmt: skip
