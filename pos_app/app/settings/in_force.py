"""Makes stored settings hold in a till at work: the shop's values, the engine's config, the calls' connections."""

from __future__ import annotations

from pos_app.app.settings.changes import Stored
from pos_app.bootstrap.services import service_config
from pos_app.bootstrap.shop import Shop
from pos_app.engine.connection.worker_pool import ServiceRoute
from pos_app.engine.core.config import Reconfigured
from pos_app.services.open import open_services
from pos_app.ui.bridge import Bridge


def reconfigure(shop: Shop, bridge: Bridge, stored: Stored) -> None:
    """For a till whose engine is at work: it has just given its leave."""
    shop.settings, shop.secrets = stored.settings, stored.secrets
    config = service_config(shop)
    bridge.reconfigure(
        Reconfigured(
            config=shop.engine_config(sign_in_required=True),
            who=stored.who,
            changed=stored.change.names,
            reconnected=stored.change.reconnects,
        ),
        ServiceRoute(lambda: open_services(config), config.qr_amount_field),
    )
