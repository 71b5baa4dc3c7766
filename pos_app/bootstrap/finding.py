"""Asks the counter's store for payments of other counters: one question within two seconds, on the caller's thread."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from pos_app.bootstrap.shipping import store_at
from pos_app.domain.membership import SUBJECT, Membership, membership_in
from pos_app.domain.shipping import FIND_S, FindRequest, Found, SessionRequest
from pos_app.journal import JournalError, Queries
from pos_app.journal.device import Device
from pos_app.services.errors import ServiceError
from pos_app.services.origin import OriginError
from pos_app.services.store import StoreClient, StoreRefused
from pos_app.settings import Settings


class NotFoundOut(Exception):
    """There is no answer. `why`: none (no store's counter), away, refused, busy, field; the text is for people."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


class StoreFinder:
    """One counter's questions to its store, over a connection of its own that stays open; for one thread.

    `member`: whose counter it is, asked anew each time; `settings` too.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        member: Callable[[], Membership | None],
        device: Callable[[], Device],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._member, self._device, self._clock = settings, member, device, clock
        self._store: StoreClient | None = None
        self._of: Membership | None = None

    def find(self, request: FindRequest) -> Found:
        """What the store knows of it. Raises NotFoundOut: nothing else is an answer."""
        member = self._member()
        if member is None:
            raise NotFoundOut("none", "this counter belongs to no store: `pos-app join` first")
        until = self._clock() + FIND_S
        try:
            return self._asked(member, request, until)
        except OriginError as error:
            raise NotFoundOut("away", f"the store's address is none: {error}") from error
        except (ServiceError, ValueError, msgspec.DecodeError) as error:
            self.close()
            raise NotFoundOut("away", f"{member.store_name} does not answer: {error}") from error
        except StoreRefused as refused:
            raise _refused(refused) from refused

    def _asked(self, member: Membership, request: FindRequest, until: float) -> Found:
        store = self._at(member)
        for is_second in (False, True):
            if not store.has_session:
                self._open_session(store, member, until)
            try:
                self._hurry(store, until)
                return store.find(request)
            except StoreRefused as refused:
                # A session lasts an hour, and a till longer.
                if is_second or refused.http_status != 401:
                    raise
                store.end_session()
        raise AssertionError("the second try ends it")

    def _at(self, member: Membership) -> StoreClient:
        if self._store is None or self._of != member:
            self.close()
            self._store, self._of = store_at(self._settings(), member.address), member
        return self._store

    def _hurry(self, store: StoreClient, until: float) -> None:
        left = until - self._clock()
        if left <= 0:
            raise ValueError(f"not within {FIND_S:g} s")
        store.call_s = left

    def _open_session(self, store: StoreClient, member: Membership, until: float) -> None:
        self._hurry(store, until)
        drawn = store.challenge(member.installation_id)
        if drawn.store_id != member.store_id:
            raise ValueError("another store answers at this address")
        signature = self._device().answer_to(drawn.store_id, drawn.challenge)
        self._hurry(store, until)
        store.session(
            SessionRequest(
                installation=member.installation_id, challenge=drawn.challenge, signature=signature
            )
        )

    def close(self) -> None:
        """Ends its connection; the next question opens another."""
        if self._store is not None:
            self._store.close()
        self._store = None


def member_in(journal: Queries) -> Membership | None:
    """Whose counter a journal says it is; None for nobody's, and for one that took another identity since."""
    try:
        return membership_in(journal.events_of(SUBJECT))
    except JournalError:
        return None


def _refused(refused: StoreRefused) -> NotFoundOut:
    if refused.http_status == 422:
        return NotFoundOut("field", str(refused))
    if refused.is_busy:
        return NotFoundOut("busy", f"the store cannot just now: {refused}")
    return NotFoundOut("refused", f"the store refused: {refused}")
