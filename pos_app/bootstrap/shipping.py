"""What tells a store of a shop's journal: made of settings, journal and keys. A shop that is no store's has none."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pos_app.bootstrap.shop import Shop
from pos_app.domain.membership import SUBJECT, Membership, membership_in
from pos_app.domain.record import wall_of
from pos_app.engine.connection.calls import StoreNews
from pos_app.engine.core.mailbox import Post
from pos_app.engine.shipping import Acknowledged, CounterHealth, CounterSide, Shipper, Shipping, Store
from pos_app.journal.device import Device
from pos_app.journal.outbox import Outbox
from pos_app.services.store import StoreClient
from pos_app.settings import Settings
from pos_app.system.version import version

ACKNOWLEDGED = "store.acknowledged"
"""The file beside the journal that says how far the store has acknowledged it."""


def shipping_of(shop: Shop) -> Callable[[Post], Shipping] | None:
    """For a till at work; None without a journal. At a counter of no store it waits for the counter to join one."""
    journal = shop.journal
    if journal is None:
        return None
    is_member = membership_in(journal.events_of(SUBJECT)) is not None
    outbox = Outbox(journal.path, journal.receipt_code, lambda: shop.settings.store.references)
    device = journal.device

    def made(post: Post) -> Shipping:
        return Shipping(
            lambda: shipper_of(lambda: shop.settings, outbox, device(), shop.data_dir, post), begins=is_member
        )

    return made


def shipper_of(
    settings: Callable[[], Settings],
    outbox: Outbox,
    device: Device,
    folder: Path,
    post: Callable[[StoreNews], None],
) -> Shipper:
    """One counter's. `settings`: those in force, asked anew whenever the store is opened."""

    def opened(member: Membership) -> Store:
        return store_at(settings(), member.address)

    def free() -> int:
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            return -1

    health = CounterHealth(version("pos-app"), _wall, free)
    counter = CounterSide(outbox, device, Acknowledged(folder / ACKNOWLEDGED))
    return Shipper(counter, opened, health, post)


def store_at(settings: Settings, address: str) -> StoreClient:
    """The store of the settings, else at this address. Raises OriginError."""
    store = settings.store
    return StoreClient(store.address or address, store.ca_file, store.pin)


def _wall() -> str:
    return wall_of(datetime.now().astimezone())
