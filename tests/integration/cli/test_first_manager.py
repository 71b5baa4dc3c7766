"""The first manager of a list that has lost its managers, and has a cashier still."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pos_app.bootstrap.shop import open_shop
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record
from tests.integration.cli.till import Till
from tests.support.command_line import arguments
from tests.support.sandbox import Sandbox

NAME, NUMBER = "José", "+94770000011"
FREE = "+94770000077"
USAGE = 2


@pytest.fixture
def left(till: Till, config_dir: Path, tmp_path: Path) -> Till:
    """A till whose list is one cashier."""
    with closing(open_shop(arguments(config_dir, tmp_path / "counter"))) as shop:
        assert shop.journal is not None
        person = Person(
            person_id="person-2",
            name=NAME,
            role=Role.CASHIER,
            number_mask=mask_number(NUMBER),
            number_digest=shop.journal.digest(NUMBER),
        )
        kept = Record(
            kind="PERSON_ENROLLED",
            subject="person-2",
            actor="person-1",
            at=shop.journal.last_at(),
            wall="2026-03-02T10:15:30.000+05:30",
            person=person,
            sealed=NUMBER.encode(),
        )
        shop.journal.append([kept])
    return till


@pytest.mark.parametrize(
    ("name", "number", "said"),
    [
        (NAME, NUMBER, f"NAME: {NAME} is on the list already, and no manager: enter another"),
        ("JOSE\u0301", FREE, f"NAME: {NAME} is on the list already"),
        ("Amara", "077 000 0011", f"NUMBER: {NAME}, who is on the list already, has +94 •• ••• 011"),
    ],
)
def test_who_is_on_the_list_already_is_named(
    left: Till, sandbox: Sandbox, name: str, number: str, said: str
) -> None:
    """It was said that the SMS service did not understand the till, and to call the manager whom nobody has."""
    before = len(sandbox.sms())
    done = left.run("first-manager", name, number)
    assert (done.code, done.out) == (USAGE, "")
    assert said in done.err
    assert len(sandbox.sms()) == before, "no code goes out for nothing"


def test_for_anybody_else_a_code_is_sent(left: Till) -> None:
    assert "a code was sent" in left.run("first-manager", "Amara", FREE).err
