"""Wrong service layers and tills, each with the fault that must show it.

python -m tests.verification.campaign.proxy.planted
"""

from __future__ import annotations

import json
import ssl
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import httpcore
import httpx
import msgspec

from pos_app.domain.replies import NoAnswer
from pos_app.services import answers, call, client, errors, http, origin, payments, reuse, strict_json, trust
from tests.verification.campaign.proxy import matrix
from tests.verification.campaign.proxy.case import Case, case_of, faults_of
from tests.verification.campaign.proxy.faults import Fault, catalogue
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.story import play
from tests.verification.simulation.planting import Plant, Planter, planted
from tests.verification.simulation.wrong_tills import WRONG_TILLS


def follows_redirects(planter: Planter) -> None:
    """The library's own way with 3xx, to whatever host."""
    right = httpx.Client.__init__

    def made(client: httpx.Client, **how: Any) -> None:
        right(client, **how)
        client.follow_redirects = True

    def handle(transport: Any, request: httpx.Request) -> httpx.Response:
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        wanted = httpcore.Request(request.method, target, headers=request.headers.raw, content=request.stream)
        reply = transport._pool.handle_request(wanted)
        return httpx.Response(reply.status, headers=reply.headers, stream=http.Body(reply.stream))

    planter.put(httpx.Client, "__init__", made)
    planter.put(http.Transport, "handle_request", handle)
    planter.put(origin.Origin, "require", lambda *_: None)
    planter.put(http, "_read", lambda reply, _: (reply.status_code, dict(reply.headers), reply.read()))


def believes_anybody(planter: Planter) -> None:
    """Certificates are not looked at."""

    def wrong(ca_file: str = "") -> ssl.SSLContext:
        context: ssl.SSLContext = right(ca_file)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context

    right = planter.put(trust, "trust", wrong)


def last_key_wins(planter: Planter) -> None:
    """JSON as the standard library reads it."""
    planter.put(strict_json, "_DECODER", json.JSONDecoder(parse_float=strict_json.number))


def any_status_will_do(planter: Planter) -> None:
    """The body is read, whatever the HTTP status."""

    def wrong(reply: client.Reply, *rest: Any, **how: Any) -> Any:
        return right(msgspec.structs.replace(reply, status=200), *rest, **how)

    right = planter.put(answers, "answer", wrong)
    planter.put(payments, "answer", wrong)


def any_type_will_do(planter: Planter) -> None:
    """What looks like JSON is JSON."""
    decode = strict_json.decode

    def wrong(reply: client.Reply) -> Any:
        return decode(reply.body)

    planter.put(answers, "json_of", wrong)


def no_cap(planter: Planter) -> None:
    """A reply may be as long as it likes."""
    planter.put(call, "BODY_CAP", 1 << 40)
    planter.put(http, "BODY_CAP", 1 << 40)


def broken_is_not_sent(planter: Planter) -> None:
    """What ended early never left."""
    planter.put(errors.Broken, "sent", False)


def each_read_anew(planter: Planter) -> None:
    """The deadline starts again with each byte."""
    planter.put(call.Call, "time_left", lambda _: 1.0)


def unpacks(planter: Planter) -> None:
    """Packed replies are read as they are."""

    def wrong(reply: Any, under_way: call.Call) -> http.RawReply:
        if "content-encoding" in reply.headers:
            return reply.status_code, dict(reply.headers), b"".join(reply.iter_bytes())
        read: http.RawReply = right(reply, under_way)
        return read

    right = planter.put(http, "_read", wrong)


def keeps_every_connection(planter: Planter) -> None:
    """Bytes nobody asked for become the next reply."""
    planter.put(reuse, "may_carry_another", lambda *_, **__: True)


def silence_is_no(planter: Planter) -> None:
    """No answer is a refusal."""

    def wrong(error: errors.ServiceError) -> NoAnswer:
        return NoAnswer(error.why, sent=False)

    planter.put(payments, "no_answer", wrong)


SERVICES: dict[str, tuple[Plant, str, str]] = {
    "follows redirects": (follows_redirects, "34/S/push", "307 to another host, http, lost"),
    "believes anybody": (believes_anybody, "19/S/push", "from an unknown root"),
    "last key wins": (last_key_wins, "38/T/push", "a key twice, carried out"),
    "any status will do": (any_status_will_do, "28/T/push", "a true body under 503"),
    "any type will do": (any_type_will_do, "27/T/qr", "a true body as text/html, carried out"),
    "no cap": (no_cap, "35/T/push", "8 MiB of known length, lost"),
    "broken is not sent": (broken_is_not_sent, "20/S/push", "reset in body"),
    "each read anew": (each_read_anew, "24/S/qr", "slow in reply's body, carried out"),
    "unpacks": (unpacks, "36/T/push", "unasked gzip, carried out"),
    "keeps every connection": (keeps_every_connection, "25/T/push", "a second reply that nobody asked for"),
    "silence is no": (silence_is_no, "21/S/push", "silent in reply's before, carried out"),
}
TILLS: dict[str, tuple[str, str]] = {
    "time_out_is_failed": ("22/S/push", "after our time-out"),
    "http_502_is_failed": ("26/S/qr", "HTML 502, carried out"),
    "http_401_is_failed": ("29/S/push", "JSON, carried out"),
    "http_429_is_failed": ("33/S/push", "soon, carried out"),
    "broken_write_is_not_sent": ("20/S/qr", "closed in head"),
    "code_5006_is_cancelled": ("23/C/push", "reply number 2"),
    "code_5009_is_failed": ("21/S/push", "reset in reply's before, lost"),
}
WRONG: dict[str, tuple[Plant, str, str]] = {
    **SERVICES,
    **{name: (WRONG_TILLS[name], *where) for name, where in TILLS.items()},
}


def directed(faults: Sequence[Fault], cell: str, name: str, again: int = 0) -> Case:
    """The case of a cell that plays this fault; `again` varies the circumstances."""
    known = {matrix.name(*each): each for each in matrix.cells()}
    row, column, _ = known[cell]
    names = [fault.name for fault in faults_of(faults, row, column)]
    return case_of(faults, names.index(name) + again * len(names), known[cell])


def caught(shop: Shop, name: str, tries: int = 6) -> Iterator[str]:
    """What is found while this bug is planted, by the fault meant for it under some circumstances."""
    plant, cell, fault = WRONG[name]
    faults = catalogue(shop.evil.address)
    with planted(plant):
        for again in range(tries):
            folder = shop.folder / f"{name.replace(' ', '-')}-{again}"
            found = [*play(shop, folder, directed(faults, cell, fault, again)).findings]
            found += shop.accidents.take()
            found += [f"{shop.evil.visits} connections to the host of a redirect"] if shop.evil.visits else []
            shop.evil.visits = 0
            if found:
                yield from found
                return


def main() -> int:
    """0 when each is caught."""
    missed = []
    with Shop() as shop:
        for name in WRONG:
            found = next(caught(shop, name), "")
            missed += [] if found else [name]
            sys.stdout.write(f"{name:26} {found[:160] or 'NOT CAUGHT'}\n")
            sys.stdout.flush()
    tail = f", missed: {', '.join(missed)}" if missed else ""
    sys.stdout.write(f"{len(WRONG) - len(missed)} of {len(WRONG)} wrong tills caught by the proxy{tail}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
