"""The code service: have a code sent, have one checked. Each request goes once. Lets nobody sign in."""

from __future__ import annotations

import re
import secrets as randomness
from collections.abc import Callable
from typing import Any, TypeVar

from pos_app.domain.otp import CODE_LENGTH
from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused, OtpSendReply, OtpSubmitReply
from pos_app.domain.secret import Secret
from pos_app.services import bodies, otp_wire
from pos_app.services.answers import excerpt, json_of, no_answer, retry_after_s, told, unreadable
from pos_app.services.client import Reply, ServiceClient
from pos_app.services.deadlines import USUAL, Deadlines
from pos_app.services.errors import ServiceError
from pos_app.services.fields import message
from pos_app.services.strict_json import Unreadable
from pos_app.services.token import Tokens, lack_of
from pos_app.system.boot_clock import seconds_since_boot

BASE = "/apicall/openapi/one-time-password-sms/v1"

_SHORTEST_CODE = 4
_CODE = re.compile(rf"\d{{{_SHORTEST_CODE},}}")

Success = TypeVar("Success")


class OtpSms:
    """Calls to the code service; safe for several threads at once. Never raises for what the service does."""

    def __init__(self, client: ServiceClient, tokens: Tokens, deadlines: Deadlines = USUAL) -> None:
        self._client = client
        self._tokens = tokens
        self._deadlines = deadlines

    def validate_code(self, msisdn: str, message: str) -> OtpSendReply:
        """Have a code sent. `msisdn` is digits with country prefix; `message` holds {{code}} once."""
        body = bodies.validate_code_body(msisdn, message)
        return self._call("validate-code", body, (), lambda document: otp_wire.sent(document, msisdn))

    def submit_code(self, pin: str, server_ref: str) -> OtpSubmitReply:
        """Have a code checked against the reference of the send it came with."""
        body = bodies.submit_code_body(pin, server_ref)
        said = (Secret(pin),) if len(pin) >= _SHORTEST_CODE and pin.isascii() and pin.isdigit() else ()
        return self._call("submit-code", body, said, lambda document: otp_wire.verified(document, server_ref))

    def nobodys_code(self) -> OtpSubmitReply:
        """Asked where nothing but the line and the sign-in is to be known: no SMS is sent.

        Whoever made up a reference is told that there is no such code, which says that the sign-in was good.
        """
        return self.submit_code("0" * CODE_LENGTH, randomness.token_hex(16))

    def no_token(self) -> NoAnswer | None:
        """Why there is no token to ask with; None where there is one."""
        return lack_of(self._tokens, self._deadlines.token_s)

    def _call(
        self, operation: str, body: bytes, said: tuple[Secret, ...], success: Callable[[Any], Success]
    ) -> Success | OtpRefused | NoAnswer:
        by = seconds_since_boot() + self._deadlines.otp_s
        try:
            token = self._tokens.token(self._deadlines.token_s)
            headers = {
                "Content-Type": "application/json" if body.isascii() else "application/json;charset=UTF-8",
                "Authorization": f"Bearer {token.reveal()}",
                "Accept": "application/json",
            }
            reply = self._client.post(f"{BASE}/{operation}", body, headers, by - seconds_since_boot())
        except ServiceError as error:
            return no_answer(error)
        if reply.status == 401:
            self._tokens.refused(token)
        try:
            return _read(reply, success, (token, *said))
        except Unreadable as error:
            return unreadable(reply, str(error), (token, *said))


def _read(
    reply: Reply, success: Callable[[Any], Success], secrets: tuple[Secret, ...]
) -> Success | OtpRefused | NoAnswer:
    """The envelope whatever the HTTP status; without one the HTTP errors by code and status."""
    try:
        document = json_of(reply)
    except Unreadable:
        said = excerpt(reply.body, ())
        if (refusal := otp_wire.http_refusal(reply.status, said)) is None:
            raise
        return _refused(refusal, reply, "", by_status=_says_nothing_of(refusal, reply, said))
    match otp_wire.outcome(document):
        case "SUCCESS":
            return success(document)
        case "ERROR":
            named = otp_wire.envelope_refusal(document, reply.status)
            return _refused(named, reply, _told(message(document), secrets))
    if (refusal := otp_wire.http_refusal(reply.status, document)) is None:
        raise Unreadable("neither an envelope nor an error of the service's table")
    return _refused(refusal, reply, "", by_status=_says_nothing_of(refusal, reply, document))


def _told(text: str, secrets: tuple[Secret, ...]) -> str:
    """A code that the service wrote into its refusal is nobody's to keep, whether or not it was the one typed."""
    return _CODE.sub("…", told(text, secrets))


def _says_nothing_of(refusal: OtpRefusal, reply: Reply, body: Any) -> bool:
    # How the service writes its HTTP errors is not said: it may leave their bodies empty.
    return bool(reply.body.strip()) and not otp_wire.names(body, refusal)


def _refused(refusal: OtpRefusal, reply: Reply, text: str, *, by_status: bool = False) -> OtpRefused:
    wait_s = retry_after_s(reply) if reply.status == 429 else None
    return OtpRefused(refusal, reply.status, text, wait_s, by_status)
