"""The one place requests may go: parsed once, checked again for every request. Opens nothing."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import msgspec

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")
_DEFAULT_PORTS = {"https": 443, "http": 80}


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
        if not path.startswith("/") or not _is_plain(path):
            raise OriginError(f"not a path of this service: {path!r}")
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.prefix}{path}"

    @property
    def text(self) -> str:
        """One text for each service, however its address was written: the usual port and a last slash left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.prefix}"

    def require(self, host: str, port: int) -> None:
        """The last check before a socket is opened."""
        if (host, port) != (self.host, self.port):
            raise OriginError(f"{host}:{port} is not the configured service")


def parse_origin(base_url: str, *, allow_loopback_http: bool = False) -> Origin:
    """The origin of a base URL: https, or http to this machine where the sandbox is meant.

    Raises OriginError for user names, queries, fragments, "..", other schemes and anything not ASCII.
    """
    if not base_url.isascii() or not base_url.isprintable() or " " in base_url or "\\" in base_url:
        raise OriginError("the address has characters that do not belong in one")
    try:
        parts = urlsplit(base_url)
    except ValueError as error:
        raise OriginError("the address has no valid host") from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise OriginError("the address must begin with https://")
    if "@" in parts.netloc or "?" in base_url or "#" in base_url:
        raise OriginError("the address must hold no user name, query or fragment")
    host, port = _host_and_port(parts.netloc, _DEFAULT_PORTS[parts.scheme])
    if parts.scheme == "http" and not (allow_loopback_http and is_loopback(host)):
        raise OriginError("the address must be https (http is for a sandbox on this machine)")
    prefix = parts.path.rstrip("/")
    if not _is_plain(prefix):
        raise OriginError("the address has a path that is not plain")
    return Origin(parts.scheme, host, port, prefix)


def is_address_of(text: str, base_url: str) -> bool:
    """Whether an address leads to the service that `text` (an Origin's) stands for."""
    try:
        return parse_origin(base_url, allow_loopback_http=True).text == text
    except OriginError:
        return False


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host_and_port(netloc: str, default: int) -> tuple[str, int]:
    if netloc.startswith("["):
        host, _, rest = netloc[1:].partition("]")
        try:
            host = str(ipaddress.IPv6Address(host))
        except ValueError as error:
            raise OriginError("the address has no valid host") from error
        port = rest.removeprefix(":") if rest.startswith(":") or not rest else "?"
    else:
        host, _, port = netloc.partition(":")
        host = host.lower()
        if not _HOST.fullmatch(host) or ".." in host:
            raise OriginError("the address has no valid host")
    if not port:
        return host, default
    if not port.isdigit() or not 0 < int(port) < 65_536:
        raise OriginError("the address has no valid port")
    return host, int(port)


def _is_plain(path: str) -> bool:
    return bool(_PATH.fullmatch(path)) and not {".", ".."} & set(path.split("/"))
