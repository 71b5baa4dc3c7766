"""What a person says of this counter, and which field cannot be used. It saves nothing and asks nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.secret import Secret, SecretError
from pos_app.domain.text import is_plain
from pos_app.i18n.table import spoken
from pos_app.i18n.words.set_up import words
from pos_app.settings.checks import origin
from pos_app.settings.load import problem_of
from pos_app.settings.model import BY_NAME
from pos_app.system.address import AddressError, is_private, parse_address

SECRET_FIELDS = ("access_token", "merchant_secret_code", "merchant_password")
SETTING_OF = {
    "shop_name": "shop.name",
    "counter_id": "gateway.counter_id",
    "merchant_pg_identifier": "gateway.merchant_pg_identifier",
    "base_url": "gateway.base_url",
    "country": "shop.country",
    "currency": "shop.currency",
    "default_method": "shop.default_method",
    "theme": "window.theme",
    "language": "window.language",
}
"""The form's fields and the settings they are; what each may be is declared there."""


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
    elif name in SECRET_FIELDS:
        said = "" if _is_secret(name, text) else words.PROBLEM[name]
    else:
        key = BY_NAME[SETTING_OF[name]]
        said = words.PROBLEM[name] if problem_of(key, _typed(text, key.type)) else ""
    return FieldProblem(name, said) if said else None


def _typed(text: str, kind: type) -> Any:
    """A whole number where the setting is one: in plain digits and without a zero before them."""
    is_number = kind is int and text.isascii() and text.isdecimal() and not text.startswith("0")
    return int(text) if is_number else text


def _is_secret(name: str, text: str) -> bool:
    """Whether a header carries it; a token ends at the first space."""
    try:
        return bool(Secret(text)) and not (name == "access_token" and " " in text)
    except SecretError:
        return False


def is_name(text: str) -> bool:
    """A person's name: 1 to 40 characters that can be seen."""
    return 1 <= len(text) <= 40 and is_plain(text) and not text.isspace()


def address_problem(text: str, environment: Environment) -> str:
    """Why this cannot be the service's address, "" when it can: https, and live and sandbox never mix."""
    is_sandbox = environment is Environment.SANDBOX
    if not origin(text, sandbox=is_sandbox):
        return ""
    try:
        host = parse_address(text, with_http=True).host
    except AddressError:
        return words.PROBLEM["base_url"]
    if is_sandbox:
        return words.SANDBOX_ONLY_LOCAL
    return words.LIVE_LOOPBACK if is_private(host) else words.PROBLEM["base_url"]
