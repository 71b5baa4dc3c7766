"""Tokens by OAuth2 client credentials."""

import base64
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import SUBMIT_PATH, Answer, ServiceClient


def ask(client: ServiceClient, fields: dict[str, str], **headers: Any) -> Answer:
    kinds: dict[str, Any] = {
        "Content_Type": "application/x-www-form-urlencoded",
        "Authorization": None,
        **headers,
    }
    return client.send("/oauth2/token", urlencode(fields), **kinds)


def test_a_token_is_issued_and_works_until_it_expires(client: ServiceClient, sandbox: Sandbox) -> None:
    grant = grant_of(sandbox)
    reply = ask(client, grant).json
    assert (reply["token_type"], reply["expires_in"]) == ("Bearer", 3600)
    client.headers["Authorization"] = f"Bearer {reply['access_token']}"
    assert client.get_status("A-1").code == "5009"
    sandbox.clock(3601)
    assert client.get_status("A-1").status == 401


def grant_of(sandbox: Sandbox) -> dict[str, str]:
    return {
        "grant_type": "client_credentials",
        "client_id": sandbox.details["oauth_client_id"],
        "client_secret": sandbox.details["oauth_client_secret"],
    }


def test_the_client_may_name_itself_in_a_basic_header(client: ServiceClient, sandbox: Sandbox) -> None:
    grant = grant_of(sandbox)
    pair = f"{grant['client_id']}:{grant['client_secret']}".encode()
    basic = f"Basic {base64.b64encode(pair).decode()}"
    assert ask(client, {"grant_type": "client_credentials"}, Authorization=basic).status == 200


def test_a_token_for_payments_opens_no_otp(client: ServiceClient, sandbox: Sandbox) -> None:
    """The natural way to PERMISSION_DENIED."""
    token = ask(client, {**grant_of(sandbox), "scope": "payment"}).json["access_token"]
    client.headers["Authorization"] = f"Bearer {token}"
    assert client.get_status("A-1").code == "5009"
    refused = client.send(SUBMIT_PATH, b'{"pin": "1", "serverRef": "2"}')
    assert (refused.status, refused.json["code"]) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"client_secret": "guess"}, 401, "invalid_client"),
        ({"client_id": "guess"}, 401, "invalid_client"),
        ({"client_secret": "é"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"scope": "everything"}, 400, "invalid_scope"),
    ],
)
def test_a_wrong_wish_is_refused(
    client: ServiceClient, sandbox: Sandbox, change: dict[str, str], status: int, error: str
) -> None:
    answer = ask(client, {**grant_of(sandbox), **change})
    assert (answer.status, answer.json["error"]) == (status, error)


def test_the_form_is_a_form(client: ServiceClient) -> None:
    assert ask(client, {}, Content_Type="application/json").status == 415
    assert client.send("/oauth2/token", b"", method="GET").status == 405
