"""What is declared of a setting, beside its type. The declarations stand in pos_app/settings/model.py."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, get_args, get_origin

import msgspec

REQUIRED = object()

PAGES = ("counter", "shop", "receipt", "sign_in", "payment", "printer", "window", "store", "secrets", "token")
"""Of the settings' screen, in their order. Their words: SECTION in pos_app/i18n/words/settings.py."""


class Key(msgspec.Struct, frozen=True):
    """One setting. Its words are found by its name: LABEL, and CHOICE where it is chosen from a list.

    `default` is REQUIRED where a shop must say it. `example` is as it stands in the file. `check` returns a problem
    in words that begin with "must", or nothing; `choices` bounds a text.
    """

    default: Any
    example: str
    check: Callable[[Any], str] | None = None
    choices: tuple[str, ...] = ()
    page: str = ""
    """Of the screen; that of its section unless said otherwise."""
    is_last: bool = False
    """Stands below the others of its page, wherever it stands here."""
    is_wide: bool = False
    """Takes the page's whole width."""
    begins_row: bool = False
    """Has none beside it at its left."""
    of_provider: str = ""
    """Means something with this `gateway.token_provider` alone, and is needed then."""
    is_address: bool = False
    """Of a service; judged by the environment. No variable gives it in live use."""
    is_command: bool = False
    """What stands behind the program may be a secret of the shop's own: neither journal nor doctor tells it."""
    makes_another_till: bool = False
    """What open payments belong to: it changes when none is open, and the till begins anew. All else holds at once."""
    of_own_sandbox: bool | None = None
    """The till's own sandbox says it, and it cannot be changed there; as its section unless said otherwise."""
    reconnects: bool | None = None
    """The services are called otherwise when it changes; as its section unless said otherwise."""
    name: str = ""
    """"shop.name", in the file and in POS_APP_SHOP_NAME. Like `type`, told by where it is declared."""
    type: type = str
    """As the file has it: str, int, bool, Decimal, or list for a list of texts."""

    @property
    def section(self) -> str:
        """Its heading in the file."""
        return self.name.partition(".")[0]

    @property
    def field(self) -> str:
        """Its name under that heading."""
        return self.name.partition(".")[2]


class Section(msgspec.Struct, frozen=True):
    """What the keys of one heading have in common."""

    page: str
    of_own_sandbox: bool = False
    reconnects: bool = False


def declared(settings: type[msgspec.Struct]) -> tuple[Key, ...]:
    """Every key that the sections of a model declare, in their order. TypeError for a field without a declaration."""
    found: list[Key] = []
    for heading, annotation in settings.__annotations__.items():
        section, said = _parts(annotation)
        for field, declaration in section.__annotations__.items() if isinstance(said, Section) else ():
            kind, key = _parts(declaration)
            if not isinstance(key, Key) or not isinstance(said, Section):
                raise TypeError(f"{heading}.{field} is not declared")
            whole = msgspec.structs.replace(
                key,
                name=f"{heading}.{field}",
                type=list if get_origin(kind) is tuple else str if issubclass(kind, Enum) else kind,
                page=key.page or said.page,
                of_own_sandbox=said.of_own_sandbox if key.of_own_sandbox is None else key.of_own_sandbox,
                reconnects=said.reconnects if key.reconnects is None else key.reconnects,
            )
            found.append(whole)
    return tuple(found)


def _parts(annotation: Any) -> tuple[Any, Any]:
    """What is annotated, and what is said of it."""
    return (*get_args(annotation), None)[:2] if get_origin(annotation) is Annotated else (annotation, None)
