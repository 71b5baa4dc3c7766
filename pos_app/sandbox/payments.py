"""The five operations of the merchant payment service; it must not know HTTP connections or faults."""

import re
from collections.abc import Callable, Mapping

import msgspec

from pos_app.sandbox import qr, states
from pos_app.sandbox.accounts import Accounts, User
from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.codes import BUSINESS_CODES
from pos_app.sandbox.identity import Identity
from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.payment_query import QueryItem, run_query
from pos_app.sandbox.payment_wire import (
    Details,
    FindRequest,
    InitiateRequest,
    QueryRequest,
    Refusal,
    Request,
    amount_text,
    checked_id,
    checked_time,
    decode,
    echoed_amount,
    echoed_id,
    needed,
    optional_text,
    response,
)
from pos_app.sandbox.replies import Problem, Reply, problem
from pos_app.sandbox.switches import SwitchBoard

_ACCOUNT = re.compile(r"\+[1-9][0-9]{6,14}")
_CUSTOMER_CODES = ("5003", "5004", "5005", "5010", "5013")
_initiate = msgspec.json.Decoder(Request[InitiateRequest])
_find = msgspec.json.Decoder(Request[FindRequest])
_query = msgspec.json.Decoder(Request[QueryRequest])


class Payments:
    def __init__(
        self, ledger: Ledger, accounts: Accounts, clock: SandboxClock, board: SwitchBoard, identity: Identity
    ) -> None:
        self._ledger = ledger
        self._accounts = accounts
        self._clock = clock
        self._board = board
        self.identity = identity
        self._operations: Mapping[str, Callable[[User, bytes], bytes]] = {
            "get_status": self._get_status,
            "initiate_push": lambda user, body: self._initiate(user, body, "push"),
            "initiate_qr": lambda user, body: self._initiate(user, body, "qr"),
            "cancel": self._cancel,
            "query": self._answer_query,
        }

    def answer(self, operation: str, headers: Mapping[bytes, bytes], body: bytes) -> Reply:
        """Raises Problem for what is an HTTP error; a business failure is a reply."""
        try:
            return Reply(200, self._operations[operation](self._user(headers), body))
        except Refusal as refusal:
            return self.refuse(operation, refusal)
        except (ValueError, RecursionError) as error:
            raise Problem(400, "INVALID_ARGUMENT", "the body is no JSON of this service") from error

    def refuse(self, operation: str, refusal: Refusal) -> Reply:
        meaning = BUSINESS_CODES.get(refusal.code, "Refused")
        message = f"{meaning}: {refusal.detail}" if refusal.detail else meaning
        if operation == "query":
            body = response({"message": message, "errorCode": refusal.code, "transactionList": []})
        else:
            body = response({"status": "failure", "message": message, "code": refusal.code})
        return Reply(self._board.now.failure_http_status, body)

    def _user(self, headers: Mapping[bytes, bytes]) -> User:
        secrets = [
            headers.get(name, b"").decode("latin-1") for name in (b"x-merchant-secretcode", b"x-merchant-psw")
        ]
        if "" in secrets:
            raise Refusal("5015", "X-MERCHANT-PSW" if secrets[0] else "X-MERCHANT-SECRETCODE")
        user = self._accounts.user(*secrets)
        if user is not None:
            return user
        if self._board.now.bad_merchant_credentials == "http_401":
            raise problem("UNAUTHENTICATED", "merchant credentials")
        raise Refusal("5011", "unknown merchant credentials")

    def _check_merchant(self, user: User, merchant: str | None, foreign_code: str) -> None:
        if needed(merchant, "merchantPgIdentifier") not in self._accounts.merchants:
            raise Refusal("5002")
        if merchant != user.merchant:
            raise Refusal(foreign_code)

    def _initiate(self, user: User, body: bytes, kind: str) -> bytes:
        request = decode(_initiate, body)
        self._check_merchant(user, request.merchant_pg_identifier, "5011")
        if not user.is_admin:
            raise Refusal("5011")
        if request.counter_id is None:
            raise Refusal("5015", "counterId")
        if not 0 <= request.counter_id < 2**31:
            raise Refusal("5001", "counterId is a whole number from 0")
        account = self._account(request) if kind == "push" else ""
        number, now_s = self._ledger.next_number(), self._clock.now_s()
        new = Transaction(
            number=number,
            wallet_id=self.identity.wallet_id(number),
            external_id=checked_id(request.external_merchant_transaction_id, "externalMerchantTransactionId"),
            kind=kind,
            merchant=user.merchant,
            counter=request.counter_id,
            account=account,
            amount=self._amount(request, kind),
            sent_at=checked_time(request.transaction_date_time, "transactionDateTime"),
            invoice=optional_text(request.invoice_number, "invoiceNumber"),
            reference=optional_text(request.payment_reference or request.description, "paymentReference"),
            qr_text=None,
            status=states.INITIATED,
            created_s=now_s,
        )
        if kind == "qr":
            key, nonce = self.identity.qr_key(), self.identity.qr_nonce(number)
            new = new._replace(qr_text=qr.seal(key, nonce, new.wallet_id, new.amount, new.merchant, now_s))
        elif account[-4:] in _CUSTOMER_CODES:
            raise Refusal(account[-4:])
        if not self._ledger.add(new):
            raise Refusal("5000")
        echo = echoed_id(new.external_id, self._board.now.id_echo) if kind == "qr" else None
        return response(
            Details(
                status="success",
                message="Transaction initiated",
                external_merchant_transaction_id=echo,
                wallet_transaction_id=new.wallet_id,
                qr_encrypted_text=new.qr_text,
            )
        )

    def _account(self, request: InitiateRequest) -> str:
        account = needed(request.wallet_account_number, "walletAccountNumber")
        if not _ACCOUNT.fullmatch(account):
            raise Refusal("5001", "walletAccountNumber is written as +94771234567")
        return account

    def _amount(self, request: InitiateRequest, kind: str) -> str:
        decimals, wanted = self._board.now.amount_decimals, self._board.now.qr_body
        if kind == "push" or wanted == "chargeTotal" or (wanted == "either" and not bytes(request.amount)):
            return amount_text(request.charge_total, "chargeTotal", decimals)
        amount = amount_text(request.amount, "amount", decimals)
        if (
            bytes(request.charge_total)
            and amount_text(request.charge_total, "chargeTotal", decimals) != amount
        ):
            raise Refusal("5001", "amount and chargeTotal differ")
        return amount

    def _found(self, user: User, request: FindRequest, foreign_code: str) -> Transaction:
        self._check_merchant(user, request.merchant_pg_identifier, foreign_code)
        external_id, wallet_id = request.external_merchant_transaction_id, request.wallet_transaction_id
        if external_id not in (None, ""):
            found = self._ledger.by_external_id(str(external_id))
        else:
            found = self._ledger.by_wallet_id(
                needed(wallet_id, "externalMerchantTransactionId or walletTransactionId")
            )
        if found is None or (wallet_id not in (None, "") and str(wallet_id) != found.wallet_id):
            raise Refusal("5009")
        if found.merchant != user.merchant:
            raise Refusal(foreign_code)
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
        if not user.is_admin:
            raise Refusal("5011")
        if not self._ledger.move(found.wallet_id, states.MOVES["cancel"], "merchant", self._clock.now_s()):
            raise Refusal("5006")
        return self._details(found, "Transaction cancelled", None)

    def target_of(self, body: bytes) -> Transaction | None:
        """The transaction a get status or cancel request names, for faults that act on it."""
        try:
            request = decode(_find, body)
        except (Refusal, ValueError, RecursionError):
            return None
        if request.external_merchant_transaction_id is not None:
            return self._ledger.by_external_id(str(request.external_merchant_transaction_id))
        return self._ledger.by_wallet_id(str(request.wallet_transaction_id))

    def _answer_query(self, user: User, body: bytes) -> bytes:
        request = decode(_query, body)
        self._check_merchant(user, request.merchant_pg_identifier, "5012")
        rows = run_query(self._ledger, user.merchant, request, self._board.now)
        items = [QueryItem.of(row, self._board.now) for row in rows]
        return response({"transactionList": items})
