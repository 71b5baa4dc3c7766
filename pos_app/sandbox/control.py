"""The control interface: its token, its routes; it must not be reachable with a till's token."""

import hmac
from collections.abc import Mapping

from starlette.datastructures import QueryParams
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pos_app.sandbox import control_people as people
from pos_app.sandbox import control_rig as rig
from pos_app.sandbox.control_wire import Asked, Handler
from pos_app.sandbox.exchange import check_method, peer_of, read_body, send_reply
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import json_reply, problem


class ControlEndpoint:
    def __init__(self, parts: Parts, handlers: Mapping[str, Handler]) -> None:
        self._parts = parts
        self._handlers = handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        self._parts.connections.request_read(peer_of(scope))
        self._check(scope, body)
        self._parts.connections.trust(peer_of(scope))
        query = QueryParams(scope["query_string"])
        asked = Asked(scope.get("path_params", {}), query, body or b"{}")
        await send_reply(send, json_reply(self._handlers[scope["method"]](self._parts, asked)))

    def _check(self, scope: Scope, body: bytes) -> None:
        headers = dict(scope["headers"])
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        wanted = self._parts.accounts.control_token.encode()
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token, wanted):
            raise problem("UNAUTHENTICATED", "the control token is needed")
        check_method(scope, ", ".join(self._handlers))
        content_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if body and content_type != b"application/json":
            raise problem("UNSUPPORTED_MEDIA_TYPE", "Content-Type is application/json")


def control_routes(parts: Parts, prefix: str) -> list[Route]:
    table: Mapping[str, Mapping[str, Handler]] = {
        "/transactions": {"GET": people.transactions},
        "/transactions/{some_id}": {"GET": people.transaction},
        "/transactions/{some_id}/{verb}": {"POST": people.act},
        "/pushes": {"GET": people.pushes},
        "/scan": {"POST": people.scan_code},
        "/sms": {"GET": people.sms},
        "/faults": {"GET": rig.faults, "POST": rig.add_fault, "DELETE": rig.clear_faults},
        "/faults/release": {"POST": rig.release},
        "/switches": {"GET": rig.switches, "POST": rig.change_switches},
        "/clock": {"GET": rig.read_clock, "POST": rig.move_clock},
        "/token": {"POST": rig.renew_token},
        "/users": {"GET": rig.users},
        "/calls": {"GET": rig.calls},
        "/reset": {"POST": rig.reset},
    }
    return [Route(prefix + path, ControlEndpoint(parts, handlers)) for path, handlers in table.items()]
