"""What an address of a service is: https, a host, perhaps a port and a plain path, and nothing else."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import msgspec

USUAL_PORTS = {"https": 443, "http": 80}
MUST_BE_HTTPS = "must be https (or http://127.0.0.1 in sandbox)"
_NONE = "is no web address"
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_LONGEST_HOST = 253
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


class AddressError(ValueError):
    """It is none; the message goes on from "base_url"."""


class Address(msgspec.Struct, frozen=True):
    """Its parts: the host in small letters, without brackets; the path without a last slash."""

    scheme: str
    host: str
    port: int
    path: str


def parse_address(text: str, *, with_http: bool = False) -> Address:
    """The parts of an address. `with_http`: http is one too; whether to this machine is for the caller to ask.

    Raises AddressError for user names, queries, fragments, "..", other schemes, what is not ASCII, and numbers that
    some resolvers take for an address.
    """
    if text != text.strip() or not text.isascii() or not text.isprintable() or " " in text:
        raise AddressError("must be plain ASCII without spaces (write a name in other letters as xn--…)")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise AddressError(_NONE) from error
    if parts.scheme != "https" and not (with_http and parts.scheme == "http"):
        raise AddressError(MUST_BE_HTTPS)
    if "@" in parts.netloc:
        raise AddressError("must not contain a user name or password")
    path = parts.path.removesuffix("/")
    if "?" in text or "#" in text or not is_plain_path(path):
        raise AddressError("must be an address alone, without query or dots in its path")
    if port == 0 or parts.netloc.endswith(":"):
        raise AddressError(_NONE)
    return Address(parts.scheme, _host(parts.hostname or ""), port or USUAL_PORTS[parts.scheme], path)


def _host(host: str) -> str:
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host if re.fullmatch(r"[0-9a-f:]+", host) else ""))
        except ValueError as error:
            raise AddressError(_NONE) from error
    if not _HOST.fullmatch(host) or len(host) > _LONGEST_HOST or _is_disguised(host):
        raise AddressError(_NONE)
    return host


def _is_disguised(host: str) -> bool:
    """A number that some resolvers take for an address: 2130706433, 0x7f.1, 127.1."""
    if not re.fullmatch(r"0x[0-9a-f]*|[0-9]+", host.rpartition(".")[2]):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return True
    return False


def is_plain_path(path: str) -> bool:
    """Whether it stays where it says: "" or "/x/y", nothing encoded, no dots."""
    return bool(_PATH.fullmatch(path)) and not {".", ".."} & set(path.split("/"))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private(host: str) -> bool:
    """This machine or a network that is not the internet."""
    if is_loopback(host) or host.endswith((".localhost", ".local")):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False
