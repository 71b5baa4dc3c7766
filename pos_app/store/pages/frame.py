"""What stands around every page: head, navigation, the line that says whether it is live, foot. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pos_app.i18n.languages import NAMES, is_right_to_left, languages
from pos_app.store.accounts.accounts import Reader
from pos_app.store.pages.asking import Ask, Page, form_of
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.look import icon
from pos_app.store.pages.parts import Speech, button, name


class Room(msgspec.Struct, frozen=True):
    """A screen as the navigation has it. `badge`: how much waits there, 0 for nothing."""

    path: str
    sign: str
    title: str
    badge: int = 0


def page_of(ask: Ask, page: Page, rooms: Sequence[Room], here: str) -> Element:
    """A whole page for somebody who is in."""
    words = ask.speech.words
    head = h("div", h("h1", page.title), _live_line(ask, here) if page.parts else None, class_="head")
    chosen = _shops(ask, here) if page.parts and ask.several else None
    top = h(
        "header",
        h("div", _brand(ask.store), _navigation(ask.speech, rooms, here), _whoami(ask.speech, ask.reader)),
        class_="top",
    )
    return _whole(ask.speech, f"{page.title} · {ask.store}", top, page, head, chosen, _foot(ask.speech, ask.now),
                  h("script", src="/page/live.js", defer=True) if page.parts else None, words.SKIP)  # fmt: skip


def door_of(speech: Speech, store: str, page: Page, now: datetime, path: str) -> Element:
    """A whole page for somebody who is not in: no navigation, and the languages to choose from."""
    choice = [
        h("li", h("a", h("bdi", NAMES[each]), href=f"{path}?language={each}", lang=each, hreflang=each))
        for each in languages()
        if each != speech.language
    ]
    foot = h("footer", h("ul", choice, aria_label=speech.words.LANGUAGE), _times(speech, now))
    top = h("header", h("div", _brand(store)), class_="top")
    return _whole(speech, f"{page.title} · {store}", top, page, None, None, foot, None, speech.words.SKIP)


def _whole(
    speech: Speech,
    title: str,
    top: Element,
    page: Page,
    head: Child,
    chosen: Child,
    foot: Child,
    script: Child,
    skip: str,
) -> Element:
    way = "rtl" if is_right_to_left(speech.language) else "ltr"
    body = h("div", page.body, class_="narrow fields") if page.narrow else page.body
    return h(
        "html",
        h(
            "head",
            h("meta", charset="utf-8"),
            h("title", title),
            h("meta", name="viewport", content="width=device-width, initial-scale=1"),
            h("meta", name="robots", content="noindex"),
            h("link", rel="stylesheet", href="/page/look.css"),
            h("link", rel="icon", href="/page/icon.svg", type="image/svg+xml"),
            script,
        ),
        h(
            "body",
            h("a", skip, href="#main", class_="skip"),
            top,
            h("main", head, chosen, body, id="main"),
            foot,
        ),
        lang=speech.language,
        dir=way,
    )


def _brand(store: str) -> Element:
    return h("div", icon("shop"), name(store), class_="brand")


def _navigation(speech: Speech, rooms: Sequence[Room], here: str) -> Element:
    lines = [
        h(
            "li",
            h(
                "a", icon(each.sign), each.title, h("span", each.badge, class_="count") if each.badge else None,
                href=each.path, aria_current="page" if each.path == here else None,
            ),
        )
        for each in rooms
    ]  # fmt: skip
    return h("nav", h("ul", lines), class_="rooms", aria_label=speech.words.ROOMS)


def _whoami(speech: Speech, reader: Reader) -> Element:
    out = form_of(
        reader, "/out", h("button", icon("leave"), speech.words.SIGN_OUT, type="submit"), css="plain"
    )
    you = h("a", icon("person"), name(reader.shown), href="/you", title=speech.words.YOU)
    return h("div", you, out, class_="whoami")


def _live_line(ask: Ask, here: str) -> Element:
    """Without the script it says how old the figures are; the script makes it live."""
    words = ask.speech.words
    at = f"{ask.now.astimezone():%H:%M:%S}"
    source = f"/live?of={here.strip('/') or 'today'}" + (f"&shop={ask.shop}" if ask.shop else "")
    return h(
        "p", words.STILL.format(at=at), class_="live", id="live", role="status", data_from=source, data_at=at,
        data_live=words.LIVE, data_lost=words.LOST,
    )  # fmt: skip


def _shops(ask: Ask, here: str) -> Element:
    words = ask.speech.words
    rows = [("0", words.ALL_SHOPS), *((str(each.shop), each.name) for each in ask.shops)]
    options = [h("option", text, value=value, selected=value == str(ask.shop)) for value, text in rows]
    return h(
        "form",
        h(
            "div",
            h("label", words.SHOP, for_="shop"),
            h("select", options, id="shop", name="shop"),
            class_="field",
        ),
        button(words.SHOW),
        method="get",
        action=here,
        class_="choose only-screen",
    )


def _foot(speech: Speech, now: datetime) -> Element:
    # Between marks of direction: from the right a date would else be read backwards.
    drawn = h("span", speech.words.DRAWN.format(time=f"\u2066{now.astimezone():%Y-%m-%d %H:%M:%S}\u2069"))
    return h("footer", _times(speech, now), drawn)


def _times(speech: Speech, now: datetime) -> Element:
    offset = now.astimezone().isoformat(timespec="minutes")[-6:]
    return h("span", speech.words.TIMES.format(offset=f"\u2066{offset}\u2069"))
