"""The engine's leave for what the settings' screen wants: asked for by Permit, journalled before it is done."""

from __future__ import annotations

import secrets as randomness
from collections.abc import Callable
from typing import Any

import msgspec

from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.engine.core.mailbox import Message


class Leave(msgspec.Struct, frozen=True):
    """What became of it: `granted` are the requests that are journalled as allowed."""

    granted: tuple[str, ...]
    problem: StaffProblem = StaffProblem.NONE


class Leaves:
    """Asks for one act after the other; the first that is refused ends the asking."""

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._post = post
        self._asked: list[Permit] = []
        self._granted: list[str] = []
        self._done: Callable[[Leave], None] | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is still waited for."""
        return self._done is not None

    def ask(self, acts: list[tuple[Act, dict[str, Any]]], reason: str, done: Callable[[Leave], None]) -> None:
        """`done` is called once, on the window's thread."""
        self._asked = [
            Permit(request_id=f"settings-{randomness.token_hex(8)}", act=act, reason=reason, content=content)
            for act, content in acts
        ]
        self._granted, self._done = [], done
        self._next()

    def _next(self) -> None:
        if self._asked:
            self._post(self._asked[0])
        else:
            self._end(StaffProblem.NONE)

    def hear(self, answer: StaffAnswered) -> None:
        """What the engine says of a request of ours; others' are left to them."""
        if not self._asked or answer.request_id != self._asked[0].request_id:
            return
        if answer.problem or answer.passcode:
            self._end(answer.problem or StaffProblem.NOT_ALLOWED)
            return
        self._granted.append(self._asked.pop(0).request_id)
        self._next()

    def _end(self, problem: StaffProblem) -> None:
        done, self._done, self._asked = self._done, None, []
        if done is not None:
            done(Leave(tuple(self._granted), problem))
