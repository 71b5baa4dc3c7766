"""The system's key store, with a time limit: a locked one asks its owner and may never answer.

Which one is decided here, by platform. The library itself would take any that its settings file in the home folder
(keyringrc.cfg), PYTHON_KEYRING_BACKEND or an installed package's entry points name, and hand that code our keys: of
the library only the named class is used, never the part that looks for one.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Callable
from typing import Any

SERVICE = "pos-app"
LIMIT_S = 5.0

# Each of these is made by the library's own authors and keeps what it is given under its owner's lock.
BY_PLATFORM = {
    "linux": "keyring.backends.SecretService.Keyring",
    "darwin": "keyring.backends.macOS.Keyring",
    "win32": "keyring.backends.Windows.WinVaultKeyring",
}


class NoAnswerError(Exception):
    """There is a key store, and it does not say what it holds: locked, failing, gone meanwhile, or not in time."""


def read(name: str) -> str | None:
    """A stored text; None when there is no key store, or no such entry. Raises NoAnswerError."""
    return _within_limit(lambda store: store.get_password(SERVICE, name))


def write(name: str, value: str) -> bool:
    """Stores a text; False when there is no key store that takes it in time."""

    def put(store: Any) -> str | None:
        store.set_password(SERVICE, name, value)
        return "stored"

    try:
        return _within_limit(put) is not None
    except NoAnswerError:
        return False


def available() -> str:
    """The key store's name; empty when there is none, or no answer in time."""
    try:
        return _within_limit(lambda store: str(store.name)) or ""
    except NoAnswerError:
        return ""


def _store() -> Any:
    """This platform's; None where it has none. Raises whatever the class does where it cannot work."""
    named = BY_PLATFORM.get(sys.platform)
    if named is None:
        return None
    module, _, name = named.rpartition(".")
    kind = getattr(importlib.import_module(module), name)
    # Asked before it is made, as the library does: raises where there is no service to keep anything.
    return kind() if kind.priority >= 1 else None


class _Turn:
    """One question at a time: behind one that its owner does not answer, no other is put, and none waits again."""

    def __init__(self) -> None:
        self._free = threading.Lock()
        self._hangs = False
        self.met = False
        """Whether this process has had a key store: one that is gone then keeps what it holds."""

    def take(self) -> bool:
        """False when the store does not answer."""
        return self._free.acquire(timeout=0 if self._hangs else LIMIT_S)

    def give_up(self) -> None:
        """The question is left to itself."""
        self._hangs = True

    def end(self) -> None:
        """An answer came, in time or late."""
        self._hangs = False
        self._free.release()


_turn = _Turn()


def _within_limit(work: Callable[[Any], str | None]) -> str | None:
    answer: list[str | None] = []

    def run() -> None:
        try:
            from keyring.errors import KeyringError

            # Each system's store fails in its own way.
            failures = (
                KeyringError, ImportError, RuntimeError, OSError, ValueError, TypeError, AttributeError, LookupError
            )  # fmt: skip
            store = None
            with contextlib.suppress(*failures):
                store = _store()
            if store is None:
                if not _turn.met:
                    answer.append(None)
                return
            _turn.met = True
            with contextlib.suppress(*failures):
                answer.append(work(store))
        finally:
            _turn.end()

    if not _turn.take():
        raise NoAnswerError
    # A daemon: a key store that waits for its owner for ever must not hold up the end of the till.
    thread = threading.Thread(target=run, name="key-store", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        # The system gives none: the turn is for whoever asks next.
        _turn.end()
        raise NoAnswerError from error
    thread.join(LIMIT_S)
    if thread.is_alive():
        _turn.give_up()
    if not answer:
        raise NoAnswerError
    return answer[0]
