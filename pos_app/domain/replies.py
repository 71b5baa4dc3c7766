"""What came back from the services, as values: accepted, refused, or no answer. Nothing here decides."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

import msgspec


class Why(StrEnum):
    """Why there is no answer. The first three can only happen before a byte of the request left."""

    NAME = "name_not_resolved"
    CONNECT = "no_connection"
    TLS = "service_identity_not_proven"
    TIME_OUT = "time_out"
    BROKEN = "connection_broken"
    SIGN_IN = "sign_in_refused"
    FORBIDDEN = "forbidden"
    SLOW_DOWN = "slow_down"
    HTTP = "http_status"
    REDIRECT = "redirect"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"


class NoAnswer(msgspec.Struct, frozen=True, tag="no_answer"):
    """No reply that may be believed. `sent` is False only when no byte of the HTTP request reached a socket.

    `retry_after_s` is set for 429 (already clamped to 1–60). `detail` is for the log and the details box:
    plain text, at most 4,096 characters, secrets redacted.
    """

    why: Why
    sent: bool
    http_status: int = 0
    retry_after_s: float | None = None
    detail: str = ""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """A failure envelope with a code of the service (as text, kept even when unknown)."""

    code: str
    message: str = ""


class Accepted(msgspec.Struct, frozen=True, tag="accepted"):
    """Initiate's success. Fields the service left out or sent as null are empty."""

    wallet_transaction_id: str = ""
    external_id: str = ""
    qr_text: str = ""


class StatusReport(msgspec.Struct, frozen=True, tag="status"):
    """Get status' success: `name` is the service's text, untouched; missing fields are empty or None."""

    name: str
    external_id: str = ""
    wallet_transaction_id: str = ""
    amount: Decimal | None = None
    merchant_id: str = ""
    invoice_number: str = ""
    transaction_date_time: str = ""


class CancelAccepted(msgspec.Struct, frozen=True, tag="cancel_accepted"):
    """Cancel's success. It proves nothing by itself (rule 6: still ask)."""

    external_id: str = ""
    wallet_transaction_id: str = ""


class ListedTransaction(msgspec.Struct, frozen=True):
    """One row of the service's list (query)."""

    wallet_transaction_id: str = ""
    external_id: str = ""
    transaction_date_time: str = ""
    wallet_account_number: str = ""
    amount: Decimal | None = None
    status: str = ""
    status_description: str = ""


class Listing(msgspec.Struct, frozen=True, tag="listing"):
    """The transactions of one query page; empty for code 5014."""

    transactions: tuple[ListedTransaction, ...] = ()


class OtpSent(msgspec.Struct, frozen=True, tag="otp_sent"):
    """validate-code's success: an SMS is on its way. `msisdn` is digits only."""

    server_ref: str
    msisdn: str


class OtpVerified(msgspec.Struct, frozen=True, tag="otp_verified"):
    """submit-code's success, exactly as the service echoes it; who may sign in is decided elsewhere."""

    server_ref: str
    msisdn: str


class OtpRefusal(StrEnum):
    """The OTP service's refusals: its error codes and the two envelope messages."""

    WRONG_PIN = "WRONG_PIN"
    MAX_ATTEMPT_EXCEEDED = "MAX_ATTEMPT_EXCEEDED"
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    VERIFICATION_EXPIRED = "VERIFICATION_EXPIRED"
    VERIFICATION_FAILED = "VERIFICATION_FAILED"
    INVALID_OTP = "INVALID_OTP"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    MAX_OTP_CODES_EXCEEDED = "MAX_OTP_CODES_EXCEEDED"
    PHONE_NUMBER_NOT_ALLOWED = "PHONE_NUMBER_NOT_ALLOWED"
    PHONE_NUMBER_BLOCKED = "PHONE_NUMBER_BLOCKED"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    TOO_MANY_REQUESTS = "TOO_MANY_REQUESTS"
    INTERNAL = "INTERNAL"
    UNAVAILABLE = "UNAVAILABLE"
    TIMEOUT = "TIMEOUT"
    UNKNOWN = "UNKNOWN"


class OtpRefused(msgspec.Struct, frozen=True, tag="otp_refused"):
    """A readable refusal by the OTP service; `http_status` and `message` as they came.

    `by_status`: the HTTP status alone says so, and what stands beside it is nothing of the service's: any web server
    may have answered.
    """

    refusal: OtpRefusal
    http_status: int
    message: str = ""
    retry_after_s: float | None = None
    by_status: bool = False


InitiateReply = Accepted | Refused | NoAnswer
StatusReply = StatusReport | Refused | NoAnswer
CancelReply = CancelAccepted | Refused | NoAnswer
QueryReply = Listing | Refused | NoAnswer
OtpSendReply = OtpSent | OtpRefused | NoAnswer
OtpSubmitReply = OtpVerified | OtpRefused | NoAnswer
