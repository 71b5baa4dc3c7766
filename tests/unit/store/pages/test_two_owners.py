"""Two owners on one store see nothing of each other: every page, part of a stream and form is tried by both (M9).

What the other must not see are words made up for their shop alone; each is looked for in every byte that is answered.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from starlette.routing import Route

from pos_app.store.database import PAGE, Database
from pos_app.store.pages.screens import CHANGES, SCREENS
from pos_app.store.pages.site import COOKIE, Site
from tests.support.owners import Person, config, owner, page_of
from tests.support.store import PretendCounter, add_shop, attempt, code_for, rows

OWN_WAYS = ("/you", "/you/language", "/you/password", "/you/elsewhere", "/in", "/in/code", "/in/app", "/out")


class Shop:
    """A shop with everything that a page can show, each thing called by a word that nothing else has."""

    def __init__(self, word: str, number: int) -> None:
        self.word, self.number = word, number
        self.secrets = (
            f"{word}shop",
            f"{word}counter",
            f"{word}.owner",
            f"{word}77",
            f"{word}why",
            f"{word}bistro",
        )
        self.shop = self.counter = self.account = 0

    def fill(self, database: Database, url: str) -> None:
        """A counter with money of an hour, open ones, an incident, an act with a reason."""
        self.shop = add_shop(database, f"{self.word}shop")
        made = PretendCounter(f"K7Q2M{self.number}", self.number, name=f"{self.word}counter")
        wall = rows(database, 'SELECT to_char(now(), \'YYYY-MM-DD"T"HH24:MI:SS"+00:00"\')')[0][0]
        with made.at(url, code_for(database, self.shop)) as counter:
            for at, state in enumerate(
                ("PAID", "PAID_LATE", "DISPUTED", "UNRESOLVED", "WAITING", "IN_DOUBT")
            ):
                told = attempt(
                    f"{self.word}77-{at}", state, f"{self.number}234{at}.00", tapped_wall=wall,
                    owner=f"{self.word}bistro", sale_id=f"{self.word}77{at}", counter_id=self.number,
                )  # fmt: skip
                counter.write("STATUS_ANSWERED", wall, attempt=told)
            counter.ship()
        self.counter = rows(database, "SELECT counter FROM counter WHERE shop = %s", self.shop)[0][0]
        rows(
            database, "INSERT INTO incident (shop, life, kind, detail) SELECT shop, life, %s, %s FROM installation "
            "WHERE shop = %s", f"{self.word}why", f"{self.word}why", self.shop,
        )  # fmt: skip

    def leaked_in(self, text: str) -> list[str]:
        """Which of its words and figures stand there; figures not by chance, in a token or a clock's fractions."""
        said = _CHANCE.sub("", text)
        figures = (f"{self.number}2,34", f"{self.number}234")
        return [each for each in self.secrets if each in text] + [each for each in figures if each in said]


_CHANCE = re.compile(r"[0-9A-Za-z_-]{24,}|datetime\([^)]*\)")


@contextmanager
def _two(database: Database) -> Iterator[tuple[str, Shop, Person, Shop, Person]]:
    one, other = Shop("zebra", 8), Shop("quokka", 9)
    with page_of(database) as url, ExitStack() as stack:
        people = []
        for shop in (one, other):
            shop.fill(database, url)
            person = stack.enter_context(owner(database, url, shop.shop, f"{shop.word}.owner"))
            shop.account = rows(
                database, "SELECT account FROM account WHERE name = %s", f"{shop.word}.owner"
            )[0][0]
            people.append(person)
        yield url, one, people[0], other, people[1]


def _paths(mine: Shop, theirs: Shop) -> Iterator[str]:
    """Each screen as it is, asked for the other's shop, and each address with the other's numbers in it."""
    for screen in SCREENS:
        for whose in (mine, theirs):
            path = screen.path.format(shop=whose.shop, account=whose.account, counter=whose.counter)
            yield path
            yield f"{path}?shop={theirs.shop}&before=999999"
            yield f"{path}?shop={mine.shop},{theirs.shop}"
        yield screen.path.format(shop=mine.shop, account=theirs.account, counter=theirs.counter)
    yield "/you"


def test_every_page_shows_ones_own_and_nothing_of_the_other(database: Database) -> None:
    with _two(database) as (_, one, her, other, him):
        for mine, person, theirs in ((one, her, other), (other, him, one)):
            seen = ""
            for path in _paths(mine, theirs):
                answer = person.call("GET", path)
                assert answer.status_code in (200, 303, 403, 404), path
                assert theirs.leaked_in(answer.text) == [], path
                seen += answer.text
            assert set(mine.secrets) - set(mine.leaked_in(seen)) <= {f"{mine.word}bistro", f"{mine.word}why"}


def test_every_form_of_the_other_is_refused(database: Database) -> None:
    """Whatever number is typed into an address or a field: nothing of the other's changes, nothing of it is said."""
    guarded = ("reader", "account", "installation", "join_code", "account_link")
    with _two(database) as (_, one, her, other, him):
        for mine, person, theirs in ((one, her, other), (other, him, one)):
            person.get("/counters")
            token = person.seen.forms[0].fields["form"]
            before = {table: rows(database, f"SELECT * FROM {table} ORDER BY 1") for table in guarded}
            for change in CHANGES:
                path = change.path.format(shop=theirs.shop, account=theirs.account, counter=theirs.counter)
                data = {
                    "form": token, "shop": str(theirs.shop), "reason": "because I say so", "role": "owner",
                    "shown": "A Thief", "name": f"thief.of.{mine.word}", "account": str(theirs.account),
                    "counter": str(theirs.counter),
                }  # fmt: skip
                mixed = change.path.format(shop=mine.shop, account=theirs.account, counter=theirs.counter)
                for target in (path, mixed):
                    answer = person.call("POST", target, data=data)
                    assert answer.status_code in (403, 404, 405, 422), target
                    assert theirs.leaked_in(answer.text) == [], target
            assert {table: rows(database, f"SELECT * FROM {table} ORDER BY 1") for table in guarded} == before


def test_every_stream_tells_ones_own_alone(database: Database) -> None:
    """Its first parts, and those after something happened at both shops."""
    with _two(database) as (url, one, her, other, him):
        for mine, person, theirs in ((one, her, other), (other, him, one)):
            for screen in (each for each in SCREENS if each.parts):
                for asked in ("", f"&shop={theirs.shop}", f"&shop={mine.shop}"):
                    text = _streamed(url, person, f"/live?of={screen.name}{asked}")
                    assert theirs.leaked_in(text) == []
                    assert "event: part" in text


def _streamed(url: str, person: Person, path: str) -> str:
    """What the stream says until it has told that it lives."""
    text = ""
    headers = {"cookie": f"{COOKIE}={person.cookie}"}
    with httpx.stream("GET", url + path, headers=headers, timeout=30, trust_env=False) as stream:
        assert stream.status_code == 200
        for piece in stream.iter_text():
            text += piece
            if "event: at" in text:
                return text
    return text


@pytest.mark.parametrize("table", ["shop", "counter", "attempt", "takings", "takings_day", "counter_now", "incident",
                                   "installation", "reader", "account", "act", "batch"])  # fmt: skip
def test_the_database_shows_a_page_no_other_shop(database: Database, table: str) -> None:
    """Under each page: without a shop nothing, with one nothing of the other, whatever the query forgets to ask for."""
    with _two(database) as (_, one, _her, other, _him), database.connect_now(PAGE) as connection:
        column = {"installation": "life, shop, counter, state", "account": "account, name, shown"}.get(
            table, "*"
        )
        column = "shop" if table == "batch" else column
        for mine, theirs in ((one, other), (other, one), (None, one), (None, other)):
            with connection.transaction():
                shops = "" if mine is None else str(mine.shop)
                connection.execute("SELECT set_config('pos.shops', %s, true)", (shops,))
                text = repr(connection.execute(f"SELECT {column} FROM {table}").fetchall())
                assert theirs.leaked_in(text) == []
                assert mine is not None or text == "[]"


def test_no_screen_and_no_form_is_forgotten_here() -> None:
    """Each has its name in the tables that these tests walk: a route beside them would be tried by nobody."""
    walked = (
        {each.path for each in SCREENS}
        | {each.path for each in CHANGES}
        | {*OWN_WAYS, "/link/{token}", "/live"}
    )
    site = Site(Database("dbname=none"), config())
    paths = {route.path for route in site.routes() if isinstance(route, Route)}
    asyncio.run(site.stop())
    assert {each for each in paths if not re.fullmatch(r"/page/[a-z.]+", each)} == walked
