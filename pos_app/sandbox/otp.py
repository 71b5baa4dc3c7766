"""The two operations of the one-time-password service; it must not know HTTP connections or faults."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.codes import OTP_PREFIX
from pos_app.sandbox.identity import Identity
from pos_app.sandbox.replies import Reply, json_reply, problem
from pos_app.sandbox.store import Store
from pos_app.sandbox.switches import SwitchBoard

PLACEHOLDER = "{{code}}"
_MSISDN = re.compile(r"[1-9][0-9]{6,14}")
_REFUSED_NUMBERS = {"4038": "PHONE_NUMBER_NOT_ALLOWED", "4039": "PHONE_NUMBER_BLOCKED"}
_PENDING, _SUCCESS, _ENDED = "PENDING_AUTH", "SUCCESS", "ENDED"
_COLUMNS = "number, server_ref, msisdn, text, code, status, tries, created_s"


class Verification(NamedTuple):
    number: int
    server_ref: str
    msisdn: str
    text: str
    code: str
    status: str
    tries: int
    created_s: float


class SendRequest(msgspec.Struct):
    msisdn: str
    message: str


class SubmitRequest(msgspec.Struct, rename="camel"):
    pin: str
    server_ref: str


_send = msgspec.json.Decoder(SendRequest)
_submit = msgspec.json.Decoder(SubmitRequest)


class OtpService:
    def __init__(self, store: Store, clock: SandboxClock, board: SwitchBoard, identity: Identity) -> None:
        self._store = store
        self._clock = clock
        self._board = board
        self._identity = identity
        self.sent: Callable[[str, str], None] | None = None
        """Told of each number and its code, whoever else looks into the inbox."""

    def answer(self, operation: str, body: bytes) -> Reply:
        """Raises HttpError for each row of the service's error table."""
        try:
            if operation == "validate_code":
                return self._validate_code(_send.decode(body))
            return self._submit_code(_submit.decode(body))
        except (ValueError, RecursionError) as error:
            detail = (
                str(error)
                if isinstance(error, msgspec.ValidationError)
                else "the body is no JSON of this service"
            )
            raise problem("INVALID_ARGUMENT", detail) from error

    def inbox(self, msisdn: str | None) -> list[Verification]:
        """Newest first; the number with or without its plus sign."""
        sql = f"SELECT {_COLUMNS} FROM verification WHERE ? IN ('', msisdn) ORDER BY number DESC LIMIT 1000"
        return [Verification(*row) for row in self._store.every(sql, (msisdn or "").lstrip("+ "))]

    def clear(self) -> None:
        self._store.change("DELETE FROM verification")

    def _validate_code(self, request: SendRequest) -> Reply:
        if not _MSISDN.fullmatch(request.msisdn):
            raise problem("INVALID_ARGUMENT", "msisdn is digits with country prefix, without a plus sign")
        if request.message.count(PLACEHOLDER) != 1 or len(request.message) > 1000:
            raise problem("INVALID_ARGUMENT", f"message holds {PLACEHOLDER} once and at most 1000 characters")
        refused = _REFUSED_NUMBERS.get(request.msisdn[-4:])
        if refused:
            raise problem(OTP_PREFIX + refused)
        switches, now_s = self._board.now, self._clock.now_s()
        sent = self._store.one(
            "SELECT count(*) FROM verification WHERE msisdn = ? AND created_s > ?",
            request.msisdn,
            now_s - switches.otp_send_window_s,
        )[0]
        if sent >= switches.otp_sends:
            raise problem(OTP_PREFIX + "MAX_OTP_CODES_EXCEEDED")
        number = int(self._store.one("SELECT coalesce(max(number), 0) + 1 FROM verification")[0])
        code = self._identity.otp_code(number)
        text = request.message.replace(PLACEHOLDER, code)
        new = Verification(
            number, self._identity.server_ref(number), request.msisdn, text, code, _PENDING, 0, now_s
        )
        with self._store.writing():
            if switches.otp_resend_ends_earlier:
                self._store.change(
                    "UPDATE verification SET status = ? WHERE msisdn = ? AND status = ?",
                    _ENDED,
                    new.msisdn,
                    _PENDING,
                )
            self._store.change(f"INSERT INTO verification ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *new)
        if self.sent is not None:
            self.sent(new.msisdn, code)
        return json_reply(_envelope(None, _data(new, _PENDING)))

    def _submit_code(self, request: SubmitRequest) -> Reply:
        if not request.pin or not request.server_ref:
            raise problem("INVALID_ARGUMENT", "pin" if request.server_ref else "serverRef")
        row = self._store.one(f"SELECT {_COLUMNS} FROM verification WHERE server_ref = ?", request.server_ref)
        if row is None:
            raise problem("NOT_FOUND", "serverRef")
        found, switches = Verification(*row), self._board.now
        if found.tries > switches.otp_tries:
            raise problem(OTP_PREFIX + "VERIFICATION_FAILED")
        is_old = self._clock.now_s() - found.created_s >= switches.otp_validity_s
        if found.status != _PENDING or is_old:
            raise problem(OTP_PREFIX + "VERIFICATION_EXPIRED")
        if found.tries == switches.otp_tries:
            self._count_try(found)
            return self._wrong("Max attempt exceeded")
        if request.pin != found.code:
            self._count_try(found)
            if switches.otp_wrong_pin == "invalid_otp" or self._belongs_to_another(found, request.pin):
                raise problem(OTP_PREFIX + "INVALID_OTP")
            return self._wrong("Wrong PIN")
        self._store.change("UPDATE verification SET status = ? WHERE number = ?", _SUCCESS, found.number)
        return json_reply(_envelope("Verification succeeded", _data(found, _SUCCESS)))

    def _count_try(self, found: Verification) -> None:
        self._store.change("UPDATE verification SET tries = tries + 1 WHERE number = ?", found.number)

    def _belongs_to_another(self, found: Verification, pin: str) -> bool:
        sql = "SELECT 1 FROM verification WHERE msisdn = ? AND code = ? AND number <> ?"
        return self._store.one(sql, found.msisdn, pin, found.number) is not None

    def _wrong(self, message: str) -> Reply:
        envelope = {"statusCode": "ERROR", "message": message, "data": None}
        return json_reply(envelope, self._board.now.otp_wrong_pin_http_status)


def _data(verification: Verification, status: str) -> Mapping[str, Any]:
    return {
        "status": status,
        "serverRef": verification.server_ref,
        "msisdn": f"tel:+{verification.msisdn}",
        "method": None,
        "description": None,
        "pinMeta": None,
        "serviceId": None,
    }


def _envelope(message: str | None, data: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"statusCode": "SUCCESS", "message": message, "data": data}
