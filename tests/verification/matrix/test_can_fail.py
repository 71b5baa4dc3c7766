"""The matrix itself is tested: a wrong till, or a wrong word, must make the cell that is about it fail."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain import day, reconcile
from pos_app.domain.attempt import Kind
from pos_app.domain.reconcile import DifferenceKind
from pos_app.engine.core import counter_day
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.printing import queue
from pos_app.i18n import papers
from pos_app.ui.customer import seen
from pos_app.ui.customer.seen import Seen, View
from tests.verification.matrix import screen
from tests.verification.matrix.cells import Case, cases
from tests.verification.matrix.play import play
from tests.verification.simulation import wrong_lists
from tests.verification.simulation.planting import Planter, planted
from tests.verification.simulation.wrong_tills import WRONG_TILLS
from tests.verification.simulation.wrong_waiting import waits_for_its_store

SEEDS = 12

BY_CELL = {
    "time_out_is_failed": "21 S",
    "http_502_is_failed": "26 S",
    "http_401_is_failed": "29 S",
    "http_429_is_failed": "32 S",
    "broken_write_is_not_sent": "20 S",
    "code_5009_is_failed": "45 T",
    "code_5000_is_failed": "43 S",
    "code_5006_is_cancelled": "44 C",
    "refusal_opens_unasked": "46 S",
    "amount_not_checked": "41 T",
    "id_not_checked": "42 T",
    "look_alike_is_success": "39 T",
    "unknown_status_is_failed": "39 T",
    "accepted_is_paid": "14 T",
    "last_write_wins": "40 T",
    "late_success_ignored": "49 G",
    "late_success_is_paid": "49 T",
    "new_id_on_retry": "45 T",
    "journal_after_send": "1 J0",
    "full_disk_ignored": "4 J0",
    "two_attempts_open": "50 S",
    "gives_up_as_failed": "49 T",
    "stops_asking_at_give_up": "49 T",
    "forgets_doubts_at_restart": "2 S",
    "forgets_wishes_at_restart": "1 C",
    "believes_the_window": "55 C",
    "cancels_for_any_cashier": "55 C",
    "works_behind_the_lock": "55 C",
    "gives_it_to_who_touched_it": "55 C",
    "a_lock_breaks_the_line": "55 D",
    "asks_for_nobody_behind_the_lock": "55 T",
    "sending_written_after_the_bytes": "4 D",
    "restart_prints_again": "2 D",
    "short_write_sent_again": "52 D",
    "copy_forgotten": "52 D",
    "z_by_the_date_on_the_wall": "10 G",
    "late_money_added_to_the_old_z": "9 G",
    "z_without_the_unresolved": "39 G",
}


def _paid_when_printed(planter: Planter) -> None:
    def wrong(book: Any, *told: Any) -> Any:
        return replace(right(book, *told), paid_at=book.opened().newest)

    right = planter.put(queue, "made_of", wrong)


def _without_offset(planter: Planter) -> None:
    planter.put(papers, "shown_time", lambda wall: wall[:19].replace("T", " "))


def _clock_untold(planter: Planter) -> None:
    planter.put(CounterDay, "_note_set_back", lambda _: None)


def _anybodys_z(planter: Planter) -> None:
    right = day.z_after
    planter.put(counter_day, "z_after", lambda *told: replace(right(*told), installation_id="AAAAAAAA"))


def _unknown_is_equal(planter: Planter) -> None:
    def wrong(*told: Any) -> Any:
        kind = right(*told)
        return None if kind is DifferenceKind.UNKNOWN_STATUS else kind

    right = planter.put(reconcile, "compare", wrong)


OF_LISTS = [
    ("13 G", wrong_lists.another_tills_row_is_ours),
    ("13 G", wrong_lists.strangers_are_left_out),
    ("39 G", _unknown_is_equal),
]
"""Wrong tills that a day beside the service's list finds out."""

OF_DAYS = {
    "9 D": _paid_when_printed,
    "10 D": _clock_untold,
    "11 D": _without_offset,
    "13 G": _anybodys_z,
}
"""Wrong tills that a cell alone looks for."""

WRONG_WORDS = {
    "do_not_repeat": ("result", "21 S"),
    "in_doubt": ("result", "20 S"),
    "no_goods": ("result", "41 T"),
    "late_more": ("result", "49 T"),
    "twice_more": ("result", "50 T"),
    "before_restart": ("result", "2 T"),
    "write_down": ("result", "4 J1"),
    "not_sent": ("result", "18 S"),
    "refused": ("result", "46 S"),
    "cancel_asked": ("wait", "20 C"),
    "unknown_status": ("wait", "39 T"),
}


def _fails(cell: str) -> bool:
    found: list[Case] = [case for case in cases() if case.cell == cell and case.kind is not Kind.QR]
    return any(_played(case, seed) for case in found for seed in range(SEEDS))


def _played(case: Case, seed: int) -> list[str]:
    try:
        return play(case, seed)
    except (AssertionError, LookupError) as error:
        return [str(error) or "no such thing"]


@pytest.mark.parametrize("name", BY_CELL)
def test_a_wrong_till_fails_its_cell(name: str) -> None:
    """Which the right one passes."""
    assert not _fails(BY_CELL[name])
    with planted(WRONG_TILLS[name]):
        assert _fails(BY_CELL[name])


@pytest.mark.parametrize("cell", OF_DAYS)
def test_a_wrong_day_fails_its_cell(cell: str) -> None:
    """Which the right one passes."""
    assert not _fails(cell)
    with planted(OF_DAYS[cell]):
        assert _fails(cell)


@pytest.mark.parametrize(("cell", "wrong"), OF_LISTS)
def test_a_wrong_comparison_fails_its_cell(cell: str, wrong: Callable[[Planter], None]) -> None:
    """Which the right one passes."""
    assert not _fails(cell)
    with planted(wrong):
        assert _fails(cell)


@pytest.mark.parametrize("cell", ["54 J0", "54 T", "54 C"])
def test_a_till_that_waits_for_its_store_fails_its_cell(cell: str) -> None:
    """Which the right one passes."""
    assert not _fails(cell)
    with planted(waits_for_its_store):
        assert _fails(cell)


@pytest.mark.parametrize("name", WRONG_WORDS)
def test_a_missing_word_fails_its_cell(name: str) -> None:
    """Each sentence that carries the meaning of a code."""
    table, cell = WRONG_WORDS[name]

    def plant(planter: Planter) -> None:
        words: Any = getattr(screen.WORDS, table)
        planter.put(words, name, _muted(getattr(words, name)))

    with planted(plant):
        assert _fails(cell)


@pytest.mark.parametrize("cell", ["51 T", "51 C", "51 D"])
def test_a_customers_screen_that_shows_the_last_code_fails_its_cell(cell: str) -> None:
    """Also of a payment that is being cancelled, or that has ended."""
    last = Seen(view=View.CODE, headline="", more="", code="of the last customer")

    def plant(planter: Planter) -> None:
        planter.put(seen, "see", lambda *_: last)
        planter.put(seen, "idle", lambda *_: last)

    with planted(plant):
        assert _fails(cell)


def _muted(sentence: str) -> str:
    """Its places stay, its words are gone."""
    return " ".join(re.findall(r"\{[a-z]+\}", sentence)) or "…"
