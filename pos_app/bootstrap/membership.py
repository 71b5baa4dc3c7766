"""Joining a store and leaving it: the store's answer, or this counter's own wish, as an event of its journal."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.shipping import store_at
from pos_app.bootstrap.shop import Shop
from pos_app.domain.membership import JOINED, LEFT, SUBJECT, Membership, membership_in
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.shipping import Joined, JoinRequest, SessionRequest, code_key, join_proof
from pos_app.journal import Journal, JournalTrouble
from pos_app.services.errors import ServiceError
from pos_app.services.origin import OriginError, parse_origin
from pos_app.services.store import StoreClient, StoreRefused


class Refused(Exception):
    """The store does not take this counter in; why, for people."""


def join(shop: Shop, address: str, code: str) -> Joined:
    """What the store said, once it is in the journal. `code`: as `read_code` gives it. Raises Refused, CommandError."""
    journal = _journal_of(shop)
    here = membership_in(journal.events_of(SUBJECT))
    if here is not None and here.installation_id == journal.installation_id:
        text = f"this counter is {here.store_name}'s: `pos-app leave` first"
        raise CommandError(Exit.USAGE, text)
    try:
        named = parse_origin(address, allow_loopback_http=True).text
        configured = shop.settings.store.address
        if configured and parse_origin(configured, allow_loopback_http=True).text != named:
            text = f"the settings name another store, {configured} (store.address)"
            raise CommandError(Exit.CONFIGURATION, text)
        store = store_at(shop.settings, address)
    except OriginError as error:
        raise CommandError(Exit.USAGE, str(error)) from error
    try:
        joined = store.join(_request(shop, journal, code))
    except StoreRefused as refused:
        if refused.is_busy:
            raise CommandError(Exit.UNAVAILABLE, f"the store cannot just now: {refused}") from refused
        raise Refused(f"the store refused: {refused}") from refused
    except (ServiceError, ValueError) as error:
        raise CommandError(Exit.UNAVAILABLE, f"the store does not answer: {error}") from error
    finally:
        store.close()
    about = {**msgspec.to_builtins(joined), "address": named, "installation_id": journal.installation_id}
    _write(journal, JOINED, about)
    return joined


def _request(shop: Shop, journal: Journal, code: str) -> JoinRequest:
    gateway = shop.settings.gateway
    request = JoinRequest(
        installation=journal.installation_id,
        public_key=journal.device().public_key,
        proof=b"",
        merchant_id=gateway.merchant_pg_identifier,
        counter_id=gateway.counter_id,
        environment=str(gateway.environment),
        currency=shop.settings.shop.currency,
    )
    return msgspec.structs.replace(request, proof=join_proof(code_key(code), request))


def leave(shop: Shop) -> tuple[Membership | None, bool]:
    """The store that was left, None for none, and whether it was told. Durable first: the store is only told of it.

    Raises CommandError when the journal takes nothing.
    """
    journal = _journal_of(shop)
    here = membership_in(journal.events_of(SUBJECT))
    if here is None:
        return None, False
    told = _tell(shop, journal, here)
    about = {"store_id": here.store_id, "installation_id": here.installation_id, "told": told}
    _write(journal, LEFT, about)
    return here, told


def _tell(shop: Shop, journal: Journal, here: Membership) -> bool:
    try:
        store = store_at(shop.settings, here.address)
    except OriginError:
        return False
    try:
        _open_session(store, journal, here)
        store.leave(here.installation_id)
    except (StoreRefused, ServiceError, ValueError):
        return False
    finally:
        store.close()
    return True


def _open_session(store: StoreClient, journal: Journal, here: Membership) -> None:
    drawn = store.challenge(here.installation_id)
    if drawn.store_id != here.store_id:
        raise ValueError("another store answers at this address")
    signature = journal.device().answer_to(drawn.store_id, drawn.challenge)
    store.session(
        SessionRequest(installation=here.installation_id, challenge=drawn.challenge, signature=signature)
    )


def _journal_of(shop: Shop) -> Journal:
    if shop.journal is None:
        raise ValueError("a counter needs its journal")
    return shop.journal


def _write(journal: Journal, kind: str, about: dict[str, Any]) -> None:
    now = datetime.now().astimezone()
    at = max(int(now.timestamp() * 1000), journal.last_at())
    wall = now.isoformat(timespec="milliseconds")
    record = Record(kind=kind, subject=SUBJECT, actor=TERMINAL, at=at, wall=wall, content=about)
    try:
        journal.append([record])
    except JournalTrouble as trouble:
        raise CommandError(Exit.CANNOT_CREATE, f"the journal takes nothing: {trouble}") from trouble
