"""The system's key store, with a time limit: a locked one asks its owner and may never answer."""

from __future__ import annotations

import threading

SERVICE = "pos-app"
LIMIT_S = 5.0


def read(name: str) -> str | None:
    """A stored text; None when there is no key store, no such entry, or no answer in time."""
    return _within_limit(lambda keyring: keyring.get_password(SERVICE, name))


def write(name: str, value: str) -> bool:
    """Stores a text; False when there is no key store that takes it in time."""

    def store(keyring: object) -> str:
        keyring.set_password(SERVICE, name, value)  # type: ignore[attr-defined]
        return "stored"

    return _within_limit(store) is not None


def available() -> str:
    """The key store's name; empty when there is none."""
    return _within_limit(lambda keyring: _backend_name(keyring)) or ""


def _backend_name(keyring: object) -> str | None:
    backend = keyring.get_keyring()  # type: ignore[attr-defined]
    return str(backend.name) if backend.priority >= 1 else None


def _within_limit(work: object) -> str | None:
    answer: list[str | None] = []

    def run() -> None:
        import keyring
        from keyring.errors import KeyringError

        try:
            answer.append(work(keyring))  # type: ignore[operator]
        except (KeyringError, RuntimeError, OSError):
            answer.append(None)

    # A daemon: a key store that waits for its owner for ever must not hold up the end of the till.
    thread = threading.Thread(target=run, name="key-store", daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    return answer[0] if answer else None
