"""The settings in force as the screen shows them: texts, where each comes from, and why one is locked."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import msgspec

from pos_app.app.settings.store import given, stored_on
from pos_app.app.settings.texts import example_of, flat, text_of
from pos_app.bootstrap.shop import Shop
from pos_app.domain.attempt import Environment
from pos_app.i18n.words.settings import words
from pos_app.secrets.files import NAMES, OF_PROVIDER
from pos_app.secrets.load import CREDENTIAL
from pos_app.settings import Settings
from pos_app.settings.key import PAGES, Key
from pos_app.settings.load import COMMAND_LINE
from pos_app.settings.model import BY_NAME, KEYS
from pos_app.settings.sources import ENVIRONMENT_PREFIX
from pos_app.system import paths
from pos_app.ui.dialogs.settings.values import SettingPlace, SettingsPicture

THIS_RUN = "this run"
SANDBOX = "sandbox"
_DOTS = "\u2022" * 6
_STANDS_ALONE = "static"
"""Of this provider the token is all there is: it stands among the secrets."""


def sections() -> dict[str, tuple[SettingPlace, ...]]:
    """What stands where on the settings' screen, as it is declared."""
    keys = sorted(KEYS, key=lambda key: key.is_last)
    found = {page: [_place_of(key) for key in keys if key.page == page] for page in PAGES}
    for name in NAMES:
        provider = OF_PROVIDER.get(name, "").removeprefix(_STANDS_ALONE)
        found["token" if provider else "secrets"].append(
            SettingPlace(name, is_secret=True, of_provider=provider)
        )
    return {page: tuple(places) for page, places in found.items()}


def _place_of(key: Key) -> SettingPlace:
    example = example_of(key) if key.of_provider else ""
    return SettingPlace(
        key.name,
        example=example,
        is_number=key.type in (int, Decimal),
        is_wide=key.is_wide,
        begins_row=key.begins_row,
        of_provider=key.of_provider,
    )


def picture_of(shop: Shop, changed_on: dict[str, date]) -> SettingsPicture:
    """`changed_on`: when a secret was changed by this till, where it knows."""
    settings, own_sandbox = shop.settings, shop.control is not None
    on = stored_on(shop.secrets)
    return SettingsPicture(
        environment=Environment(settings.gateway.environment),
        values={name: text_of(value, name) for name, value in flat(settings).items()},
        sources={name: _source(settings, name) for name in flat(settings)},
        locked={
            name: why for name in flat(settings) if (why := _locked(settings, name, own_sandbox=own_sandbox))
        },
        sections=sections(),
        stored={
            name: words.stored_on(changed_on.get(name, on)) if there else ""
            for name, there in given(shop.secrets).items()
        },
        secrets_locked=_secrets_locked(shop),
        for_this_run=own_sandbox,
    )


def without_commands(picture: SettingsPicture) -> SettingsPicture:
    """For whoever looks and may change nothing: what a command takes may be a secret."""
    values = {
        name: _DOTS if text and BY_NAME[name].is_command else text for name, text in picture.values.items()
    }
    return msgspec.structs.replace(picture, values=values)


def _source(settings: Settings, name: str) -> str:
    source = settings.source_of(name)
    known = {
        "default": words.FROM_DEFAULT,
        COMMAND_LINE: words.FROM_COMMAND_LINE,
        SANDBOX: words.FROM_SANDBOX,
        THIS_RUN: words.FROM_THIS_RUN,
    }
    if source in known:
        return known[source]
    if source.startswith(ENVIRONMENT_PREFIX):
        return words.FROM_ENVIRONMENT
    return words.FROM_SITE if source.startswith(f"{paths.site_file()} line") else words.FROM_FILE


def _locked(settings: Settings, name: str, *, own_sandbox: bool) -> str:
    source = settings.source_of(name)
    if name in settings.locked:
        return words.LOCKED_BY_SITE
    if own_sandbox:
        # What such a till runs on is made anew at each start; all else may be tried.
        return words.LOCKED_BY_SANDBOX if BY_NAME[name].of_own_sandbox else ""
    if source == COMMAND_LINE:
        return words.LOCKED_BY_COMMAND_LINE
    if source.startswith(ENVIRONMENT_PREFIX):
        return words.LOCKED_BY_VARIABLE.format(variable=source)
    return ""


def _secrets_locked(shop: Shop) -> str:
    if shop.control is not None:
        return words.SECRETS_OF_SANDBOX
    return words.SECRETS_GIVEN if shop.secrets.source.endswith(CREDENTIAL) else ""
