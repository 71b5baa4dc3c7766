"""Reads a request and sends a reply over ASGI; it must not know what either means."""

import asyncio
from collections.abc import Mapping

from starlette.types import Message, Receive, Scope, Send

from pos_app.sandbox.connections import Connections, Peer
from pos_app.sandbox.fault_play import Outcome
from pos_app.sandbox.replies import HttpError, Reply, problem

MOST_BODY = 64 * 1024
_NOTHING = b""
_BODILESS = (204, 304)


class GoneError(Exception):
    """The client went away before its request was whole."""


def peer_of(scope: Scope) -> Peer:
    host, port = scope["client"] or ("", 0)
    return host, port


async def read_body(receive: Receive) -> bytes:
    """The whole body, 64 kB at most."""
    message = await receive()
    body: bytes = message.get("body", _NOTHING)
    while message.get("more_body") and len(body) <= MOST_BODY:
        message = await receive()
        body += message.get("body", _NOTHING)
    if message["type"] == "http.disconnect":
        raise GoneError
    if len(body) > MOST_BODY:
        raise HttpError(413, "PAYLOAD_TOO_LARGE", "a request has at most 64 kB", (("Connection", "close"),))
    return body


def check_method(scope: Scope, allowed: str) -> None:
    if scope["method"] not in allowed.split(", "):
        raise problem("METHOD_NOT_ALLOWED", f"use {allowed}", (("Allow", allowed),))


def check_types(headers: Mapping[bytes, bytes]) -> None:
    """Both services want a JSON body and a caller that takes JSON back."""
    content_type = headers.get(b"content-type", _NOTHING)
    if content_type != b"application/json":
        kind, _, charset = content_type.lower().replace(b" ", b"").partition(b";")
        if kind != b"application/json" or charset not in (b"", b"charset=utf-8", b'charset="utf-8"'):
            raise problem("UNSUPPORTED_MEDIA_TYPE", "Content-Type is application/json")
    accept = headers.get(b"accept", _NOTHING)
    if accept != b"application/json":
        kinds = {part.split(b";")[0].strip() for part in accept.lower().split(b",")}
        if not kinds & {b"application/json", b"application/*", b"*/*"}:
            raise problem("NOT_ACCEPTABLE", "Accept is application/json")


def start_of(reply: Reply) -> Message:
    headers = [
        (b"content-type", reply.content_type.encode("latin-1", "replace")),
        (b"content-length", str(len(reply.body)).encode()),
    ]
    headers += [
        (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        for name, value in reply.headers
    ]
    return {"type": "http.response.start", "status": reply.status, "headers": headers}


async def send_reply(send: Send, reply: Reply) -> None:
    if reply.status in _BODILESS:
        reply = Reply(reply.status, _NOTHING, reply.content_type, reply.headers)
    await send(start_of(reply))
    await send({"type": "http.response.body", "body": reply.body})


async def send_outcome(
    outcome: Outcome, peer: Peer, connections: Connections, receive: Receive, send: Send
) -> None:
    """Sends what a fault made of a reply: all, a part, byte by byte, or nothing at all."""
    reply = outcome.reply
    if reply is not None and outcome.sent is None and not outcome.gap_s:
        await send_reply(send, reply)
        return
    if reply is not None:
        await send(start_of(reply))
        for at in range(len(reply.body) if outcome.gap_s else 0):
            await asyncio.sleep(outcome.gap_s)
            await send({"type": "http.response.body", "body": reply.body[at : at + 1], "more_body": True})
        if outcome.sent is None:
            await send({"type": "http.response.body", "body": _NOTHING})
            return
        await send({"type": "http.response.body", "body": reply.body[: outcome.sent], "more_body": True})
        # The transport is given a turn to hand the part to the socket before it is aborted.
        await asyncio.sleep(0.02)
    connections.drop(peer)
    while (await receive())["type"] != "http.disconnect":
        pass


class NotFound:
    """Answers every path that nothing is served at."""

    async def __call__(self, _: Scope, __: Receive, ___: Send) -> None:
        raise problem("NOT_FOUND", "nothing is served at this path")
