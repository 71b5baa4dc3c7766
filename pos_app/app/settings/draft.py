"""What a person changed on the settings' screen, and whether it may be changed now."""

from __future__ import annotations

from typing import Any

import msgspec

from pos_app.app.settings.texts import changes, flat, problems_of, text_of
from pos_app.domain.attempt import Attempt
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.views import Terminal
from pos_app.i18n.words.settings import words
from pos_app.secrets import ShopSecrets
from pos_app.services.origin import is_address_of
from pos_app.settings import Settings
from pos_app.settings.model import BY_NAME, KEYS
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.settings.values import Problems, SettingsDraft, SettingsPicture

IDENTITY = tuple(key.name for key in KEYS if key.makes_another_till)
"""What open payments belong to. With another one it is another till, begun anew."""


OF_A_DAY = ("gateway.merchant_pg_identifier", "gateway.counter_id", "shop.currency")
"""What stands over a day's takings: it is the same for all of them, so a Z comes between one and the other."""

_LOOKS = "window"
"""The page of how the till looks and sounds."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Old and new values by key, the new secrets, and those to be forgotten."""

    values: dict[str, tuple[Any, Any]]
    secrets: dict[str, Secret]
    forget: tuple[str, ...]
    reason: str

    @property
    def names(self) -> tuple[str, ...]:
        """All that changes."""
        return (*self.values, *self.secrets, *self.forget)

    @property
    def section(self) -> str:
        """The section of the screen that most of it belongs to: where the person was."""
        return next((BY_NAME[name].page for name in self.values), "")

    @property
    def is_another_till(self) -> bool:
        """Whether the till must be begun anew."""
        return any(name in self.values for name in IDENTITY)

    def moves(self, before: Settings, after: Settings) -> dict[str, tuple[Any, Any]]:
        """What is stored now that makes another till: a file may have been changed by other hands since it was read."""
        was, now = flat(before), flat(after)
        return {name: (was[name], now[name]) for name in IDENTITY if was[name] != now[name]}

    def makes_another_till(self, before: Settings, after: Settings) -> bool:
        """The same as `is_another_till`, of what is stored now."""
        return self.is_another_till or bool(self.moves(before, after))

    @property
    def reconnects(self) -> bool:
        """Whether the services are called otherwise from now on."""
        return bool(any(BY_NAME[name].reconnects for name in self.values) or self.secrets or self.forget)

    def tried(self) -> dict[str, Any]:
        """What the journal keeps of a test of the connection: whom the stored secrets went to, saved or not."""
        tried = {name: each for name, each in self._told().items() if BY_NAME[name].reconnects}
        return {"changes": tried} if tried else {}

    def _told(self) -> dict[str, dict[str, str]]:
        return {name: _told(name, old, new) for name, (old, new) in self.values.items()}

    def acts(self) -> list[tuple[Act, dict[str, Any]]]:
        """The rights it needs, each with what the journal keeps of it: of secrets the names alone."""
        wanted: list[tuple[Act, dict[str, Any]]] = []
        if self.values:
            wanted.append((Act.CHANGE_SETTINGS, {"changes": self._told()}))
        if self.secrets or self.forget:
            content = {"stored": list(self.secrets), "revoked": list(self.forget)}
            wanted.append((Act.CHANGE_SECRETS, content))
        return wanted


def change_of(settings: Settings, picture: SettingsPicture, draft: SettingsDraft) -> Change:
    """What differs from what holds; keys and secrets that are locked here are not looked at."""
    free = {name: text for name, text in draft.values.items() if name not in picture.locked}
    secrets = {} if picture.secrets_locked else {name: each for name, each in draft.secrets.items() if each}
    forget = () if picture.secrets_locked else tuple(each for each in draft.forget if each not in secrets)
    values = changes(settings, free)
    reason = draft.reason.strip()
    if (
        not reason
        and values
        and all(BY_NAME[name].page == _LOOKS for name in values)
        and not (secrets or forget)
    ):
        # Nobody has to say why letters are larger now.
        reason = words.SECTION[_LOOKS]
    return Change(values=values, secrets=secrets, forget=forget, reason=reason)


def problems_with(settings: Settings, draft: SettingsDraft, change: Change, terminal: Terminal) -> Problems:
    """Everything in the way, by field."""
    found = problems_of(settings, draft.values)
    if found:
        return found
    if not change.names:
        return (FieldProblem("", words.NOTHING_CHANGED),)
    still_open = _still_open(terminal)
    gateway = settings.gateway
    owner = (gateway.merchant_pg_identifier, gateway.counter_id)
    in_the_way = ((name, _bound_by(name, change, still_open)) for name in IDENTITY if name in change.values)
    found = tuple(
        FieldProblem(name, words.open_payments(bound, *owner, name)) for name, bound in in_the_way if bound
    )
    if not found and terminal.day.has_money:
        of_this_day = [name for name in OF_A_DAY if name in change.values]
        found = tuple(FieldProblem(name, words.day_is_open(*owner, name)) for name in of_this_day)
    if not found and not change.reason:
        return (FieldProblem("reason", words.NEEDS_REASON),)
    return found


def secrets_with(stored: ShopSecrets, change: Change) -> ShopSecrets:
    """The secrets as they would be."""
    gone = dict.fromkeys(change.forget, Secret(""))
    return msgspec.structs.replace(stored, **(gone | change.secrets))


def _still_open(terminal: Terminal) -> tuple[Attempt, ...]:
    """Not ended, or ended for nobody: it is asked about on, with what it was begun with."""
    unsettled = {each.attempt_id: each for each in (*terminal.open, *terminal.attention) if not each.is_final}
    return tuple(unsettled.values())


def _bound_by(name: str, change: Change, still_open: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Those that could not be settled any more. Nothing keeps a payment from its own service's address (rule 10)."""
    if name != "gateway.base_url" or "gateway.environment" in change.values:
        return still_open
    address = change.values[name][1]
    return tuple(each for each in still_open if not is_address_of(each.origin, address))


def _told(name: str, old: Any, new: Any) -> dict[str, str]:
    return {} if BY_NAME[name].is_command else {"old": text_of(old, name), "new": text_of(new, name)}
