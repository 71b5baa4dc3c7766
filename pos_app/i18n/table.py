"""What every table of words is: English as written in its class, another language laid over it. Loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import msgspec

from pos_app.i18n.plural import ENGLISH_FORMS, Form, form_of

Said = Mapping[str, str]
"""The texts of one table in one language, by their places: {"problem.EMPTY": "…"}."""


class CodeWords(msgspec.Struct, frozen=True):
    """A service code: what it means for this payment, and what to do now."""

    said: str
    todo: str


class Plural(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a counted thing: one text for each form its language has. `other` always stands."""

    language: str = "en"

    zero: str = ""
    one: str = ""
    two: str = ""
    few: str = ""
    many: str = ""
    other: str

    def of(self, count: int, **filled: object) -> str:
        """The text for this many, with {count} and what else it names filled in."""
        form = form_of(self.language, count)
        return (getattr(self, form) or self.other).format(count=count, **filled)


class _Spoken:
    """What is spoken now, for tables that are imported later."""

    language = "en"
    said: Mapping[str, Said] = {}
    tables: list[Table] = []


class Table:
    """The words of one part of the till. The class holds the English ones; a language is laid over them."""

    def __init__(self) -> None:
        _Spoken.tables.append(self)
        self.lay(_Spoken.language, _Spoken.said.get(self.module(), {}))

    @classmethod
    def apart(cls, language: str, said: Said, at: str = "") -> Self:
        """A copy that goes on speaking one language, whatever the till speaks: for the customer's screen."""
        table = cls.__new__(cls)
        for name, value in cls.english():
            place = f"{at}.{name}" if at else name
            inner = isinstance(value, Table)
            table.__dict__[name] = (
                value.apart(language, said, place) if inner else _laid(value, place, language, said)
            )
        return table

    @classmethod
    def module(cls) -> str:
        """The table's name in a language's file: the module it is written in."""
        return cls.__module__.rpartition(".")[2]

    def lay(self, language: str, said: Said, at: str = "") -> None:
        """From now on these; English where there is none."""
        self.__dict__.clear()
        for name, value in self.english():
            place = f"{at}.{name}" if at else name
            if isinstance(value, Table):
                value.lay(language, said, place)
            elif said:
                self.__dict__[name] = _laid(value, place, language, said)

    @classmethod
    def english(cls) -> Iterator[tuple[str, Any]]:
        """Each attribute of the table with its English value, in the order they are written."""
        for kind in reversed(cls.__mro__[: cls.__mro__.index(Table)]):
            for name, value in vars(kind).items():
                if not name.startswith("_") and not hasattr(value, "__get__"):
                    yield name, value


def lay_all(language: str, said: Mapping[str, Said]) -> None:
    """Every table, those imported later too, speaks this language; `said` by the tables' modules."""
    _Spoken.language, _Spoken.said = language, said
    # A table inside another stands before it in the list, and the outer one lays over it again.
    for table in _Spoken.tables:
        table.lay(language, said.get(table.module(), {}))


def spoken() -> str:
    """The language spoken now."""
    return _Spoken.language


def _laid(value: Any, at: str, language: str, said: Said) -> Any:
    """The value as the language has it, in the same shape."""
    match value:
        case str():
            return said.get(at, value)
        case tuple():
            return tuple(_laid(each, f"{at}.{number}", language, said) for number, each in enumerate(value))
        case Mapping():
            return {key: _laid(each, f"{at}.{_name(key)}", language, said) for key, each in value.items()}
        case Plural() if f"{at}.other" in said:
            return Plural(language=language, **{form: said.get(f"{at}.{form}", "") for form in Form})
        case CodeWords(said=what, todo=todo):
            return CodeWords(
                _laid(what, f"{at}.said", language, said), _laid(todo, f"{at}.todo", language, said)
            )
    return value


def _name(key: object) -> str:
    return str(getattr(key, "name", key))


def texts(value: object, at: str = "", forms: Iterable[Form] = ENGLISH_FORMS) -> Iterator[tuple[str, str]]:
    """Each text inside a table's value with its place: ("problem.EMPTY", "Enter an amount…").

    A counted thing has as many as the language has `forms`; where English has no such form, its `other` stands.
    """
    match value:
        case str():
            yield at, value
        case Table():
            for name, each in value.english():
                yield from texts(each, f"{at}.{name}" if at else name, forms)
        case tuple():
            for number, each in enumerate(value):
                yield from texts(each, f"{at}.{number}", forms)
        case Mapping():
            for key, each in value.items():
                yield from texts(each, f"{at}.{_name(key)}", forms)
        case Plural():
            for form in forms:
                yield f"{at}.{form}", getattr(value, form) or value.other
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from texts(getattr(value, name), f"{at}.{name}", forms)
