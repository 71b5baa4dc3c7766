"""A shop's settings and secrets as the service layer's configuration; loads nothing of the HTTP library."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from pos_app.bootstrap.shop import Shop
from pos_app.domain.attempt import Environment
from pos_app.secrets import ShopSecrets
from pos_app.services.bodies import QrAmountField
from pos_app.services.open import CommandToken, OAuthToken, ServiceConfig, TokenFile, TokenSource
from pos_app.services.token import ClientCredentials, StaticTokens
from pos_app.settings import Settings
from pos_app.settings.model import Gateway

SecretsAgain = Callable[[], ShopSecrets]
"""Reads the secrets once more from where they came; may take some seconds."""


def service_config(shop: Shop) -> ServiceConfig:
    """What the service layer must know of a shop, whose refused tokens are looked up again."""
    return config_for(shop.settings, shop.secrets, shop.secrets_now)


def config_for(settings: Settings, secrets: ShopSecrets, again: SecretsAgain | None = None) -> ServiceConfig:
    """The same for settings and secrets that are only being tried."""
    gateway = settings.gateway
    return ServiceConfig(
        base_url=gateway.base_url,
        merchant_id=gateway.merchant_pg_identifier,
        secret_code=secrets.merchant_secret_code,
        password=secrets.merchant_password,
        token=_token_source(gateway, secrets, again),
        otp_token=_otp_token(secrets, again),
        otp_base_url=gateway.otp_base_url,
        qr_amount_field=_qr_amount_field(gateway),
        ca_file=gateway.ca_file,
        sandbox=gateway.environment == Environment.SANDBOX,
    )


def _qr_amount_field(gateway: Gateway) -> QrAmountField:
    return "amount" if gateway.qr_amount_field == "amount" else "chargeTotal"


def _token_source(gateway: Gateway, secrets: ShopSecrets, again: SecretsAgain | None) -> TokenSource:
    match gateway.token_provider:
        case "file":
            return TokenFile(gateway.token_file)
        case "command":
            return CommandToken(gateway.token_command)
        case "oauth2":
            parts = urlsplit(gateway.token_url)
            credentials = ClientCredentials(
                gateway.token_client_id, secrets.token_client_secret, parts.path or "/"
            )
            return OAuthToken(f"{parts.scheme}://{parts.netloc}", credentials, gateway.ca_file)
        case _:
            look = None if again is None else lambda: again().access_token
            return StaticTokens(secrets.access_token, look)


def _otp_token(secrets: ShopSecrets, again: SecretsAgain | None) -> TokenSource | None:
    look = None if again is None else lambda: again().otp_access_token
    return StaticTokens(secrets.otp_access_token, look) if secrets.otp_access_token.reveal() else None
