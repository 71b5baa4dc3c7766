"""Joining a store and leaving it: the store's answer, or this counter's own wish, as an event of its journal."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Any

import msgspec

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.shipping import store_at
from pos_app.bootstrap.shop import Shop
from pos_app.domain.membership import JOINED, LEFT, SUBJECT, Membership, NotJoined, membership_in
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record, wall_of
from pos_app.domain.shipping import Joined, JoinRequest, SessionRequest, code_key, join_proof
from pos_app.journal import Journal, JournalTrouble
from pos_app.journal.device import Device
from pos_app.services.errors import ServiceError
from pos_app.services.origin import OriginError, parse_origin
from pos_app.services.store import CALL_S, StoreClient, StoreRefused
from pos_app.settings import Settings


class Refused(Exception):
    """The store does not take this counter in; why, for people."""


class NotTakenIn(Exception):
    """No store took this counter in: why, and the store's or the settings' own words."""

    def __init__(self, problem: NotJoined, said: str) -> None:
        super().__init__(said)
        self.problem = problem


def join(shop: Shop, address: str, code: str) -> Joined:
    """What the store said, once it is in the journal. `code`: as `read_code` gives it. Raises Refused, CommandError."""
    journal = _journal_of(shop)
    here = membership_in(journal.events_of(SUBJECT))
    if here is not None and here.installation_id == journal.installation_id:
        text = f"this counter is {here.store_name}'s: `pos-app leave` first"
        raise CommandError(Exit.USAGE, text)
    try:
        named, joined = taken_in(shop.settings, journal.installation_id, journal.device(), address, code)
    except NotTakenIn as error:
        raise _for_a_verb(error) from error
    _write(journal, JOINED, joined_as(named, joined, journal.installation_id))
    return joined


def _for_a_verb(error: NotTakenIn) -> Exception:
    match error.problem:
        case NotJoined.REFUSED | NotJoined.OTHERWISE:
            return Refused(f"the store refused: {error}")
        case NotJoined.OTHER_STORE:
            text = f"the settings name another store, {error} (store.address)"
            return CommandError(Exit.CONFIGURATION, text)
        case NotJoined.BUSY:
            return CommandError(Exit.UNAVAILABLE, f"the store cannot just now: {error}")
        case NotJoined.NO_ADDRESS:
            return CommandError(Exit.USAGE, str(error))
        case _:
            return CommandError(Exit.UNAVAILABLE, f"the store does not answer: {error}")


def taken_in(
    settings: Settings, installation_id: str, device: Device, address: str, code: str
) -> tuple[str, Joined]:
    """The store's address as it is written down, and what it said; nothing is recorded. Raises NotTakenIn."""
    try:
        named = parse_origin(address, allow_loopback_http=True).text
        configured = settings.store.address
        if configured and parse_origin(configured, allow_loopback_http=True).text != named:
            raise NotTakenIn(NotJoined.OTHER_STORE, configured)
        store = store_at(settings, address)
    except OriginError as error:
        raise NotTakenIn(NotJoined.NO_ADDRESS, str(error)) from error
    try:
        return named, store.join(_request(settings, installation_id, device, code))
    except StoreRefused as refused:
        raise NotTakenIn(_why(refused), str(refused)) from refused
    except (ServiceError, ValueError) as error:
        raise NotTakenIn(NotJoined.AWAY, str(error)) from error
    finally:
        store.close()


def _why(refused: StoreRefused) -> NotJoined:
    if refused.is_busy:
        return NotJoined.BUSY
    return NotJoined.OTHERWISE if refused.http_status == HTTPStatus.CONFLICT else NotJoined.REFUSED


def joined_as(address: str, joined: Joined, installation_id: str) -> dict[str, Any]:
    """What the journal says of it."""
    return {**msgspec.to_builtins(joined), "address": address, "installation_id": installation_id}


def _request(settings: Settings, installation_id: str, device: Device, code: str) -> JoinRequest:
    gateway = settings.gateway
    request = JoinRequest(
        installation=installation_id,
        public_key=device.public_key,
        proof=b"",
        merchant_id=gateway.merchant_pg_identifier,
        counter_id=gateway.counter_id,
        environment=str(gateway.environment),
        currency=settings.shop.currency,
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
    told = tell_leaving(shop.settings, journal.device(), here)
    _write(journal, LEFT, left_as(here, told=told))
    return here, told


def left_as(here: Membership, *, told: bool) -> dict[str, Any]:
    """What the journal says of it."""
    return {"store_id": here.store_id, "installation_id": here.installation_id, "told": told}


def tell_leaving(settings: Settings, device: Device, here: Membership, call_s: float = CALL_S) -> bool:
    """Whether the store has heard it; nothing is recorded. `call_s`: for each of its three calls."""
    try:
        store = store_at(settings, here.address)
    except OriginError:
        return False
    store.call_s = call_s
    try:
        _open_session(store, device, here)
        store.leave(here.installation_id)
    except (StoreRefused, ServiceError, ValueError):
        return False
    finally:
        store.close()
    return True


def _open_session(store: StoreClient, device: Device, here: Membership) -> None:
    drawn = store.challenge(here.installation_id)
    if drawn.store_id != here.store_id:
        raise ValueError("another store answers at this address")
    signature = device.answer_to(drawn.store_id, drawn.challenge)
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
    wall = wall_of(now)
    record = Record(kind=kind, subject=SUBJECT, actor=TERMINAL, at=at, wall=wall, content=about)
    try:
        journal.append([record])
    except JournalTrouble as trouble:
        raise CommandError(Exit.CANNOT_CREATE, f"the journal takes nothing: {trouble}") from trouble
