"""What a person says of this counter, and which field cannot be used. It saves nothing and asks nobody."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.domain.secret import Secret
from pos_app.domain.text import is_plain
from pos_app.i18n.table import spoken
from pos_app.i18n.words.set_up import words

SECRET_FIELDS = ("access_token", "merchant_secret_code", "merchant_password")
METHODS = ("qr", "push")
THEMES = ("system", "light", "dark")

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PRIVATE = re.compile(
    r"127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2[0-9]|3[01])\.|0\.|f[cd][0-9a-f]{2}:|fe80:"
)
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|[0-9a-f:]+")


class SetUp(msgspec.Struct, frozen=True, kw_only=True):
    """One counter as it is to be."""

    environment: Environment
    shop_name: str
    counter_id: int
    merchant_pg_identifier: str
    base_url: str
    country: str
    currency: str
    default_method: str = "qr"
    theme: str = "system"
    language: str = "en"
    access_token: Secret = Secret("")
    merchant_secret_code: Secret = Secret("")
    merchant_password: Secret = Secret("")


class FieldProblem(msgspec.Struct, frozen=True):
    """A field that cannot be used, by its name in the settings file, and what the person is told."""

    field: str
    text: str


def checked(typed: Mapping[str, str], environment: Environment) -> SetUp | tuple[FieldProblem, ...]:
    """The counter that was typed, or every field that cannot be used, in the form's order."""
    typed = {name: text.strip(" ") for name, text in typed.items()}
    problems = [
        problem for name, text in typed.items() if (problem := _problem(name, text, environment)) is not None
    ]
    if problems:
        return tuple(problems)
    secrets = {name: Secret(typed.get(name, "")) for name in SECRET_FIELDS}
    return SetUp(
        environment=environment,
        shop_name=typed["shop_name"],
        counter_id=int(typed["counter_id"]),
        merchant_pg_identifier=typed["merchant_pg_identifier"],
        base_url=typed["base_url"].rstrip("/"),
        country=typed["country"],
        currency=typed["currency"],
        default_method=typed.get("default_method", "qr"),
        theme=typed.get("theme", "system"),
        language=spoken(),
        **secrets,
    )


def _problem(name: str, text: str, environment: Environment) -> FieldProblem | None:
    if name == "base_url":
        said = address_problem(text, environment)
        return FieldProblem(name, said) if said else None
    return None if _usable(name, text) else FieldProblem(name, words.PROBLEM[name])


def _usable(name: str, text: str) -> bool:
    match name:
        case "shop_name":
            return is_name(text)
        case "counter_id":
            return bool(re.fullmatch(r"[1-9][0-9]{0,8}", text))
        case "merchant_pg_identifier":
            return bool(re.fullmatch(r"[A-Za-z0-9._-]{1,64}", text))
        case "country":
            return bool(re.fullmatch(r"[A-Z]{2}", text))
        case "currency":
            return text in CURRENCY_DIGITS
        case "access_token":
            return bool(re.fullmatch(r"[!-~]{1,4096}", text))
        case "merchant_secret_code" | "merchant_password":
            # They travel as headers: a line break would end one, and latin-1 is all that fits.
            return bool(re.fullmatch(r"[ -~\u00a1-\u00ff]{1,256}", text))
        case "default_method":
            return text in METHODS
        case "theme":
            return text in THEMES
        case _:
            raise ValueError(f"no field of the counter: {name}")


def is_name(text: str) -> bool:
    """A shop's or a person's name: 1 to 40 characters that can be seen."""
    return 1 <= len(text) <= 40 and is_plain(text) and not text.isspace()


def address_problem(text: str, environment: Environment) -> str:
    """Why this cannot be the service's address, "" when it can: https, and live and sandbox never mix."""
    parts = _parts(text)
    if parts is None:
        return words.PROBLEM["base_url"]
    scheme, host = parts
    local = host in _LOOPBACK
    if environment is Environment.SANDBOX:
        return "" if local else words.SANDBOX_ONLY_LOCAL
    if local or host.endswith((".localhost", ".local")) or _PRIVATE.match(host):
        return words.LIVE_LOOPBACK
    return "" if scheme == "https" else words.PROBLEM["base_url"]


def _parts(text: str) -> tuple[str, str] | None:
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    wrong = "@" in parts.netloc or parts.query or parts.fragment or ".." in parts.path or port == 0
    if wrong or parts.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        return None
    # The payment service is named, not numbered by bare digits: "2130706433" is a loopback in disguise.
    return None if host.replace(".", "").isdigit() and host.count(".") != 3 else (parts.scheme, host)
