"""Whatever is sent to the control interface, it answers with JSON and never with a 500."""

import http.client
import json
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.slow


NAMES = [
    "kind", "operation", "count", "delay_s", "status", "headers", "set", "text", "then", "number", "offset_s",
    "advance_s", "now", "otp_tries", "id_echo", "body",
]  # fmt: skip
WORDS = ["delay", "edit", "reply", "garbage", "*", "cancel", "approve", "ignore", "number", "+94771234567"]
plain = (
    some.none() | some.booleans() | some.integers() | some.floats() | some.text() | some.sampled_from(WORDS)
)
bodies = some.recursive(
    plain, lambda inner: some.lists(inner) | some.dictionaries(some.sampled_from(NAMES) | some.text(), inner)
)


def status_of(sandbox: Sandbox, method: str, path: str, body: bytes) -> int:
    url = urlsplit(sandbox.control_url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=10)
    headers = {"Authorization": f"Bearer {sandbox.control_token}", "Content-Type": "application/json"}
    try:
        connection.request(method, url.path + path, body, headers)
        reply = connection.getresponse()
        json.loads(reply.read())
        return reply.status
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/faults", "/faults/release", "/switches", "/clock", "/scan"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies)
def test_any_json_is_answered(sandbox: Sandbox, path: str, body: Any) -> None:
    assert status_of(sandbox, "POST", path, json.dumps(body).encode()) in (200, 400)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some_id=some.text(), verb=some.text() | some.sampled_from(["pay", "approve"]))
def test_any_path_is_answered(sandbox: Sandbox, some_id: str, verb: str) -> None:
    path = f"/transactions/{quote(some_id, safe='')}/{quote(verb, safe='')}"
    assert status_of(sandbox, "POST", path, b"") in (404, 405)
    assert status_of(sandbox, "GET", f"/sms?msisdn={quote(some_id)}", b"") == 200
    assert status_of(sandbox, "GET", f"/pushes?number={quote(some_id)}&{quote(verb)}", b"") == 200
