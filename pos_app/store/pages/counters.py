"""The screen Counters: how each stands, incidents, joining codes, refusing one. A change is written with its act."""

from __future__ import annotations

from datetime import datetime, timedelta

from pos_app.store import acts
from pos_app.store.accounts.accounts import Role
from pos_app.store.joining import CODE_MINUTES, give_code_async, refuse_keys
from pos_app.store.pages import figures
from pos_app.store.pages.asking import REASON_MOST, Ask, NotAllowed, NotThere, Page
from pos_app.store.pages.figures import Counter, Incident
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.parts import (
    Speech,
    button,
    chip,
    choices,
    field,
    link_button,
    name,
    qr,
    said,
    table,
    when,
)
from pos_app.store.pages.today import state_chips

CLOCK_RIGHT_MS = 30_000
GIB = 1 << 30
DISK_LOW = GIB


async def counters_page(ask: Ask) -> Page:
    """The list, its incidents, and a way to add one for whoever may."""
    words = ask.speech.words
    body = list((await counter_parts(ask)).values())
    if any(ask.may(each.shop, Role.MANAGER) for each in ask.shops):
        body.append(_adding(ask))
    return Page(title=words.COUNTERS, body=(*body,), parts=("health", "incidents"))


async def counter_parts(ask: Ask) -> dict[str, Element]:
    """What may change while it is looked at."""
    words = ask.speech.words
    at = await figures.counters(ask.connection)
    happened = await figures.incidents(ask.connection)
    if not at:
        health = h("section", said(words.NO_COUNTERS, "calm", "shop"), id="health")
    else:
        heads = [
            (words.COUNTER, ""), (words.STATE_COLUMN, ""), (words.SEEN_COLUMN, ""), (words.WAITING, "n"),
            (words.VERSION, ""), (words.CLOCK, ""), (words.DISK, "n"), ("", ""),
        ]  # fmt: skip
        lines = [_line(ask, each) for each in at]
        more = h("p", words.COUNTERS_MORE, class_="small muted")
        health = h("section", table(heads, lines, words.COUNTERS), more, class_="card", id="health")
    rows = [_incident(ask, each) for each in happened]
    none = h("p", words.INCIDENTS_NONE, class_="muted")
    listed = (
        table([(words.TIME, ""), (words.COUNTER, ""), (words.WHAT, "")], rows, words.INCIDENTS)
        if rows
        else none
    )
    return {
        "health": health,
        "incidents": h("section", h("h2", words.INCIDENTS), listed, class_="card", id="incidents"),
    }


def _line(ask: Ask, each: Counter) -> Element:
    words, speech = ask.speech.words, ask.speech
    shop = h("div", name(ask.name_of(each.shop)), class_="small muted") if ask.several else None
    may = each.state == "joined" and ask.may(each.shop, Role.MANAGER)
    ends = each.revoked if each.state == "revoked" and each.revoked else each.joined
    since = (words.REVOKED_ON if ends is each.revoked else words.JOINED).format(
        time=speech.moment(ends, ask.now)
    )
    return h(
        "tr",
        h("th", name(each.name), shop, scope="row"),
        h(
            "td",
            h("div", state_chips(speech, each, ask.now), class_="chips"),
            h("div", since, class_="small muted"),
        ),
        h("td", when(speech, each.seen if each.told_seq else None, ask.now)),
        h("td", each.waiting or "–", class_="n"),
        h("td", name(each.version) if each.version else "–"),
        h("td", _clock(speech, each)),
        h("td", _disk(each), class_="n"),
        h("td", link_button(words.REFUSE, f"/counters/{each.counter}/revoke", of=each.name) if may else None),
        class_="quiet" if each.state != "joined" else None,
    )


def _clock(speech: Speech, each: Counter) -> Element | str:
    words = speech.words
    if not each.told_seq:
        return "–"
    if abs(each.skew_ms) < CLOCK_RIGHT_MS:
        return words.CLOCK_RIGHT
    apart = speech.times.duration(abs(each.skew_ms) // 1000)
    told = (words.CLOCK_AHEAD if each.skew_ms > 0 else words.CLOCK_BEHIND).format(time=apart)
    return chip(told, "warn", "late")


def _disk(each: Counter) -> Element | str:
    if each.disk_free < 0:
        return "–"
    told = f"{each.disk_free / GIB:.1f} GiB"
    return chip(told, "bad", "warning") if each.disk_free < DISK_LOW else h("bdi", told)


def _incident(ask: Ask, each: Incident) -> Element:
    words = ask.speech.words
    told: Child = words.INCIDENT.get(each.kind) or words.INCIDENT_OTHER.format(kind=each.kind)
    if each.kind == "number":
        before, _, behind = words.INCIDENT[each.kind].format(tills="\0").partition("\0")
        told = [before, name(each.detail), behind]
    where = name(each.counter) if each.counter else "–"
    shop = h("div", name(ask.name_of(each.shop)), class_="small muted") if ask.several else None
    return h("tr", h("td", when(ask.speech, each.noticed, ask.now)), h("td", where, shop), h("td", told))


def _adding(ask: Ask) -> Element:
    words = ask.speech.words
    own = [each for each in ask.shops if ask.may(each.shop, Role.MANAGER)]
    which = [(str(each.shop), each.name, "") for each in own]
    chosen = (
        choices(words.SHOP, "shop", which, which[0][0])
        if len(which) > 1
        else h("input", type="hidden", name="shop", value=which[0][0])
    )
    return h(
        "section",
        h("h2", words.ADD),
        h("p", words.ADD_MORE, class_="muted"),
        ask.form_to("/counters/code", chosen, h("div", button(words.MAKE_CODE, first=True), class_="acts")),
        class_="card",
    )


async def make_code(ask: Ask) -> Page:
    """A joining code for a shop of the form: shown once, with the QR a counter's camera or a person reads."""
    words = ask.speech.words
    shop = _whole(ask.form.get("shop", ""))
    if not ask.may(shop, Role.MANAGER):
        raise NotAllowed
    await acts.write(ask.connection, ask.act("code_made", shop=shop))
    code = await give_code_async(ask.connection, shop)
    until = ask.speech.moment(_later(ask.now), ask.now)
    before, _, behind = words.CODE_FOR.format(shop="\0").partition("\0")
    text = "\n".join(filter(None, (ask.address.origin, code, ask.address.pin)))
    typed = f"pos-app join {ask.address.origin} {code}"
    pin = (
        [h("p", words.CODE_PIN), h("p", h("code", _in_fours(ask.address.pin[:16])))]
        if ask.address.pin
        else None
    )
    body = h(
        "section",
        h("h2", before, name(ask.name_of(shop)), behind),
        h("p", code, class_="code"),
        qr(text, words.CODE_FOR.format(shop=ask.name_of(shop))),
        h("p", words.CODE_STEPS),
        h("p", h("code", typed)),
        pin,
        h("p", words.CODE_UNTIL.format(time=until), class_="muted"),
        h("div", link_button(words.COUNTERS, "/counters"), class_="acts"),
        class_="card",
    )
    return Page(title=words.ADD, body=(body,), narrow=True)


def _later(now: datetime) -> datetime:
    return now + timedelta(minutes=CODE_MINUTES)


def _in_fours(text: str) -> str:
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


async def _joined(ask: Ask, text: str) -> Counter:
    """A counter that the reader may refuse. Raises NotThere: none, or not theirs; NotAllowed."""
    number = _whole(text)
    found = next((each for each in await figures.counters(ask.connection) if each.counter == number), None)
    if found is None:
        raise NotThere
    if not ask.may(found.shop, Role.MANAGER):
        raise NotAllowed
    return found


async def revoke_page(ask: Ask) -> Page:
    """Asks why, and says what it does and does not."""
    return _asking(ask, await _joined(ask, ask.query["counter"]), "")


def _asking(ask: Ask, counter: Counter, problem: str, typed: str = "") -> Page:
    words = ask.speech.words
    before, _, behind = words.REVOKE_TITLE.format(counter="\0").partition("\0")
    told = problem and words.REASON_PROBLEM.format(example=words.REASON_EXAMPLE)
    body = h(
        "section",
        h("h2", before, name(counter.name), behind),
        said(words.REVOKE_MORE, "warn", "warning", words.REVOKE_LIST),
        ask.form_to(
            f"/counters/{counter.counter}/revoke",
            field(words.REASON, "reason", value=typed, problem=told, most=REASON_MOST),
            h("div", button(words.REVOKE, bad=True), link_button(words.CANCEL, "/counters"), class_="acts"),
        ),
        class_="card",
    )
    return Page(title=words.REVOKE, body=(body,), status=422 if problem else 200, narrow=True)


async def revoke(ask: Ask) -> Page | str:
    """Refuses every journal of a counter, and its keys, from this commit on (M10); the path to look at then."""
    counter = await _joined(ask, ask.query["counter"])
    reason, typed = ask.reason()
    if not reason:
        return _asking(ask, counter, "reason", typed)
    act = ask.act("counter_revoked", shop=counter.shop, subject=counter.name, reason=reason)
    await refuse_keys(ask.connection, act, counter=counter.counter, detail=reason)
    return "/counters"


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
