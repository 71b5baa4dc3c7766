"""Faults: each kind, on real sockets; a held call is waited for, never slept for."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import STATUS_PATH, Answer, ServiceClient

LOST = (http.client.HTTPException, OSError)


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def wait_for(ready: Callable[[], bool], limit_s: float = PATIENCE_S) -> None:
    end_s = time.monotonic() + limit_s
    while not ready():
        assert time.monotonic() < end_s, "it never happened"


def test_dropped_before_the_state_changed(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("drop_before", "initiate_qr")
    with pytest.raises(LOST):
        client.initiate_qr("A-1")
    assert client.get_status("A-1").code == "5009"
    assert client.initiate_qr("A-1").response["status"] == "success"


def test_dropped_after_the_state_changed(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("drop_after", "initiate_qr")
    with pytest.raises(LOST):
        client.initiate_qr("A-1")
    assert client.status_name("A-1") == "Merchant Initiated"
    assert client.initiate_qr("A-1").code == "5000"


@pytest.mark.parametrize(("at", "seen_meanwhile"), [("before", "5009"), ("after", None)])
def test_a_held_call_waits_until_released(
    client: ServiceClient, sandbox: Sandbox, beside: ThreadPoolExecutor, at: str, seen_meanwhile: str | None
) -> None:
    sandbox.fault("hold", "initiate_push", at=at)
    other = ServiceClient(sandbox)
    held: Future[Answer] = beside.submit(other.initiate_push, "A-1")
    wait_for(lambda: sandbox.held() == ["initiate_push"])
    assert client.get_status("A-1").code == seen_meanwhile
    assert not held.done()
    assert sandbox.release() == 1
    assert held.result(PATIENCE_S).response["status"] == "success"
    other.close()
    assert client.status_name("A-1") == "Merchant Initiated"


def test_a_held_call_whose_caller_left_still_arrives_late(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("hold", "initiate_qr")
    impatient = ServiceClient(sandbox, timeout_s=0.2)
    with pytest.raises(LOST):
        impatient.initiate_qr("A-1")
    wait_for(lambda: sandbox.held() == ["initiate_qr"])
    assert client.get_status("A-1").code == "5009"
    sandbox.release()
    wait_for(lambda: client.get_status("A-1").code is None)


@pytest.mark.parametrize("fault", [{"kind": "hold"}, {"kind": "delay", "delay_s": 2 * PATIENCE_S}])
def test_a_call_that_waits_while_all_is_reset_comes_to_nothing(
    client: ServiceClient, sandbox: Sandbox, beside: ThreadPoolExecutor, fault: dict[str, Any]
) -> None:
    """It was carried out afterwards: a payment of before the reset among those that came after it."""
    sandbox.fault(operation="initiate_qr", **fault)
    other = ServiceClient(sandbox)
    waiting: Future[Answer] = beside.submit(other.initiate_qr, "A-1")
    wait_for(lambda: sandbox.control("GET", "/faults")["faults"] == [])
    sandbox.reset()
    with pytest.raises(LOST):
        waiting.result(PATIENCE_S)
    other.close()
    assert sandbox.transactions() == []
    sandbox.fault("hold", "initiate_qr")
    again: Future[Answer] = beside.submit(client.initiate_qr, "A-1")
    wait_for(lambda: sandbox.held() == ["initiate_qr"])
    sandbox.release()
    assert again.result(PATIENCE_S).response["status"] == "success"


def test_a_late_call_is_carried_out_after_its_connection_is_gone(
    client: ServiceClient, sandbox: Sandbox
) -> None:
    began_s = time.monotonic()
    sandbox.fault("late", "initiate_qr", delay_s=0.2)
    with pytest.raises(LOST):
        client.initiate_qr("A-1")
    assert client.get_status("A-1").code == "5009" or time.monotonic() - began_s > 0.2
    wait_for(lambda: client.get_status("A-1").code is None)


def test_a_late_call_of_before_a_reset_comes_to_nothing(client: ServiceClient, sandbox: Sandbox) -> None:
    """It was carried out behind it, as those that wait were."""
    sandbox.fault("late", "initiate_qr", delay_s=0.2)
    with pytest.raises(LOST):
        client.initiate_qr("A-1")
    sandbox.reset()
    # What is later than that call would be.
    sandbox.fault("late", "initiate_qr", delay_s=0.2)
    with pytest.raises(LOST):
        client.initiate_qr("A-2")
    wait_for(lambda: client.get_status("A-2").code is None)
    assert client.get_status("A-1").code == "5009"


def test_a_delayed_call_takes_its_time(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    sandbox.fault("delay", "get_status", delay_s=0.3)
    began_s = time.monotonic()
    assert client.status_name("A-1") == "Merchant Initiated"
    assert time.monotonic() - began_s >= 0.3


@pytest.mark.parametrize(("at", "state"), [("before", "5009"), ("after", None)])
def test_a_server_error_before_or_after(
    client: ServiceClient, sandbox: Sandbox, at: str, state: str | None
) -> None:
    sandbox.fault("status", "initiate_qr", status=503, at=at)
    assert client.initiate_qr("A-1").status == 503
    assert client.get_status("A-1").code == state


def test_a_redirect_names_its_place(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault(
        "status", "get_status", status=307, headers={"Location": "http://evil.example/"}, text="moved"
    )
    answer = client.get_status("A-1")
    assert (answer.status, answer.headers["location"], answer.text) == (307, "http://evil.example/", "moved")


@pytest.mark.parametrize("retry_after", [7, "soon", -1, "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_throttled_call_says_when(client: ServiceClient, sandbox: Sandbox, retry_after: object) -> None:
    sandbox.fault("throttle", "get_status", retry_after=retry_after)
    answer = client.get_status("A-1")
    assert (answer.status, answer.headers["retry-after"]) == (429, str(retry_after))
    assert client.get_status("A-1").status == 200


def test_a_throttled_call_may_say_nothing(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("throttle")
    assert "retry-after" not in client.get_status("A-1").headers


def test_garbage_after_the_state_changed(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("garbage", "initiate_qr")
    answer = client.initiate_qr("A-1")
    assert answer.status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.text)
    assert client.status_name("A-1") == "Merchant Initiated"


def test_garbage_of_any_text_or_size(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("garbage", "get_status", text="<html>log in</html>", content_type="text/html")
    sandbox.fault("garbage", "get_status", size=2_000_000)
    page = client.get_status("A-1")
    assert (page.text, page.headers["content-type"]) == ("<html>log in</html>", "text/html")
    assert len(client.get_status("A-1").text) == 2_000_000


def test_a_reply_cut_in_its_middle(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("cut", "initiate_qr")
    with pytest.raises(LOST):
        client.initiate_qr("A-1")
    assert client.status_name("A-1") == "Merchant Initiated"


def test_a_reply_that_drips(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("drip", "get_status", delay_s=0.002)
    began_s = time.monotonic()
    assert client.get_status("A-1").code == "5009"
    assert time.monotonic() - began_s > 0.1


def test_a_middlebox_that_sends_twice(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("duplicate", "initiate_qr")
    assert client.initiate_qr("A-1").code == "5000"
    assert client.status_name("A-1") == "Merchant Initiated"


def test_the_token_is_dead_until_renewed(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("token_expired")
    assert [client.get_status("A-1").status for _ in range(3)] == [401, 401, 401]
    old = sandbox.access_token
    client.headers["Authorization"] = f"Bearer {sandbox.renew_token()}"
    assert client.get_status("A-1").status == 200
    client.headers["Authorization"] = f"Bearer {old}"
    assert client.get_status("A-1").status == 401


def test_the_token_is_dead_for_some_calls(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("token_expired", count=2)
    assert [client.get_status("A-1").status for _ in range(3)] == [401, 401, 200]


def test_a_cancel_that_loses_its_race(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    sandbox.fault("cancel_loses")
    assert client.cancel("A-1").code == "5006"
    wait_for(lambda: client.status_name("A-1") == "Payment Success")


def test_a_success_after_the_cancel(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    sandbox.fault("late_success_after_cancel", delay_s=0.2)
    began_s = time.monotonic()
    assert client.cancel("A-1").response["status"] == "success"
    assert client.status_name("A-1") == "Merchant Cancel" or time.monotonic() - began_s > 0.2
    wait_for(lambda: client.status_name("A-1") == "Payment Success")


def test_a_literal_reply(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("reply", "get_status", body={"response": {"status": True}})
    sandbox.fault("reply", "get_status", text="[1, 2", status=201)
    sandbox.fault("reply", "get_status", code="5999")
    assert client.get_status("A-1").json == {"response": {"status": True}}
    assert client.get_status("A-1")[::2] == (201, "[1, 2")
    assert client.get_status("A-1").code == "5999"


def test_single_fields_of_a_true_reply_are_changed(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    sandbox.fault("edit", "get_status", set={"merchantTxnStatusName": "Paid?"}, unset=["invoiceNumber"])
    reply = client.get_status("A-1").response
    assert reply["merchantTxnStatusName"] == "Paid?"
    assert "invoiceNumber" not in reply
    assert reply["externalMerchantTransactionId"] == "A-1"
    sandbox.fault("edit", "validate_code", set={"data.serverRef": "0"})
    assert client.send_otp("94771234567").json["data"]["serverRef"] == "0"


def test_a_fault_keeps_the_digits_of_an_amount(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1", chargeTotal="12.50")
    sandbox.fault("edit", "get_status", set={"x": 1.10})
    assert '"transactionAmount":12.50,' in client.get_status("A-1").text


def test_a_fault_for_one_transaction_alone(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("throttle", "get_status", containing='"A-2"')
    assert client.get_status("A-1").status == 200
    assert client.get_status("A-2").status == 429


def test_faults_are_listed_counted_and_cleared(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("throttle", "cancel", count=3)
    client.cancel("A-1")
    listed = sandbox.control("GET", "/faults")["faults"]
    assert [(fault["left"], fault["fault"]["kind"]) for fault in listed] == [(2, "throttle")]
    sandbox.clear_faults()
    assert sandbox.control("GET", "/faults") == {"faults": [], "held": []}
    assert client.cancel("A-1").code == "5009"


@pytest.mark.parametrize(
    "fault",
    [
        {},
        {"kind": "nonsense"},
        {"kind": "delay", "operation": "dance"},
        {"kind": "delay", "delay_s": -1},
        {"kind": "delay", "count": 0},
        {"kind": "status", "status": 99},
        {"kind": "delay", "unknown": 1},
        {"kind": "status", "headers": {"X-One": "a\r\nX-Two: b"}},
        {"kind": "status", "headers": {"X One": "a"}},
        {"kind": "throttle", "retry_after": "1\n2"},
        {"kind": "garbage", "content_type": "text/html\r\n"},
        [],
        "x",
    ],
)
def test_a_fault_that_cannot_be_is_refused(sandbox: Sandbox, fault: object) -> None:
    with pytest.raises(ControlError) as refused:
        sandbox.control("POST", "/faults", fault)
    assert refused.value.status == 400
    assert sandbox.control("GET", "/faults")["faults"] == []


def test_an_edit_leaves_what_is_no_json(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("http_error_body", "html")
    sandbox.fault("edit", set={"x": 1})
    assert client.send(STATUS_PATH, b"{").text.startswith("<html>")


def test_a_status_without_a_body(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("status", "get_status", status=204)
    assert client.get_status("A-1")[::2] == (204, "")
    assert client.get_status("A-1").code == "5009"


@pytest.mark.parametrize("fault", [{"kind": "hold"}, {"kind": "delay", "delay_s": 60}])
def test_waiting_calls_do_not_keep_the_sandbox_from_stopping(fault: dict[str, Any]) -> None:
    sandbox = Sandbox().start()
    client = ServiceClient(sandbox)
    sandbox.fault(**fault)

    def ask() -> None:
        with pytest.raises(LOST):
            client.get_status("A-1")

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for(lambda: not sandbox.control("GET", "/faults")["faults"])
    assert sandbox.stop() == 0
    asking.join(PATIENCE_S)
    assert not asking.is_alive()
