"""What several screens draw alike: money, times, chips, tables, fields, what is said in a band. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import qrcode

from pos_app.domain.money import CURRENCY_DIGITS, format_amount
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.store_page import PageWords
from pos_app.i18n.words.times import Times
from pos_app.store.pages.figures import Unit
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.look import icon

_ROOM = "\u00a0"


class Speech(msgspec.Struct, frozen=True):
    """The language of a page: its code and its words."""

    language: str
    words: PageWords
    times: Times

    def moment(self, at: datetime, now: datetime) -> str:
        """21:40 of today, else 7 Nov 21:40, or with the year; on the clock of the store's machine."""
        local, today = at.astimezone(), now.astimezone()
        clock = f"{local:%H:%M}"
        if local.date() == today.date():
            return clock
        year = "" if local.year == today.year else f" {local.year}"
        return f"{self.times.day(local.date())}{year} {clock}".replace(" ", _ROOM)


def speech_in(language: str) -> Speech:
    """The words of a language that the till has; English for any other."""
    return Speech(language, words_in(PageWords, language), words_in(Times, language))


def written(minor: int | Decimal, currency: str) -> str:
    """1,250.00 of smallest units, as exact as they are."""
    digits = CURRENCY_DIGITS.get(currency, 0)
    return format_amount(Decimal(minor).scaleb(-digits))


def money(minor: int, unit: Unit) -> Element:
    """An amount with its currency, in one piece whatever way the line runs."""
    return h("bdi", f"{unit.currency}{_ROOM}{written(minor, unit.currency)}", class_="figure nowrap")


def name(text: str) -> Element:
    """What people called something: it keeps its own direction, and gives the line none."""
    return h("bdi", text)


def when(speech: Speech, at: datetime | None, now: datetime) -> Element:
    """A time for people and for programs."""
    if at is None:
        return h("span", speech.words.NEVER)
    iso = at.astimezone(UTC).isoformat(timespec="seconds")
    return h("time", h("bdi", speech.moment(at, now)), datetime=iso, class_="nowrap")


def chip(text: str, kind: str = "", sign: str = "") -> Element:
    """A short state: in words, with a sign, and only then in a colour."""
    return h("span", icon(sign) if sign else None, text, class_=f"chip {kind}".strip())


def said(text: Child, kind: str, sign: str, more: Child = None, *, role: str | None = None) -> Element:
    """A band across a page: what happened, and under it what that means."""
    inner = h("div", h("strong", text), h("p", more) if more else None)
    return h("div", icon(sign), inner, class_=f"said {kind}", role=role)


def table(
    heads: Sequence[tuple[str, str]],
    rows: Iterable[Element],
    caption: str,
    *,
    hidden: bool = True,
    stacks: bool = True,
) -> Element:
    """`heads`: text and class ("n" for figures). It scrolls by itself where it is too wide, with the keyboard too.

    `stacks`: on a phone each row is a block, and each cell a line of it behind its column's name.
    """
    head = h("thead", h("tr", [h("th", text, scope="col", class_=kind or None) for text, kind in heads]))
    body = [_labelled(row, labels) for row, labels in _columns(heads, rows)] if stacks else [*rows]
    made = h(
        "table",
        None if hidden else h("caption", caption),
        head,
        h("tbody", body),
        aria_label=caption,
        class_="stacks" if stacks else None,
    )
    return h("div", made, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _columns(
    heads: Sequence[tuple[str, str]], rows: Iterable[Element]
) -> Iterator[tuple[Element, Sequence[str]]]:
    """Each row with the names of the columns of its cells: what spans several rows is none of the later ones'."""
    spans = [0] * len(heads)
    for row in rows:
        free = [at for at, left in enumerate(spans) if not left]
        spans = [max(0, left - 1) for left in spans]
        for at, cell in zip(free, row.children, strict=False):
            if isinstance(cell, Element):
                spans[at] = int(dict(cell.attributes).get("rowspan", 1)) - 1
        yield row, [heads[at][0] for at in free]


def _labelled(row: Element, labels: Sequence[str]) -> Element:
    cells = [
        msgspec.structs.replace(cell, attributes=(*cell.attributes, ("data-label", label)))
        if isinstance(cell, Element) and cell.name == "td" and cell.children and label
        else cell
        for cell, label in zip(row.children, labels, strict=False)
    ]
    return msgspec.structs.replace(row, children=(*cells, *row.children[len(cells) :]))


def field(
    label: str,
    key: str,
    *,
    kind: str = "text",
    value: str = "",
    hint: str = "",
    problem: str = "",
    most: int = 200,
    complete: str = "off",
    digits: bool = False,
    needed: bool = True,
) -> Element:
    """A line to type into, with its label, hint and what is wrong with it."""
    told = [each for each, text in ((f"{key}-hint", hint), (f"{key}-problem", problem)) if text]
    box = h(
        "input", type=kind, id=key, name=key, value=value or None, maxlength=most, autocomplete=complete,
        inputmode="numeric" if digits else None, aria_describedby=" ".join(told) or None,
        aria_invalid="true" if problem else None, autofocus=bool(problem) or None, spellcheck="false",
        autocapitalize="none", required=needed,
    )  # fmt: skip
    return h(
        "div",
        h("label", label, for_=key),
        box,
        h("p", hint, class_="hint", id=f"{key}-hint") if hint else None,
        h("p", problem, class_="problem", id=f"{key}-problem", role="alert") if problem else None,
        class_="field",
    )


def choices(
    legend: str, key: str, rows: Sequence[tuple[str, str, str]], chosen: str, problem: str = ""
) -> Element:
    """One of some: value, label and what it means."""
    lines = [
        h(
            "label",
            h("input", type="radio", name=key, value=value, checked=value == chosen, required=True),
            h("span", name(label), [h("br"), h("span", more, class_="small muted")] if more else None),
            class_="choice",
        )
        for value, label, more in rows
    ]
    wrong = h("p", problem, class_="problem", role="alert") if problem else None
    return h("fieldset", h("legend", legend), lines, wrong, class_="field")


def button(text: str, *, first: bool = False, bad: bool = False) -> Element:
    """What sends a form."""
    kind = "first" if first else "bad" if bad else None
    return h("button", text, type="submit", class_=kind)


def link_button(text: str, address: str, sign: str = "", *, of: str = "") -> Element:
    """A link that looks like what it is: a way to act. `of`: in a table's row, whom it is about, said aloud."""
    label, css = (f"{text}: {of}", "button small") if of else (None, "button")
    return h("a", icon(sign) if sign else None, text, href=address, class_=css, aria_label=label)


def qr(text: str, label: str) -> Element:
    """A QR code as one path, with the quiet zone that readers need."""
    made = qrcode.QRCode(border=4)
    made.add_data(text)
    made.make(fit=True)
    matrix = made.get_matrix()
    runs = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            if row[x]:
                end = row.index(False, x) if False in row[x:] else len(row)
                runs.append(f"M{x} {y}h{end - x}v1h-{end - x}z")
                x = end
            else:
                x += 1
    side = len(matrix)
    return h(
        "svg", h("path", d="".join(runs)), viewBox=f"0 0 {side} {side}", class_="qr", role="img", aria_label=label,
        shape_rendering="crispEdges",
    )  # fmt: skip
