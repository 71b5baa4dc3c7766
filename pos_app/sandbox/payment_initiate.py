"""Initiates a push or a QR payment; it must not move a transaction on from there."""

import re
from decimal import Decimal

import msgspec

from pos_app.sandbox import qr, states
from pos_app.sandbox.accounts import Accounts, User
from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.identity import Identity
from pos_app.sandbox.ledger import Ledger, Transaction
from pos_app.sandbox.payment_users import check_admin, check_merchant
from pos_app.sandbox.payment_wire import (
    Details,
    InitiateRequest,
    RefusedError,
    Request,
    amount_text,
    checked_id,
    checked_time,
    decode,
    echoed_id,
    is_given,
    needed,
    optional_text,
    response,
)
from pos_app.sandbox.switches import SwitchBoard

_ACCOUNT = re.compile(r"\+[1-9][0-9]{6,14}")
_CUSTOMER_CODES = ("5003", "5004", "5005", "5010", "5013")
"""A wallet number that ends in one of these is refused with it."""
_initiate = msgspec.json.Decoder(Request[InitiateRequest])


class Initiation:
    def __init__(
        self, ledger: Ledger, accounts: Accounts, clock: SandboxClock, board: SwitchBoard, identity: Identity
    ) -> None:
        self._ledger = ledger
        self._accounts = accounts
        self._clock = clock
        self._board = board
        self._identity = identity

    def push(self, user: User, body: bytes) -> bytes:
        request = self._read(user, body)
        account = needed(request.wallet_account_number, "walletAccountNumber")
        if not _ACCOUNT.fullmatch(account):
            raise RefusedError("5001", "walletAccountNumber is written as +94771234567")
        new = self._transaction(user, request, "push", account, self._amount(request, "chargeTotal"))
        if account[-4:] in _CUSTOMER_CODES:
            raise RefusedError(account[-4:])
        self._add(new)
        return response(
            Details(status="success", message="Transaction initiated", wallet_transaction_id=new.wallet_id)
        )

    def qr(self, user: User, body: bytes) -> bytes:
        request = self._read(user, body)
        amount = self._amount(request, self._board.now.qr_body)
        new = self._transaction(user, request, "qr", "", amount)
        key, nonce = self._identity.qr_key(), self._identity.qr_nonce(new.number)
        text = qr.seal(key, nonce, new.wallet_id, amount, new.merchant, new.created_s)
        self._add(new._replace(qr_text=text))
        return response(
            Details(
                status="success",
                message="Transaction initiated",
                external_merchant_transaction_id=echoed_id(new.external_id, self._board.now.id_echo),
                wallet_transaction_id=new.wallet_id,
                qr_encrypted_text=text,
            )
        )

    def _read(self, user: User, body: bytes) -> InitiateRequest:
        request = decode(_initiate, body)
        check_merchant(self._accounts, user, request.merchant_pg_identifier, "5011")
        check_admin(user)
        return request

    def _amount(self, request: InitiateRequest, wanted: str) -> str:
        """`wanted`: chargeTotal, amount, or either, in which case both must be equal when both are there."""
        decimals = self._board.now.amount_decimals
        if wanted == "chargeTotal" or (wanted == "either" and not is_given(request.amount)):
            return amount_text(request.charge_total, "chargeTotal", decimals)
        amount = amount_text(request.amount, "amount", decimals)
        if wanted == "either" and is_given(request.charge_total):
            other = amount_text(request.charge_total, "chargeTotal", decimals)
            if Decimal(other) != Decimal(amount):
                raise RefusedError("5001", "amount and chargeTotal differ")
        return amount

    def _transaction(
        self, user: User, request: InitiateRequest, kind: str, account: str, amount: str
    ) -> Transaction:
        if request.counter_id is None:
            raise RefusedError("5015", "counterId")
        if not 0 <= request.counter_id < 2**31:
            raise RefusedError("5001", "counterId is a whole number from 0")
        reference = optional_text(request.payment_reference, "paymentReference")
        description = optional_text(request.description, "description")
        number = self._ledger.next_number()
        return Transaction(
            number=number,
            wallet_id=self._identity.wallet_id(number),
            external_id=checked_id(request.external_merchant_transaction_id, "externalMerchantTransactionId"),
            kind=kind,
            merchant=user.merchant,
            counter=request.counter_id,
            account=account,
            amount=amount,
            sent_at=checked_time(request.transaction_date_time, "transactionDateTime"),
            invoice=optional_text(request.invoice_number, "invoiceNumber"),
            reference=reference or description,
            qr_text=None,
            status=states.INITIATED,
            created_s=self._clock.now_s(),
        )

    def _add(self, new: Transaction) -> None:
        if not self._ledger.add(new):
            raise RefusedError("5000")
