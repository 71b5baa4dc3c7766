"""What a person says of this counter, and which field cannot be used. It saves nothing and asks nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.secret import Secret
from pos_app.domain.text import is_plain

SECRET_FIELDS = ("access_token", "merchant_secret_code", "merchant_password")


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


Check = Callable[[Mapping[str, str]], SetUp | tuple[FieldProblem, ...]]
"""What was typed, by field, as a counter; else every field that cannot be used, in the form's order."""


def is_name(text: str) -> bool:
    """A person's name: 1 to 40 characters that can be seen."""
    return 1 <= len(text) <= 40 and is_plain(text) and not text.isspace()
