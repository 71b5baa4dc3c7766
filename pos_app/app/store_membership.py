"""Joining a store and leaving it from the window, once a manager's Permit was given; beside the till at work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from pos_app.app.background import Background
from pos_app.bootstrap.shop import Shop
from pos_app.domain.membership import (
    JOINED,
    LEFT,
    SUBJECT,
    Membership,
    MembershipDoor,
    MembershipNews,
    NotJoined,
    membership_in,
)
from pos_app.engine.connection.calls import MembershipChanged
from pos_app.engine.core.mailbox import Message
from pos_app.journal import Journal, JournalError, read_only

LEAVING_CALL_S = 3.0
"""Leaving does not wait for a store: so long it is tried to be told, in each of three calls."""

Tell = Callable[[MembershipNews], None]


class StoreMembership:
    """One wish at a time. What a store said is the engine's to record: `post` hands it over."""

    def __init__(self, shop: Callable[[], Shop], journal: Journal, post: Callable[[Message], None]) -> None:
        self._shop = shop
        self._journal = journal
        self._post = post
        self._background = Background("joining")

    @property
    def door(self) -> MembershipDoor:
        """For the window."""
        return MembershipDoor(self.join, self.leave, lambda: self._shop().settings.store.address)

    def join(self, request_id: str, address: str, code: str, who: str, tell: Tell) -> None:
        """Asks the store to take this counter in."""
        self._begin(lambda: self._joined(request_id, address, code, who), tell)

    def leave(self, request_id: str, who: str, tell: Tell) -> None:
        """This counter's own to say: the store is told of it if it can be."""
        self._begin(lambda: self._left(request_id, who), tell)

    def stop(self) -> None:
        """Waits for what is under way, a little: it keeps nothing and nobody."""
        self._background.stop()

    def _begin(self, work: Callable[[], MembershipNews], tell: Tell) -> None:
        if self._background.is_busy:
            tell(MembershipNews(problem=NotJoined.BUSY))
            return
        self._background.run(lambda: tell(work()))

    def _member(self) -> Membership | None:
        with closing(read_only(self._journal.path)) as looked:
            return membership_in(looked.events_of(SUBJECT))

    def _joined(self, request_id: str, address: str, code: str, who: str) -> MembershipNews:
        from pos_app.bootstrap.membership import NotTakenIn, joined_as, taken_in

        installation = self._journal.installation_id
        try:
            here = self._member()
            if here is not None and here.installation_id == installation:
                return MembershipNews(problem=NotJoined.ALREADY, said=here.store_name)
            settings, device = self._shop().settings, self._journal.device()
            named, joined = taken_in(settings, installation, device, address, code)
        except NotTakenIn as error:
            return MembershipNews(problem=error.problem, said=str(error))
        except JournalError:
            return MembershipNews(problem=NotJoined.CANNOT_RECORD)
        self._record(request_id, who, JOINED, joined_as(named, joined, installation), installation)
        return MembershipNews()

    def _left(self, request_id: str, who: str) -> MembershipNews:
        from pos_app.bootstrap.membership import left_as, tell_leaving

        try:
            here = self._member()
        except JournalError:
            return MembershipNews(problem=NotJoined.CANNOT_RECORD)
        if here is None:
            return MembershipNews(problem=NotJoined.NO_STORE)
        told = tell_leaving(self._shop().settings, self._journal.device(), here, LEAVING_CALL_S)
        self._record(request_id, who, LEFT, left_as(here, told=told), self._journal.installation_id)
        return MembershipNews()

    def _record(self, request_id: str, who: str, kind: str, content: dict[str, Any], of: str) -> None:
        self._post(
            MembershipChanged(
                request_id=request_id, actor=who, kind=kind, content=content, installation_id=of
            )
        )
