"""What an owner sees and what a browser refuses: live, lost, live again; nothing foreign runs; mirrored; on paper."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import datetime
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM

import pytest

from tests.integration.store.conftest import folder, made_once, store
from tests.integration.store.shop import Shop
from tests.support.owners import PASSWORD
from tests.support.store import PretendCounter, attempt
from tests.verification.proof.browser.browser import Browser, browser

__all__ = ["folder", "made_once", "store"]

HOSTILE = '<img src=x onerror="window.hit=1"><b>Front'


@pytest.fixture
def window() -> Iterator[Browser]:
    """A browser of this test's own."""
    with browser() as made:
        yield made


def _come_in(window: Browser, store: Shop, url: str) -> None:
    window.go(url + store.verb("link").objects[0]["link"])
    window.type_into("new", PASSWORD)
    window.type_into("again", PASSWORD)
    window.press("button.first")
    window.until("return document.getElementById('live')")


def _live(window: Browser) -> None:
    window.until("return document.getElementById('live').textContent === 'Live'")


def test_a_payment_is_on_the_screen_and_a_lost_line_says_so(store: Shop, window: Browser) -> None:
    """Nobody touches it: the sum changes, the line says how old it is while the store is dead, and lives again."""
    counter = PretendCounter(name=HOSTILE)
    wall = datetime.now().astimezone().isoformat(timespec="seconds")
    running, url = store.start()
    port = url.rpartition(":")[2]
    _come_in(window, store, url)
    assert window.run("return document.getElementById('sum').textContent").count("Nothing was taken yet") == 1
    with counter.at(url, store.code()):
        counter.pay("K7Q2MX-1-1", "1250.00", wall)
        counter.ship()
    _live(window)
    window.until("return document.getElementById('sum').textContent.includes('1,250.00')")
    running.send(SIGKILL).end()
    lost = window.until(
        "const it = document.getElementById('live'); return it.className === 'live lost' && it.textContent"
    )
    assert lost.startswith("No connection: figures as of ")
    assert window.run("return document.getElementById('sum').textContent.includes('1,250.00')")
    running, _ = store.start("--port", port)
    try:
        _live(window)
        with counter.at(url):
            counter.pay("K7Q2MX-2-1", "99.50", wall)
            counter.ship(4, 6)
        window.until("return document.getElementById('sum').textContent.includes('1,349.50')")
        # A name that would be a script elsewhere is a name here.
        assert window.run("return [window.hit, document.images.length]") == [None, 0]
        assert window.run(
            "return document.getElementById('counters').textContent.includes(arguments[0])", HOSTILE
        )
    finally:
        assert running.send(SIGTERM).end().code == 0


def test_a_line_that_says_nothing_is_lost(store: Shop, window: Browser) -> None:
    """As on a phone that changed its network: the connection stands, and nothing comes over it."""
    running, url = store.start()
    try:
        _come_in(window, store, url)
        _live(window)
        running.send(SIGSTOP)
        lost = window.until(
            "const it = document.getElementById('live'); return it.className === 'live lost' && it.textContent"
        )
        assert lost.startswith("No connection: figures as of ")
        running.send(SIGCONT)
        _live(window)
    finally:
        assert running.send(SIGCONT).send(SIGTERM).end().code == 0


def test_whose_session_has_ended_meanwhile_is_told_so(store: Shop, window: Browser) -> None:
    """The line was lost, and with the next one nobody is in: no figures stand there as if it were lost still."""
    running, url = store.start()
    _come_in(window, store, url)
    _live(window)
    running.send(SIGKILL).end()
    window.until("return document.getElementById('live').className === 'live lost'")
    window.command("DELETE", "/cookie")
    running, _ = store.start("--port", url.rpartition(":")[2])
    try:
        window.until("return location.pathname === '/in' && document.getElementById('password')")
    finally:
        assert running.send(SIGTERM).end().code == 0


def test_an_owner_reads_it_on_a_phone(store: Shop, window: Browser) -> None:
    """No figure, no next step and no bar of the chart stands beside the screen."""
    counter = PretendCounter(name="The counter by the window that looks out on the street")
    wall = datetime.now().astimezone().isoformat(timespec="seconds")
    counter.pay("K7Q2MX-1-1", "1234567.50", wall, tapped_wall=wall)
    counter.write(wall=wall, attempt=attempt("K7Q2MX-2-1", "DISPUTED", "55.00", tapped_wall=wall))
    window.told("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
    beside = (
        "return [...document.querySelectorAll('td, td *, tbody th, .chart rect')].filter((each) =>"
        " each.checkVisibility() && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)"
    )
    with store.served() as url:
        with counter.at(url, store.code()):
            counter.ship()
        _come_in(window, store, url)
        for path in ("/", "/attention", "/counters", "/find?amount=55.00", "/days", "/people", "/acts"):
            window.go(url + path)
            assert window.run("return document.querySelectorAll('td').length"), path
            assert window.run(beside) == [], path


def test_what_somebody_injects_does_not_run(store: Shop, window: Browser) -> None:
    """The policy of the page itself: no inline script, no handler, no style of its own, nobody else is asked."""
    with store.served() as url:
        _come_in(window, store, url)
        window.run(
            "document.addEventListener('securitypolicyviolation', (e) => {"
            " (window.refused = window.refused || []).push(e.effectiveDirective); });"
            "const script = document.createElement('script'); script.textContent = 'window.hit = 1';"
            "const there = document.createElement('div');"
            'there.innerHTML = \'<p id=trap onclick="window.hit = 2" style="color: red">x</p>'
            '<img src="https://elsewhere.example/x">\';'
            "document.body.append(script, there); document.getElementById('trap').click();"
        )
        refused = window.until("return window.refused && window.refused.length >= 4 && window.refused")
        assert window.run("return window.hit") is None
        assert {"script-src-elem", "script-src-attr", "style-src-attr", "img-src"} <= {*refused}
        cookie = window.command("GET", "/cookie")[0]
        assert (cookie["httpOnly"], cookie["secure"], cookie["sameSite"]) == (True, True, "Strict")
        assert window.run("return document.cookie") == ""


def test_it_is_mirrored_large_dark_and_on_paper(store: Shop, window: Browser) -> None:
    with store.served() as url:
        _come_in(window, store, url)
        where = "return document.querySelector('.brand').getBoundingClientRect().left / window.innerWidth"
        assert window.run(where) < 0.5
        window.go(f"{url}/you")
        window.press("input[value=ar]")
        window.press("form[action='/you/language'] button")
        window.go(url)
        assert window.run("return [document.documentElement.dir, document.documentElement.lang]") == [
            "rtl",
            "ar",
        ]
        assert window.run(where) > 0.5

        window.command("POST", "/window/rect", {"width": 700, "height": 900})
        window.run("document.documentElement.style.fontSize = '200%'")
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        for path in ("/", "/attention", "/counters", "/people", "/acts", "/you"):
            window.go(url + path)
            window.run("document.documentElement.style.fontSize = '200%'")
            assert window.run(wide) <= 0, path

        colour = "return getComputedStyle(document.body).backgroundColor"
        light = window.run(colour)
        window.told(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
        )
        assert window.run(colour) != light
        window.told("Emulation.setEmulatedMedia", media="print", features=[])
        assert window.run("return getComputedStyle(document.querySelector('.rooms')).display") == "none"
        paper = base64.b64decode(window.command("POST", "/print", {}))
        assert paper.startswith(b"%PDF-")
