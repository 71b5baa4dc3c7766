"""The screens Days and Day: Zs of a business date, who has none, what somebody signed. Signing writes its act."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from pos_app.store import days
from pos_app.store.accounts.accounts import Role
from pos_app.store.days import CannotSign, DayCounter, Signature, StoreDay, ZLine, mark_of
from pos_app.store.pages.asking import REASON_MOST, Ask, NotAllowed, NotThere, Page
from pos_app.store.pages.figures import Unit
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.parts import button, chip, field, link_button, money, name, said, table, when
from pos_app.store.zs import Sums

SHOWN = 31


async def days_page(ask: Ask) -> Page:
    """The newest first; of each shop of its own. `before` in the address: those before that day."""
    words = ask.speech.words
    last = _before(ask) or ask.now.astimezone().date() + timedelta(days=1)
    first = last - timedelta(days=SHOWN)
    shops = [shop.shop for shop in ask.shops if ask.shop in (0, shop.shop)]
    found: list[StoreDay] = []
    for shop in shops:
        found += await days.days(ask.connection, shop, first, last)
    found.sort(key=lambda day: (day.business_date, -day.shop), reverse=True)
    newest = await days.newest_before(ask.connection, shops, first)
    # To where there is something: a place that closes for a season has months without any day.
    behind = None if newest is None else f"/days?before={newest + timedelta(days=1)}"
    chosen = f"&shop={ask.shop}" if ask.shop else ""
    older = h("div", link_button(words.OLDER, behind + chosen), class_="acts") if behind else None
    if not found:
        return Page(title=words.DAYS, body=(h("section", said(words.NOTHING_TAKEN, "calm", "list")), older))
    heads = [
        (words.DAY, ""), (words.TAKEN_COLUMN, "n"), (words.COUNT_COLUMN, "n"), (words.STATE_COLUMN, ""), ("", ""),
    ]  # fmt: skip
    listed = table(heads, [row for each in found for row in _lines(ask, each, each is found[-1])], words.DAYS)
    return Page(title=words.DAYS, body=(h("section", listed, older, class_="card"),))


def _before(ask: Ask) -> date | None:
    """The last day that is asked for; None: none is, or what stands there is no day of any shop."""
    try:
        asked = date.fromisoformat(ask.query.get("before", ""))
    except ValueError:
        return None
    return asked - timedelta(days=1) if 2000 <= asked.year < 2200 else None


def _sums(sums: Sums, environment: str) -> list[Element]:
    return [h("div", money(each.units, Unit(environment, code))) for code, each in sorted(sums.items())]


def _units(ask: Ask, day: StoreDay) -> list[tuple[list[Element | str], int]]:
    """Each of the day's sums, real and pretended apart, and of how many payments; a counter's own is beside it."""
    pretend = chip(ask.speech.words.PRETEND, "sandbox", "flask")
    found: list[tuple[list[Element | str], int]] = []
    for named, each in day.sums.items():
        unit = Unit(*named)
        shown = money(each.units, unit)
        found.append(([shown] if unit.is_real else [pretend, " ", shown], each.payments))
    return found


def _chips(ask: Ask, day: StoreDay) -> list[Element]:
    words = ask.speech.words
    found = []
    if day.signature is not None:
        found.append(chip(words.SIGNED, "ok", "tick"))
    if day.missing:
        names = ", ".join(each.missed for each in day.missing)
        found.append(chip(words.WITHOUT.format(counters=names), "warn", "lost"))
    if day.findings:
        found.append(chip(words.NOT_RIGHT, "bad", "warning"))
    return found


def _lines(ask: Ask, day: StoreDay, is_last: bool) -> list[Element]:
    """A day's row, and one more for each further kind of money in it: no line is drawn between them."""
    words = ask.speech.words
    shop = h("div", name(day.shop_name), class_="small muted") if ask.several else None
    taken = _units(ask, day) or [(["–"], 0)]
    cells = [[h("td", shown, class_="n"), h("td", count, class_="n")] for shown, count in taken]
    of = len(cells) if len(cells) > 1 else None
    first = h(
        "tr",
        h("th", h("bdi", day.business_date), shop, scope="row", rowspan=of),
        cells[0],
        h("td", h("div", _chips(ask, day), class_="chips"), rowspan=of),
        h(
            "td",
            link_button(words.SHOW, f"/day?of={day.shop}&on={day.business_date}", of=day.business_date),
            rowspan=of,
        ),
        class_=None if of is None else "more last" if is_last else "more",
    )
    further = [
        h("tr", each, class_="further" if at == len(cells) else "more further")
        for at, each in enumerate(cells[1:], 2)
    ]
    return [first, *further]


async def _day(ask: Ask, shop: str, on: str) -> StoreDay:
    """A day of a shop that the reader may see. Raises NotThere."""
    try:
        number, dated = int(shop) if shop.isdecimal() and len(shop) < 10 else 0, date.fromisoformat(on)
    except ValueError as error:
        raise NotThere from error
    if not ask.name_of(number) or not 2000 < dated.year < 2200:
        raise NotThere
    found = await days.days(ask.connection, number, dated, dated)
    if not found:
        raise NotThere
    return found[0]


async def day_page(ask: Ask) -> Page:
    """One day whole, to be read, printed and signed."""
    return _drawn(ask, await _day(ask, ask.query.get("of", ""), ask.query.get("on", "")))


def _drawn(ask: Ask, day: StoreDay, problem: str = "", typed: str = "") -> Page:
    words = ask.speech.words
    heads = [
        (words.COUNTER, ""), ("Z", ""), (words.TAKEN_COLUMN, "n"), (words.COUNT_COLUMN, "n"),
        (words.LATE_COLUMN, "n"), (words.STATE_COLUMN, ""),
    ]  # fmt: skip
    rows = [row for counter in day.counters for row in _rows(ask, counter)]
    taken = [h("div", shown, " · ", words.PAYMENTS.of(count)) for shown, count in _units(ask, day)]
    sums = h("div", h("strong", words.TAKEN_COLUMN, ": "), taken or "–")
    head = h("div", _chips(ask, day), class_="chips")
    body: list[Child] = [
        h(
            "section",
            h("h2", name(day.shop_name), " · ", h("bdi", day.business_date)),
            head,
            sums,
            table(heads, rows, words.DAY),
            h("p", words.AS_OF.format(time=_clock(ask, day.as_of)), class_="small muted"),
            class_="card",
        )
    ]
    if day.signature is not None:
        body.append(_signature(ask, day.signature))
    elif ask.may(day.shop, Role.MANAGER):
        body.append(_signing(ask, day, problem, typed))
    body.append(link_button(words.DAYS, "/days"))
    return Page(title=words.DAY, body=(*body,), status=422 if problem else 200)


def _clock(ask: Ask, iso: str) -> str:
    return ask.speech.moment(datetime.fromisoformat(iso), ask.now)


def _rows(ask: Ask, counter: DayCounter) -> list[Element]:
    words = ask.speech.words
    found = [_z_row(ask, counter, z) for z in counter.zs]
    if counter.is_missing:
        seen = when(ask.speech, datetime.fromisoformat(counter.seen), ask.now)
        # What a counter told is in the Zs of this date that it has, as far as it is in any.
        told = counter.told if counter.has_no_z else {}
        found.append(
            h(
                "tr",
                _who(ask, counter),
                h("td", chip(words.NO_Z, "warn", "lost"), _without(ask, counter)),
                h("td", _sums(told, counter.environment) or "–", class_="n"),
                h("td", sum(each.payments for each in told.values()) if told else "–", class_="n"),
                h("td", sum(each.late for each in told.values()) if told else "–", class_="n"),
                h("td", words.SEEN_COLUMN, " ", seen),
                class_="quiet",
            )
        )
    return found


def _without(ask: Ask, counter: DayCounter) -> Element | None:
    """Which of several tills with this number closed nothing."""
    if not counter.without:
        return None
    before, _, behind = ask.speech.words.NO_Z_OF.format(tills="\0").partition("\0")
    return h("div", before, name(", ".join(counter.without)), behind, class_="small")


def _who(ask: Ask, counter: DayCounter) -> Element:
    is_real = Unit(counter.environment, "").is_real
    mark = None if is_real else chip(ask.speech.words.PRETEND, "sandbox", "flask")
    return h("th", name(counter.name), h("div", mark, class_="chips") if mark else None, scope="row")


def _z_row(ask: Ask, counter: DayCounter, z: ZLine) -> Element:
    words = ask.speech.words
    state: list[Element] = []
    if z.late:
        state.append(chip(words.LATE_OF.format(date=z.business_date), "warn", "late"))
    if z.finding:
        state.append(chip(words.NOT_RIGHT, "bad", "warning"))
    more = h("div", name(z.detail), class_="small") if z.detail else None
    return h(
        "tr",
        _who(ask, counter),
        h("td", f"Z {z.number}", h("div", h("code", z.digest[:16]), class_="small muted")),
        h("td", _sums(z.sums, counter.environment) or "–", class_="n"),
        h("td", sum(each.payments for each in z.sums.values()), class_="n"),
        h("td", sum(each.late for each in z.sums.values()), class_="n"),
        h("td", h("div", state, class_="chips"), more),
    )


def _signature(ask: Ask, made: Signature) -> Element:
    words = ask.speech.words
    before, _, behind = words.SIGNED_BY.format(who="\0", time=_clock(ask, made.signed)).partition("\0")
    return h(
        "section",
        h("p", before, name(made.who), behind),
        h("p", words.REASON, ": ", name(made.reason)),
        h("p", h("code", made.digest), class_="small muted"),
        class_="card",
    )


def _signing(ask: Ask, day: StoreDay, problem: str, typed: str) -> Element:
    words = ask.speech.words
    told = words.REASON_PROBLEM.format(example=words.SIGN_EXAMPLE) if problem == "reason" else ""
    changed = said(words.SIGN_CHANGED, "warn", "warning", role="alert") if problem == "changed" else None
    return h(
        "section",
        h("h2", words.SIGN_DAY),
        h("p", words.SIGN_MORE, class_="muted"),
        changed,
        ask.form_to(
            "/day",
            h("input", type="hidden", name="of", value=day.shop),
            h("input", type="hidden", name="on", value=day.business_date),
            h("input", type="hidden", name="mark", value=mark_of(day)),
            field(words.REASON, "reason", value=typed, problem=told, most=REASON_MOST),
            h("div", button(words.SIGN_DAY, first=True), class_="acts"),
        ),
        class_="card only-screen",
    )


async def sign(ask: Ask) -> Page | str:
    """Signs what the person looked at; the path to look at then."""
    day = await _day(ask, ask.form.get("of", ""), ask.form.get("on", ""))
    if not ask.may(day.shop, Role.MANAGER):
        raise NotAllowed
    reason, typed = ask.reason()
    if not reason:
        return _drawn(ask, day, "reason", typed)
    on = date.fromisoformat(day.business_date)
    reader = ask.reader
    try:
        await days.sign(
            ask.connection, day.shop, on, ask.form.get("mark", ""), account=reader.account, who=reader.shown,
            reason=reason,
        )  # fmt: skip
    except CannotSign as cannot:
        again = await _day(ask, str(day.shop), day.business_date)
        return _drawn(ask, again, "" if cannot.why == "signed" else "changed", typed)
    return f"/day?of={day.shop}&on={day.business_date}"
