"""The one place requests may go: parsed once, checked again for every request."""

from __future__ import annotations

import msgspec

from pos_app.system.address import (
    MUST_BE_HTTPS,
    USUAL_PORTS,
    AddressError,
    is_loopback,
    is_plain_path,
    parse_address,
)


class OriginError(ValueError):
    """An address the till must not talk to: a wrong setting, or a bug on the way to the socket."""


class Origin(msgspec.Struct, frozen=True):
    """Scheme, host and port of a service, and the path all its resources lie under ("" or "/x")."""

    scheme: str
    host: str
    port: int
    prefix: str = ""

    def url(self, path: str) -> str:
        """The address of a path below the origin; raises OriginError for one that would leave it."""
        if not path.startswith("/") or not is_plain_path(path):
            raise OriginError(f"not a path of this service: {path!r}")
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.prefix}{path}"

    @property
    def text(self) -> str:
        """One text for each service, however its address was written: the usual port and a last slash left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == USUAL_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.prefix}"

    def require(self, host: str, port: int) -> None:
        """The last check before a socket is opened."""
        if (host, port) != (self.host, self.port):
            raise OriginError(f"{host}:{port} is not the configured service")


def parse_origin(base_url: str, *, allow_loopback_http: bool = False) -> Origin:
    """The origin of a base URL: https, or http to this machine where the sandbox is meant. Raises OriginError."""
    try:
        address = parse_address(base_url, with_http=allow_loopback_http)
    except AddressError as error:
        raise OriginError(f"the address {error}") from error
    if address.scheme == "http" and not is_loopback(address.host):
        raise OriginError(f"the address {MUST_BE_HTTPS}")
    return Origin(address.scheme, address.host, address.port, address.path)


def is_address_of(text: str, base_url: str) -> bool:
    """Whether an address leads to the service that `text` (an Origin's) stands for."""
    try:
        return parse_origin(base_url, allow_loopback_http=True).text == text
    except OriginError:
        return False
