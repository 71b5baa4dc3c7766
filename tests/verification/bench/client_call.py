"""One ask through the service layer against the same request by a bare httpx client, on loopback."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from pos_app.domain.replies import StatusReport
from pos_app.domain.secret import Secret
from pos_app.services.open import ServiceConfig, open_services
from pos_app.services.token import StaticTokens
from tests.verification.bench.figure import Figure, interleaved, median, timed_ms

CALLS = 300
ROUNDS = 12

_REPLY = (
    b'{"response":{"status":"success","merchantTxnStatusName":"Merchant Initiated",'
    b'"externalMerchantTransactionId":"T7K3M9QRD-0001-1","walletTransactionId":"1","transactionAmount":12.50,'
    b'"invoiceNumber":"","transactionDateTime":"2026-01-01 10:00:00","merchantPgIdentifier":"M-1"}}'
)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (len(_REPLY), _REPLY)
        )

    def log_message(self, *arguments: object) -> None:
        """Silent: this is a floor, not a service."""


@contextmanager
def _service() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def measure(*, quick: bool = False) -> list[Figure]:
    """The median of a call, ours and bare."""
    with _service() as base_url:
        services = open_services(
            ServiceConfig(
                base_url=base_url,
                merchant_id="M-1",
                secret_code=Secret("code"),
                password=Secret("password"),
                token=StaticTokens(Secret("token")),
                sandbox=True,
            )
        )
        bare = httpx.Client(base_url=base_url, trust_env=False)
        body = (
            b'{"request":{"merchantPgIdentifier":"M-1","externalMerchantTransactionId":"T7K3M9QRD-0001-1"}}'
        )
        headers = {"Content-Type": "application/json", "Accept": "application/json"}

        def ask() -> None:
            reply = services.payments.get_status("T7K3M9QRD-0001-1")
            assert isinstance(reply, StatusReport)

        def post() -> None:
            bare.post("/status", content=body, headers=headers).read()

        ask()
        post()
        ours, floor = interleaved(
            lambda: median([timed_ms(ask) for _ in range(CALLS)]),
            lambda: median([timed_ms(post) for _ in range(CALLS)]),
            3 if quick else ROUNDS,
        )
        bare.close()
        services.close()
    return [
        Figure(
            name="client call",
            unit="ms",
            ours=ours,
            floor=floor,
            goal=1.3,
            floor_is="bare httpx.Client request",
        )
    ]
