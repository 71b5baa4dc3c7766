"""The screens Find and Payment: by what somebody has in hand, as the payment's own counter told it. Changes nothing."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from urllib.parse import urlencode

from pos_app.domain.attempt import State
from pos_app.domain.money import format_amount
from pos_app.domain.receipt import number_in
from pos_app.domain.shipping import FIND_MOST, BadBatch, FindRequest, Shipped
from pos_app.domain.text import clean_text
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.till import Words
from pos_app.store import find
from pos_app.store.find import Batches, Row
from pos_app.store.pages.asking import Ask, NotThere, Page
from pos_app.store.pages.figures import Unit, zones
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.parts import button, chip, field, link_button, name, said, table, when
from pos_app.store.receive import Refused

_FIELDS = ("id", "amount", "digits")
_DATES = ("from", "to")
LOOKED_BACK = 400
"""So many batches before the newest are looked through for how a payment began."""
_WRITTEN = re.compile(r"(?=.?\d)\d{0,15}(\.\d{0,15})?")
"""An amount in digits of any script: an exponent would be written out, and may be longer than all memory."""
_YEARS = range(2000, 2101)


async def find_page(ask: Ask) -> Page:
    """The form, and under it what fits."""
    words = ask.speech.words
    # What nobody sees was pasted with it: marks of direction, out of a text that runs the other way.
    asked = {key: clean_text(ask.query.get(key, "").strip(), 80).strip() for key in (*_FIELDS, *_DATES)}
    problem, told, found = "", "", None
    if asked["from"] and asked["to"] and asked["from"] > asked["to"]:
        problem = "to"
    elif any(asked.values()):
        try:
            sought = find.read(_request(asked, await _zone(ask)), ask.now)
            found = await find.find(ask.connection, sought)
        except Refused as refused:
            problem = {"latest": "to", "earliest": "from"}.get(refused.field, refused.field)
        except _NoDay as no_day:
            problem, told = no_day.field, ask.speech.words.FIND_NO_DAY
    form = _form(ask, asked, problem, told or words.FIND_PROBLEM.get(problem, ""))
    body: list[Child] = [form]
    if found is not None:
        body.append(_found(ask, found))
    return Page(title=words.FIND, body=(*body,), status=422 if problem else 200)


class _NoDay(ValueError):
    """What stands in `field` is no day of any payment."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


async def _zone(ask: Ask) -> tzinfo | None:
    """Of the days that are meant: the shops', where they have one that is not the machine's; else the machine's."""
    found = set((await zones(ask.connection)).values())
    here = ask.now.astimezone().utcoffset()
    return next((each for each in found if len(found) == 1 and each.utcoffset(None) != here), None)


def _request(asked: dict[str, str], zone: tzinfo | None) -> FindRequest:
    """As a counter would ask; `zone`: of the days, None for the machine's. Raises _NoDay."""

    def at(field: str, days: int = 0) -> str:
        if not asked[field]:
            return ""
        try:
            day = date.fromisoformat(asked[field])
        except ValueError as error:
            raise _NoDay(field) from error
        if day.year not in _YEARS:
            raise _NoDay(field)
        # Of that very day: one on which the clocks change has no 24 hours.
        midnight = datetime(day.year, day.month, day.day) + timedelta(days=days)
        return (midnight.astimezone() if zone is None else midnight.replace(tzinfo=zone)).isoformat()

    amount = asked["amount"].replace(",", "").replace(" ", "")
    if _WRITTEN.fullmatch(amount):
        amount = f"{Decimal(amount):f}"
    return FindRequest(
        id=asked["id"],
        amount=amount,
        digits=asked["digits"],
        earliest=at("from"),
        latest=at("to", 1),
    )


def _form(ask: Ask, asked: dict[str, str], problem: str, told: str) -> Element:
    words = ask.speech.words
    labels = {
        "id": words.FIND_ID, "amount": words.AMOUNT, "digits": words.FIND_DIGITS, "from": words.FIND_FROM,
        "to": words.FIND_TO,
    }  # fmt: skip
    lines = [
        field(label, key, value=asked[key], problem=told if key == problem else "", most=80, needed=False,
              kind="date" if key in _DATES else "text")
        for key, label in labels.items()
    ]  # fmt: skip
    return h(
        "section",
        h("p", words.FIND_MORE, class_="muted"),
        h("form", lines, h("div", button(words.FIND, first=True), class_="acts"), method="get", action="/find",
          class_="fields only-screen"),
        class_="card",
    )  # fmt: skip


def _found(ask: Ask, found: list[Row]) -> Element:
    words = ask.speech.words
    if not found:
        return h("section", said(words.FIND_NONE, "calm", "question"))
    heads = [(words.TIME, ""), (words.AMOUNT, "n"), (words.STATE_COLUMN, ""), (words.COUNTER, ""), ("", "")]
    listed = table(heads, [_line(ask, each) for each in found[:FIND_MOST]], words.FIND)
    more = h("p", words.FIND_TOO_MANY, class_="muted") if len(found) > FIND_MOST else None
    return h("section", listed, more, class_="card")


def _amount(row: Row) -> Element:
    return h("bdi", f"{row.currency}\u00a0{format_amount(row.amount)}", class_="figure nowrap")


def state_word(ask: Ask, state: str) -> str:
    """A state in the till's own words; one that this version does not know as it is."""
    known = {each.value: each for each in State}
    return words_in(Words, ask.speech.language).state.get(known[state], state) if state in known else state


def _state(ask: Ask, state: str) -> Element:
    kind = {"PAID": "ok", "PAID_LATE": "warn", "DISPUTED": "bad", "UNRESOLVED": "warn"}.get(state, "")
    return chip(state_word(ask, state), kind)


def _pretend(ask: Ask, environment: str) -> Element | None:
    is_real = Unit(environment, "").is_real
    return None if is_real else chip(ask.speech.words.PRETEND, "sandbox", "flask")


def _line(ask: Ask, row: Row) -> Element:
    words = ask.speech.words
    shop = h("div", name(ask.name_of(row.shop)), class_="small muted") if ask.several else None
    return h(
        "tr",
        h("td", when(ask.speech, row.tapped, ask.now)),
        h("td", _amount(row), class_="n"),
        h("td", h("div", _state(ask, row.state), _pretend(ask, row.environment), class_="chips")),
        h("td", name(row.counter_name), shop),
        h("td", link_button(words.SHOW, f"/payment?{_as_query(row.attempt_id)}", of=row.attempt_id)),
    )


def _as_query(attempt_id: str) -> str:
    return urlencode({"attempt": attempt_id})


async def payment_page(ask: Ask) -> Page:
    """One payment: as told and when, its prints, its receipt's code. Raises NotThere."""
    words = ask.speech.words
    attempt_id = ask.query.get("attempt", "")[:80]
    # A text that is none is no id either, and the database would fail at it.
    rows = await find.find_attempt(ask.connection, attempt_id) if attempt_id.isprintable() else []
    if not rows:
        raise NotThere
    row = rows[0]
    (told,) = await find.told(ask.connection, [row]) or (None,)
    facts: list[tuple[str, Child]] = [
        (words.AMOUNT, _amount(row)),
        (
            words.STATE_COLUMN,
            h("div", _state(ask, row.state), _pretend(ask, row.environment), class_="chips"),
        ),
        (words.TIME, when(ask.speech, row.tapped, ask.now)),
        (words.COUNTER, name(row.counter_name)),
    ]
    if ask.several:
        facts.append((words.SHOP, name(ask.name_of(row.shop))))
    if told is not None:
        facts.append((words.SEEN_COLUMN, when(ask.speech, datetime.fromisoformat(told.told), ask.now)))
        facts += _receipt(ask, told.attempt, told.check)
    prints = await find.prints_of(ask.connection, attempt_id)
    facts.append((words.PRINTS, ", ".join(f"{each} × {count}" for each, count in prints) or "–"))
    head = h("section", h("h2", h("code", row.attempt_id)), _list(facts), class_="card")
    timeline = await _timeline(ask, row)
    body = h("section", h("h2", words.TIMELINE), timeline, class_="card")
    return Page(title=words.PAYMENT, body=(head, body, link_button(words.FIND, "/find")), narrow=False)


def _receipt(ask: Ask, attempt: dict[str, object], check: str) -> list[tuple[str, Child]]:
    words = ask.speech.words
    number, of = attempt.get("receipt"), attempt.get("receipt_of")
    found: list[tuple[str, Child]] = []
    if isinstance(number, int) and number and isinstance(of, str):
        prefix = "SBX-" if attempt.get("environment") == "sandbox" else ""
        shown = f"{prefix}T{of}-R{number:06d}"
        if number_in(shown)[1]:
            found.append((words.RECEIPT, h("code", shown)))
    if check:
        found.append((words.CHECK_CODE, h("code", f"{check[:5]}-{check[5:]}")))
    for key, label in (("wallet_transaction_id", words.FIND_ID), ("wallet_mask", words.FIND_DIGITS)):
        text = attempt.get(key)
        if isinstance(text, str) and text:
            found.append((label, name(text)))
    return found


def _list(facts: list[tuple[str, Child]]) -> Element:
    return h("dl", [h("div", h("dt", term), h("dd", what)) for term, what in facts])


async def _timeline(ask: Ask, row: Row) -> Element:
    """The events that told of it, oldest first, as the counter's clock had them."""
    words = ask.speech.words
    events = await told_of(Batches(ask.connection), row)
    heads = [(words.TIME, ""), (words.WHAT, ""), (words.STATE_COLUMN, "")]
    lines = []
    for event, _ in events:
        attempt = event.content.get("attempt")
        state = str(attempt.get("state", "")) if isinstance(attempt, dict) else ""
        lines.append(
            h("tr", h("td", h("bdi", event.wall[:19].replace("T", " "))),
              h("td", h("code", event.kind)), h("td", _state(ask, state) if state else "–"))
        )  # fmt: skip
    return table(heads, lines, words.TIMELINE)


async def told_of(batches: Batches, row: Row) -> list[tuple[Shipped, datetime]]:
    """The events about a payment, oldest first: from its newest back to its first, at most LOOKED_BACK batches."""
    found: list[tuple[Shipped, datetime]] = []
    at = row.seq
    for _ in range(LOOKED_BACK):
        try:
            held = await batches.around(row.life, at)
        except BadBatch:
            break
        if held is None:
            break
        events, received = held
        own = [each for each in events if each.seq <= row.seq and _is_of(each, row.attempt_id)]
        found = [(each, received.astimezone(UTC)) for each in own] + found
        at = events[0].seq - 1
        batches.forget()
        if at < 1 or any(each.path.split()[:1] == ["INTENT"] and " " not in each.path for each in own):
            break
    return found


def _is_of(event: Shipped, attempt_id: str) -> bool:
    attempt = event.content.get("attempt")
    return isinstance(attempt, dict) and attempt.get("attempt_id") == attempt_id
