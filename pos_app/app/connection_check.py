"""Asks both services whether they take this terminal, with settings that are only being tried. Sends no SMS."""

from __future__ import annotations

from pos_app.domain.replies import NoAnswer, Why
from pos_app.secrets import ShopSecrets
from pos_app.settings import Settings
from pos_app.ui.dialogs.settings.values import ServicesSaid


def ask_both(settings: Settings, secrets: ShopSecrets) -> ServicesSaid:
    """The list of today's payments, and a check of a code that nobody was sent: both need a sign-in."""
    from pos_app.bootstrap.services import config_for
    from pos_app.services.errors import ServiceError
    from pos_app.services.open import open_services

    try:
        services = open_services(config_for(settings, secrets))
    except ServiceError as error:
        cannot = NoAnswer(Why.CONNECT, sent=False, detail=str(error))
        return ServicesSaid(cannot, cannot)
    try:
        payments, otp = services.payments, services.otp
        # First of all the token: where it does not come, both services may be well, and their addresses right.
        return ServicesSaid(
            payments.no_token() or payments.todays_list(),
            otp.no_token() or otp.nobodys_code(),
        )
    finally:
        services.close()
