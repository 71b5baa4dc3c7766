"""The OAuth2 client-credentials endpoint, for tills that fetch their token; it must give no other grant."""

import base64
import binascii
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qs, unquote

from starlette.types import Receive, Scope, Send

from pos_app.sandbox.accounts import EVERYTHING
from pos_app.sandbox.exchange import check_method, peer_of, read_body, send_reply
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import Reply, json_reply, problem


class OauthEndpoint:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_method(scope, "POST")
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        content_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if content_type != b"application/x-www-form-urlencoded":
            raise problem("UNSUPPORTED_MEDIA_TYPE", "Content-Type is application/x-www-form-urlencoded")
        body = await read_body(receive)
        self._parts.connections.request_read(peer_of(scope))
        await send_reply(send, self._answer(headers, body))

    def _answer(self, headers: Mapping[bytes, bytes], body: bytes) -> Reply:
        try:
            form = {
                name: values[-1] for name, values in parse_qs(body.decode("ascii"), max_num_fields=20).items()
            }
        except ValueError:
            return json_reply({"error": "invalid_request"}, 400)
        client_id, secret = _basic(headers) or (form.get("client_id", ""), form.get("client_secret", ""))
        client = self._parts.accounts.oauth_client
        if client_id != client.client_id or not hmac.compare_digest(
            secret.encode(), client.client_secret.encode()
        ):
            return json_reply({"error": "invalid_client"}, 401)
        if form.get("grant_type") != "client_credentials":
            return json_reply({"error": "unsupported_grant_type"}, 400)
        scope = form.get("scope") or EVERYTHING
        if not set(scope.split()) <= set(EVERYTHING.split()):
            return json_reply({"error": "invalid_scope"}, 400)
        lifetime_s = self._parts.board.now.oauth_token_lifetime_s
        token = self._parts.accounts.issue_token(scope, lifetime_s)
        return json_reply(
            {"access_token": token, "token_type": "Bearer", "expires_in": int(lifetime_s), "scope": scope}
        )


def _basic(headers: Mapping[bytes, bytes]) -> tuple[str, str] | None:
    scheme, _, value = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() != b"basic":
        return None
    try:
        client_id, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return unquote(client_id), unquote(secret)
