"""What people are told after the record of payments was damaged and begun anew."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.views import Block, Terminal
from pos_app.i18n.words.till import words
from pos_app.ui.till.notices.notice_words import rebuilt_words
from tests.support.builders import attempt


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
