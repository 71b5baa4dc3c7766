"""A till at its window that belongs to a store: it sells as ever, whatever the store does, and tells it beside that."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import Qt

from pos_app.bootstrap.membership import join
from pos_app.bootstrap.shop import open_shop
from pos_app.domain.membership import SUBJECT, Conviction, NotJoined, StoreState
from pos_app.domain.record import Record
from pos_app.domain.shipping import read_code
from pos_app.domain.views import Block
from pos_app.i18n.words.store import words
from pos_app.journal import read_only
from pos_app.store.database import Database
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import open_menu
from tests.support.patience import PATIENCE_S
from tests.support.store import code_for, database, rows, serving, shop
from tests.support.till import StartedTill, arguments

__all__ = ["database", "shop"]

pytestmark = pytest.mark.usefixtures("patient_store")

Joins = Callable[[str], None]


@pytest.fixture
def joins(config_dir: Path, tmp_path: Path, database: Database, shop: int) -> Joins:
    """Has the store at this address take the counter in, as the verb does beside no till."""

    def made(address: str) -> None:
        opened = open_shop(arguments(config_dir, tmp_path / "data"))
        try:
            join(opened, address, read_code(code_for(database, shop)))
        finally:
            opened.close()

    return made


def state(till: StartedTill) -> tuple[StoreState, Conviction]:
    """As the window was told."""
    view = till.session.terminal.store
    return view.state, view.conviction


def pay(till: StartedTill, amount: str) -> str:
    """A payment by push, approved."""
    attempt_id = till.charge_push(amount, "0771234567")
    till.sandbox.act(attempt_id, "approve")
    till.until_result("PAID")
    return attempt_id


def test_a_till_tells_its_store_and_sells_on_without_it(
    make_till: MakeTill, joins: Joins, database: Database
) -> None:
    """Joined, told; then the store answers nothing any more: sold all the same, and closed in time."""
    with serving(database) as address:
        make_till(signed_in="").stop()
        joins(address)
        port = int(address.rpartition(":")[2])
        till = make_till(people=False)
        till.until(lambda: state(till)[0] is StoreState.WELL)
        first = pay(till, "40")
        till.until(
            lambda: rows(database, "SELECT attempt_id FROM attempt WHERE state = 'PAID'") == [(first,)]
        )
        till.press(Qt.Key.Key_F10)
        till.until_says("manager_store", "it knows all")
        till.press(Qt.Key.Key_Escape)
        till.until(lambda: not till.seen("managers_menu"))
    # In its place now stands something that takes every call and answers none.
    with socket.create_server(("127.0.0.1", port)):
        pay(till, "50")
        assert till.session.terminal.block is Block.NONE
        began = monotonic()
        assert till.stop()
        assert monotonic() - began < PATIENCE_S
    assert rows(database, "SELECT count(*) FROM attempt") == [(1,)]


def test_a_folder_that_was_put_back_stops_the_till_at_the_first_contact(
    make_till: MakeTill, joins: Joins, database: Database, tmp_path: Path
) -> None:
    with serving(database) as address:
        make_till(signed_in="").stop()
        joins(address)
        shutil.copytree(tmp_path / "data", tmp_path / "backup")
        till = make_till(people=False)
        paid = pay(till, "40")
        till.until(lambda: rows(database, "SELECT attempt_id FROM attempt WHERE state = 'PAID'") == [(paid,)])
        till.stop()
        shutil.rmtree(tmp_path / "data")
        shutil.copytree(tmp_path / "backup", tmp_path / "data")
        till = make_till(people=False)
        till.until(lambda: state(till) == (StoreState.STOPPED, Conviction.OLDER))
        till.until(lambda: till.session.terminal.block is Block.IDENTITY_USED_TWICE)
        till.until_seen("store_notice")


def test_a_manager_joins_and_leaves_at_the_window_while_the_till_works(
    make_till: MakeTill, database: Database, shop: int
) -> None:
    """A wrong code, the right one, told at once, found at once; left, and nothing is asked any more."""
    till = make_till()
    first = pay(till, "40")
    with serving(database) as address:
        open_menu(till, "manager_join")
        till.until_says("store_standing", words.NOT_MEMBER)
        till.fill("store_address", address)
        till.fill("store_code", "2222-2222")
        till.touch("store_join")
        sign(till)
        till.until_says("store_said", words.PROBLEM[NotJoined.REFUSED])
        till.fill("store_code", code_for(database, shop))
        till.touch("store_join")
        sign(till)
        till.until_says("store_said", words.JOINED)
        till.until(lambda: state(till)[0] is StoreState.WELL)
        till.until_says("store_standing", "it knows all")
        assert rows(database, "SELECT attempt_id, state FROM attempt") == [(first, "PAID")]
        for _ in range(2):
            till.press(Qt.Key.Key_Escape)
        till.until(lambda: not till.seen("managers_menu"))
        till.press(Qt.Key.Key_F4)
        till.touch("found_others")
        till.fill("elsewhere_amount", "40")
        till.press(Qt.Key.Key_Return)
        till.until(lambda: len(till.rows("elsewhere_list")) == 1)
        assert "this counter" in till.rows("elsewhere_list")[0]
        for _ in range(2):
            till.press(Qt.Key.Key_Escape)
        open_menu(till, "manager_join")
        till.touch("store_leave")
        sign(till)
        till.until_says("store_said", words.LEFT)
        till.until(lambda: state(till)[0] is StoreState.NONE)
        assert rows(database, "SELECT state FROM installation") == [("left",)]
    for _ in range(2):
        till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("managers_menu"))
    pay(till, "50")
    (joined, left) = membership_events(till)
    assert joined.actor == left.actor == till.session.terminal.people[0].person_id


def test_a_till_with_another_number_is_told_why_not_and_joins_with_a_new_identity(
    make_till: MakeTill, joins: Joins, config_dir: Path, database: Database, shop: int
) -> None:
    """The store's words reach its manager; with the same code it is then another counter, and its past stays."""
    with serving(database) as address:
        make_till(signed_in="").stop()
        joins(address)
        till = make_till(people=False)
        first = pay(till, "40")
        till.until(
            lambda: rows(database, "SELECT attempt_id FROM attempt WHERE state = 'PAID'") == [(first,)]
        )
        open_menu(till, "manager_join")
        till.touch("store_leave")
        sign(till)
        till.until_says("store_said", words.LEFT)
        till.stop()
        file = config_dir / "config.toml"
        file.write_text(re.sub(r"(?m)^counter_id = .*$", "counter_id = 9", file.read_text("utf-8")), "utf-8")
        till = make_till(people=False)
        open_menu(till, "manager_join")
        till.fill("store_address", address)
        till.fill("store_code", code_for(database, shop))
        till.touch("store_join")
        sign(till)
        till.until_says("store_said", "this installation joined as counter 1 of merchant")
        for _ in range(2):
            till.press(Qt.Key.Key_Escape)
        till.until(lambda: not till.seen("managers_menu"))
        journal = till.session.shop.journal
        assert journal is not None
        before = journal.installation_id
        open_menu(till, "manager_identity")
        sign(till)
        till.until(lambda: journal.installation_id != before)
        open_menu(till, "manager_join")
        till.fill("store_address", address)
        till.fill("store_code", code_for(database, shop))
        till.touch("store_join")
        sign(till)
        till.until_says("store_said", words.JOINED)
        till.until(lambda: state(till)[0] is StoreState.WELL)
        for _ in range(2):
            till.press(Qt.Key.Key_Escape)
        second = pay(till, "50")
        told = "SELECT attempt_id, counter_id FROM attempt JOIN counter USING (counter) WHERE state = 'PAID' ORDER BY 2"
        till.until(lambda: rows(database, told) == [(first, 1), (second, 9)])


def test_without_a_store_at_the_address_nothing_is_joined_and_the_till_sells(make_till: MakeTill) -> None:
    till = make_till()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        open_menu(till, "manager_join")
        for address, problem in (
            ("http://store.example", NotJoined.NO_ADDRESS),
            (f"http://127.0.0.1:{silent.getsockname()[1]}", None),
        ):
            till.fill("store_address", address)
            till.fill("store_code", "2222-2222")
            till.touch("store_join")
            sign(till)
            if problem is not None:
                till.until_says(
                    "store_address_error", words.PROBLEM[problem].format(address="https://store.example")
                )
        till.until_says("store_said", words.JOINING)
        # Nobody waits for its answer.
        for _ in range(2):
            till.press(Qt.Key.Key_Escape)
        till.until(lambda: not till.seen("managers_menu"))
        pay(till, "40")
        began = monotonic()
        assert till.stop()
        assert monotonic() - began < PATIENCE_S


def sign(till: StartedTill) -> None:
    """A usual reason, and yes."""
    till.touch("permit_reason_suggestion_0")
    till.touch("permit_do")
    till.until(lambda: not till.seen("permit_do"))


def membership_events(till: StartedTill) -> list[Record]:
    """That it joined, and that it left."""
    with closing(read_only(till.session.shop.data_dir / "journal.sqlite")) as journal:
        return [*journal.events_of(SUBJECT)]
