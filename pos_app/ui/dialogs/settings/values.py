"""What the settings' screen shows and gives back: texts by the names of the settings file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.replies import OtpSubmitReply, QueryReply
from pos_app.domain.secret import Secret
from pos_app.ui.dialogs.set_up.form import FieldProblem


class SettingPlace(NamedTuple):
    """Where a setting, by its key, or a secret stands in its section.

    `example` stands in it while it is empty. `of_provider`: shown with that provider of tokens alone.
    """

    name: str
    is_secret: bool = False
    example: str = ""
    is_number: bool = False
    is_wide: bool = False
    begins_row: bool = False
    of_provider: str = ""


class SettingsPicture(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in force, as texts. `sources` says in words where each comes from.

    `sections`: what stands where, in the screen's order. `locked`: why a key cannot be changed here. `stored`: in
    words when each secret was stored, "" when it is not. `secrets_locked`: why none of them can be changed here.
    `for_this_run`: nothing is written, changes hold until the till is closed.
    """

    environment: Environment
    values: dict[str, str]
    sources: dict[str, str]
    locked: dict[str, str]
    stored: dict[str, str]
    sections: dict[str, tuple[SettingPlace, ...]] = {}
    secrets_locked: str = ""
    for_this_run: bool = False


class SettingsDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed: the keys that say something else than was shown, secrets that are new, and those to be forgotten.

    What nobody touched is not meant, whatever holds by now: another change may have come since it was shown.
    """

    values: dict[str, str]
    secrets: dict[str, Secret] = {}
    forget: tuple[str, ...] = ()
    reason: str = ""


class SettingsSaved(msgspec.Struct, frozen=True):
    """It holds now. `picture` is how things are after it; `words` what the person is told."""

    picture: SettingsPicture
    words: str


class ServicesSaid(msgspec.Struct, frozen=True):
    """What the two services answered; None where that one was not asked."""

    payments: QueryReply | None
    sign_in: OtpSubmitReply | None


Problems = tuple[FieldProblem, ...]
"""Each names its key, or "" where it is of no field."""


class SettingsCalls(NamedTuple):
    """What the screen may ask for. `check` is quick and pure; `test` and `save` answer once, on any thread.

    `try_sound` plays one at this volume. `print_test` prints a page on the printer in force.
    """

    check: Callable[[Mapping[str, str]], Problems]
    test: Callable[[SettingsDraft, Callable[[ServicesSaid | Problems], None]], None]
    save: Callable[[SettingsDraft, Callable[[SettingsSaved | Problems], None]], None]
    try_sound: Callable[[int], None] = lambda _volume: None
    print_test: Callable[[], None] = lambda: None
