"""A raw server, a running sandbox, and the clients that talk to them."""

import contextlib
import socket
from collections.abc import Iterator

import pytest

from pos_app.domain.secret import Secret
from pos_app.services.client import ServiceClient
from pos_app.services.open import Services
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import StaticTokens
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.unit.services.live import PATIENT, opened
from tests.unit.services.raw_server import RawServer

MERCHANT = Merchant("M-0001", Secret("secret-code-1"), Secret("pass-word-1"))
TOKEN = Secret("token-1")


@pytest.fixture
def server() -> Iterator[RawServer]:
    with RawServer() as server:
        yield server


@pytest.fixture
def client(server: RawServer) -> Iterator[ServiceClient]:
    client = ServiceClient(server.url, allow_loopback_http=True, connect_s=PATIENCE_S)
    yield client
    client.close()


@pytest.fixture
def payments(client: ServiceClient) -> Payments:
    return Payments(client, MERCHANT, StaticTokens(TOKEN), deadlines=PATIENT)


@pytest.fixture
def otp(client: ServiceClient) -> OtpSms:
    return OtpSms(client, StaticTokens(TOKEN), PATIENT)


@pytest.fixture
def black_hole() -> Iterator[int]:
    """A port whose queue is full: connecting to it neither works nor fails."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox() as running:
        yield running


@pytest.fixture
def sandbox(running: Sandbox) -> Sandbox:
    running.clear_faults()
    running.reset()
    return running


@pytest.fixture
def services(sandbox: Sandbox) -> Iterator[Services]:
    services = opened(sandbox)
    yield services
    services.close()
