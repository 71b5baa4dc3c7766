"""Wrong tills, part six: somebody takes rows out of the record or gives the till another folder, and gains by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from pos_app.engine.core import rebuild
from pos_app.engine.staff.machine_sends import MachineSends
from pos_app.engine.staff.passcodes import Passcodes
from pos_app.engine.staff.roster import Roster
from pos_app.engine.staff.sign_in import SignInSteps
from tests.verification.simulation.planting import Planter


def a_gap_forgives_wrong_passcodes(planter: Planter) -> None:
    """The wrong ones are counted of those rows that are there; whether any are missing is not looked at."""
    planter.put(Passcodes, "_stands", lambda *_: True)


def a_rebuild_forgives_wrong_passcodes(planter: Planter) -> None:
    """What a damaged record says of a person is taken over, and their passcode counts on, from none."""

    def wrong(salvage: Any, at: Any) -> Iterator[Any]:
        for record in right(salvage, at):
            if record.person is not None:
                yield replace(record, person=replace(record.person, passcode_dead=False))
            elif record.kind != "PASSCODE_TRY":
                yield record

    right = planter.put(rebuild, "_people", wrong)


def a_rebuild_counts_what_is_left(planter: Planter) -> None:
    """The wrong ones that a damaged record still shows come along; that there may have been more is nothing."""

    def wrong(salvage: Any, at: Any) -> Iterator[Any]:
        for record in right(salvage, at):
            person = record.person
            yield record if person is None else replace(record, person=replace(person, passcode_dead=False))

    right = planter.put(rebuild, "_people", wrong)


def an_empty_list_is_a_first_start(planter: Planter) -> None:
    """Nobody is on the list: whoever comes first is the manager, whatever the record was begun beside."""

    def wrong(self: Any) -> None:
        right(self)
        self.rebuilt = False

    right = planter.put(Roster, "take_up", wrong)


def no_manager_is_a_first_start(planter: Planter) -> None:
    """There are cashiers, and a till needs a manager: whoever stands there may be one."""
    planter.put(SignInSteps, "_never_was_anybody", lambda _: True)


def an_emptied_table_is_a_first_start(planter: Planter) -> None:
    """A record that no start found damaged says nothing of anybody: then there never was anybody."""
    planter.put(
        SignInSteps, "_never_was_anybody", lambda self: not (self._roster.people or self._roster.rebuilt)
    )


def only_the_folder_counts_codes(planter: Planter) -> None:
    """Another folder on the same machine has its codes to send, like any till."""
    planter.put(MachineSends, "sends", lambda _: [])


def the_machine_counts_from_each_start(planter: Planter) -> None:
    """What the machine has sent is kept for as long as the till runs."""

    def wrong(self: Any, file: Any) -> None:
        file.unlink(missing_ok=True)
        right(self, file)

    right = planter.put(MachineSends, "__init__", wrong)
