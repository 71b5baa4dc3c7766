"""The catalogue: each fault by its row, whether the request reached the service, and what the till must hear."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from pos_app.domain.replies import Why
from tests.verification.campaign.proxy import replies as r
from tests.verification.campaign.proxy import tricks as t
from tests.verification.campaign.proxy.identities import BAD
from tests.verification.campaign.proxy.proxy import Exchange, Play
from tests.verification.campaign.proxy.texts import NO_JSON, NOT_OURS
from tests.verification.campaign.proxy.wire import Reply

PLACES = ("before", "head", "body")
UNPROVEN = (Why.TLS, Why.CONNECT)
"""On a busy machine a handshake may take longer than it is given."""

LATE = (Why.CONNECT, Why.TIME_OUT)
"""The address from before is tried after half the time there is; a busy machine may need all of it."""

GONE = (Why.BROKEN, Why.TIME_OUT)
NO_REPLY = (*GONE, Why.UNREADABLE)

BARE = (
    "400 Bad Request",
    "404 Not Found",
    "405 Method Not Allowed",
    "406 Not Acceptable",
    "415 Unsupported Media Type",
)
MOVED = (
    "301 Moved Permanently",
    "302 Found",
    "303 See Other",
    "307 Temporary Redirect",
    "308 Permanent Redirect",
)
WAITS = {
    32: {"a second": "1", "a date": "Thu, 01 Jan 2015 00:00:01 GMT"},
    33: {"nothing": "", "-1": "-1", "10^9": "1000000000", "soon": "soon"},
}
"""Row, and what its Retry-After says."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """`whys`: what the till's services may call it. `may_pass`: the right reply may come through it. `line`: a state
    of the road, `identity`: of the server's certificate, else `play`. `columns`: where it makes sense, all if empty.
    """

    row: int
    name: str
    whys: tuple[Why, ...] = ()
    play: Play | None = None
    line: str = ""
    identity: str = ""
    columns: tuple[str, ...] = ()
    may_pass: bool = False
    reached: bool = False


def evil_redirects(evil: str) -> list[tuple[str, str]]:
    """Where a redirect may point; `evil` is host:port of a server that must never hear a byte."""
    return [
        ("another host", f"https://{evil}/pay"),
        ("another host, http", f"http://{evil}/pay"),
        ("no scheme", f"//{evil}/pay"),
        ("user in the host", f"https://localhost@{evil}/"),
        ("this host", "/apicall/elsewhere"),
        ("nowhere", ""),
    ]


def catalogue(evil: str) -> list[Fault]:
    """All of them, in the order of their rows."""
    found = [
        *_lines(),
        *_broken(),
        *_copies(),
        *_lengths(),
        *_portals(),
        *_errors(),
        *_throttles(),
        *_redirects(evil),
        *_floods(),
        *_texts(),
        *_stale(),
    ]
    return sorted(found, key=lambda fault: fault.row)


def _lines() -> Iterator[Fault]:
    for state in ("nameless", "no_address"):
        yield Fault(row=17, name=state, line=state, whys=(Why.NAME,))
    yield Fault(row=17, name="no_resolver", line="no_resolver", whys=(Why.NAME,), columns=("G",))
    yield Fault(
        row=17,
        name="no_resolver for a name found before",
        line="no_resolver",
        whys=LATE,
        columns=("S", "T", "C", "O1", "O2"),
        may_pass=True,
    )
    for state in ("refused", "silent"):
        yield Fault(row=18, name=state, line=state, whys=(Why.CONNECT,))
    for identity in BAD:
        yield Fault(row=19, name=identity, identity=identity, whys=UNPROVEN)
    for identity in ("garbage in the handshake", "hang-up in the handshake"):
        yield Fault(row=19, name=identity, identity=identity, whys=UNPROVEN)
    yield Fault(row=16, name="the portal's identity", identity="signed by itself", whys=UNPROVEN)
    yield Fault(row=16, name="the portal without TLS", identity="plain", whys=UNPROVEN)


def _broken() -> Iterator[Fault]:
    for place in PLACES:
        for how, early in (("reset", t.reset_in_request), ("closed", t.closed_in_request)):
            yield Fault(row=20, name=f"{how} in {place}", whys=GONE, play=Play(early(place), early=True))
        for how, late in (("reset", t.reset_at), ("closed", t.closed_at)):
            yield from _both(21, f"{how} in reply's {place}", late(place), NO_REPLY, only=place != "before")
        yield from _both(21, f"silent in reply's {place}", t.silent_at(place), GONE, only=place != "before")
        yield from _both(24, f"slow in reply's {place}", t.slow_at(place), GONE, only=place == "body")
        yield from _both(25, f"garbage in reply's {place}", t.garbage_at(place), NO_REPLY, only=True)
    yield _passes(25, "a second reply that nobody asked for", r.and_another)
    yield _passes(20, "closed after a good reply", t.good_then_closed)
    yield _passes(24, "latency and jitter", t.late_but_in_time(0.1, 0.0))
    yield _passes(24, "a narrow line", t.late_but_in_time(0.0, 0.02))


def _both(
    row: int, name: str, trick: t.Trick, whys: tuple[Why, ...], *, only: bool = False
) -> Iterator[Fault]:
    """With the request lost on the way, unless `only`, and with the service having carried it out."""
    if not only:
        yield Fault(row=row, name=f"{name}, lost", whys=whys, play=Play(_lost(trick)))
    yield Fault(row=row, name=f"{name}, carried out", whys=whys, play=Play(_carried_out(trick)), reached=True)


def _passes(row: int, name: str, trick: t.Trick) -> Fault:
    return Fault(row=row, name=name, play=Play(_carried_out(trick)), may_pass=True, reached=True)


def _lost(trick: t.Trick) -> Callable[[Exchange], None]:
    def act(exchange: Exchange) -> None:
        trick(exchange, Reply(b"", b""))

    return act


def _carried_out(trick: t.Trick) -> Callable[[Exchange], None]:
    def act(exchange: Exchange) -> None:
        trick(exchange, exchange.truth())

    return act


def _copies() -> Iterator[Fault]:
    for name, after_s in (("after our time-out", 0.0), ("after a copy of it", 0.4)):
        yield Fault(
            row=22,
            name=name,
            whys=GONE,
            play=Play(t.arrives_late(after_s)),
            columns=("S", "C", "O1", "O2"),
        )
    for answer in (0, 1):
        yield Fault(
            row=23, name=f"reply number {answer + 1}", play=Play(t.twice(answer)), may_pass=True, reached=True
        )


def _stale() -> Iterator[Fault]:
    def act(exchange: Exchange) -> None:
        exchange.wire.send(exchange.stale().raw)

    for name in ("before it is paid", "after it is paid"):
        yield Fault(row=40, name=name, play=Play(act), may_pass=True, columns=("T",))


def _lengths() -> Iterator[Fault]:
    for name, trick in (
        ("length too long, closed", t.length_of(7, "close")),
        ("length too long, silent", t.length_of(7, "silence")),
        ("length too short", t.length_of(-7, "")),
        ("half a document", t.half_document),
        ("chunks without end", t.chunks_without_end),
        ("half, no length", t.no_length_half),
    ):
        yield from _both(25, name, trick, NO_REPLY, only=True)


def _errors() -> Iterator[Fault]:
    for status in ("502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"):
        yield from _both(26, f"HTML {status[:3]}", r.says(status, r.ERROR), (Why.HTTP,))
    for status in ("500 Internal Server Error", "503 Service Unavailable", "504 Gateway Timeout"):
        yield from _both(28, f"JSON {status[:3]}", r.says(status, r.FOREIGN, r.JSON), (Why.HTTP,))
        yield Fault(
            row=28,
            name=f"a true body under {status[:3]}",
            whys=(Why.HTTP,),
            play=Play(_carried_out(r.true_body(status))),
            reached=True,
            columns=("S", "T", "C", "G"),
        )
    for row, status, why in ((29, "401 Unauthorized", Why.SIGN_IN), (30, "403 Forbidden", Why.FORBIDDEN)):
        for name, body, kind in (("HTML", r.ERROR, r.HTML), ("JSON", r.FOREIGN, r.JSON), ("empty", b"", "")):
            yield from _both(row, name, r.says(status, body, kind), (why,))
    for status in BARE:
        yield from _both(31, f"HTML {status[:3]}", r.says(status, r.ERROR), (Why.HTTP,))
        yield from _both(31, f"empty {status[:3]}", r.says(status, b"", ""), (Why.HTTP,))


def _portals() -> Iterator[Fault]:
    redirect = r.says("302 Found", b"", r.HTML, "Location: http://login.example/")
    yield from _both(16, "the portal's page", r.says("200 OK", r.LOGIN), (Why.UNREADABLE,))
    yield from _both(16, "the portal's redirect", redirect, (Why.REDIRECT,))
    yield from _both(27, "HTML", r.says("200 OK", r.ERROR), (Why.UNREADABLE,))
    yield from _both(27, "204", r.raw(b"HTTP/1.1 204 No Content\r\n\r\n"), (Why.UNREADABLE,))
    for kind in ("text/plain", r.HTML, ""):
        trick = r.true_body("200 OK", kind)
        yield from _both(27, f"a true body as {kind or 'nothing'}", trick, (Why.UNREADABLE,), only=True)


def _throttles() -> Iterator[Fault]:
    for row, waits in WAITS.items():
        for name, wait in waits.items():
            headers = (f"Retry-After: {wait}", "Date: Thu, 01 Jan 2015 00:00:00 GMT") if wait else ()
            trick = r.says("429 Too Many Requests", r.FOREIGN, r.JSON, *headers)
            yield from _both(row, name, trick, (Why.SLOW_DOWN,))


def _redirects(evil: str) -> Iterator[Fault]:
    for status in MOVED:
        for name, where in evil_redirects(evil):
            trick = r.says(status, b"", r.HTML, *([f"Location: {where}"] if where else []))
            yield from _both(34, f"{status[:3]} to {name}", trick, (Why.REDIRECT,))


def _floods() -> Iterator[Fault]:
    for name, trick in (
        ("8 MiB of known length", r.too_long),
        ("endless chunks", r.endless_chunks),
        ("endless body", r.endless_body),
        ("endless 100", r.endless_hundreds),
    ):
        yield from _both(35, name, trick, (Why.TOO_LARGE, Why.TIME_OUT))
    yield from _both(35, "a header of 1 MB", r.long_header, NO_REPLY, only=True)
    yield from _both(35, "HTTP/0.9", r.body_alone, NO_REPLY)
    yield _passes(35, "300 headers", r.many_headers)
    yield from _both(36, "a bomb", r.bomb(), (Why.UNREADABLE,))
    for encoding in ("gzip", "br", "deflate", "zstd"):
        yield from _both(36, f"unasked {encoding}", r.packed(encoding), (Why.UNREADABLE,), only=True)


def _texts() -> Iterator[Fault]:
    for name, change in NO_JSON.items():
        yield from _both(37, name, r.changed(change), (Why.UNREADABLE,), only=True)
    for name, change in NOT_OURS.items():
        yield from _both(38, name, r.changed(change), (Why.UNREADABLE,), only=True)
