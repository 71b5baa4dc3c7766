"""One operation of a service as an ASGI endpoint; it must not know the operations' rules."""

from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from pos_app.sandbox.exchange import check_method, check_types, peer_of, read_body, send_outcome, send_reply
from pos_app.sandbox.fault_play import play
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.payment_wire import RefusedError
from pos_app.sandbox.replies import Area, HttpError, Reply, problem, word

_AREAS = {"query": Area.QUERY, "validate_code": Area.OTP, "submit_code": Area.OTP}


class ServiceEndpoint:
    def __init__(self, operation: str, parts: Parts) -> None:
        self._operation = operation
        self._parts = parts
        self._area = _AREAS.get(operation, Area.PAYMENT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts, peer = self._parts, peer_of(scope)
        body = await read_body(receive)
        parts.connections.request_read(peer)
        call = ServiceCall(self._operation, self._area, parts, scope, body)
        fault = parts.faults.take(self._operation, body)
        if fault is None:
            reply = call.answer()
            parts.calls.add(parts.clock.now_s(), self._operation, reply.status, body)
            await send_reply(send, reply)
        else:
            call.recognise()
            outcome = await play(fault, call, parts.faults)
            status = outcome.reply.status if outcome.reply else None
            parts.calls.add(parts.clock.now_s(), self._operation, status, body)
            await send_outcome(outcome, peer, parts.connections, receive, send)


class ServiceCall:
    """One call; carrying it out twice is what a middlebox that repeats requests does."""

    def __init__(self, operation: str, area: Area, parts: Parts, scope: Scope, body: bytes) -> None:
        self.operation = operation
        self._area = area
        self._parts = parts
        self._scope = scope
        self._headers: Mapping[bytes, bytes] = dict(scope["headers"])
        self._body = body

    def answer(self) -> Reply:
        try:
            check_method(self._scope, "POST")
            check_types(self._headers)
            self.recognise(strict=True)
            if self._area is Area.OTP:
                return self._parts.otp.answer(self.operation, self._body)
            return self._parts.payments.answer(self.operation, self._headers, self._body)
        except HttpError as trouble:
            return self.word(trouble)

    def recognise(self, *, strict: bool = False) -> None:
        """Marks the connection as one with a token; `strict` raises when there is none."""
        scope = "otp" if self._area is Area.OTP else "payment"
        try:
            self._parts.accounts.check_token(
                self._headers.get(b"authorization", b"").decode("latin-1"), scope
            )
        except HttpError:
            if strict:
                raise
            return
        self._parts.connections.trust(peer_of(self._scope))

    def word(self, trouble: HttpError) -> Reply:
        return word(trouble, self._area, self._parts.board.now.http_error_body)

    def refuse(self, code: str) -> Reply:
        if self._area is Area.OTP:
            return self.word(problem("INTERNAL", code))
        return self._parts.payments.refuse(self.operation, RefusedError(code))

    def customer_first(self) -> None:
        target = self._parts.payments.target_of(self._body)
        if target is not None:
            try:
                self._parts.customer.act(target.wallet_id, "approve")
            except HttpError:
                return

    def succeed_late(self, delay_s: float) -> None:
        target = self._parts.payments.target_of(self._body)
        if target is not None:
            self._parts.customer.succeed_late(target.wallet_id, delay_s)
