"""Wrong tills, part ten: refund notes that come to more than was paid, or are taken for what they are not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain import day
from pos_app.domain.commands import NoteRefund
from pos_app.domain.refund import REFUND_NOTED, NoteProblem
from pos_app.domain.rights import Act
from pos_app.engine.core import refund_notes
from pos_app.engine.core.refund_notes import NONE_MADE, RefundNotes
from pos_app.engine.staff import authorizer
from pos_app.journal.salvage import Salvage
from tests.support.books import Books
from tests.verification.simulation.planting import Planter


def grand_total_less_the_notes(planter: Planter) -> None:
    """What goes back was never taken."""

    def wrong(before: Any, period: Any) -> Any:
        return {
            name: replace(grand, taken=grand.taken - grand.noted)
            for name, grand in right(before, period).items()
        }

    right = planter.put(day, "grown", wrong)


def note_above_the_amount(planter: Planter) -> None:
    """Each note is measured at what was paid, and none at those before it."""

    def wrong(wish: Any, attempt: Any, _notes: Any) -> Any:
        return right(wish, attempt, ())

    right = planter.put(refund_notes, "problem_of", wrong)


def note_of_any_amount(planter: Planter) -> None:
    """The manager will know."""

    def wrong(wish: Any, attempt: Any, notes: Any) -> Any:
        problem = right(wish, attempt, notes)
        return NoteProblem.NONE if problem is NoteProblem.TOO_MUCH else problem

    right = planter.put(refund_notes, "problem_of", wrong)


def note_of_what_is_not_paid(planter: Planter) -> None:
    """It will be, in a moment."""

    def wrong(wish: Any, attempt: Any, notes: Any) -> Any:
        problem = right(wish, attempt, notes)
        return NoteProblem.NONE if problem is NoteProblem.NOT_PAID else problem

    right = planter.put(refund_notes, "problem_of", wrong)


def note_by_any_cashier(planter: Planter) -> None:
    """A note moves no money: whoever is signed in may."""

    def wrong(command: Any) -> Any:
        return Act.CHARGE if isinstance(command, NoteRefund) else right(command)

    right = planter.put(authorizer, "act_of", wrong)


def note_number_twice(planter: Planter) -> None:
    """The last one's, until that is given."""
    planter.put(RefundNotes, "_next_number", lambda self: max(1, self._journal.last_note()))


def note_number_left_out(planter: Planter) -> None:
    """A number is kept for the next one."""

    def wrong(self: Any) -> int:
        last: int = self._journal.last_note()
        return last + 2 if last else 1

    planter.put(RefundNotes, "_next_number", wrong)


def note_ended_twice(planter: Planter) -> None:
    """Whoever taps once more means it."""
    planter.put(refund_notes, "_problem_of_end", lambda _wanted, _note: NoteProblem.NONE)


def money_back_without_a_note(planter: Planter) -> None:
    """The answer says it all."""
    planter.put(RefundNotes, "of_answer", lambda *_: NONE_MADE)


def open_notes_forgotten_by_the_z(planter: Planter) -> None:
    """Each day has its own."""
    planter.put(Books, "open_notes", lambda _self: [])


def notes_of_a_lost_journal_in_no_z(planter: Planter) -> None:
    """They were noted there, and this is another journal."""
    planter.put(Salvage, "news_of", lambda *_: [])


def notes_of_a_lost_journal_in_two_zs(planter: Planter) -> None:
    """Nobody reads the Zs of a journal that is lost."""
    planter.put(Salvage, "news_of", lambda *_: [REFUND_NOTED])


def withdrawn_note_still_counts(planter: Planter) -> None:
    """Once noted, always noted: with the answer nothing is left to note."""
    planter.put(refund_notes, "room", lambda attempt, notes: Decimal(0) if notes else attempt.amount)
