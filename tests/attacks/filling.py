"""Makes any panel and calls whatever it can be shown by, filled with hostile text wherever a text may be foreign.

What a parameter gets is told by its type and, for texts of our own (an icon, an object's name), by its name.
A new kind of value is added here; a panel that cannot be made fails its test until it is.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import functools
import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

import pos_app.domain
import pos_app.gallery
import pos_app.training.coach
import pos_app.training.course
import pos_app.training.phone
import pos_app.ui
from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.secret import Secret
from pos_app.i18n.words.till import words
from pos_app.secrets.files import NAMES
from pos_app.settings.model import BY_NAME
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.field import LineEdit
from tests.support.published import attempt, change, config, terminal

FIELDS = ("shop_name", "country", "currency", "base_url", "merchant_pg_identifier", "counter_id")
NOW = datetime.datetime.fromisoformat("2025-11-21T14:09:20+05:30")

OURS: dict[str, str] = {
    "name": "part",
    "icon": "lock",
    "tone": "text",
    "kind": "primary",
    "role": "body",
    "ground": "surface",
    "edge": "line",
    "point": ".",
    "currency": "LKR",
    "token": "ok",
    "soft": "oksoft",
    "on": "onok",
    "field": "shop_name",
    "key": "shop.name",
    "section": "shop",
    "country": "LK",
    "language": "en",
    "theme": "light",
    "person_id": "p1",
    "attempt_id": attempt().attempt_id,
    "secret": "access_token",
    "wall": "2025-11-21T14:07:14+05:30",
    "tapped_wall": "2025-11-21T14:07:14+05:30",
    "told": "2025-11-21T08:37:31+00:00",
    "environment": "sandbox",
    "control_url": "http://127.0.0.1:1",
    "control_token": "t",
    "number_digest": "d",
}
"""Texts of our own, by the parameter's name: nobody outside chooses them."""


class Unfilled(Exception):
    """A parameter of a kind that is not known here."""


@functools.cache
def names() -> dict[str, Any]:
    """Of every class of the till by its name, for annotations of what is imported for the types alone."""
    found: dict[str, Any] = {}
    for package in (
        pos_app.domain,
        pos_app.ui,
        pos_app.gallery,
        pos_app.training.coach,
        pos_app.training.course,
        pos_app.training.phone,
    ):
        for part in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not part.name.endswith("__main__"):
                found |= {
                    k: v for k, v in vars(importlib.import_module(part.name)).items() if k[:1].isupper()
                }
    return found


@functools.cache
def hints_of(made: Any) -> dict[str, Any]:
    """Annotations as types, in the words of the module they stand in."""
    module = vars(importlib.import_module(made.__module__))
    return typing.get_type_hints(made, None, names() | module)


class Filling:
    """Values made of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.kept: list[object] = []

    def call(self, made: Callable[..., Any], **given: Any) -> Any:
        """What it returns, each parameter filled; `parent` is left out."""
        if inspect.isclass(made) and issubclass(made, tuple):
            return made(*(self.value(kind, name) for name, kind in hints_of(made).items()))
        if inspect.isclass(made) and not inspect.isfunction(made.__init__):
            return made()
        hints = hints_of(made.__init__ if inspect.isclass(made) else made)
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in inspect.signature(made).parameters.values():
            name = parameter.name
            if name == "self" or (name == "parent" and parameter.default is None):
                continue
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            value = given[name] if name in given else self.value(hints.get(name, str), name)
            # By name: one that is left out may stand before it.
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(value)
            else:
                named[name] = value
        return made(*positional, **named)

    def value(self, kind: Any, name: str) -> Any:
        """A value of this type for a parameter of this name."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (typing.Union, types.UnionType):
            wanted = [one for one in arguments if one is not type(None)]
            return self.value(wanted[0], name)
        if origin is typing.Literal:
            return arguments[0]
        if origin in (Callable, typing.Callable) or kind in (Callable, typing.Callable):
            return self._callable(arguments, name)
        if origin is tuple and (len(arguments) < 2 or arguments[1] is not Ellipsis):
            return tuple(self.value(one, name) for one in arguments)
        if origin in (tuple, list, Sequence, Iterable, Collection):
            items = [self.value(arguments[0], name.removesuffix("s"))]
            if name == "fields":
                items = list(FIELDS)
            return tuple(items) if origin is not list else items
        if origin in (dict, Mapping):
            return {key: self.value(arguments[1], name) for key in (*BY_NAME, *NAMES)}
        if origin in (set, frozenset, Set):
            return frozenset()
        return self._plain(kind, name)

    def _callable(self, arguments: tuple[Any, ...], name: str) -> Callable[..., Any]:
        answer = arguments[-1] if arguments else None
        if answer in (None, type(None), bool) or answer is Any:
            return lambda *_all, **_more: None
        if answer is datetime.datetime:
            return lambda *_all: NOW
        return lambda *_all, **_more: self.value(answer, name)

    def _plain(self, kind: Any, name: str) -> Any:
        if kind is str:
            return OURS.get(name, self.text)
        if kind is bool:
            return True
        if kind in (int, float):
            return kind(1)
        if kind in FIXED:
            return FIXED[kind](self)
        if not inspect.isclass(kind):
            return self.text if kind is Any else self._unknown(kind, name)
        if issubclass(kind, enum.Enum):
            return next(iter(kind))
        if issubclass(kind, msgspec.Struct):
            return kind(**dict(self._fields(kind)))
        if (
            dataclasses.is_dataclass(kind)
            or issubclass(kind, tuple | QObject)
            or kind.__module__.startswith("pos_app")
        ):
            made = self.call(kind)
            self.kept.append(made)
            return made
        return self._unknown(kind, name)

    def _fields(self, kind: type[msgspec.Struct]) -> Iterable[tuple[str, Any]]:
        hints = hints_of(kind)
        for field in msgspec.structs.fields(kind):
            if field.default is msgspec.NODEFAULT or hints[field.name] in (str, str | None):
                yield field.name, self.value(hints[field.name], field.name)

    def _unknown(self, kind: Any, name: str) -> Any:
        raise Unfilled(f"{name}: {kind}; tell tests/attacks/filling.py how to make one")

    def keep(self, made: QWidget) -> QWidget:
        """Until the filling goes."""
        self.kept.append(made)
        return made

    def person(self) -> Person:
        """With a name nobody has."""
        return msgspec.structs.replace(
            terminal().people[1], name=self.text, number_mask=self.text, passcode_set=True
        )

    def attempt(self) -> Attempt:
        """With whatever the service or the cashier can put in."""
        foreign = ("service_status", "wallet_transaction_id", "code", "invoice_number", "payment_reference")
        return attempt(wallet_mask=self.text, **dict.fromkeys(foreign, self.text))

    def config(self) -> TillViewConfig:
        """Of a shop with a name of its own."""
        return config(shop_name=self.text)


FIXED: dict[Any, Callable[[Filling], Any]] = {
    Person: Filling.person,
    Attempt: Filling.attempt,
    TillViewConfig: Filling.config,
    Tone: lambda _on: [*Tone][-1],
    Secret: lambda _on: Secret("not-shown"),
    Path: lambda on: Path("/shop") / on.text.replace("/", "").replace("\0", "")[:100],
    decimal.Decimal: lambda _on: decimal.Decimal("12.50"),
    datetime.datetime: lambda _on: NOW,
    datetime.date: lambda _on: NOW.date(),
    QPoint: lambda _on: QPoint(10, 10),
    QRect: lambda _on: QRect(10, 10, 700, 600),
    Qt.AlignmentFlag: lambda _on: Qt.AlignmentFlag.AlignCenter,
    type(words): lambda _on: words,
    QScreen: lambda _on: QGuiApplication.primaryScreen(),
    QWidget: lambda on: on.keep(QWidget()),
    LineEdit: lambda on: on.keep(LineEdit("line", "line")),
    type(change()): lambda on: change(on.attempt(), siblings=(on.attempt(),)),
    type(terminal()): lambda on: terminal(
        people=(on.person(),),
        signed_in=on.person(),
        block_detail=on.text,
        open=(on.attempt(),),
        attention=(on.attempt(),),
        recent=(on.attempt(),),
    ),
}
"""What is made in a way of its own."""
for _part in (words.pad, words.method, words.wait, words.result, words.ask, words.bar):
    FIXED[type(_part)] = functools.partial(lambda part, _on: part, _part)
