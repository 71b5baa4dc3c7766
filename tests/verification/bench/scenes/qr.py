"""Key press to painted QR, in turn with the service's bare round trip."""

from __future__ import annotations

import time
from typing import Any

import httpx
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.verification.bench.scenes.counter import Counter
from tests.verification.bench.watching import Painting

ROUNDS = 15
PATH = "/apicall/walletpos/v1/pay/external/merchant/transaction/initiate/qr"


def play(window: QWidget, painting: Painting) -> None:
    """Says the times (ms) of both."""
    counter = Counter(window, painting)
    counter.sign_in()
    ours, floor = [], []
    with _client(counter) as client:
        _round_trip(client, counter, 0)
        for number in range(1, ROUNDS + 1):
            counter.type_amount()
            counter.rest(50)
            pressed = time.monotonic()
            counter.stage.key(Qt.Key.Key_F2)
            ours.append((counter.until_painted(counter.has_code) - pressed) * 1000)
            counter.finish("reject")
            floor.append(_round_trip(client, counter, number))
    counter.tell({"ours": ours, "floor": floor})


def _client(counter: Counter) -> httpx.Client:
    known = counter.details
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Authorization": f"Bearer {known.access_token}",
        "X-MERCHANT-SECRETCODE": known.merchant_secret_code,
        "X-MERCHANT-PSW": known.merchant_password,
    }
    return httpx.Client(base_url=known.base_url, headers=headers, trust_env=False)


def _round_trip(client: httpx.Client, counter: Counter, number: int) -> float:
    request: dict[str, Any] = {
        "merchantPgIdentifier": counter.details.merchant_pg_identifier,
        "counterId": 1,
        "externalMerchantTransactionId": f"FLOOR-{number}",
        "chargeTotal": 12.5,
        "transactionDateTime": "2026-01-01 10:00:00",
    }
    start = time.perf_counter()
    reply = client.post(PATH, json={"request": request})
    took = (time.perf_counter() - start) * 1000
    assert reply.json()["response"]["status"] == "success", reply.text
    return took
