"""Control: the test rig (faults, switches, clock, token, calls, reset); it must not play the customer."""

from datetime import datetime
from typing import Any

import msgspec

from pos_app.sandbox.clock import text_of
from pos_app.sandbox.control_wire import Asked, read
from pos_app.sandbox.faults import fault_decoder
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import problem


class ClockRequest(msgspec.Struct, forbid_unknown_fields=True):
    offset_s: float | None = None
    advance_s: float | None = None
    now: datetime | None = None


_FARTHEST_S = 1e10
_clock = msgspec.json.Decoder(ClockRequest)
_any_object = msgspec.json.Decoder(dict[str, Any])


def faults(parts: Parts, _: Asked) -> Any:
    return parts.faults.listed()


def add_fault(parts: Parts, asked: Asked) -> Any:
    fault = read(fault_decoder, asked.body)
    return {"id": parts.faults.add(fault), **parts.faults.listed()}


def clear_faults(parts: Parts, _: Asked) -> Any:
    return {"cleared": parts.faults.clear(), "released": parts.faults.release()}


def release(parts: Parts, _: Asked) -> Any:
    return {"released": parts.faults.release()}


def switches(parts: Parts, _: Asked) -> Any:
    return parts.board.now


def change_switches(parts: Parts, asked: Asked) -> Any:
    values = read(_any_object, asked.body)
    try:
        return parts.board.change(values)
    except msgspec.ValidationError as error:
        raise problem("INVALID_ARGUMENT", str(error)) from error


def read_clock(parts: Parts, _: Asked) -> Any:
    return {"now": text_of(parts.clock.now_s()), "offset_s": parts.clock.offset_s}


def move_clock(parts: Parts, asked: Asked) -> Any:
    request = read(_clock, asked.body)
    given = (request.offset_s, request.advance_s, request.now)
    if sum(value is not None for value in given) != 1:
        raise problem(
            "INVALID_ARGUMENT", "give one of offset_s, advance_s (seconds) and now (a date and time)"
        )
    if request.now is not None:
        offset_s = parts.clock.offset_to(request.now)
    elif request.offset_s is not None:
        offset_s = request.offset_s
    else:
        offset_s = parts.clock.offset_s + (request.advance_s or 0)
    if abs(offset_s) > _FARTHEST_S:
        raise problem("INVALID_ARGUMENT", "the clock moves at most some 300 years")
    parts.clock.offset_s = offset_s
    return read_clock(parts, asked)


def renew_token(parts: Parts, _: Asked) -> Any:
    parts.faults.clear("token_expired")
    return {"access_token": parts.accounts.renew_access_token()}


def users(parts: Parts, _: Asked) -> Any:
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


def calls(parts: Parts, asked: Asked) -> Any:
    return parts.calls.listed(asked.query.get("operation"))


def reset(parts: Parts, _: Asked) -> Any:
    parts.reset()
    return {"reset": True}
