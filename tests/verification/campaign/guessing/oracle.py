"""What no schedule may give: more than ten tries at a passcode, a try before its wait, a code beyond I10's limits."""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.domain.otp import OtpLimits
from pos_app.domain.passcode import PasscodeLimits, wait_before_next

MINUTE, DAY = 60_000, 86_400_000


class Oracle:
    """Counts in true time what left the till: looks at a passcode, messages, tries at a code."""

    def __init__(self) -> None:
        self.passcodes = PasscodeLimits()
        self.codes = OtpLimits()
        self.wrong: list[str] = []
        self.looks: dict[str, list[int]] = {}
        self._messages: list[tuple[int, str]] = []
        self._tries: dict[str, int] = {}

    def looked(self, person_id: str, true: int) -> None:
        """A wrong passcode was compared with the hash."""
        row = self.looks.setdefault(person_id, [])
        if row and true - row[-1] < wait_before_next(len(row), self.passcodes):
            self.wrong.append(f"try {len(row) + 1} came {true - row[-1]} ms after the one before")
        row.append(true)
        if len(row) > self.passcodes.tries:
            self.wrong.append(f"{len(row)} tries in a row at the passcode of {person_id}")

    def forgiven(self, person_id: str) -> None:
        """They gave the right one, or chose another."""
        self.looks.pop(person_id, None)

    def sent(self, msisdn: str, true: int) -> None:
        """A message left the till."""
        self._messages.append((true, msisdn))
        own = [at for at, to in self._messages if to == msisdn]
        everybody = [at for at, _ in self._messages]
        self.wrong += self._too_many(own, self.codes.window_ms, self.codes.sends_per_window, msisdn)
        self.wrong += self._too_many(own, DAY, self.codes.sends_per_day, msisdn)
        self.wrong += self._too_many(everybody, DAY, self.codes.terminal_sends_per_day, "the terminal")

    def _too_many(self, times: list[int], window: int, most: int, whose: str) -> Iterator[str]:
        within = [at for at in times if at > times[-1] - window]
        if len(within) > most:
            yield f"{len(within)} messages of {whose} in {window // MINUTE} minutes"

    def tried(self, server_ref: str) -> None:
        """A code was handed to the service."""
        self._tries[server_ref] = self._tries.get(server_ref, 0) + 1
        if self._tries[server_ref] > self.codes.tries_per_reference:
            self.wrong.append(f"{self._tries[server_ref]} tries at one reference")
