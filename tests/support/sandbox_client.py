"""A plain client of both services over http.client; it must not use the till's own code."""

import http.client
import json
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.support.sandbox import Sandbox

PAYMENT_PATH = "/apicall/walletpos/v1/pay/external/merchant/transaction"
STATUS_PATH = f"{PAYMENT_PATH}/getstatus"
CANCEL_PATH = f"{PAYMENT_PATH}/cancel"
QUERY_PATH = f"{PAYMENT_PATH}/query"
PUSH_PATH = f"{PAYMENT_PATH}/initiate/push"
QR_PATH = f"{PAYMENT_PATH}/initiate/qr"
SEND_PATH = "/apicall/openapi/one-time-password-sms/v1/validate-code"
SUBMIT_PATH = "/apicall/openapi/one-time-password-sms/v1/submit-code"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def response(self) -> dict[str, Any]:
        """What stands inside the payment service's envelope."""
        inner: dict[str, Any] = self.json["response"]
        return inner

    @property
    def code(self) -> str | None:
        return self.response.get("code") or self.response.get("errorCode")


class ServiceClient:
    """One kept-alive connection; `headers` may be changed by a test."""

    def __init__(self, sandbox: Sandbox, timeout_s: float = 10) -> None:
        self.merchant = sandbox.merchant_pg_identifier
        self.headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": f"Bearer {sandbox.access_token}",
            "X-MERCHANT-SECRETCODE": sandbox.merchant_secret_code,
            "X-MERCHANT-PSW": sandbox.merchant_password,
        }
        url = urlsplit(sandbox.base_url)
        self._connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=timeout_s)

    def close(self) -> None:
        self._connection.close()

    def send(self, path: str, body: str | bytes, method: str = "POST", **headers: Any) -> Answer:
        """Header names are given with underscores; None leaves a header out."""
        changed = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        kept = {name: value for name, value in self.headers.items() if name.lower() not in changed}
        kept |= {name: value for name, value in changed.items() if value is not None}
        data = body.encode() if isinstance(body, str) else body
        try:
            self._connection.request(method, path, data, kept)
            reply = self._connection.getresponse()
            text = reply.read().decode(errors="replace")
        except (http.client.HTTPException, OSError):
            self._connection.close()
            raise
        return Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, text)

    def post(self, path: str, body: Any, **headers: Any) -> Answer:
        return self.send(path, json.dumps(body), **headers)

    def initiate_body(self, external_id: Any, /, **fields: Any) -> dict[str, Any]:
        """A field given as None is left out."""
        request = {
            "merchantPgIdentifier": self.merchant,
            "counterId": 1,
            "externalMerchantTransactionId": external_id,
            "chargeTotal": 12.5,
            "transactionDateTime": "2026-01-31 14:05:00",
            "invoiceNumber": "INV-1",
            **fields,
        }
        return {"request": {name: value for name, value in request.items() if value is not None}}

    def initiate_qr(self, external_id: Any, **fields: Any) -> Answer:
        return self.post(QR_PATH, self.initiate_body(external_id, **fields))

    def initiate_push(self, external_id: Any, number: Any = "+94771234567", **fields: Any) -> Answer:
        return self.post(PUSH_PATH, self.initiate_body(external_id, walletAccountNumber=number, **fields))

    def find_body(
        self, external_id: Any = None, wallet_id: Any = None, merchant: str | None = None
    ) -> dict[str, Any]:
        request = {
            "merchantPgIdentifier": merchant or self.merchant,
            "externalMerchantTransactionId": external_id,
            "walletTransactionId": wallet_id,
        }
        return {"request": {name: value for name, value in request.items() if value is not None}}

    def get_status(self, external_id: Any = None, wallet_id: Any = None) -> Answer:
        return self.post(STATUS_PATH, self.find_body(external_id, wallet_id))

    def status_name(self, external_id: Any) -> str:
        name: str = self.get_status(external_id).response["merchantTxnStatusName"]
        return name

    def cancel(self, external_id: Any = None, wallet_id: Any = None) -> Answer:
        return self.post(CANCEL_PATH, self.find_body(external_id, wallet_id))

    def query(self, **filters: Any) -> Answer:
        return self.post(QUERY_PATH, {"request": {"merchantPgIdentifier": self.merchant, **filters}})

    def send_otp(self, msisdn: Any, message: Any = "Your code is {{code}}") -> Answer:
        return self.post(SEND_PATH, {"msisdn": msisdn, "message": message})

    def submit_otp(self, server_ref: Any, pin: Any) -> Answer:
        return self.post(SUBMIT_PATH, {"serverRef": server_ref, "pin": pin})
