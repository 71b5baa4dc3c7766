"""Asks the counter's store for payments of other counters: one question within two seconds, on the caller's thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing

from pos_app.bootstrap.shipping import store_at
from pos_app.bootstrap.shop import Shop
from pos_app.domain.elsewhere import NotFoundOut, Unanswered
from pos_app.domain.membership import SUBJECT, Membership, membership_in
from pos_app.domain.shipping import FIND_S, FindRequest, Found, SessionRequest
from pos_app.domain.unreadable import UNREADABLE
from pos_app.engine.core.mailbox import Post
from pos_app.engine.other_counters import OtherCounters
from pos_app.journal import JournalError, JournalTrouble, Queries, read_only
from pos_app.journal.device import Device
from pos_app.services.errors import ServiceError
from pos_app.services.origin import OriginError
from pos_app.services.store import StoreClient, StoreRefused
from pos_app.settings import Settings


def finding_of(shop: Shop) -> Callable[[Post], OtherCounters] | None:
    """For a till at work at its window; None without a journal. Whose counter it is, is looked up at each question."""
    journal = shop.journal
    if journal is None:
        return None

    def member() -> Membership | None:
        with closing(read_only(journal.path)) as looked:
            return member_in(looked)

    def installations() -> frozenset[str]:
        try:
            with closing(read_only(journal.path)) as looked:
                return looked.installations()
        except JournalTrouble:
            return frozenset()

    def made(post: Post) -> OtherCounters:
        finder = StoreFinder(lambda: shop.settings, member, journal.device, installations)
        return OtherCounters(finder, shop.settings.gateway.environment, post)

    return made


class StoreFinder:
    """One counter's questions to its store, over a connection of its own that stays open; for one thread.

    `member`: whose counter it is, asked anew each time; `settings` too. `own`: all installations that it was.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        member: Callable[[], Membership | None],
        device: Callable[[], Device],
        own: Callable[[], frozenset[str]] = frozenset,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._member, self._device, self._clock = settings, member, device, clock
        self.own = own
        self._store: StoreClient | None = None
        self._of: Membership | None = None
        self._is_over = False
        self._stopping = threading.Lock()

    def find(self, request: FindRequest) -> Found:
        """What the store knows of it. Raises NotFoundOut: nothing else is an answer."""
        try:
            member = self._member()
        except JournalTrouble as trouble:
            raise NotFoundOut(Unanswered.AWAY, f"the journal cannot be read: {trouble}") from trouble
        if member is None:
            raise NotFoundOut(Unanswered.NO_STORE, "this counter belongs to no store: `pos-app join` first")
        until = self._clock() + FIND_S
        try:
            return self._asked(member, request, until)
        except OriginError as error:
            raise NotFoundOut(Unanswered.AWAY, f"the store's address is none: {error}") from error
        except (ServiceError, ValueError, *UNREADABLE) as error:
            self.close()
            raise NotFoundOut(Unanswered.AWAY, f"{member.store_name} does not answer: {error}") from error
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
        with self._stopping:
            if self._is_over:
                raise ValueError("the till is ending")
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

    def stop(self) -> None:
        """From any thread: what is under way is broken off, and nothing is asked any more."""
        with self._stopping:
            self._is_over = True
            store = self._store
        if store is not None:
            store.close()


def member_in(journal: Queries) -> Membership | None:
    """Whose counter a journal says it is; None for nobody's, and for one that took another identity since."""
    try:
        member = membership_in(journal.events_of(SUBJECT))
        is_same = member is not None and member.installation_id == journal.installed_as()
    except JournalError:
        return None
    return member if is_same else None


def _refused(refused: StoreRefused) -> NotFoundOut:
    if refused.http_status == 422:
        return NotFoundOut(Unanswered.FIELD, str(refused), field=refused.field)
    if refused.is_busy:
        text = f"the store cannot just now: {refused}"
        return NotFoundOut(Unanswered.BUSY, text, retry_s=refused.retry_s)
    return NotFoundOut(Unanswered.REFUSED, f"the store refused: {refused}")
