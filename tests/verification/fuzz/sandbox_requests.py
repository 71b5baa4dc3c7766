"""Requests for the sandbox: right ones, and right ones with one to three things wrong, without end, by dice."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import (
    CANCEL_PATH,
    PUSH_PATH,
    QR_PATH,
    QUERY_PATH,
    SEND_PATH,
    STATUS_PATH,
    SUBMIT_PATH,
)
from tests.verification.fuzz.blind import blind

PATHS = (QR_PATH, PUSH_PATH, STATUS_PATH, CANCEL_PATH, QUERY_PATH, SEND_PATH, SUBMIT_PATH)
METHODS = ("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "LOCK", "post", "POST")
STRAY_PATHS = (
    *(
        "/",
        "//",
        "/apicall",
        "/apicall/",
        f"/{QR_PATH}",
        f"{QR_PATH}/",
        f"{QR_PATH}/../qr",
        "/%2e%2e/%2e%2e/etc/passwd",
    ),
    *(
        f"{QUERY_PATH}?x=1",
        f"{QUERY_PATH}%00",
        f"{STATUS_PATH}%2f",
        "/docs",
        "/openapi.json",
        "/control",
        "/control/users",
    ),
    *(
        f"http://evil.example{QR_PATH}",
        "*",
        "/%ff%fe",
        f"{SEND_PATH}/x",
        f"{SUBMIT_PATH};a=b",
        "/oauth2/token",
        "/\\u202e",
    ),
)
VALUES: tuple[str, ...] = (
    *(
        "null",
        "true",
        "0",
        "-1",
        "1",
        "1.5",
        "12.50",
        "1e400",
        "1e2",
        "NaN",
        "-0",
        "9" * 400,
        "0.001",
        "1.000000000000000001",
    ),
    *(
        '""',
        '" "',
        '"0"',
        '"abc"',
        '"NaN"',
        '"1_000"',
        '"+5"',
        '"\u0661\u0662"',
        '"12,50"',
        '"a\\u0000b"',
        '"\\ud800"',
    ),
    *(
        '"+94771223347"',
        '"94771223347"',
        '"++94"',
        '"+\u0664"',
        '"tel:+1"',
        '"{{code}}"',
        '"{{code}} {{code}}"',
        '"000000"',
    ),
    *(
        '"2026-02-30 10:00:00"',
        '"0001-01-01 00:00:00"',
        '"9999-12-31 23:59:59"',
        '"2026-1-1"',
        '"\' OR 1=1 --"',
        '"\U0001f600"',
    ),
    *(
        "[]",
        "{}",
        "[[]]",
        '{"a":1}',
        "[" * 900,
        '"' + "x" * 1_001 + '"',
        '"' + "y" * 60_000 + '"',
        "18446744073709551616",
    ),
)
HEADERS: tuple[tuple[str, str], ...] = (
    *(
        ("Content-Type", "text/plain"),
        ("Content-Type", "application/json; charset=latin-1"),
        ("Content-Type", ""),
    ),
    *(
        ("Accept", "text/html"),
        ("Accept", "*/*;q=0"),
        ("Accept", ""),
        ("Authorization", "Bearer wrong"),
        ("Authorization", ""),
    ),
    *(
        ("Authorization", "Basic eDp5"),
        ("Authorization", "Bearer " + "z" * 5_000),
        ("X-MERCHANT-SECRETCODE", "\u00fc"),
    ),
    *(
        ("X-MERCHANT-PSW", ""),
        ("Host", "evil.example"),
        ("Host", ""),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
    ),
    *(
        ("Content-Encoding", "gzip"),
        ("Expect", "100-continue"),
        ("Cookie", "a=b" * 99),
        ("Connection", "close"),
    ),
    *(
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("X-Forwarded-For", "::1"),
        ("X-" + "h" * 200, "v" * 900),
    ),
)


class Sent(msgspec.Struct, frozen=True):
    """One request. `wild`: its bytes were changed after it was written, so that it may be no request at all."""

    path: str
    method: str
    data: bytes
    wild: bool = False


class Generator:
    """Knows what the sandbox would accept; `made` counts the ids it has used up."""

    def __init__(self, sandbox: Sandbox, dice: random.Random, name: str) -> None:
        self._dice = dice
        self._host = sandbox.base_url.removeprefix("http://")
        self._name = name
        self._merchant = sandbox.merchant_pg_identifier
        self._headers = {
            "Host": self._host,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": f"Bearer {sandbox.access_token}",
            "X-MERCHANT-SECRETCODE": sandbox.merchant_secret_code,
            "X-MERCHANT-PSW": sandbox.merchant_password,
        }
        self.made = 0

    def next(self) -> Sent:
        """The next request."""
        dice = self._dice
        path, method, headers = dice.choice(PATHS), "POST", dict(self._headers)
        body = self._body(path)
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            match dice.randrange(10):
                case 0:
                    method = dice.choice(METHODS)
                case 1:
                    path = dice.choice(STRAY_PATHS)
                case 2:
                    name, value = dice.choice(HEADERS)
                    headers[name] = value
                case 3:
                    headers.pop(dice.choice(list(headers)))
                case 4:
                    body = blind(body, 70_000, dice, (b"{", b'"', b"\xff", b"\0", b"1e999"), ())
                case _:
                    body = self._worsened(body)
        return self._written(path, method, headers, body)

    def _written(self, path: str, method: str, headers: dict[str, str], body: bytes) -> Sent:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        line = f"{method} {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n"
        data = line.encode("latin-1") + body
        if self._dice.random() < 0.03:
            # Only the head is changed: with it the server must find out by itself where the request ends.
            end = len(data) - len(body)
            return Sent(
                path,
                method,
                blind(data[:end], 9_000, self._dice, (b"\r\n", b"\0", b": "), ()) + body,
                wild=True,
            )
        return Sent(path, method, data)

    def _body(self, path: str) -> bytes:
        dice = self._dice
        if path == SEND_PATH:
            return json.dumps(
                {"msisdn": f"9477{dice.randrange(10**7):07}", "message": "Code {{code}}"}
            ).encode()
        if path == SUBMIT_PATH:
            return json.dumps({"pin": f"{dice.randrange(10**6):06}", "serverRef": "0" * 32}).encode()
        fields: dict[str, Any] = {"merchantPgIdentifier": self._merchant}
        fields["externalMerchantTransactionId"] = self._id(fresh=path in (QR_PATH, PUSH_PATH))
        if path in (QR_PATH, PUSH_PATH):
            fields |= {"counterId": 1, "chargeTotal": 12.5, "transactionDateTime": "2026-01-31 14:05:00"}
            fields |= {
                "walletAccountNumber": "+94771223347",
                "invoiceNumber": "INV-1",
                "paymentReference": "r",
            }
        if path == QUERY_PATH:
            fields |= {"fromDate": "2026-01-31 00:00:00", "pageStart": "1", "pageEnd": "5", "outletId": 12}
        return json.dumps({"request": fields}).encode()

    def _id(self, *, fresh: bool) -> str:
        if fresh and self._dice.random() < 0.9:
            self.made += 1
            return f"{self._name}-{self.made}"
        return f"{self._name}-{self._dice.randrange(1, self.made + 2)}"

    def _worsened(self, body: bytes) -> bytes:
        """A field gone, of another value, twice, or one more."""
        dice = self._dice
        try:
            document = json.loads(body)
            fields = document.get("request", document)
            names = list(fields)
            name = dice.choice(names)
        except (ValueError, AttributeError, RecursionError, IndexError, TypeError):
            return body
        match dice.randrange(5):
            case 0:
                del fields[name]
            case 1:
                fields[dice.choice(("amount", "chargeTotal", "status", "extra", "counterId"))] = 12.5
            case 2:
                return body.replace(b'{"', b'{"%b": 1, "' % name.encode("utf-8", "replace"), 2)
            case _:
                fields[name] = "@value@"
        return json.dumps(document).replace('"@value@"', dice.choice(VALUES)).encode("utf-8", "replace")
