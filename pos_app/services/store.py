"""The calls of a counter to its store. Bodies are those of domain/shipping.py; what is not 200 is a refusal or nothing.

Nothing of the service's secrets goes here, and nothing that comes back says anything of a payment.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from pos_app.domain.shipping import (
    Answer,
    Challenge,
    ChallengeRequest,
    FindRequest,
    Found,
    Head,
    Joined,
    JoinRequest,
    Refusal,
    Session,
    SessionRequest,
    ToldPage,
)
from pos_app.domain.text import clean_text
from pos_app.domain.unreadable import UNREADABLE
from pos_app.services.client import Reply, ServiceClient
from pos_app.services.errors import Garbled

CALL_S = 10.0
"""For a whole call: a store that is slower is one that does not answer."""
CONNECT_S = 5.0

_RETRY_MOST_S = 300.0

T = TypeVar("T")


class StoreRefused(Exception):
    """The store answered, and not by what was asked for. `code` is for programs; the text is its own, cleaned.

    `retry_s`: how long it wants to be left alone; 0 where it did not say. `field`: of what was asked, "" for none.
    """

    def __init__(
        self, http_status: int, code: str, message: str, retry_s: float = 0.0, field: str = ""
    ) -> None:
        super().__init__(message)
        self.http_status = http_status
        self.code = code
        self.retry_s = retry_s
        self.field = field

    @property
    def is_busy(self) -> bool:
        """It wants to be asked again later, and says nothing against this counter."""
        return self.http_status == 429 or self.http_status >= 500


class StoreClient:
    """One store at one address; opens nothing before its first call, and is used by one thread at a time.

    `pin`: the SHA-256 of the only certificate that is believed, which lies in `ca_file`. Raises OriginError for an
    address that no counter talks to. Each call raises StoreRefused, or a ServiceError where there is no answer.
    """

    def __init__(self, address: str, ca_file: str = "", pin: str = "") -> None:
        self._client = ServiceClient(address, ca_file, allow_loopback_http=True, connect_s=CONNECT_S, pin=pin)
        self._token = ""
        self.call_s = CALL_S
        """For each call from now on; whoever waits with a customer has less."""

    @property
    def has_session(self) -> bool:
        """Whether calls go under a token."""
        return bool(self._token)

    def join(self, request: JoinRequest) -> Joined:
        """Asks to be taken in."""
        return self._posted("/v1/join", request, Joined)

    def challenge(self, installation: str) -> Challenge:
        """What has to be signed for a session."""
        return self._posted("/v1/challenge", ChallengeRequest(installation=installation), Challenge)

    def session(self, request: SessionRequest) -> Session:
        """Opens one: every later call goes under it."""
        opened = self._posted("/v1/session", request, Session)
        self._token = opened.token
        return opened

    def end_session(self) -> None:
        """The token is forgotten."""
        self._token = ""

    def head(self) -> Head:
        """What the store holds of this counter's journal."""
        reply = self._client.get("/v1/head", self._headers(), self.call_s)
        return _read(reply, Head)

    def batch(self, body: bytes) -> Answer:
        """Hands a batch over (`shipping.posted`)."""
        headers = {**self._headers(), "Content-Type": "application/msgpack"}
        return _read(self._client.post("/v1/batches", body, headers, self.call_s), Answer)

    def told(self, after: int) -> ToldPage:
        """What it was told behind a place of the journal."""
        return _read(self._client.get("/v1/told", self._headers(), self.call_s, after=after), ToldPage)

    def find(self, request: FindRequest) -> Found:
        """Asks for payments of this counter's shop, as their own counters told them."""
        return self._posted("/v1/find", request, Found)

    def leave(self, installation: str) -> None:
        """Says good-bye."""
        self._posted("/v1/leave", ChallengeRequest(installation=installation), dict)
        self._token = ""

    def close(self) -> None:
        """Breaks what is under way; every later call has no answer."""
        self._client.close()

    def _headers(self) -> dict[str, str]:
        token = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return {"Accept": "application/json", **token}

    def _posted(self, path: str, request: msgspec.Struct, kind: type[T]) -> T:
        headers = {**self._headers(), "Content-Type": "application/json"}
        return _read(self._client.post(path, msgspec.json.encode(request), headers, self.call_s), kind)


def _read(reply: Reply, kind: type[T]) -> T:
    if reply.status != 200:
        raise _refused(reply)
    try:
        return msgspec.json.decode(reply.body, type=kind)
    except UNREADABLE as error:
        raise Garbled("no answer of a store", reply.status) from error


def _refused(reply: Reply) -> StoreRefused | Garbled:
    """What the store says of it. What says nothing as a store does is a page of whoever stands between: no answer."""
    try:
        said = msgspec.json.decode(reply.body, type=Refusal)
    except UNREADABLE:
        said = Refusal(code=f"http_{reply.status}", message=f"HTTP status {reply.status}")
        if reply.status < 500 and reply.status != 429:
            return Garbled("no answer of a store", reply.status)
    after = reply.headers.get("retry-after", "")
    retry_s = min(float(after), _RETRY_MOST_S) if after.isascii() and after.isdecimal() else 0.0
    field = clean_text(said.field, 40)
    return StoreRefused(reply.status, clean_text(said.code, 40), clean_text(said.message), retry_s, field)
