"""Testing a connection and storing a counter's settings, off the window's thread; for wizard and settings alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, QueryReply, Why
from pos_app.domain.secret import Secret
from pos_app.secrets import SecretsError, ShopSecrets, write_secrets
from pos_app.settings import SettingsError, load_settings, write_settings
from pos_app.ui.dialogs.set_up.form import SECRET_FIELDS, SETTING_OF, FieldProblem, SetUp

JOIN_S = 2.0


class SetUpService:
    """Works on this user's files. Answers come on threads of its own; `stop` waits for them, bounded."""

    def __init__(self, config_file: Path, secrets_file: Path) -> None:
        self._config_file = config_file
        self._secrets_file = secrets_file
        self._threads: list[threading.Thread] = []

    def test(self, draft: SetUp, done: Callable[[QueryReply], None]) -> None:
        """Asks the service for today's list with these settings; gives the reply once."""
        self._run(lambda: done(self._asked(draft)))

    def save(self, draft: SetUp, done: Callable[[tuple[FieldProblem, ...]], None]) -> None:
        """Writes settings and secrets; gives the problems once, none when all is stored."""
        self._run(lambda: done(self._stored(draft)))

    def _run(self, work: Callable[[], None]) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, name="setting-up", daemon=True)
        self._threads.append(thread)
        thread.start()

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
            today = f"{datetime.now().astimezone():%Y-%m-%d} 00:00:00"
            return services.payments.query(QueryFilter(from_date=today))
        finally:
            services.close()

    def _secrets(self, draft: SetUp) -> ShopSecrets:
        typed = {name: getattr(draft, name) for name in SECRET_FIELDS}
        return ShopSecrets(
            **typed, otp_access_token=Secret(""), token_client_secret=Secret(""), source="form"
        )

    def _stored(self, draft: SetUp) -> tuple[FieldProblem, ...]:
        changes = overrides_of(draft)
        try:
            load_settings(None, {}, changes)
        except SettingsError as error:
            names = {key: field for field, key in SETTING_OF.items()}
            return tuple(FieldProblem(names.get(each.key, ""), str(each)) for each in error.problems)
        typed = {name: getattr(draft, name) for name in SECRET_FIELDS}
        try:
            # Secrets first: settings without secrets would open a till that cannot sign in.
            write_secrets(typed, self._secrets_file, draft.environment.value)
            write_settings(self._config_file, changes)
        except (OSError, SecretsError, SettingsError) as error:
            return (FieldProblem("", str(error)),)
        return ()

    def stop(self) -> None:
        """Waits for what is under way, a little."""
        for thread in self._threads:
            thread.join(JOIN_S)


def overrides_of(draft: SetUp) -> dict[str, Any]:
    """The form as flat settings."""
    changes = {key: getattr(draft, field) for field, key in SETTING_OF.items()}
    return changes | {"gateway.environment": draft.environment.value}
