"""The files behind a till's settings and secrets: read again, changed together or not at all, and put back."""

from __future__ import annotations

import contextlib
import os
import shutil
import weakref
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import config_of, in_language, secrets_of, settings_of
from pos_app.domain.secret import Secret
from pos_app.secrets import SecretsError, SecretsMissingError, ShopSecrets, change_secrets, load_secrets
from pos_app.secrets.files import NAMES
from pos_app.settings import Settings, SettingsError, write_settings
from pos_app.system import paths
from pos_app.system.atomic_file import sync_folder
from pos_app.system.one_at_a_time import hold, let_go


class StoreError(Exception):
    """It could not be stored; all is as it was. The message is fit for a person and holds no secret."""


class StoreBusyError(StoreError):
    """Another window, on the same files, has a change of its own that may still be put back."""


class Undo:
    """How things were before a change: `put_back` once, or `let_go` once it holds. Until then nobody else changes them:
    what they stored would be put back with it, or lost to whoever read the file before."""

    def __init__(
        self,
        file: Path,
        put_secrets_back: Mapping[str, Secret],
        store: SettingsStore,
        at: str,
        folder: int | None,
    ) -> None:
        self._file = file.resolve()
        self._was = self._file.with_name(f".{self._file.name}.before")
        self._there = self._file.exists()
        self._secrets = put_secrets_back
        self._store = store
        self._environment = at
        self._was.unlink(missing_ok=True)
        if self._there:
            # A second name, no copy: putting it back needs no room on a disk that is full.
            try:
                os.link(self._file, self._was)
            except OSError:
                shutil.copy2(self._file, self._was)
        self.secrets_changed = False
        # Also where a fault keeps everybody from deciding: no other window is shut out until this one ends.
        self._free = weakref.finalize(self, let_go, folder)

    def put_back(self) -> None:
        """The file by its old name; secrets as they were, as far as their place takes them."""
        with contextlib.suppress(OSError):
            if self._there:
                self._was.replace(self._file)
                # Two names of one file stay two, by POSIX: nothing had been written yet.
                self._was.unlink(missing_ok=True)
            else:
                self._file.unlink(missing_ok=True)
            sync_folder(self._file.parent)
        if self.secrets_changed:
            with contextlib.suppress(OSError, SecretsError):
                forget = [name for name, secret in self._secrets.items() if not secret]
                self._store.write_secrets(self._secrets, forget, self._environment)
        self._free()

    def let_go(self) -> None:
        """The change holds."""
        with contextlib.suppress(OSError):
            self._was.unlink(missing_ok=True)
        self._free()


class SettingsStore:
    """The files of one till's options. Every call may take seconds: never on the window's thread."""

    def __init__(self, options: Options) -> None:
        self._options = options
        named = config_of(options)
        self.config_file = named or paths.user_file()
        self._named_secrets = options.secrets_file

    def read(self) -> tuple[Settings, ShopSecrets]:
        """What a start would read now. Raises StoreError."""
        try:
            settings = in_language(settings_of(self._options), self._options)
            return settings, secrets_of(self._options, settings.gateway.environment)
        except CommandError as error:
            raise StoreError(str(error)) from error

    def change(
        self,
        changes: Mapping[str, Any],
        secrets: Mapping[str, Secret],
        forget: Collection[str],
        environment: str,
    ) -> tuple[Settings, ShopSecrets, Undo]:
        """Writes both, and reads them back. Raises StoreError; then both are as they were."""
        touched = {*secrets, *forget}
        folder = _held(self.config_file)
        # Also behind a fault of ours: nothing half is left by it, and the folder is free.
        with contextlib.ExitStack() as back:
            back.callback(let_go, folder)
            try:
                undo = Undo(self.config_file, self._now(touched, environment), self, environment, folder)
                back.pop_all()
                back.callback(undo.put_back)
                if changes:
                    write_settings(self.config_file, changes)
                if touched:
                    self.write_secrets(secrets, forget, environment)
                    undo.secrets_changed = True
                settings, held = self.read()
            except (OSError, SettingsError, SecretsError, StoreError) as error:
                raise StoreError(_said(error)) from error
            back.pop_all()
        return settings, held, undo

    def write_secrets(self, secrets: Mapping[str, Secret], forget: Collection[str], environment: str) -> None:
        """Where the next start looks for them. Raises OSError, SecretsError."""
        change_secrets(
            secrets, self._named_secrets, os.environ, paths.user_secrets_file(), environment, forget
        )

    def _now(self, names: Collection[str], environment: str) -> dict[str, Secret]:
        if not names:
            return {}
        try:
            stored = load_secrets(self._named_secrets, os.environ, paths.user_secrets_file(), environment)
        except SecretsMissingError:
            return dict.fromkeys(names, Secret(""))
        except SecretsError as error:
            # Empty ones would be put back in the place of those that could not be read.
            raise StoreError(_said(error)) from error
        return {name: getattr(stored, name) for name in names}


def _held(file: Path) -> int | None:
    """The folder of the settings, for one change at a time; it is free again when it is closed, or its process ends.

    Made where there is none yet: the first change is one at a time, too. None where folders cannot be locked (Windows).
    Raises StoreBusyError.
    """
    around = file.resolve().parent
    with contextlib.suppress(OSError):
        around.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return hold(around)
    except BlockingIOError as error:
        raise StoreBusyError(_said(error)) from error


def own_files() -> SettingsStore:
    """On the files of whoever is logged in."""
    return SettingsStore(Options())


def stored_on(secrets: ShopSecrets) -> date | None:
    """When the place of the secrets was last changed, where it is a file."""
    try:
        return date.fromtimestamp(Path(secrets.source).stat().st_mtime)
    except OSError:
        return None


def given(secrets: ShopSecrets) -> dict[str, bool]:
    """Which secrets there are."""
    return {name: bool(getattr(secrets, name).reveal()) for name in NAMES}


def _said(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
