"""Plays one fault around one call; it must not choose which call is hit."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import msgspec

from pos_app.sandbox.codes import HTTP_ERRORS
from pos_app.sandbox.faults import Fault, FaultBook
from pos_app.sandbox.replies import JSON_TYPE, HttpError, Reply, json_reply, problem, problem_by_status

_any: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Any, float_hook=Decimal)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the reply leaves: None drops the connection, `sent` cuts it short, `gap_s` sends byte by byte."""

    reply: Reply | None
    sent: int | None = None
    gap_s: float = 0


class Call(Protocol):
    """One call of a service, which can be carried out any number of times."""

    operation: str

    def answer(self) -> Reply: ...
    def word(self, trouble: HttpError) -> Reply: ...
    def refuse(self, code: str) -> Reply: ...
    def customer_first(self) -> None: ...
    def succeed_late(self, delay_s: float) -> None: ...


async def play(fault: Fault, call: Call, book: FaultBook) -> Outcome:
    return await _PLAYERS[fault.kind](fault, call, book)


async def _delay(fault: Fault, call: Call, book: FaultBook) -> Outcome:
    reply = call.answer() if fault.at == "after" else None
    if not await book.pause(fault.delay_s):
        return Outcome(None)
    return Outcome(reply or call.answer())


async def _hold(fault: Fault, call: Call, book: FaultBook) -> Outcome:
    reply = call.answer() if fault.at == "after" else None
    if not await book.wait_for_release(call.operation):
        return Outcome(None)
    return Outcome(reply or call.answer())


async def _drop_before(_: Fault, __: Call, ___: FaultBook) -> Outcome:
    return Outcome(None)


async def _drop_after(_: Fault, call: Call, __: FaultBook) -> Outcome:
    call.answer()
    return Outcome(None)


async def _late(fault: Fault, call: Call, book: FaultBook) -> Outcome:
    book.later(fault.delay_s, call.answer)
    return Outcome(None)


async def _duplicate(_: Fault, call: Call, __: FaultBook) -> Outcome:
    call.answer()
    return Outcome(call.answer())


async def _status(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    if fault.at == "after":
        call.answer()
    status = fault.status or 503
    reply = _literal(fault, status)
    return Outcome(reply or call.word(problem_by_status(status, headers=tuple(fault.headers.items()))))


async def _throttle(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    headers = () if fault.retry_after is None else (("Retry-After", str(fault.retry_after)),)
    return Outcome(call.word(problem("TOO_MANY_REQUESTS", headers=headers)))


async def _token_expired(_: Fault, call: Call, __: FaultBook) -> Outcome:
    return Outcome(call.word(problem("UNAUTHENTICATED", "the token has expired")))


async def _garbage(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    reply = call.answer()
    if fault.size is not None:
        return Outcome(Reply(fault.status or 200, b"x" * fault.size, fault.content_type))
    half = Reply(fault.status or 200, reply.body[: len(reply.body) // 2], fault.content_type)
    return Outcome(_literal(fault, 200) or half)


async def _cut(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    reply = call.answer()
    return Outcome(reply, sent=len(reply.body) // 2 if fault.size is None else fault.size)


async def _drip(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    return Outcome(call.answer(), gap_s=fault.delay_s)


async def _reply(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    if fault.at == "after":
        call.answer()
    literal = _literal(fault, 200)
    if literal is not None:
        return Outcome(literal)
    if fault.code is not None and fault.code in HTTP_ERRORS:
        return Outcome(call.word(problem(fault.code)))
    return Outcome(call.refuse(fault.code or "5009"))


async def _edit(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    reply = call.answer()
    if reply.content_type != JSON_TYPE:
        return Outcome(reply)
    content: dict[str, Any] = _any.decode(reply.body)
    fields = content.get("response", content)
    for path, value in fault.set.items():
        owner, name = _owner(fields, path)
        owner[name] = value
    for path in fault.unset:
        owner, name = _owner(fields, path)
        owner.pop(name, None)
    return Outcome(json_reply(content, fault.status or reply.status))


def _owner(fields: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    """`data.serverRef` names a field of an object inside."""
    *outer, name = path.split(".")
    for part in outer:
        inner = fields.get(part)
        fields = inner if isinstance(inner, dict) else fields
    return fields, name


async def _cancel_loses(_: Fault, call: Call, __: FaultBook) -> Outcome:
    call.customer_first()
    return Outcome(call.answer())


async def _late_success(fault: Fault, call: Call, _: FaultBook) -> Outcome:
    reply = call.answer()
    call.succeed_late(fault.delay_s)
    return Outcome(reply)


def _literal(fault: Fault, status: int) -> Reply | None:
    headers = tuple(fault.headers.items())
    if fault.text is not None:
        return Reply(fault.status or status, fault.text.encode(errors="replace"), fault.content_type, headers)
    if fault.body is not msgspec.UNSET:
        content = json_reply(fault.body).body
        return Reply(fault.status or status, content, fault.content_type, headers)
    return None


_PLAYERS: Mapping[str, Callable[[Fault, Call, FaultBook], Awaitable[Outcome]]] = {
    "delay": _delay,
    "hold": _hold,
    "drop_before": _drop_before,
    "drop_after": _drop_after,
    "late": _late,
    "duplicate": _duplicate,
    "status": _status,
    "throttle": _throttle,
    "token_expired": _token_expired,
    "garbage": _garbage,
    "cut": _cut,
    "drip": _drip,
    "reply": _reply,
    "edit": _edit,
    "cancel_loses": _cancel_loses,
    "late_success_after_cancel": _late_success,
}
