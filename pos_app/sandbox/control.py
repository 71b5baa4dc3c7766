"""The control interface: the customer, the inbox, faults, clock and switches; it must not be reachable by a till."""

import hmac
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from starlette.datastructures import QueryParams
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pos_app.sandbox.clock import text_of
from pos_app.sandbox.customer import VERBS
from pos_app.sandbox.exchange import check_method, peer_of, read_body, send_reply
from pos_app.sandbox.faults import fault_decoder
from pos_app.sandbox.ledger import Transaction
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import json_reply, problem
from pos_app.sandbox.states import DESCRIPTIONS

_ACCOUNT = re.compile(r"\+[1-9][0-9]{6,14}")
T = TypeVar("T")


class Asked(NamedTuple):
    """A control request: what its path, query and body say."""

    path: Mapping[str, str]
    query: QueryParams
    body: bytes


class ScanRequest(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    then: Literal["approve", "reject", "ignore", "misread"] = "ignore"
    number: str = "+94770000001"


class ClockRequest(msgspec.Struct, forbid_unknown_fields=True):
    offset_s: float | None = None
    advance_s: float | None = None
    now: datetime | None = None


_scan = msgspec.json.Decoder(ScanRequest)
_clock = msgspec.json.Decoder(ClockRequest)
_any_object = msgspec.json.Decoder(dict[str, Any])

Handler = Callable[[Parts, Asked], Any]


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
        "/transactions": {"GET": _transactions},
        "/transactions/{some_id}": {"GET": _transaction},
        "/transactions/{some_id}/{verb}": {"POST": _act},
        "/pushes": {"GET": _pushes},
        "/scan": {"POST": _scan_code},
        "/sms": {"GET": _sms},
        "/faults": {"GET": _faults, "POST": _add_fault, "DELETE": _clear_faults},
        "/faults/release": {"POST": _release},
        "/switches": {"GET": _switches, "POST": _change_switches},
        "/clock": {"GET": _read_clock, "POST": _move_clock},
        "/token": {"POST": _renew_token},
        "/users": {"GET": _users},
        "/calls": {"GET": _calls},
        "/reset": {"POST": _reset},
    }
    return [Route(prefix + path, ControlEndpoint(parts, handlers)) for path, handlers in table.items()]


def _read(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    try:
        return decoder.decode(body)
    except (ValueError, RecursionError) as error:
        detail = str(error) if isinstance(error, msgspec.MsgspecError) else "no JSON"
        raise problem("INVALID_ARGUMENT", detail) from error


def _shown(parts: Parts, row: Transaction) -> dict[str, Any]:
    return {
        "walletTransactionId": row.wallet_id,
        "externalMerchantTransactionId": row.external_id,
        "kind": row.kind,
        "status": row.status,
        "statusDescription": DESCRIPTIONS[row.status],
        "transactionAmount": row.amount,
        "merchantPgIdentifier": row.merchant,
        "counterId": row.counter,
        "walletAccountNumber": row.account,
        "transactionDateTime": row.sent_at,
        "invoiceNumber": row.invoice,
        "paymentReference": row.reference,
        "qrEncryptedText": row.qr_text,
        "createdAt": text_of(row.created_s),
        "steps": [
            {"status": step.status, "by": step.cause, "at": text_of(step.at_s)}
            for step in parts.ledger.steps(row.wallet_id)
        ],
    }


def _transactions(parts: Parts, asked: Asked) -> Any:
    status = asked.query.get("status")
    where, values = (["status = ?"], [status]) if status else ([], [])
    return [_shown(parts, row) for row in parts.ledger.select(where, values)]


def _transaction(parts: Parts, asked: Asked) -> Any:
    return _shown(parts, parts.customer.find(asked.path["some_id"]))


def _act(parts: Parts, asked: Asked) -> Any:
    verb = asked.path["verb"]
    if verb not in VERBS:
        raise problem("NOT_FOUND", f"a customer can {', '.join(VERBS)}")
    return _shown(parts, parts.customer.act(asked.path["some_id"], verb))


def _pushes(parts: Parts, asked: Asked) -> Any:
    """What the customer's phone has rung with, newest first."""
    number = asked.query.get("number")
    # A plus sign in a query string is read as a space.
    where, values = (["account = ?"], ["+" + number.strip("+ ")]) if number else ([], [])
    return [_shown(parts, row) for row in parts.ledger.select(["kind = 'push'", *where], values)]


def _scan_code(parts: Parts, asked: Asked) -> Any:
    request = _read(_scan, asked.body)
    if not _ACCOUNT.fullmatch(request.number):
        raise problem("INVALID_ARGUMENT", "number is written as +94771234567")
    return _shown(parts, parts.customer.scan(request.text, request.then, request.number))


def _sms(parts: Parts, asked: Asked) -> Any:
    return [
        {
            "msisdn": row.msisdn,
            "text": row.text,
            "code": row.code,
            "serverRef": row.server_ref,
            "status": row.status,
            "sentAt": text_of(row.created_s),
        }
        for row in parts.otp.inbox(asked.query.get("msisdn"))
    ]


def _faults(parts: Parts, _: Asked) -> Any:
    return parts.faults.listed()


def _add_fault(parts: Parts, asked: Asked) -> Any:
    fault = _read(fault_decoder, asked.body)
    return {"id": parts.faults.add(fault), **parts.faults.listed()}


def _clear_faults(parts: Parts, _: Asked) -> Any:
    return {"cleared": parts.faults.clear(), "released": parts.faults.release()}


def _release(parts: Parts, _: Asked) -> Any:
    return {"released": parts.faults.release()}


def _switches(parts: Parts, _: Asked) -> Any:
    return parts.board.now


def _change_switches(parts: Parts, asked: Asked) -> Any:
    values = _read(_any_object, asked.body)
    try:
        return parts.board.change(values)
    except msgspec.ValidationError as error:
        raise problem("INVALID_ARGUMENT", str(error)) from error


def _read_clock(parts: Parts, _: Asked) -> Any:
    return {"now": text_of(parts.clock.now_s()), "offset_s": parts.clock.offset_s}


def _move_clock(parts: Parts, asked: Asked) -> Any:
    request = _read(_clock, asked.body)
    given = [value for value in (request.offset_s, request.advance_s) if value is not None]
    if len(given) + (request.now is not None) != 1 or any(abs(value) > 10**10 for value in given):
        raise problem(
            "INVALID_ARGUMENT", "give one of offset_s, advance_s (seconds) and now (a date and time)"
        )
    if request.now is not None:
        parts.clock.set_now(request.now)
    elif request.offset_s is not None:
        parts.clock.offset_s = request.offset_s
    else:
        parts.clock.offset_s += request.advance_s or 0
    return _read_clock(parts, asked)


def _renew_token(parts: Parts, _: Asked) -> Any:
    parts.faults.clear("token_expired")
    return {"access_token": parts.accounts.renew_access_token()}


def _users(parts: Parts, _: Asked) -> Any:
    client = parts.accounts.oauth_client
    users = [
        {
            "merchant_pg_identifier": user.merchant,
            "merchant_secret_code": user.secret_code,
            "merchant_password": user.password,
            "role": "admin" if user.is_admin else "viewer",
        }
        for user in parts.accounts.users
    ]
    return {"users": users, "oauth_client_id": client.client_id, "oauth_client_secret": client.client_secret}


def _calls(parts: Parts, asked: Asked) -> Any:
    return parts.calls.listed(asked.query.get("operation"))


def _reset(parts: Parts, _: Asked) -> Any:
    parts.reset()
    return {"reset": True}
