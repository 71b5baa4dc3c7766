"""Where the access token comes from: a fixed one, or one that is fetched and renewed ahead of its end."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.secret import Secret
from pos_app.services.errors import ConnectFailed, NoToken, NoTokenServer, NotSent
from pos_app.system.boot_clock import seconds_since_boot

RENEW_AHEAD_S = 60.0
RENEW_AHEAD_PART = 0.2
RETRY_S = 5.0
LOOK_S = 2.0

_STILL_FETCHED = "the access token is still being fetched"
"""Whoever gives it is slow: nobody has refused this terminal's sign-in."""


class Tokens(Protocol):
    """A token provider. Several threads may ask it at once."""

    def token(self, limit_s: float) -> Secret:
        """The token to send now; raises NotSent if there is none within `limit_s`."""

    def refused(self, token: Secret) -> None:
        """The service answered 401 to this token: the next call gets a fresh one where there is any."""

    def has_changed(self) -> bool:
        """Whether another token stands here than the last one given out, as far as that is seen on this machine."""


def lack_of(tokens: Tokens, limit_s: float) -> NoAnswer | None:
    """Why there is no token to ask with; None where there is one.

    For a payment a giver that is slow or away is a line that is; whoever sets a counter up looks for what to mend.
    """
    try:
        tokens.token(limit_s)
    except NoTokenServer as error:
        return NoAnswer(error.why, sent=False, http_status=error.http_status, detail=error.detail)
    except NotSent as error:
        return NoAnswer(Why.SIGN_IN, sent=False, detail=error.detail)
    return None


class StaticTokens:
    """One token from the secrets; after a refusal `again` looks whether another stands there now.

    It is looked at LOOK_S apart at most, by one thread, which may take as long as the secrets' place takes;
    the others go on with the refused one, which the service may yet take.
    """

    def __init__(
        self,
        token: Secret,
        again: Callable[[], Secret] | None = None,
        monotonic: Callable[[], float] = seconds_since_boot,
    ) -> None:
        self._token = token
        self._again = again
        self._monotonic = monotonic
        self._refused = False
        self._look_at = -math.inf
        self._looking = threading.Lock()

    def token(self, limit_s: float) -> Secret:  # noqa: ARG002
        if (self._refused or not self._token) and self._again is not None:
            self._look(self._again)
        if not self._token:
            raise NoToken("no access token is set")
        return self._token

    def refused(self, token: Secret) -> None:
        # A late 401 to an older token says nothing of the one that took its place.
        self._refused = self._refused or token == self._token

    def has_changed(self) -> bool:
        before = self._token
        if self._again is not None:
            self._look(self._again)
        return self._token != before

    def _look(self, again: Callable[[], Secret]) -> None:
        if not self._looking.acquire(blocking=False):
            return
        try:
            if self._monotonic() < self._look_at:
                return
            found = again()
            if found:
                self._token = found
            self._refused = False  # the next 401 says whether it is the same in vain
            self._look_at = self._monotonic() + LOOK_S
        finally:
            self._looking.release()


class Grant(msgspec.Struct, frozen=True):
    """A token and how long it lives, as its giver says; None when it does not say."""

    token: Secret
    expires_in_s: float | None = None


class ClientCredentials(msgspec.Struct, frozen=True):
    """What the till proves itself with to an OAuth2 server (RFC 6749, 4.4)."""

    client_id: str
    client_secret: Secret
    path: str
    scope: str = ""


class FetchedTokens:
    """Holds one grant; fetches the next ahead of its end, or at once after a refusal.

    `fetch` gets the seconds it may take and raises NotSent when it brings nothing. One thread fetches; the
    others go on with the old token while it lives, else wait. A failed early renewal is no harm.
    """

    def __init__(
        self, fetch: Callable[[float], Grant], monotonic: Callable[[], float] = seconds_since_boot
    ) -> None:
        self._fetch = fetch
        self._monotonic = monotonic
        self._fetching = threading.Lock()
        self._lock = threading.Lock()
        self._token: Secret | None = None
        self._renew_at = math.inf
        self._ends_at = math.inf

    def token(self, limit_s: float) -> Secret:
        by = self._monotonic() + limit_s
        living = self._living()
        if living is not None and self._monotonic() < self._renew_at:
            return living
        if not self._fetching.acquire(timeout=max(limit_s, 0) if living is None else 0):
            if living is not None:
                return living
            raise ConnectFailed(_STILL_FETCHED)
        try:
            return self._fetched(by - self._monotonic())
        finally:
            self._fetching.release()

    def refused(self, token: Secret) -> None:
        with self._lock:
            # A late 401 to an older token says nothing of the one fetched since.
            if self._token == token:
                self._token = None

    def has_changed(self) -> bool:
        # Whoever gives it is asked at each probe: only he knows whether there is another.
        return False

    def _fetched(self, limit_s: float) -> Secret:
        living = self._living()
        if living is not None and self._monotonic() < self._renew_at:
            return living  # another thread brought it while this one waited
        if living is None and limit_s <= 0:
            raise ConnectFailed(_STILL_FETCHED)
        try:
            # An early renewal must leave the request its time.
            grant = self._fetch(limit_s if living is None else limit_s / 2)
        except NotSent:
            if living is None:
                raise
            self._renew_at = self._monotonic() + RETRY_S
            return living
        self._keep(grant)
        return grant.token

    def _keep(self, grant: Grant) -> None:
        lives_s = math.inf if grant.expires_in_s is None else grant.expires_in_s
        with self._lock:
            self._token = grant.token
            self._ends_at = self._monotonic() + lives_s
            self._renew_at = self._ends_at - min(RENEW_AHEAD_S, lives_s * RENEW_AHEAD_PART)

    def _living(self) -> Secret | None:
        with self._lock:
            return self._token if self._monotonic() < self._ends_at else None
