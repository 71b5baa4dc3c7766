"""One sandbox process for the tests of this folder, put back to its start before each of them."""

from collections.abc import Iterator

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient


@pytest.fixture(scope="session")
def running_sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running_sandbox: Sandbox) -> Sandbox:
    running_sandbox.reset()
    return running_sandbox


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[ServiceClient]:
    client = ServiceClient(sandbox)
    yield client
    client.close()
