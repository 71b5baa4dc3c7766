"""What every table of words is: English as written in its class, another language laid over it. Loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from typing import Any, Self

import msgspec

ENGLISH = NullTranslations()
"""Says what it is given: English needs no file."""


class CodeWords(msgspec.Struct, frozen=True):
    """A service code: what it means for this payment, and what to do now."""

    said: str
    todo: str


class Plural(msgspec.Struct, frozen=True):
    """What is said of a counted thing: in English of one and of any other count, in as many forms elsewhere as a
    language has. `name` and `language` are the table's own affair.
    """

    one: str
    other: str
    name: str = ""
    language: NullTranslations = ENGLISH

    def of(self, count: int, **filled: object) -> str:
        """The text for this many, with {count} and what else it names filled in."""
        said = self.language.npgettext(self.name, self.one, self.other, count)
        return said.format(count=count, **filled)


class _Spoken:
    """What is spoken now, for tables that are imported later."""

    code = "en"
    language = ENGLISH
    tables: list[Table] = []


class Table:
    """The words of one part of the till. The class holds the English ones; a language is laid over them.

    Each text has a name, in translators' files its msgctxt: the module it is written in, and its place there:
    "till:bar.counter", "till:problem.EMPTY", "training:RULES.0".
    """

    def __init__(self) -> None:
        _Spoken.tables.append(self)
        self.lay(_Spoken.language)

    @classmethod
    def apart(cls, language: NullTranslations, at: str = "") -> Self:
        """A copy that goes on speaking one language, whatever the till speaks: for the customer's screen."""
        at = at or cls.module()
        table = cls.__new__(cls)
        for name, value in cls.english():
            inner = isinstance(value, Table)
            table.__dict__[name] = (
                value.apart(language, f"{at}{name}.") if inner else _laid(value, f"{at}{name}", language)
            )
        return table

    @classmethod
    def module(cls) -> str:
        """What the names of its texts begin with: "till:" for those written in till.py."""
        return f"{cls.__module__.rpartition('.')[2]}:"

    def lay(self, language: NullTranslations, at: str = "") -> None:
        """From now on this one; English where it says nothing."""
        at = at or self.module()
        self.__dict__.clear()
        for name, value in self.english():
            if isinstance(value, Table):
                value.lay(language, f"{at}{name}.")
            elif language is not ENGLISH:
                self.__dict__[name] = _laid(value, f"{at}{name}", language)

    @classmethod
    def english(cls) -> Iterator[tuple[str, Any]]:
        """Each attribute of the table with its English value, in the order they are written."""
        for kind in reversed(cls.__mro__[: cls.__mro__.index(Table)]):
            for name, value in vars(kind).items():
                if not name.startswith("_") and not hasattr(value, "__get__"):
                    yield name, value


def lay_all(code: str, language: NullTranslations) -> None:
    """Every table, those imported later too, speaks this language."""
    _Spoken.code, _Spoken.language = code, language
    # A table inside another stands before it in the list, and the outer one lays over it again.
    for table in _Spoken.tables:
        table.lay(language)


def spoken() -> str:
    """The code of the language spoken now."""
    return _Spoken.code


def _laid(value: Any, at: str, language: NullTranslations) -> Any:
    """The value as the language has it, in the same shape."""
    match value:
        case str():
            return language.pgettext(at, value)
        case tuple():
            return tuple(_laid(each, f"{at}.{number}", language) for number, each in enumerate(value))
        case Mapping():
            return {key: _laid(each, f"{at}.{_name(key)}", language) for key, each in value.items()}
        case Plural():
            return Plural(value.one, value.other, at, language)
        case CodeWords(said=what, todo=todo):
            return CodeWords(_laid(what, f"{at}.said", language), _laid(todo, f"{at}.todo", language))
    return value


def _name(key: object) -> str:
    return str(getattr(key, "name", key))


def texts(value: object, at: str = "") -> Iterator[tuple[str, str | Plural]]:
    """Each text inside a table, or a value of one, with its name: ("till:problem.EMPTY", "Enter an amount…")."""
    match value:
        case str() | Plural():
            yield at, value
        case Table():
            at = at or value.module()
            for name, each in value.english():
                yield from texts(each, f"{at}{name}{'.' * isinstance(each, Table)}")
        case tuple():
            for number, each in enumerate(value):
                yield from texts(each, f"{at}.{number}")
        case Mapping():
            for key, each in value.items():
                yield from texts(each, f"{at}.{_name(key)}")
        case CodeWords(said=what, todo=todo):
            yield from ((f"{at}.said", what), (f"{at}.todo", todo))
