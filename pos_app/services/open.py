"""Puts the service layer together from plain values; reads no settings, opens no connection."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from pos_app.domain.secret import Secret
from pos_app.services.bodies import QrAmountField
from pos_app.services.client import Heard, ServiceClient
from pos_app.services.deadlines import Deadlines
from pos_app.services.errors import ServiceError
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import ClientCredentials, FetchedTokens, StaticTokens, Tokens


class TokenFile(msgspec.Struct, frozen=True, tag="file"):
    """A file something else keeps fresh."""

    path: str


class CommandToken(msgspec.Struct, frozen=True, tag="command"):
    """A command that prints the token as JSON; an argument list, never a shell line."""

    arguments: tuple[str, ...]


class OAuthToken(msgspec.Struct, frozen=True, tag="oauth2"):
    """OAuth2 client credentials: the token server's own origin, and the path of its token resource."""

    base_url: str
    credentials: ClientCredentials
    ca_file: str = ""


TokenSource = StaticTokens | TokenFile | CommandToken | OAuthToken
"""A fixed token is one provider for all that is opened with it: what one of them has looked up, the others use."""


class ServiceConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All the service layer needs to know. Empty `otp_base_url` and no `otp_token`: the same as payments."""

    base_url: str
    merchant_id: str
    secret_code: Secret
    password: Secret
    token: TokenSource
    otp_token: TokenSource | None = None
    otp_base_url: str = ""
    qr_amount_field: QrAmountField = "chargeTotal"
    ca_file: str = ""
    sandbox: bool = False
    deadlines: Deadlines = Deadlines()


class Services:
    """Both services and the connections under them; whoever opened it closes it."""

    def __init__(self, payments: Payments, otp: OtpSms, clients: tuple[ServiceClient, ...]) -> None:
        self.payments = payments
        self.otp = otp
        self._clients = clients

    def tell_time(self, heard: Heard) -> None:
        """`heard` is told, by any thread, the time (ms since 1970) at which each reply says it was made."""
        for client in self._clients:
            client.heard = heard

    def warm(self) -> None:
        """Load what the first request needs (HTTP library, certificates); for a thread, after first paint."""
        for client in self._clients:
            # What is wrong now is said by the request it stops.
            with contextlib.suppress(ServiceError):
                client.warm()

    def close(self) -> None:
        """End all requests within a second or so each; every later one is NotSent."""
        for client in self._clients:
            client.close()


def open_services(config: ServiceConfig) -> Services:
    """Both services, ready to be called. Raises OriginError for an address the till must not talk to."""
    clients: list[ServiceClient] = []

    def client(base_url: str, ca_file: str) -> ServiceClient:
        clients.append(
            ServiceClient(
                base_url,
                ca_file,
                allow_loopback_http=config.sandbox,
                connect_s=config.deadlines.connect_s,
            )
        )
        return clients[-1]

    def tokens(source: TokenSource) -> Tokens:
        if isinstance(source, StaticTokens):
            return source
        # Most tills have a fixed token and start without loading what fetches one.
        from pos_app.services.token_sources import FileTokens, TokenCommand, TokenServer

        limit_s = config.deadlines.token_s
        match source:
            case TokenFile(path):
                return FileTokens(Path(path))
            case CommandToken(arguments):
                return FetchedTokens(TokenCommand(arguments, limit_s))
            case OAuthToken(base_url, credentials, ca_file):
                return FetchedTokens(TokenServer(client(base_url, ca_file), credentials, limit_s))

    main = client(config.base_url, config.ca_file)
    payment_tokens = tokens(config.token)
    merchant = Merchant(config.merchant_id, config.secret_code, config.password)
    payments = Payments(main, merchant, payment_tokens, config.qr_amount_field, config.deadlines)
    otp = OtpSms(
        client(config.otp_base_url, config.ca_file) if config.otp_base_url else main,
        payment_tokens if config.otp_token is None else tokens(config.otp_token),
        config.deadlines,
    )
    return Services(payments, otp, tuple(clients))
