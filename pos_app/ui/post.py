"""How a command leaves the window, and which need a manager first. Posts nothing itself."""

from __future__ import annotations

import os
from collections.abc import Callable

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import Command
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.refund import Note
from pos_app.domain.rights import Act, may
from pos_app.domain.sale import Sale
from pos_app.domain.staff import Approvable, StaffCommand
from pos_app.domain.views import StaffAnswered

Post = Callable[[Command | StaffCommand], None]
"""Hands a command to the engine; never waits."""

About = Attempt | Sale | Note | None
"""What a command is about, as far as that is a payment."""

Then = Callable[[StaffAnswered], None]
"""What is done once a manager allowed a command."""

Want = Callable[[Approvable, About, Then | None], bool]
"""Posts a command, or has a manager asked first; whether it was posted at once. `Then`: once the manager allowed it."""


def name_request() -> str:
    """Another name for a command, so that its answer is known; no other has it, of another run of the till either."""
    return os.urandom(16).hex()


def needs_manager(person: Person | None, act: Act, owner: str = TERMINAL) -> bool:
    """Whether this person cannot do it alone; for a button, the engine judges anew. Nobody: nobody signs in here."""
    return person is not None and not may(act, person, owner)
