"""The merchant payment service: get status, cancel, query; it must not know connections or faults."""

from collections.abc import Callable, Mapping

import msgspec

from pos_app.sandbox import states
from pos_app.sandbox.accounts import Accounts, User
from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.codes import BUSINESS_CODES
from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.payment_initiate import Initiation
from pos_app.sandbox.payment_query import items_of, run_query
from pos_app.sandbox.payment_users import check_admin, check_merchant, user_of
from pos_app.sandbox.payment_wire import (
    Details,
    FindRequest,
    QueryRequest,
    RefusedError,
    Request,
    decode,
    echoed_amount,
    echoed_id,
    needed,
    response,
)
from pos_app.sandbox.replies import HttpError, Reply
from pos_app.sandbox.switches import SwitchBoard

_find = msgspec.json.Decoder(Request[FindRequest])
_query = msgspec.json.Decoder(Request[QueryRequest])


class Payments:
    def __init__(
        self,
        ledger: Ledger,
        accounts: Accounts,
        clock: SandboxClock,
        board: SwitchBoard,
        initiation: Initiation,
    ) -> None:
        self._ledger = ledger
        self._accounts = accounts
        self._clock = clock
        self._board = board
        self._operations: Mapping[str, Callable[[User, bytes], bytes]] = {
            "initiate_push": initiation.push,
            "initiate_qr": initiation.qr,
            "get_status": self._get_status,
            "cancel": self._cancel,
            "query": self._answer_query,
        }

    def answer(self, operation: str, headers: Mapping[bytes, bytes], body: bytes) -> Reply:
        """Raises HttpError for what is an HTTP error; a business failure is a reply."""
        try:
            return Reply(
                200, self._operations[operation](user_of(headers, self._accounts, self._board.now), body)
            )
        except RefusedError as refusal:
            return self.refuse(operation, refusal)

    def refuse(self, operation: str, refusal: RefusedError) -> Reply:
        meaning = BUSINESS_CODES.get(refusal.code, "Refused")
        message = f"{meaning}: {refusal.detail}" if refusal.detail else meaning
        if operation == "query":
            body = response({"message": message, "errorCode": refusal.code, "transactionList": []})
        else:
            body = response({"status": "failure", "message": message, "code": refusal.code})
        return Reply(self._board.now.failure_http_status, body)

    def _found(self, user: User, request: FindRequest, foreign_code: str) -> Transaction:
        check_merchant(self._accounts, user, request.merchant_pg_identifier, foreign_code)
        external_id, wallet_id = request.external_merchant_transaction_id, request.wallet_transaction_id
        if external_id not in (None, ""):
            found = self._ledger.by_external_id(str(external_id))
        else:
            found = self._ledger.by_wallet_id(
                needed(wallet_id, "externalMerchantTransactionId or walletTransactionId")
            )
        if found is None or (wallet_id not in (None, "") and str(wallet_id) != found.wallet_id):
            raise RefusedError("5009")
        if found.merchant != user.merchant:
            raise RefusedError(foreign_code)
        return self._expired(found) if self._board.now.transaction_expiry_s else found

    def _expired(self, found: Transaction) -> Transaction:
        """The service looks at the age only when somebody asks, as if a sweep had just passed."""
        now_s = self._clock.now_s()
        if now_s - found.created_s < self._board.now.transaction_expiry_s:
            return found
        self._ledger.move(found.wallet_id, states.MOVES["expire"], "expiry", now_s)
        return self._ledger.by_wallet_id(found.wallet_id) or found

    def _details(self, found: Transaction, message: str, status_name: str | None) -> bytes:
        switches = self._board.now
        return response(
            Details(
                status="success",
                message=message,
                merchant_txn_status_name=status_name,
                external_merchant_transaction_id=echoed_id(found.external_id, switches.id_echo),
                wallet_transaction_id=found.wallet_id,
                transaction_amount=echoed_amount(found.amount, switches.amount_echo),
                invoice_number=found.invoice,
                transaction_date_time=found.sent_at,
                merchant_pg_identifier=found.merchant,
            )
        )

    def _get_status(self, user: User, body: bytes) -> bytes:
        found = self._found(user, decode(_find, body), "5012")
        return self._details(found, "Transaction found", found.status)

    def _cancel(self, user: User, body: bytes) -> bytes:
        found = self._found(user, decode(_find, body), "5008")
        check_admin(user)
        if not self._ledger.move(found.wallet_id, states.MOVES["cancel"], "merchant", self._clock.now_s()):
            raise RefusedError("5006")
        return self._details(found, "Transaction cancelled", None)

    def target_of(self, body: bytes) -> Transaction | None:
        """The transaction a get status or cancel request names, for faults that act on it."""
        try:
            request = decode(_find, body)
        except (RefusedError, HttpError):
            return None
        if request.external_merchant_transaction_id is not None:
            return self._ledger.by_external_id(str(request.external_merchant_transaction_id))
        return self._ledger.by_wallet_id(str(request.wallet_transaction_id))

    def _answer_query(self, user: User, body: bytes) -> bytes:
        request = decode(_query, body)
        check_merchant(self._accounts, user, request.merchant_pg_identifier, "5012")
        rows = run_query(self._ledger, user.merchant, request, self._board.now, self._clock.now_s())
        return response({"transactionList": items_of(rows, self._board.now)})
