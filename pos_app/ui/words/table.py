"""What every table of words is: English as written in its class, another language once it is told one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec


class CodeWords(msgspec.Struct, frozen=True):
    """A service code: what it means for this payment, and what to do now."""

    said: str
    todo: str


class Table:
    """The words of one part of the till. The class holds the English ones; `speak` lays a language over them."""

    def speak(self, said: Mapping[str, Any]) -> None:
        """From now on these, by attribute; English where there is none."""
        self.__dict__ = dict(said)

    @classmethod
    def english(cls) -> Iterator[tuple[str, Any]]:
        """Each attribute of the table with its English value, in the order they are written."""
        for kind in reversed(cls.__mro__[: cls.__mro__.index(Table)]):
            for name, value in vars(kind).items():
                if not name.startswith("_") and not callable(value):
                    yield name, value


def texts(value: object, at: str = "") -> Iterator[tuple[str, str]]:
    """Each text inside a table's value with its place: ("problem.EMPTY", "Enter an amount…")."""
    match value:
        case str():
            yield at, value
        case Table():
            for name, each in value.english():
                yield from texts(each, f"{at}.{name}" if at else name)
        case tuple():
            for number, each in enumerate(value):
                yield from texts(each, f"{at}.{number}")
        case Mapping():
            for key, each in value.items():
                yield from texts(each, f"{at}.{getattr(key, 'name', key)}")
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from texts(getattr(value, name), f"{at}.{name}")
