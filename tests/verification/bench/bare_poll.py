"""The floor of polling: a process that asks for one payment every two seconds with a bare client and shows nothing."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import httpx

from tests.verification.bench.watching import say

PATH = "/apicall/walletpos/v1/pay/external/merchant/transaction"
INTERVAL_S = 2.0


def main(details: dict[str, str]) -> None:
    """Until it is ended."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Authorization": f"Bearer {details['access_token']}",
        "X-MERCHANT-SECRETCODE": details["merchant_secret_code"],
        "X-MERCHANT-PSW": details["merchant_password"],
    }
    known = {"merchantPgIdentifier": details["merchant_pg_identifier"]}
    client = httpx.Client(base_url=details["base_url"], headers=headers, trust_env=False)
    charge = {"counterId": 1, "chargeTotal": 12.5, "transactionDateTime": "2026-01-01 10:00:00"}
    _post(client, "initiate/qr", known | {"externalMerchantTransactionId": "BARE"} | charge)
    _post(client, "getstatus", known | {"externalMerchantTransactionId": "BARE"})
    say(repr(time.monotonic()))
    while True:
        time.sleep(INTERVAL_S)
        _post(client, "getstatus", known | {"externalMerchantTransactionId": "BARE"})


def _post(client: httpx.Client, operation: str, fields: dict[str, Any]) -> None:
    reply = client.post(f"{PATH}/{operation}", json={"request": fields})
    assert reply.json()["response"]["status"] == "success", reply.text


if __name__ == "__main__":
    main(json.loads(os.environ["BENCH_SANDBOX"]))
