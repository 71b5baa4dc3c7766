"""The table of rights as values: each act has a holder, and each kind of holder means what it says."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from pos_app.domain.people import TERMINAL, Person, Role
from pos_app.domain.rights import RIGHTS, Act, Grant, may

OWN = "person-1"


def somebody(role: Role = Role.CASHIER, *, person_id: str = OWN, enabled: bool = True) -> Person:
    """On the list."""
    return Person(
        person_id=person_id, name="Kamala", role=role, number_mask="", number_digest="", enabled=enabled
    )


def test_every_act_has_a_holder() -> None:
    """And none is left out of the table."""
    assert set(RIGHTS) == set(Act)


@pytest.mark.parametrize(("act", "owner"), list(product(Act, (OWN, "person-2", TERMINAL))))
def test_who_may(act: Act, owner: str) -> None:
    """By who holds the right, and whose payment it is."""
    grant = RIGHTS[act]
    asks = grant is Grant.ANYBODY
    assert may(act, None, owner) is asks
    assert may(act, somebody(enabled=False), owner) is asks
    assert may(act, somebody(Role.MANAGER, enabled=False), owner) is asks
    assert may(act, somebody(Role.MANAGER, person_id="person-3"), owner)
    mine = owner in (OWN, TERMINAL)
    assert may(act, somebody(), owner) is (
        grant in (Grant.ANYBODY, Grant.SIGNED_IN) or (grant is Grant.OWNER and mine)
    )


def test_the_whole_tills_takings_are_nobodys_own() -> None:
    """And closing is a manager's, unless the settings open it."""
    assert not may(Act.READ_X, somebody(), "")
    assert may(Act.READ_X, somebody(Role.MANAGER), "")
    opened = frozenset({Act.CLOSE_DAY})
    assert not may(Act.CLOSE_DAY, somebody())
    assert may(Act.CLOSE_DAY, somebody(), opened=opened)
    assert not may(Act.CLOSE_DAY, None, opened=opened)
    assert not may(Act.CLOSE_DAY, somebody(enabled=False), opened=opened)


def test_only_asking_and_leaving_a_panel_are_anybodys() -> None:
    """Neither can take money or give it back."""
    assert {act for act, grant in RIGHTS.items() if grant is Grant.ANYBODY} == {Act.CHECK, Act.LEAVE}


def test_a_cashier_never_does_what_settles_money_alone() -> None:
    """Nor what changes people, settings, secrets, or shows a number."""
    cashier = somebody()
    alone = {act for act in Act if may(act, cashier, OWN)}
    assert alone == {
        Act.CHARGE,
        Act.CHECK,
        Act.PARK,
        Act.LEAVE,
        Act.CANCEL,
        Act.CONTINUE,
        Act.CLOSE,
        Act.COMPLETE,
        # What a manager has promised is handed over by whoever is there; the signed slip says that it was.
        Act.GIVE_REFUND,
        Act.CHOOSE_PASSCODE,
        Act.CHOOSE_LANGUAGE,
        Act.FIND_PAYMENTS,
        Act.READ_X,
        Act.PRINT,
        Act.REPRINT,
    }
    assert not may(Act.REFUND, msgspec.structs.replace(cashier, name="Manager"), OWN)
