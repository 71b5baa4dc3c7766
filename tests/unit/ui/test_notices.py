"""What people are told after the record of payments was damaged and begun anew, and of the central store."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.membership import Conviction, StoreState, StoreView
from pos_app.domain.people import Role
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.views import Block, Terminal
from pos_app.i18n.words.till import words
from pos_app.ui.till.notices.notice_words import rebuilt_words, store_standing, store_words
from tests.support.builders import attempt, person


def test_nothing_is_said_of_a_record_that_was_never_damaged() -> None:
    """The ordinary day."""
    assert rebuilt_words(Terminal(), words) == ""


def test_people_are_told_what_was_found_and_what_needs_a_manager() -> None:
    """Payments of the old installation that wait for an answer; not those of today."""
    old = attempt(1, state=State.PAID_LATE)
    asked = Terminal(rebuilt=Rebuilt(3, False, "AAAAAAAA"), attention=(old,), block=Block.REBUILDING)
    said = rebuilt_words(asked, words)
    assert "was damaged" in said
    assert "found again: 3" in said
    assert "still ask" in said
    assert "need a manager: 1" in said
    done = Terminal(rebuilt=Rebuilt(3, True, "7K3M9QRD"), attention=(old,))
    assert "still ask" not in rebuilt_words(done, words)
    assert "manager" not in rebuilt_words(done, words)


def test_each_block_has_its_sentence() -> None:
    """And this one says why it is there."""
    assert "damaged" in words.block[Block.REBUILDING]


def test_times_without_a_whole_list_are_named() -> None:
    """Three of them, and that there are more; never in silence."""
    times = tuple(f"2026-03-0{day} 14:05:00" for day in range(1, 6))
    said = rebuilt_words(Terminal(rebuilt=Rebuilt(3, True, "7K3M9QRD", times)), words)
    assert "2026-03-01 14:05:00; 2026-03-02 14:05:00; 2026-03-03 14:05:00; …" in said
    assert "may be missing" in said
    assert "2026-03-04" not in said


def manager(view: StoreView, role: Role = Role.MANAGER, **facts: Any) -> Terminal:
    """Somebody at a till that belongs to a store."""
    return Terminal(signed_in=person(role=role), store=view, **facts)


def test_only_a_manager_hears_what_is_to_be_done_about_the_store() -> None:
    """A cashier can do nothing about it, and nothing of it stands in a sale's way."""
    for state in (StoreState.REFUSED, StoreState.REJOIN, StoreState.STRANGE, StoreState.STOPPED):
        view = StoreView(state=state, store_name="Chain", conviction=Conviction.FORK)
        assert store_words(manager(view))
        assert store_words(manager(view, Role.CASHIER)) == ""
        assert store_words(manager(view, locked=True)) == ""
        assert store_words(Terminal(store=view)) == ""
    for quiet in (StoreState.NONE, StoreState.WELL, StoreState.LOST):
        assert store_words(manager(StoreView(state=quiet, store_name="Chain", waiting=7))) == ""


def test_the_managers_menu_says_how_it_stands() -> None:
    lost = StoreView(
        state=StoreState.LOST,
        store_name="Chain\u202e",
        shop_name="Galle Road",
        waiting=1,
        since="2026-03-01T14:05:30+05:30",
    )
    said = store_standing(manager(lost))
    assert (
        said == "Central store Chain, Galle Road: not reached since 2026-03-01 14:05. 1 entry waits for it."
    )
    assert "since the start" in store_standing(manager(replace(lost, since="")))
    assert "knows all" in store_standing(manager(replace(lost, state=StoreState.WELL)))
    assert store_standing(manager(StoreView())) == ""
    assert all(store_standing(manager(replace(lost, state=each))) for each in StoreState if each)


def test_a_copy_and_an_older_folder_are_told_apart() -> None:
    fork = StoreView(state=StoreState.STOPPED, conviction=Conviction.FORK)
    assert "copy of this till" in store_words(manager(fork))
    assert "older copy" in store_words(manager(replace(fork, conviction=Conviction.OLDER)))
