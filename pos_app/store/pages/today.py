"""The screen Today: what was taken and who is missing from it, by hour and by counter. Draws what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.store.pages.figures import Counter, Hour, Shop, Sum, Today, Unit
from pos_app.store.pages.html import Element, h
from pos_app.store.pages.parts import Speech, chip, money, name, said, table, when, written

_WIDE, _HIGH, _FOOT, _TOP = 800, 190, 22, 22
"""The chart's own units; it grows with the page."""
_BAR_MOST = 56
_WHOLE = 10
"""From so much on an amount stands on a bar without what is behind its point."""
_LABELLED_MOST = 6
"""Of more bars than this a phone has no room for what stands above each; the table below has it."""


def parts(speech: Speech, today: Today, shops: Sequence[Shop]) -> dict[str, Element]:
    """What may change while it is looked at, each by its name: one that is the same is not sent again."""
    return {
        "sum": _sum(speech, today),
        "hours": _hours(speech, today),
        "counters": _counters(speech, today, shops),
    }


def missing_words(speech: Speech, today: Today) -> list[Element | str]:
    """Each missing counter and since when: what every sum has beside it (M12)."""
    told: list[Element | str] = []
    for each in today.missing:
        before, _, behind = _words_of(speech, each, today).partition("\0")
        told += [", "] if told else []
        told.append(h("span", before, name(each.name), behind))
    return told


def _words_of(speech: Speech, counter: Counter, today: Today) -> str:
    """The counter's name stands as \\0, so that it can be set apart."""
    words = speech.words
    if counter.told_seq == 0 or counter.seen is None:
        return words.NEVER_TOLD.format(counter="\0")
    if counter.is_missing(today.now):
        return words.SINCE.format(counter="\0", time=speech.moment(counter.seen, today.now))
    if counter.elsewhere is not None:
        return f"\0 ({words.TAKEN_ON.format(date=speech.times.day(counter.elsewhere))})"
    return words.BEHIND.format(counter="\0", events=words.EVENTS_WAIT.of(counter.waiting))


def _sum(speech: Speech, today: Today) -> Element:
    words = speech.words
    days = [speech.times.day(each) for each in today.dates]
    figures = [
        h(
            "div",
            h(
                "p",
                h("span", h("bdi", unit.currency)),
                h("bdi", written(each.minor, unit.currency)),
                class_="sum",
            ),
            h("p", _counted(speech, each), class_="muted"),
            None if unit.is_real else chip(words.PRETEND, "sandbox", "flask"),
        )
        for unit, each in today.sums.items()
    ]
    shown = h("div", figures, class_="sums") if figures else h("p", words.NOTHING_TAKEN, class_="muted")
    head = h(
        "div",
        h("h2", words.TAKEN),
        h("p", words.TAKEN_ON.format(date=", ".join(days)), class_="small"),
        class_="head",
    )
    return h("section", head, shown, _who_is_missing(speech, today), class_="card", id="sum")


def _counted(speech: Speech, taken: Sum) -> str:
    words = speech.words
    late = f" · {words.OF_THEM_LATE.of(taken.late)}" if taken.late else ""
    return words.PAYMENTS.of(taken.count) + late


def _who_is_missing(speech: Speech, today: Today) -> Element:
    words = speech.words
    if not today.counters:
        return said(words.NO_COUNTERS, "calm", "shop")
    told = missing_words(speech, today)
    if not told:
        return said(words.ALL_IN, "ok", "tick")
    before, _, behind = words.WITHOUT.format(counters="\0").partition("\0")
    return said([before, told, behind], "warn", "lost", words.WITHOUT_MORE)


def _hours(speech: Speech, today: Today) -> Element:
    words = speech.words
    several = len(today.hours) > 1
    drawn = [_chart(speech, unit, rows, named=several) for unit, rows in today.hours.items() if rows]
    if not drawn:
        return h("section", class_="card", id="hours", hidden=True)
    return h("section", _pattern(), h("h2", words.BY_HOUR), drawn, class_="card", id="hours")


def _pattern() -> Element:
    """What is hatched, once for all charts of the page."""
    stripes = h(
        "pattern",
        h("path", d="M0 0v8", class_="stripe"),
        id="hatch",
        width=8,
        height=8,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return h("svg", h("defs", stripes), class_="apart", aria_hidden="true")


def _chart(speech: Speech, unit: Unit, rows: Sequence[Hour], *, named: bool) -> Element:
    words = speech.words
    label = f"{words.BY_HOUR}: {unit.currency}" + ("" if unit.is_real else f", {words.PRETEND}")
    heads = [(words.HOUR, ""), (words.TAKEN_COLUMN, "n"), (words.COUNT_COLUMN, "n"), (words.LATE_COLUMN, "n")]
    lines = [
        h(
            "tr",
            h("th", h("bdi", f"{row.label}:00"), scope="row"),
            h("td", h("bdi", written(row.minor, unit.currency)), class_="n"),
            h("td", row.count, class_="n"),
            h("td", h("bdi", written(row.late, unit.currency)) if row.late else "–", class_="n"),
        )
        for row in rows
    ]
    has_late = any(row.late for row in rows)
    legend = h(
        "ul",
        h("li", _swatch("solid"), words.SOLID_IS),
        h("li", _swatch("hatched"), words.HATCHED_IS),
        class_="legend",
        aria_hidden="true",
    )
    pretend = None if unit.is_real else chip(words.PRETEND, "sandbox", "flask")
    return h(
        "figure",
        h("figcaption", h("bdi", unit.currency), pretend) if named else None,
        h("div", bars(rows, unit, label, mirrored=speech.language == "ar"), class_="scroll", tabindex=0, role="region",
          aria_label=label),
        legend if has_late else None,
        h("details", h("summary", words.AS_TABLE), table(heads, lines, label, stacks=False)),
    )  # fmt: skip


def bars(rows: Sequence[Hour], unit: Unit, label: str, *, mirrored: bool) -> Element:
    """Upright bars in their hours' order, which begins where lines begin; what came late is hatched."""
    most = max((row.minor for row in rows), default=0) or 1
    step = _WIDE / len(rows)
    wide = min(step * 0.7, _BAR_MOST)
    shapes: list[Element] = [
        h("line", x1=0, x2=_WIDE, y1=_TOP + _HIGH, y2=_TOP + _HIGH, class_="base"),
    ]
    for at, row in enumerate(rows):
        place = len(rows) - 1 - at if mirrored else at
        middle = step * (place + 0.5)
        high, late = (_HIGH * each / most for each in (row.minor, row.late))
        top = _TOP + _HIGH - high
        left = middle - wide / 2
        if row.minor > row.late:
            shapes.append(_rect(left, top, wide, high - late, "solid"))
        if row.late:
            shapes.append(_rect(left, top + high - late, wide, late, "hatched"))
        if row.minor:
            shapes.append(_text(middle, top - 6, short(row.minor, unit.currency), ""))
        shapes.append(_text(middle, _TOP + _HIGH + 16, row.label, "axis"))
    return h(
        "svg",
        shapes,
        viewBox=f"0 0 {_WIDE} {_TOP + _HIGH + _FOOT}",
        class_="chart many" if len(rows) > _LABELLED_MOST else "chart",
        role="img",
        aria_label=label,
    )


def short(minor: int, currency: str) -> str:
    """12.4k, 3.1M: on a bar; the table has it whole."""
    figure = written(minor, currency)
    head, _, fraction = figure.replace(",", "").partition(".")
    whole = int(head)
    if abs(whole) < _WHOLE and fraction.strip("0"):
        # Half a dinar is money, and no 0.
        return figure
    for size, sign in ((1_000_000, "M"), (1_000, "k")):
        if whole >= size:
            text = f"{whole / size:.1f}" if whole < 100 * size else f"{whole // size}"
            return text.removesuffix(".0") + sign
    return str(whole)


def _rect(x: float, y: float, wide: float, high: float, kind: str) -> Element:
    return h(
        "rect",
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        width=f"{wide:.1f}",
        height=f"{max(high, 1):.1f}",
        rx=3,
        class_=kind,
    )


def _text(x: float, y: float, text: str, kind: str) -> Element:
    return h(
        "text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle", class_=kind or None, direction="ltr"
    )


def _swatch(kind: str) -> Element:
    inner = h("rect", x=0, y=0, width=20, height=14, rx=3, class_=kind)
    return h("svg", inner, viewBox="0 0 20 14", class_="swatch chart-like")


def _counters(speech: Speech, today: Today, shops: Sequence[Shop]) -> Element:
    words = speech.words
    if not today.counters:
        return h("section", class_="card", id="counters", hidden=True)
    heads = [
        (words.COUNTER, ""), (words.TAKEN_COLUMN, "n"), (words.COUNT_COLUMN, "n"), (words.LATE_COLUMN, "n"),
        (words.OPEN_COLUMN, "n"), (words.SEEN_COLUMN, ""), (words.STATE_COLUMN, ""),
    ]  # fmt: skip
    shop_names = {each.shop: each.name for each in shops} if len(shops) > 1 else {}
    lines = [_line(speech, today, each, shop_names.get(each.shop, "")) for each in today.counters]
    return h(
        "section", h("h2", words.COUNTERS), table(heads, lines, words.COUNTERS), class_="card", id="counters"
    )


def _line(speech: Speech, today: Today, each: Counter, shop: str) -> Element:
    where = h("div", name(shop), class_="small muted") if shop else None
    taken = {code: one for code, one in each.taken.items() if one.count}
    shown = [h("div", money(one.minor, Unit(each.environment, code))) for code, one in taken.items()]
    return h(
        "tr",
        h("th", name(each.name), where, scope="row"),
        h("td", shown or "–", class_="n"),
        h("td", sum(one.count for one in taken.values()) or "–", class_="n"),
        h("td", sum(one.late for one in taken.values()) or "–", class_="n"),
        h("td", each.open or "–", class_="n"),
        h("td", when(speech, each.seen if each.told_seq else None, today.now)),
        h("td", h("div", state_chips(speech, each, today.now), class_="chips")),
        class_="quiet" if each.state != "joined" else None,
    )


def state_chips(speech: Speech, each: Counter, now: datetime) -> list[Element]:
    """How a counter stands to the store; and that it plays, where it does."""
    words = speech.words
    if each.state == "revoked":
        found = [chip(words.IS_REVOKED, "bad", "stop")]
    elif each.state != "joined":
        found = [chip(words.IS_LEFT, "", "leave")]
    elif each.is_missing(now):
        found = [chip(words.IS_MISSING, "warn", "lost")]
    elif each.is_catching_up:
        found = [chip(words.IS_WAITING, "warn", "slow")]
    else:
        found = [chip(words.IS_IN, "ok", "connected")]
    return found + ([] if each.unit.is_real else [chip(words.PRETEND, "sandbox", "flask")])


def badge(needs: int) -> Element | None:
    """How many payments need a person, beside the screen's name."""
    return h("span", needs, class_="count") if needs else None
