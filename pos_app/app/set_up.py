"""Testing a connection and storing a counter's settings, off the window's thread; for wizard and settings alike."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from pos_app.app.background import Background
from pos_app.domain.attempt import Environment
from pos_app.domain.replies import NoAnswer, QueryReply, Why
from pos_app.domain.secret import Secret, SecretError, typed_secret
from pos_app.i18n.table import spoken
from pos_app.i18n.words.fields import words as field_words
from pos_app.i18n.words.set_up import words
from pos_app.secrets import SecretsError, ShopSecrets, change_secrets
from pos_app.settings import Settings, SettingsError, load_settings, write_settings
from pos_app.settings.checks import origin
from pos_app.settings.load import problem_of
from pos_app.settings.model import BY_NAME
from pos_app.system.address import AddressError, is_private, parse_address
from pos_app.system.one_at_a_time import alone_in
from pos_app.ui.dialogs.set_up.form import SECRET_FIELDS, FieldProblem, SetUp

SETTING_OF = {
    "shop_name": "shop.name",
    "counter_id": "gateway.counter_id",
    "merchant_pg_identifier": "gateway.merchant_pg_identifier",
    "base_url": "gateway.base_url",
    "country": "shop.country",
    "currency": "shop.currency",
    "default_method": "shop.default_method",
    "theme": "window.theme",
    "language": "window.language",
}
"""The form's fields and the settings they are; what each may be is declared there."""

_TURN_S = 20.0
"""A key store takes its secrets within seconds, or not at all."""


class SetUpService:
    """Works on this user's files. Answers come on threads of its own; `stop` waits for them, bounded."""

    def __init__(self, config_file: Path, secrets_file: Path, named_secrets: Path | None = None) -> None:
        """`named_secrets`: of --secrets-file; it, or POS_APP_SECRETS_FILE's, is where the next start looks."""
        self._config_file = config_file
        self._secrets_file = secrets_file
        self._named_secrets = named_secrets
        self._background = Background("setting-up")
        self._known = self._there()

    def stored(self, settings: Settings) -> dict[str, str] | None:
        """A live counter as it stands in the file that `save` writes, by the form's field; None where another place
        says something of it, and would go on saying it.
        """
        own = f"{self._config_file} line "
        sources = [settings.source_of(name) for name in SETTING_OF.values()]
        is_ours = all(each.startswith(own) or each == "default" for each in sources)
        if settings.gateway.environment is not Environment.LIVE or not is_ours:
            return None
        sections = msgspec.structs.asdict(settings)
        places = {field: BY_NAME[name] for field, name in SETTING_OF.items()}
        return {field: str(getattr(sections[key.section], key.field)) for field, key in places.items()}

    def test(self, draft: SetUp, done: Callable[[QueryReply], None]) -> None:
        """Asks the service for today's list with these settings; gives the reply once."""
        self._background.run(lambda: done(self._asked(draft)))

    def save(self, draft: SetUp, done: Callable[[tuple[FieldProblem, ...]], None]) -> None:
        """Writes settings and secrets; gives the problems once, none when all is stored."""
        self._background.run(lambda: done(self._stored(draft)))

    def _asked(self, draft: SetUp) -> QueryReply:
        from pos_app.bootstrap.services import config_for
        from pos_app.services.errors import ServiceError
        from pos_app.services.open import open_services

        try:
            settings = load_settings(None, {}, overrides_of(draft))
            services = open_services(config_for(settings, self._secrets(draft)))
        except (SettingsError, SecretsError, ServiceError) as error:
            return NoAnswer(Why.CONNECT, sent=False, detail=str(error))
        try:
            return services.payments.todays_list()
        finally:
            services.close()

    def _secrets(self, draft: SetUp) -> ShopSecrets:
        typed = {name: getattr(draft, name) for name in SECRET_FIELDS}
        return ShopSecrets(
            **typed, otp_access_token=Secret(""), token_client_secret=Secret(""), source="form"
        )

    def _there(self) -> bytes | None:
        """What the file says now; None where it is not there, or cannot be read."""
        try:
            return self._config_file.read_bytes()
        except OSError:
            return None

    def _stored(self, draft: SetUp) -> tuple[FieldProblem, ...]:
        around = self._config_file.resolve().parent
        with contextlib.suppress(OSError):
            around.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Of two windows whose forms are saved at once the second finds what the first has written.
        with alone_in(around, _TURN_S):
            return self._written(draft)

    def _written(self, draft: SetUp) -> tuple[FieldProblem, ...]:
        if self._there() != self._known:
            # Nothing keeps two windows apart before there is a journal: the till of the other may be at work by now.
            return (FieldProblem("", words.SET_UP_MEANWHILE),)
        changes = overrides_of(draft)
        try:
            load_settings(None, {}, changes)
        except SettingsError as error:
            names = {key: field for field, key in SETTING_OF.items()}
            return tuple(FieldProblem(names.get(each.key, ""), str(each)) for each in error.problems)
        typed = {name: getattr(draft, name) for name in SECRET_FIELDS}
        try:
            # Secrets first: settings without secrets would open a till that cannot sign in.
            change_secrets(
                typed, self._named_secrets, os.environ, self._secrets_file, draft.environment.value
            )
            try:
                write_settings(self._config_file, changes)
            finally:
                # Also where it could not be synced: it is ours, and may be written again.
                self._known = self._there()
        except OSError as error:
            # A full disk is told without a name.
            path = error.filename or self._config_file
            return (FieldProblem("", f"{path} cannot be written: {error.strerror or error}"),)
        except (SecretsError, SettingsError) as error:
            return (FieldProblem("", str(error)),)
        return ()

    def stop(self) -> None:
        """Waits for what is under way, a little."""
        self._background.stop()


def live_counter(typed: Mapping[str, str]) -> SetUp | tuple[FieldProblem, ...]:
    """The counter that was typed, or every field that cannot be used, in the form's order."""
    typed = {name: text.strip(" ") for name, text in typed.items()}
    problems = [problem for name, text in typed.items() if (problem := _problem(name, text)) is not None]
    if problems:
        return tuple(problems)
    secrets = {name: typed_secret(name, typed.get(name, "")) for name in SECRET_FIELDS}
    return SetUp(
        environment=Environment.LIVE,
        shop_name=typed["shop_name"],
        counter_id=int(typed["counter_id"]),
        merchant_pg_identifier=typed["merchant_pg_identifier"],
        base_url=typed["base_url"].rstrip("/"),
        country=typed["country"],
        currency=typed["currency"],
        default_method=typed.get("default_method", "qr"),
        theme=typed.get("theme", "system"),
        language=spoken(),
        **secrets,
    )


def _problem(name: str, text: str) -> FieldProblem | None:
    if name == "base_url":
        said = address_problem(text, Environment.LIVE)
    elif name in SECRET_FIELDS:
        said = _problem_of_secret(name, text)
    else:
        key = BY_NAME[SETTING_OF[name]]
        said = words.PROBLEM[name] if problem_of(key, _typed(text, key.type)) else ""
    return FieldProblem(name, said) if said else None


def _typed(text: str, kind: type) -> Any:
    """A whole number where the setting is one: in plain digits and without a zero before them."""
    is_number = kind is int and text.isascii() and text.isdecimal() and not text.startswith("0")
    return int(text) if is_number else text


def _problem_of_secret(name: str, text: str) -> str:
    """Why no header carries it, "" when one does."""
    try:
        return "" if typed_secret(name, text) else words.PROBLEM[name]
    except SecretError as error:
        return field_words.secret_problem(words.LABEL[name], error)


def address_problem(text: str, environment: Environment) -> str:
    """Why this cannot be the service's address, "" when it can: https, and live and sandbox never mix."""
    is_sandbox = environment is Environment.SANDBOX
    if not origin(text, sandbox=is_sandbox):
        return ""
    try:
        host = parse_address(text, with_http=True).host
    except AddressError:
        return words.PROBLEM["base_url"]
    if is_sandbox:
        return words.SANDBOX_ONLY_LOCAL
    return words.LIVE_LOOPBACK if is_private(host) else words.PROBLEM["base_url"]


def overrides_of(draft: SetUp) -> dict[str, Any]:
    """The form as flat settings."""
    changes = {key: getattr(draft, field) for field, key in SETTING_OF.items()}
    return changes | {"gateway.environment": draft.environment.value}
