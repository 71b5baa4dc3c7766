"""Which Z of a damaged journal counts a payment, as far as events prove it: no Z of the next one may count it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Z
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.record import Record
from pos_app.domain.takings import NOT_SUMMED, column_of, is_money, minor


class Counted:
    """Filled with proven events in their order. Where the journal before ended (`before`), this one begins: what that
    one knew holds for as long as no event here says otherwise, also where the one that took it over cannot be read.
    """

    def __init__(self, before: Counted | None = None) -> None:
        self.in_z: dict[str, int] = {}
        """The Z that counts a payment as it stands."""
        self.corrected: dict[str, tuple[int, str]] = {}
        """Money that a Z counts and that is none any more, as no Z says: that Z, and its heading there."""
        self.late: set[str] = set()
        """Money since the newest Z, of payments that had begun before it."""
        self._columns: dict[str, str] = {}
        self._since: set[str] = set()
        self._met: set[str] = set()
        self._begun: set[str] = set()
        """The payments that had begun when the newest Z was closed, or in a journal before this one."""
        self._z, self._closed_at = 0, -1
        if before is not None:
            self.in_z, self.corrected, self.late = {**before.in_z}, {**before.corrected}, {*before.late}
            self._columns, self._since = {**before._columns}, {*before._since}
            self._begun = {*before._columns}

    def met(self, record: Record, attempt: Attempt) -> None:
        """A payment as an event says that it stands now."""
        key, column = attempt.attempt_id, column_of(attempt)
        self._show(record, attempt, column)
        was = self._columns.get(key, "")
        if key not in self._columns or (was != column and not (is_money(was) and is_money(column))):
            self._moved(key, was, column)
        if record.kind == RECOVERED:
            self._entered(key, record.content)
        self._columns[key] = column
        self._met.add(key)

    def closed(self, z: Z) -> None:
        """A Z. What it names by its id holds, whatever of that payment can be read."""
        said = {each.attempt_id for each in z.corrections}
        not_money = said | {*z.disputed}
        for key in not_money:
            self.in_z.pop(key, None)
        counted = [key for key in self._since - not_money if self._columns[key]]
        self.in_z |= dict.fromkeys((*counted, *(each.attempt_id for each in z.late_from)), z.number)
        self.corrected = {key: known for key, known in self.corrected.items() if key not in said}
        self._since = not_money & self._columns.keys()
        self._begun |= self._met
        self._met.clear()
        self.late.clear()
        self._z, self._closed_at = z.number, z.ended_at

    def _show(self, record: Record, attempt: Attempt, column: str) -> None:
        """Takes up what an event shows to have been money where the one that made it so cannot be read.

        By its own time the newest Z counts it, or none does.
        """
        key = attempt.attempt_id
        was = self._columns.get(key, "")
        shown = record.path[0].value + NOT_SUMMED * (minor(attempt) is None) if record.path else column
        if record.kind == RECOVERED or is_money(was) or not is_money(shown):
            return
        if attempt.ended_at is not None and attempt.ended_at <= self._closed_at:
            self.corrected.pop(key, None)
            self._counts(key, self._z)
        else:
            self._moved(key, was, shown)
        self._columns[key] = shown

    def _moved(self, key: str, was: str, column: str) -> None:
        """It is counted under another heading than it was; what a Z says of it stays said."""
        z = self.in_z.pop(key, None)
        self._since.add(key)
        if is_money(was):
            self.late.discard(key)
            if z is not None:
                self.corrected[key] = (z, was)
        elif is_money(column):
            if key in self.corrected:
                # Money once more, as that Z counts it: nothing is to be said.
                self._counts(key, self.corrected.pop(key)[0])
            elif key in self._begun:
                self.late.add(key)

    def _entered(self, key: str, said: Mapping[str, Any]) -> None:
        """What the event says that took it over from a journal before this one."""
        self._begun.add(key)
        if not {"z", "corrects", "late"} & said.keys():
            return
        known = self.corrected.pop(key, (0, ""))
        self.in_z.pop(key, None)
        self.late.discard(key)
        if "z" in said:
            self._counts(key, int(said["z"]))
            return
        self._since.add(key)
        if "corrects" in said:
            self.corrected[key] = (known[0], str(said["corrects"]))
        else:
            self.late.add(key)

    def _counts(self, key: str, z: int) -> None:
        self.in_z[key] = z
        self._since.discard(key)
