"""The judge itself on trial: a history that is as it should be, and the same with one thing forged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.verification.simulation.checker import judge
from tests.verification.simulation.forged_folders import FORGED_FOLDERS, HONEST
from tests.verification.simulation.forged_people import FORGED_PEOPLE
from tests.verification.simulation.forged_people import HONEST as HONEST_PEOPLE
from tests.verification.simulation.forged_rights import (
    FORGED_PRINTS,
    FORGED_RIGHTS,
    honest_prints,
    honest_staff,
)
from tests.verification.simulation.forgeries import FORGED, charged_twice
from tests.verification.simulation.forging import honest
from tests.verification.simulation.history import History
from tests.verification.simulation.roll import CASHIER, MANAGER


def test_an_honest_history_is_clean() -> None:
    """The forgeries below differ from it in one thing each."""
    history = honest()
    assert judge(history) == []
    assert {held.status for held in history.held} == {"Customer Reject", "Payment Success", "Merchant Cancel"}
    assert len(history.messages) == 1


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__.strip("_"))
def test_a_forged_history_is_found_out(forge: Callable[[History], History]) -> None:
    """By the invariant that it breaks."""
    found = {violation.invariant for violation in judge(forge(honest()))}
    assert FORGED[forge] in found


def test_a_broken_environment_is_not_held_against_the_till() -> None:
    """I1b is not asserted where the service turns its own failures into successes."""
    charged = replace(charged_twice(honest()), honest=False)
    assert "I1b" not in {violation.invariant for violation in judge(charged)}


def test_an_honest_staff_is_clean() -> None:
    """And does everything that is forged below."""
    assert judge(honest_staff()) == []
    (journal,) = honest_staff().journals.values()
    kinds = [each.record.kind for each in journal]
    assert {"SIGNED_IN", "SWITCHED", "APPROVED", "LOCKED", "UNLOCKED"} <= set(kinds)
    assert kinds.count("CANCEL") == 2


@pytest.mark.parametrize("forge", FORGED_RIGHTS, ids=lambda forge: forge.__name__.strip("_"))
def test_a_forged_act_is_found_out(forge: Callable[[History], History]) -> None:
    """Whoever the journal names must have had the right."""
    assert "I13" in {violation.invariant for violation in judge(forge(honest_staff()))}


def test_honest_prints_are_clean() -> None:
    """Each of the three ways to a copy is in it, and a Z's paper."""
    assert judge(honest_prints()) == []
    (journal,) = honest_prints().journals.values()
    asked = [each.record.actor for each in journal if each.record.kind == "COPY_ASKED"]
    assert asked == [CASHIER, MANAGER, MANAGER, MANAGER], asked


@pytest.mark.parametrize("forge", FORGED_PRINTS, ids=lambda forge: forge.__name__.strip("_"))
def test_a_forged_print_is_found_out(forge: Callable[[History], History]) -> None:
    """Whoever wanted paper must have had the right to it."""
    assert "I13" in {violation.invariant for violation in judge(forge(honest_prints()))}


@pytest.mark.parametrize("honest_one", HONEST, ids=lambda each: each.__name__)
def test_honest_folders_are_clean(honest_one: Callable[[], History]) -> None:
    """Put back, lost, moved, told another address: nothing is held against the till that it cannot know."""
    assert judge(honest_one()) == []


@pytest.mark.parametrize("forge", FORGED_FOLDERS, ids=lambda forge: forge.__name__)
def test_a_forged_folder_is_found_out(forge: Callable[[], History]) -> None:
    """Over all the folders that ever were."""
    assert FORGED_FOLDERS[forge] in {violation.invariant for violation in judge(forge())}


@pytest.mark.parametrize("honest_one", HONEST_PEOPLE, ids=lambda each: each.__name__)
def test_a_till_out_of_which_rows_were_taken_is_clean(honest_one: Callable[[], History]) -> None:
    """It gives nothing by them, and whoever looks at what was there finds nothing to say."""
    assert judge(honest_one()) == []


@pytest.mark.parametrize("forge", FORGED_PEOPLE, ids=lambda forge: forge.__name__)
def test_a_gain_by_missing_rows_is_found_out(forge: Callable[[], History]) -> None:
    """Tries, a manager, or a code."""
    assert FORGED_PEOPLE[forge] in {violation.invariant for violation in judge(forge())}
