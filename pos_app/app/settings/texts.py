"""Settings as texts for the screen and back, checked as the file is."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from pos_app.domain.money import format_amount
from pos_app.i18n.words.settings import words
from pos_app.settings import Settings, SettingsError, load_settings
from pos_app.settings.key import Key
from pos_app.settings.model import BY_NAME, KEYS
from pos_app.settings.sources import from_text
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.settings.values import Problems

Values = Mapping[str, Any]


def flat(settings: Settings) -> dict[str, Any]:
    """Every key's value."""
    sections = msgspec.structs.asdict(settings)
    return {key.name: getattr(sections[key.section], key.field) for key in KEYS}


LINES = " | "
"""Between the lines of a header on one line of the screen; no line has the sign in it (settings/checks.py)."""


def text_of(value: Any, name: str) -> str:
    """A value as it stands in the field of this name."""
    if isinstance(value, tuple) and not BY_NAME[name].is_command:
        return LINES.join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return shlex.join(value) if isinstance(value, tuple) else str(value)


def example_of(key: Key) -> str:
    """Its example as it would be typed."""
    value = tomllib.loads(f"x = {key.example}", parse_float=Decimal)["x"]
    return text_of(tuple(value) if isinstance(value, list) else value, key.name)


def value_of(name: str, text: str) -> Any:
    """A field's text as the key's type; what cannot be read stays text, and is told by the check."""
    if BY_NAME[name].type is list and not BY_NAME[name].is_command:
        return [line for each in text.split(LINES.strip()) if (line := each.strip(" "))]
    if BY_NAME[name].type is list:
        try:
            return shlex.split(text)
        except ValueError:
            return text
    bare = text.strip(" ")
    value = from_text(name, bare.removeprefix("-"))
    # Below zero is a number too, and is told to be too small, not to be none.
    return -value if bare.startswith("-") and isinstance(value, Decimal) else from_text(name, bare)


def typed(settings: Settings, texts: Mapping[str, str]) -> dict[str, Any]:
    """All values as they would be: what was typed over what holds."""
    return flat(settings) | {name: value_of(name, text) for name, text in texts.items()}


def with_values(settings: Settings, values: Values) -> Settings:
    """The settings with other values; sources and locks are kept. Raises SettingsError."""
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    made = load_settings(None, {}, lists)
    return msgspec.structs.replace(
        made, sources=settings.sources, locked=settings.locked, sandbox_allowed=settings.sandbox_allowed
    )


def problems_of(settings: Settings, texts: Mapping[str, str]) -> Problems:
    """Everything that the file's own check has to say of what was typed, and what of it contradicts itself."""
    values = typed(settings, texts)
    try:
        with_values(settings, values)
    except SettingsError as error:
        return tuple(
            FieldProblem(each.key, words.problem(each.key, each.text, each.example))
            for each in error.problems
        )
    return _contradictions(settings, values)


def _contradictions(settings: Settings, values: Values) -> Problems:
    """The till would never ask again above an amount that it does not take. The default stands for no wish: a counter
    may lower its highest amount alone.
    """
    above, most = values["shop.confirm_above"], values["shop.max_amount"]
    is_touched = (above, most) != (settings.shop.confirm_above, settings.shop.max_amount)
    if not is_touched or above <= most or above == BY_NAME["shop.confirm_above"].default:
        return ()
    text = f"must not be above the highest amount, {format_amount(most)}"
    return (FieldProblem("shop.confirm_above", words.problem("shop.confirm_above", text, "")),)


def changes(settings: Settings, texts: Mapping[str, str]) -> dict[str, tuple[Any, Any]]:
    """The keys whose values differ: old and new."""
    before, after = flat(settings), typed(settings, texts)
    as_tuple = {name: tuple(value) if isinstance(value, list) else value for name, value in after.items()}
    return {name: (before[name], new) for name, new in as_tuple.items() if new != before[name]}
