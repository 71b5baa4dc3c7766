"""How each fault of the line can look: bytes, silence, or an HTTP status, by row of the matrix."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pos_app.services.errors import Broken, Garbled, Redirected, ServiceError, TimedOut, TooLarge
from tests.verification.matrix.line import Reading
from tests.verification.matrix.wire import Raw, fields_of, heard, inside, written

HTML = b"<html><body><h1>Please log in to the network</h1></body></html>"
WAITS = ("1", "5", "20", "60", "Wed, 15 Nov 2023 12:00:09 GMT")
ABSURD = ("", "-1", "1000000000", "soon", "Wed, 15 Nov 1989 12:00:00 GMT")
UNKNOWN_CODES = ("5999", "42", "E-17")

Make = Callable[[Any], Raw | ServiceError]
Readings = Callable[[str, Random], Reading]


def _wire(name: str, make: Make, **told: Any) -> Reading:
    return Reading(name=name, bend=lambda honest: heard(honest, make(honest)), **told)


def _seen(dice: Random) -> bool:
    """Whether the service had looked at the request: the reply does not tell."""
    return dice.random() < 0.5


def _unsent(name: str) -> Readings:
    return lambda _operation, _dice: Reading(name=name, unsent=name)


def _portal(_operation: str, dice: Random) -> Reading:
    if dice.random() < 0.5:
        return Reading(name="no_tls", unsent="no_tls")
    return _wire("portal page", lambda _: Raw(HTML, 200, "text/html"), arrives=False)


def _reset_before(_operation: str, _dice: Random) -> Reading:
    return _wire("reset", lambda _: Broken("reset"), arrives=False)


def _lost_after(_operation: str, dice: Random) -> Reading:
    if dice.random() < 0.5:
        return _wire("reset after", lambda _: Broken("reset"))
    return _wire("silence after", lambda _: TimedOut("no reply"), silent=True)


def _late(_operation: str, dice: Random) -> Reading:
    late = dice.randrange(15_000, 40_000)
    return _wire("late", lambda _: TimedOut("no reply"), silent=True, late_ms=late)


def _twice(operation: str, dice: Random) -> Reading:
    second = operation != "otp" and dice.random() < 0.5
    return Reading(name="twice", twice_ms=dice.randrange(50, 2_000), second=second)


def _slow(_operation: str, _dice: Random) -> Reading:
    return _wire("slow bytes", lambda _: TimedOut("no complete reply"), silent=True)


def _half(_operation: str, dice: Random) -> Reading:
    if dice.random() < 0.3:
        return _wire("wrong length", lambda _: Broken("ended early"), arrives=_seen(dice))
    share = dice.random()

    def cut(honest: Any) -> Raw:
        whole = written(fields_of(honest))
        return Raw(whole[: int(len(whole) * share)])

    return _wire("half JSON", cut)


def _status(
    *statuses: int, body: bytes = b"", kind: str = "text/html", waits: tuple[str, ...] = ("",)
) -> Readings:
    def reading(_operation: str, dice: Random) -> Reading:
        status, wait = dice.choice(statuses), dice.choice(waits)
        unseen = 400 <= status < 500
        return _wire(
            f"HTTP {status} {wait}".strip(),
            lambda _: Raw(body, status, kind, wait),
            arrives=not unseen and _seen(dice),
        )

    return reading


def _not_json(_operation: str, dice: Random) -> Reading:
    which = dice.choice(("html", "text/plain", "no type", "204", "empty"))

    def make(honest: Any) -> Raw:
        match which:
            case "html":
                return Raw(HTML, 200, "text/html")
            case "204":
                return Raw(b"", 204, "")
            case "empty":
                return Raw(b"")
        return Raw(written(fields_of(honest)), 200, "" if which == "no type" else which)

    return _wire(which, make, arrives=which in ("text/plain", "no type") or _seen(dice))


def _failed(name: str, make: Callable[[], ServiceError]) -> Readings:
    return lambda _operation, dice: _wire(name, lambda _: make(), arrives=_seen(dice))


def _redirect(_operation: str, dice: Random) -> Reading:
    status = dice.choice((301, 302, 303, 307, 308))
    return _wire(f"HTTP {status}", lambda _: Redirected("never followed", status), arrives=_seen(dice))


def wire_reading(name: str, error: ServiceError, *, arrives: bool = True) -> Reading:
    """The till's time is up with this error."""
    return _wire(name, lambda _: error, silent=True, arrives=arrives)


BAD_JSON = {
    "NaN": b"NaN",
    "Infinity": b"-Infinity",
    "1e400": b"1e400",
    "5,000 digits": b"9" * 5_000,
    "deep": b"[" * 5_000 + b"]" * 5_000,
    "not UTF-8": b'"\xff\xfe"',
    "half a pair": b'"\\ud800"',
}


def _bad_json(_operation: str, dice: Random) -> Reading:
    name = dice.choice(tuple(BAD_JSON))

    def make(honest: Any) -> Raw:
        whole = written(fields_of(honest))
        return Raw(whole[:-1] + b', "extra": ' + BAD_JSON[name] + b"}")

    return _wire(name, make)


def _wrong_types(_operation: str, dice: Random) -> Reading:
    which = dice.choice(("a list", "missing", "twice", "object as id", "true"))

    def make(honest: Any) -> Raw:
        document = fields_of(honest)
        outer = "data" if "data" in document else "response"
        match which:
            case "a list":
                document[outer] = [document[outer]]
            case "missing":
                del document[outer]
            case "twice":
                whole = written(document)
                return Raw(whole[:-1] + b", " + whole[1:])
            case "object as id":
                for name in document[outer]:
                    document[outer][name] = {}
            case _:
                for name in document[outer]:
                    document[outer][name] = True
        return Raw(written(document))

    return _wire(which, make)


def _code(*codes: str) -> Readings:
    def reading(_operation: str, dice: Random) -> Reading:
        code = dice.choice(codes)
        failure = {"response": {"status": "failure", "code": code, "message": "no"}}
        return _wire(code, lambda _: Raw(written(failure)), arrives=False)

    return reading


def _odd_code(operation: str, dice: Random) -> Reading:
    """An envelope that contradicts itself, or names a code nobody described."""
    if operation == "otp":
        failure: dict[str, Any] = {"statusCode": "ERROR", "message": dice.choice(UNKNOWN_CODES), "data": None}
        return _wire("unknown refusal", lambda _: Raw(written(failure)))
    which = dice.choice(("unknown", "none", "success with a code"))

    def make(honest: Any) -> Raw:
        if which == "success with a code":
            document = fields_of(honest)
            document["response"] |= {"status": "success", "code": "5003"}
            return Raw(written(document))
        code = {"code": dice.choice(UNKNOWN_CODES)} if which == "unknown" else {}
        return Raw(written({"response": {"status": "failure", "message": "no", **code}}))

    return _wire(which, make, arrives=_seen(dice) if which != "success with a code" else True)


def changed(name: str, **fields: Any) -> Reading:
    """The honest reply with some fields different; a function is given the honest value."""

    def make(honest: Any) -> Raw:
        document = fields_of(honest)
        found = inside(document)
        for field, value in fields.items():
            if field in found:
                found[field] = value(found[field]) if callable(value) else value
        return Raw(written(document))

    return _wire(name, make)


def refusal(name: str, status: int) -> Reading:
    """The code service says no, in its envelope or as an HTTP error."""
    body: dict[str, Any] = {"statusCode": "ERROR", "message": name, "data": None}
    if status != 200:
        body = {"error": {"code": name}}
    return _wire(name, lambda _: Raw(written(body), status))


JSON_ERROR = b'{"error": {"code": "X", "message": "try later"}}'

BY_ROW: dict[int, Readings] = {
    16: _portal,
    17: _unsent("no_name"),
    18: _unsent("no_connection"),
    10: _unsent("no_tls"),
    19: _unsent("no_tls"),
    20: _reset_before,
    21: _lost_after,
    22: _late,
    23: _twice,
    24: _slow,
    25: _half,
    26: _status(502, 503, 504, body=HTML),
    27: _not_json,
    28: _status(500, 503, 504, body=JSON_ERROR, kind="application/json"),
    29: _status(401, body=HTML),
    30: _status(403, body=HTML),
    31: _status(400, 404, 405, 406, 415, body=HTML),
    32: _status(429, waits=WAITS),
    33: _status(429, waits=ABSURD),
    34: _redirect,
    35: _failed("2 MiB", lambda: TooLarge("more than 1048576 bytes", 200)),
    36: _failed("gzip", lambda: Garbled("an encoded reply, which was not asked for", 200)),
    37: _bad_json,
    38: _wrong_types,
    43: _code("5000"),
    44: _code("5006", "5007"),
    45: _code("5009"),
    46: _code("5008", "5011", "5012"),
    47: _odd_code,
}


def reading(row: int, operation: str, dice: Random) -> Reading:
    """One way this row's fault can look at this operation."""
    return BY_ROW[row](operation, dice)
