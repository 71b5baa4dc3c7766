"""The system's key store, with a time limit: a locked one asks its owner and may never answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

SERVICE = "pos-app"
LIMIT_S = 5.0


def read(name: str) -> str | None:
    """A stored text; None when there is no key store, no such entry, or no answer in time."""
    return _within_limit(lambda keyring: keyring.get_password(SERVICE, name) if _is_safe(keyring) else None)


def write(name: str, value: str) -> bool:
    """Stores a text; False when there is no key store that takes it in time."""

    def store(keyring: Any) -> str | None:
        if not _is_safe(keyring):
            return None
        keyring.set_password(SERVICE, name, value)
        return "stored"

    return _within_limit(store) is not None


def available() -> str:
    """The key store's name; empty when there is none."""
    return _within_limit(lambda keyring: str(keyring.get_keyring().name) if _is_safe(keyring) else None) or ""


def _is_safe(keyring: Any) -> bool:
    """Below 1 are those that keep nothing, or keep it in clear: our own 0600 file is better."""
    return bool(keyring.get_keyring().priority >= 1)


class _Turn:
    """One question at a time: behind one that its owner does not answer, no other is put, and none waits again."""

    def __init__(self) -> None:
        self._free = threading.Lock()
        self._hangs = False

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
            import keyring
            from keyring.errors import KeyringError

            try:
                answer.append(work(keyring))
            except (KeyringError, RuntimeError, OSError, ValueError, TypeError, AttributeError, LookupError):
                # Each system's store fails in its own way; all of them mean that there is none.
                answer.append(None)
        finally:
            _turn.end()

    if not _turn.take():
        return None
    # A daemon: a key store that waits for its owner for ever must not hold up the end of the till.
    thread = threading.Thread(target=run, name="key-store", daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    if thread.is_alive():
        _turn.give_up()
    return answer[0] if answer else None
