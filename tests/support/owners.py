"""People at the owner's page, without a browser: they follow links and fill in forms as they stand there."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser

import httpx

from pos_app.store.accounts.accounts import owners_link
from pos_app.store.database import DOOR, Database
from pos_app.store.pages.site import COOKIE, PageConfig, Site
from tests.support.store import caller, serving

PASSWORD = "three green cups"
LOW_COST = 64


def config(**more: object) -> PageConfig:
    """A page on loopback whose passwords cost little and whose streams look ten times a second."""
    given: dict[str, object] = {
        "key": b"k" * 32,
        "needs_app": False,
        "password_cost": LOW_COST,
        "tick_s": 0.1,
        **more,
    }
    return PageConfig(**given)  # type: ignore[arg-type]


@contextmanager
def page_of(database: Database, **more: object) -> Iterator[str]:
    """The address of a store with its page."""
    with serving(database, sides=[Site(database, config(**more))]) as url:
        yield url


def link_for(database: Database, shop: int, name: str, shown: str = "") -> str:
    """As `store link` makes it: the path."""
    with database.connect_now(DOOR) as connection:
        return f"/link/{owners_link(connection, shop, name, shown or name.title())}"


class Form:
    """A form as it stands on a page: where it goes, how, and what it carries."""

    def __init__(self, action: str, method: str) -> None:
        self.action, self.method = action, method
        self.fields: dict[str, str] = {}


class Seen(HTMLParser):
    """What a person sees of a page: text, links, forms; and what a browser heeds: language and direction."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.root: dict[str, str | None] = {}
        self.live: dict[str, str | None] = {}
        self.feed(text)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "html":
            self.root = said
        elif tag == "a":
            self.links.append(said.get("href") or "")
        elif tag == "form":
            self.forms.append(Form(said.get("action") or "", said.get("method") or "get"))
        elif tag == "input" and self.forms and (said.get("type") != "radio" or "checked" in said):
            self.forms[-1].fields[said.get("name") or ""] = said.get("value") or ""
        if "data-from" in said:
            self.live = said

    def handle_data(self, data: str) -> None:
        self.text += data + " "

    def form(self, action: str) -> Form:
        """The one that goes there."""
        return next(each for each in self.forms if each.action.partition("?")[0] == action)


class Person:
    """Somebody with a browser: one cookie, the page they look at."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookie = ""
        self.page = ""
        self._http = caller(url, timeout=30)

    def reach(self, url: str) -> None:
        """Goes there for what `url` names, as through a proxy that ends TLS."""
        self._http.base_url = httpx.URL(url)

    def close(self) -> None:
        """Ends the connection."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        data: Mapping[str, str] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """A call as a browser makes it; a cookie that is given is kept."""
        sent = {"accept-language": "en"}
        if self.cookie:
            sent["cookie"] = f"{COOKIE}={self.cookie}"
        if method == "POST":
            sent["origin"] = self.url
        sent |= headers or {}
        answer = self._http.request(method, path, headers=sent, data=data, content=content)
        given = re.search(rf"{COOKIE}=([^;]*)", answer.headers.get("set-cookie", ""))
        if given:
            self.cookie = given[1].strip('"')
        self.page = answer.text
        return answer

    def get(self, path: str) -> httpx.Response:
        """Looks at a page; follows where it is sent."""
        answer = self.call("GET", path)
        return self.get(answer.headers["location"]) if answer.status_code == 303 else answer

    @property
    def seen(self) -> Seen:
        """What stands on the page."""
        return Seen(self.page)

    def send(self, action: str, **typed: str) -> httpx.Response:
        """Fills in the form on this page that goes there, and sends it; follows where that leads."""
        form = self.seen.form(action)
        answer = self.call("POST", form.action, data={**form.fields, **typed})
        return self.get(answer.headers["location"]) if answer.status_code == 303 else answer

    def take_link(self, link: str, password: str = PASSWORD) -> httpx.Response:
        """Opens a link and sets a password."""
        self.get(link)
        return self.send(link, new=password, again=password)

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        """By name and password."""
        self.get("/in")
        return self.send("/in", name=name, password=password)


@contextmanager
def person(url: str) -> Iterator[Person]:
    """Somebody who is not in yet."""
    made = Person(url)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def owner(database: Database, url: str, shop: int, name: str = "") -> Iterator[Person]:
    """An owner of a shop, in."""
    with person(url) as made:
        answer = made.take_link(link_for(database, shop, name or f"owner.{secrets.token_hex(3)}"))
        assert answer.status_code == 200, answer.text
        yield made


def link_on(page: str) -> str:
    """The one-time link that stands on a page, as its path."""
    found = re.search(r"/link/[A-Za-z0-9_-]+", unescape(page))
    assert found, "there is no link"
    return found[0]
