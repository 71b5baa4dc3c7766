"""Passwords as Argon2id hashes, on a few threads of their own: slow on purpose, and never on the server's loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from itertools import pairwise
from typing import ParamSpec, TypeVar

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from pos_app.domain.secret import Secret

P = ParamSpec("P")
R = TypeVar("R")

LEAST, MOST = 12, 128
"""Signs of a password."""
DIFFERENT_LEAST = 5
AT_ONCE = 4
WAITING_MOST = 64
"""So many may wait for their turn; more are told to come again, so that a crowd cannot take the server's memory."""
SALT_BYTES, HASH_BYTES = 16, 32
PASSES, LANES, MEMORY_KIB = 3, 1, 64 * 1024
"""About 100 ms of one core; four at once hold 256 MiB for that long."""


class PasswordProblem(StrEnum):
    """Why a password cannot be chosen."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    TOO_PLAIN = "too_plain"
    """The same few signs again and again, or a run of them."""
    IS_THE_NAME = "is_the_name"
    NOT_THE_SAME = "not_the_same"
    """As typed the second time."""


class Busy(Exception):
    """More passwords are being looked at than this machine can; nothing was decided."""


def problem_of(password: str, again: str, name: str) -> PasswordProblem | None:
    """What is wrong with a chosen password; None: nothing. Its strength is its length, so no sign is demanded."""
    if len(password) < LEAST:
        return PasswordProblem.TOO_SHORT
    if len(password) > MOST:
        return PasswordProblem.TOO_LONG
    plain = password.casefold()
    steps = {ord(after) - ord(before) for before, after in pairwise(plain)}
    if len(set(plain)) < DIFFERENT_LEAST or len(steps) <= 2:
        return PasswordProblem.TOO_PLAIN
    if name and len(plain.replace(name.casefold(), "")) < LEAST // 2:
        return PasswordProblem.IS_THE_NAME
    return None if password == again else PasswordProblem.NOT_THE_SAME


class Passwords:
    """Hashes and compares, AT_ONCE at a time. `cost` (KiB of memory) is lower in tests alone."""

    def __init__(self, cost: int = MEMORY_KIB) -> None:
        self._cost = cost
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")
        self._waiting = 0
        self._nobodys = _hash(Secret(secrets.token_urlsafe(16)), cost)

    def close(self) -> None:
        """Ends the threads; what is under way is waited for."""
        self._threads.shutdown()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A place among those that wait, for whoever is about to have one looked at. Raises Busy."""
        if self._waiting >= WAITING_MOST:
            raise Busy
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def hashed(self, password: Secret) -> str:
        """As PHC text with its salt and cost. In a turn."""
        return await self._on_a_thread(_hash, password, self._cost)

    async def is_right(self, password: Secret, hashed: str | None) -> bool:
        """Whether the hash was made of it; without one (nobody's name) False, and it takes as long. In a turn."""
        right = await self._on_a_thread(_is_right, password, hashed or self._nobodys)
        return right and hashed is not None

    async def _on_a_thread(self, do: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: do(*given, **named))


def _hash(password: Secret, cost: int) -> str:
    salt = secrets.token_bytes(SALT_BYTES)
    made = Argon2id(salt=salt, length=HASH_BYTES, iterations=PASSES, lanes=LANES, memory_cost=cost)
    return made.derive_phc_encoded(password.reveal().encode())


def _is_right(password: Secret, hashed: str) -> bool:
    try:
        Argon2id.verify_phc_encoded(password.reveal().encode(), hashed)
    except InvalidKey:
        return False
    return True
