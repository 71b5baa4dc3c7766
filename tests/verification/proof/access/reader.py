"""A person who works the till by its accessible parts alone, found by what they are called, by no name of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.verification.proof.access.bus import AccessBus

LIMIT_S = 60
_STEP_S = 0.05
_SHOWING, _SENSITIVE, _FOCUSED = 1 << 25, 1 << 24, 1 << 12
_ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")


class Part(NamedTuple):
    """One accessible object."""

    owner: str
    path: str


class Reader:
    """Looks at the whole tree each time: what a person hears is what is there now."""

    def __init__(self, bus: AccessBus) -> None:
        self._bus = bus

    def parts(self) -> Iterator[tuple[str, str, Part]]:
        """Role, name and handle of everything that shows."""
        yield from self._below(Part(*_ROOT))

    def _below(self, part: Part) -> Iterator[tuple[str, str, Part]]:
        for owner, path in self._ask(part, "Accessible", "GetChildren"):
            child = Part(owner, path)
            try:
                role = str(self._ask(child, "Accessible", "GetRoleName"))
                if role != "application" and not self._state(child) & _SHOWING:
                    continue
                yield role, str(self._bus.property(*child, "Accessible", "Name")), child
                yield from self._below(child)
            except LookupError:
                # It went while it was looked at.
                continue

    def find(self, role: str, name: str) -> Part:
        """The part of this role whose name begins like this, once it shows and can be used."""
        found: list[Part] = []

        def there() -> bool:
            found[:] = [
                part
                for each, called, part in self.parts()
                if each == role and called.startswith(name) and self._state(part) & _SENSITIVE
            ]
            return bool(found)

        self.until(there, f"{role} {name!r}")
        return found[0]

    def press(self, role: str, name: str) -> None:
        """Its first action, whatever that is called."""
        self._ask(self.find(role, name), "Action", "DoAction", 0, kind="i")

    def write(self, name: str, text: str) -> None:
        """Into the field of this name."""
        for role in ("text", "password text"):
            if any(each == role and called.startswith(name) for each, called, _ in self.parts()):
                self._ask(self.find(role, name), "EditableText", "SetTextContents", text, kind="s")
                return
        raise LookupError(f"no field {name!r}")

    def names(self) -> list[str]:
        """All that can be heard now."""
        return [name for _role, name, _part in self.parts() if name]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Until it is so; else what can be heard is told."""
        end = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < end, f"{what} did not come; there is {self.names()}"
            self._bus.wait(_STEP_S)

    def _state(self, part: Part) -> int:
        low, high = self._ask(part, "Accessible", "GetState")
        return int(low) | int(high) << 32

    def _ask(self, part: Part, interface: str, member: str, *said: Any, kind: str = "") -> Any:
        return self._bus.call(*part, interface, member, *said, kind=kind)
