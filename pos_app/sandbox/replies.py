"""Replies and problems as values, and how each service words a problem; it must not know why one occurred."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from pos_app.sandbox.codes import HTTP_ERRORS, NAME_BY_STATUS

JSON_TYPE = "application/json"
_encoder = msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes
    content_type: str = JSON_TYPE
    headers: tuple[tuple[str, str], ...] = ()


class Area(Enum):
    """Whose words an error is put in."""

    PAYMENT = "payment"
    QUERY = "query"
    OTP = "otp"
    CONTROL = "control"


class HttpError(Exception):
    """An HTTP error, raised anywhere below the front door and worded there."""

    def __init__(
        self, status: int, name: str, message: str, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.name = name
        self.message = message
        self.headers = headers


def problem(name: str, detail: str = "", headers: tuple[tuple[str, str], ...] = ()) -> HttpError:
    """A problem by the name of the error table; `detail` says what exactly was wrong."""
    status, meaning = HTTP_ERRORS[name]
    return HttpError(status, name, f"{meaning} ({detail})" if detail else meaning, headers)


def problem_by_status(status: int, detail: str = "", headers: tuple[tuple[str, str], ...] = ()) -> HttpError:
    name = NAME_BY_STATUS.get(status, f"HTTP_{status}")
    return HttpError(status, name, detail or HTTP_ERRORS.get(name, (status, "Request refused"))[1], headers)


def json_reply(value: Any, status: int = 200) -> Reply:
    return Reply(status, _encoder.encode(value))


def word(trouble: HttpError, area: Area, shape: str) -> Reply:
    """The reply for a problem; the control interface does not follow `shape`, the switch http_error_body."""
    text = f"{trouble.name}: {trouble.message}"
    if area is Area.CONTROL:
        body = _encoder.encode({"error": trouble.name, "message": trouble.message})
        return Reply(trouble.status, body, JSON_TYPE, trouble.headers)
    if shape == "empty":
        return Reply(trouble.status, b"", "text/plain", trouble.headers)
    if shape == "plain":
        return Reply(trouble.status, text.encode(), "text/plain; charset=utf-8", trouble.headers)
    if shape == "html":
        page = f"<html><head><title>{trouble.status}</title></head><body><h1>{text}</h1></body></html>"
        return Reply(trouble.status, page.encode(), "text/html; charset=utf-8", trouble.headers)
    if shape == "json":
        fields = {"code": trouble.status, "status": trouble.name, "message": trouble.message}
        return Reply(trouble.status, _encoder.encode({"error": fields}), JSON_TYPE, trouble.headers)
    return Reply(trouble.status, _encoder.encode(_envelope(trouble, area, text)), JSON_TYPE, trouble.headers)


def _envelope(trouble: HttpError, area: Area, text: str) -> dict[str, Any]:
    if area is Area.OTP:
        return {"statusCode": "ERROR", "message": text, "data": None, "code": trouble.name}
    code = "5001" if trouble.status == 400 else str(trouble.status)
    if area is Area.QUERY:
        return {"response": {"message": text, "errorCode": code, "transactionList": []}}
    return {"response": {"status": "failure", "message": text, "code": code}}
