"""The merchant payment service: five operations, each answered by a value. Repeats no move of money."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import (
    CancelReply,
    InitiateReply,
    Listing,
    NoAnswer,
    QueryReply,
    Refused,
    StatusReply,
    Why,
)
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.services import bodies, wire
from pos_app.services.answers import answer, no_answer
from pos_app.services.call import MayLeave
from pos_app.services.client import ServiceClient
from pos_app.services.deadlines import USUAL, Deadlines
from pos_app.services.errors import ServiceError
from pos_app.services.token import Tokens, lack_of
from pos_app.system.boot_clock import seconds_since_boot

BASE = "/apicall/walletpos/v1/pay/external/merchant/transaction"

Success = TypeVar("Success")
Success_co = TypeVar("Success_co", covariant=True)

ANYTHING = QueryFilter()

_SOMETHING_LACKS = frozenset({"5001", "5015"})
_NOBODYS = "0"
"""No till makes such an id."""


class _Operation(msgspec.Struct, Generic[Success_co], frozen=True):
    path: str
    success: Callable[[Any], Success_co]
    status_needed: bool = True


_INITIATE = {kind: _Operation(f"initiate/{kind.value}", wire.initiated) for kind in Kind}
_GET_STATUS = _Operation("getstatus", wire.reported)
_CANCEL = _Operation("cancel", wire.cancelled)
_QUERY = _Operation("query", wire.listed, status_needed=False)


class Merchant(msgspec.Struct, frozen=True):
    """Who the shop is to the service. Secret code and password go in headers of every call."""

    merchant_id: str
    secret_code: Secret
    password: Secret


class Payments:
    """Calls to the service; safe for several threads at once. Never raises for what the service does."""

    def __init__(
        self,
        client: ServiceClient,
        merchant: Merchant,
        tokens: Tokens,
        qr_amount_field: bodies.QrAmountField = "chargeTotal",
        deadlines: Deadlines = USUAL,
    ) -> None:
        self._client = client
        self._merchant = merchant
        self._tokens = tokens
        self._qr_amount_field = qr_amount_field
        self._deadlines = deadlines

    def initiate_body(self, order: Order) -> bytes:
        """The bytes to make durable and then to send, each time the same (rule 1)."""
        return bodies.initiate_body(order, self._qr_amount_field)

    def initiate(self, kind: Kind, body: bytes, may_leave: MayLeave | None = None) -> InitiateReply:
        """Send a body made by `initiate_body`, once, if it still `may_leave` when its first byte is about to."""
        found, _ = self._once(_INITIATE[kind], body, self._deadlines.initiate_s, may_leave)
        return found

    def get_status(self, external_id: str = "", wallet_transaction_id: str = "") -> StatusReply:
        """Ask about a transaction by either id or both."""
        body = bodies.lookup_body(self._merchant.merchant_id, external_id, wallet_transaction_id)
        return self._asked(_GET_STATUS, body, self._deadlines.ask_s)

    def cancel(self, external_id: str = "", wallet_transaction_id: str = "") -> CancelReply:
        """Cancel a transaction by either id or both, once."""
        body = bodies.lookup_body(self._merchant.merchant_id, external_id, wallet_transaction_id)
        found, _ = self._once(_CANCEL, body, self._deadlines.cancel_s)
        return found

    def query(self, wanted: QueryFilter = ANYTHING) -> QueryReply:
        """One page of the service's list. Code 5014 is an empty list, not an error."""
        body = bodies.query_body(self._merchant.merchant_id, wanted)
        found = self._asked(_QUERY, body, self._deadlines.query_s)
        if isinstance(found, Refused) and found.code == wire.NOTHING_FOUND:
            return Listing()
        return found

    def todays_list(self) -> QueryReply:
        """The list since midnight, here: asked where nothing but the line and the sign-in is to be known.

        A service that lists by an id alone is asked by nobody's: whether it does so is not said.
        """
        found = self.query(QueryFilter(from_date=f"{datetime.now():%Y-%m-%d} 00:00:00"))
        if isinstance(found, Refused) and found.code in _SOMETHING_LACKS:
            by_id = self.query(QueryFilter(external_id=_NOBODYS))
            # A refusal of both is told as the first one was.
            return by_id if isinstance(by_id, Listing) else found
        return found

    def no_token(self) -> NoAnswer | None:
        """Why there is no token to ask with; None where there is one."""
        return lack_of(self._tokens, self._deadlines.token_s)

    def has_another_token(self) -> bool:
        """Whether the token was changed on this machine since the last call; may take as long as its place takes."""
        return self._tokens.has_changed()

    def _asked(
        self, operation: _Operation[Success], body: bytes, limit_s: float
    ) -> Success | Refused | NoAnswer:
        """A call that changes nothing: a refused token is replaced and the question put again at once."""
        by = seconds_since_boot() + limit_s
        found, token = self._once(operation, body, limit_s)
        if token is None or not _is_sign_in(found):
            return found
        try:
            another = self._tokens.token(by - seconds_since_boot())
        except ServiceError:
            return found
        if another == token:
            return found
        found, _ = self._once(operation, body, by - seconds_since_boot())
        return found

    def _once(
        self, operation: _Operation[Success], body: bytes, limit_s: float, may_leave: MayLeave | None = None
    ) -> tuple[Success | Refused | NoAnswer, Secret | None]:
        """One request and the token it carried. A refused token is reported to its provider."""
        by = seconds_since_boot() + limit_s
        token = None
        try:
            token = self._tokens.token(min(limit_s, self._deadlines.token_s))
            headers = self._headers(token, body)
            path, left_s = f"{BASE}/{operation.path}", by - seconds_since_boot()
            reply = self._client.post(path, body, headers, left_s, may_leave)
        except ServiceError as error:
            return no_answer(error), token
        secrets = (token, self._merchant.secret_code, self._merchant.password)
        found = answer(reply, operation.success, secrets, status_needed=operation.status_needed)
        if _is_sign_in(found):
            self._tokens.refused(token)
        return found, token

    def _headers(self, token: Secret, body: bytes) -> dict[str, str]:
        return {
            "Content-Type": "application/json" if body.isascii() else "application/json;charset=UTF-8",
            "Authorization": f"Bearer {token.reveal()}",
            "Accept": "application/json",
            "X-MERCHANT-SECRETCODE": self._merchant.secret_code.reveal(),
            "X-MERCHANT-PSW": self._merchant.password.reveal(),
        }


def _is_sign_in(found: object) -> bool:
    return isinstance(found, NoAnswer) and found.why is Why.SIGN_IN and found.sent
