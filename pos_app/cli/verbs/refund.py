"""`pos-app refund`: refund notes, listed; or one is made, marked as given, or withdrawn. No money is moved by it.

The till can neither send money back nor see that others do: a note is what people say, and is called that everywhere.
"""

from __future__ import annotations

import argparse
import contextlib
from decimal import Decimal

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import environment_of, open_reading, reading
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.day_report import note_line, note_object
from pos_app.cli.headless_till import NO_ANSWER, Asks, Run
from pos_app.cli.parser import plain
from pos_app.cli.printer import printer_of
from pos_app.domain.attempt import MONEY, Attempt
from pos_app.domain.commands import GiveNote, NoteRefund, NoteWish, WithdrawNote
from pos_app.domain.money import AmountError, currency, parse_amount
from pos_app.domain.people import TERMINAL
from pos_app.domain.refund import Note, NoteProblem, NoteReason, NoteWay, note_in_text, room
from pos_app.domain.views import NoteAnswered, Published, StaffAnswered
from pos_app.journal import Queries

_PROBLEMS = {
    NoteProblem.UNKNOWN_PAYMENT: (Exit.NOT_PAID, "the journal knows no such payment"),
    NoteProblem.NOT_PAID: (Exit.NOT_PAID, "there is no proven money in it: nothing can be noted"),
    NoteProblem.BAD_AMOUNT: (Exit.USAGE, "--amount: it is no amount of this payment's currency"),
    NoteProblem.TOO_MUCH: (Exit.NOT_PAID, "that is more than is left of the payment"),
    NoteProblem.NO_REASON: (Exit.USAGE, "--text: say the reason in words"),
    NoteProblem.NO_RECEIVER: (Exit.USAGE, "--to: say who gets the transfer"),
    NoteProblem.NO_SUCH_NOTE: (Exit.NOT_PAID, "there is no such note"),
    NoteProblem.NOT_OPEN: (Exit.NOT_PAID, "that note was given or withdrawn already"),
    NoteProblem.CANNOT_RECORD: (Exit.CANNOT_CREATE, "nothing is noted: the journal cannot be written"),
    NoteProblem.CANNOT_READ: (Exit.CANNOT_CREATE, "nothing is noted: the journal cannot be read"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is wanted of which note."""
    parser.add_argument("--open", action="store_true", help="lists those alone that are promised still")
    parser.add_argument("--note", type=plain, metavar="ID", help="notes that money of this payment goes back")
    parser.add_argument("--amount", metavar="A", help="so much; else all that is left")
    parser.add_argument("--reason", choices=[each.value for each in NoteReason], help="why")
    parser.add_argument("--way", choices=[each.value for each in NoteWay], help="how; cash without")
    parser.add_argument("--text", metavar="T", help="the reason, in words")
    parser.add_argument("--to", metavar="WHO", help="who gets it")
    parser.add_argument("--give", type=_number, metavar="N", help="the money was given, the slip is signed")
    parser.add_argument("--withdraw", type=_number, metavar="N", help="takes a promise back; with --text")


def _number(text: str) -> int:
    number = note_in_text(text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text!r} is no note; write N-0007, or 7")
    return number


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 listed, or done; 1 when there is no such payment, note or room for one; 73 in use, not read or not written."""
    asked = [name for name in ("note", "give", "withdraw") if getattr(arguments, name) is not None]
    if len(asked) > 1 or (asked and arguments.open):
        raise CommandError(Exit.USAGE, f"--{asked[0]}: one thing at a time")
    if arguments.note is None:
        of_new = [name for name in ("amount", "reason", "way", "to") if getattr(arguments, name) is not None]
        if of_new:
            raise CommandError(
                Exit.USAGE, f"--{of_new[0]}: it is of a new note; name its payment by --note ID"
            )
        if arguments.text is not None and arguments.withdraw is None:
            raise CommandError(Exit.USAGE, "--text: it is of --note ID and of --withdraw N")
    journal = open_reading(options, environment_of(options))
    if journal is None:
        raise CommandError(Exit.NOT_PAID, "there is no journal yet: no payment was ever taken")
    with contextlib.closing(journal), reading():
        printer = printer_of(options, goes_on=bool(asked))
        if not asked:
            # There are no more of them than the newest one's number.
            notes = (
                journal.open_notes() if arguments.open else journal.newest_notes(journal.last_note())[::-1]
            )
            for note in notes:
                printer.value(note_object(note), note_line(note))
            if not notes:
                printer.note(
                    "no refund note is promised still" if arguments.open else "there is no refund note"
                )
            return int(Exit.OK)
        wish = _wish(journal, arguments)
    note = _done(options, wish)
    printer.value(note_object(note), note_line(note))
    return int(Exit.OK)


def _wish(journal: Queries, arguments: argparse.Namespace) -> NoteWish:
    about = {"request_id": "note", "name": TERMINAL, "who": TERMINAL}
    if arguments.give is not None:
        return GiveNote(number=arguments.give, **about)
    if arguments.withdraw is not None:
        if not (arguments.text or "").strip():
            raise CommandError(Exit.USAGE, "--text: say why it is withdrawn")
        return WithdrawNote(number=arguments.withdraw, reason=arguments.text, **about)
    attempt = journal.attempt(arguments.note)
    if attempt is None:
        raise CommandError(*_PROBLEMS[NoteProblem.UNKNOWN_PAYMENT])
    if arguments.reason is None:
        raise CommandError(Exit.USAGE, f"--reason: one of {', '.join(each.value for each in NoteReason)}")
    return NoteRefund(
        attempt_id=attempt.attempt_id,
        amount=_amount(journal, attempt, arguments.amount),
        why=NoteReason(arguments.reason),
        way=NoteWay(arguments.way or NoteWay.CASH),
        text=arguments.text or "",
        receiver=arguments.to or "",
        **about,
    )


def _amount(journal: Queries, attempt: Attempt, text: str | None) -> Decimal:
    if attempt.state not in MONEY:
        raise CommandError(*_PROBLEMS[NoteProblem.NOT_PAID])
    left = room(attempt, journal.notes_of(attempt.attempt_id))
    try:
        amount = left if text is None else parse_amount(text, currency(attempt.currency))
    except (AmountError, KeyError):
        text = f"--amount: it is no amount of this payment's currency, for example {attempt.amount}"
        raise CommandError(Exit.USAGE, text) from None
    if not left:
        raise CommandError(Exit.NOT_PAID, "nothing is left of the payment that could be noted")
    if amount > left:
        text = f"--amount: that is more than is left of the payment; at most {left}"
        raise CommandError(Exit.NOT_PAID, text)
    return amount


def _done(options: Options, wish: NoteWish) -> Note:
    """By a till without a window: who may is judged there, and the note is durable before it is told."""
    noting = _Noting(wish)
    with shop_at_work(options) as shop:
        Run(shop, noting, needs_ready=False, ends_at=NO_ANSWER).run()
    if noting.answer is None:
        raise CommandError(Exit.CANNOT_CREATE, "nothing is noted: it was interrupted, or not allowed")
    if noting.answer.problem or noting.answer.note is None:
        raise CommandError(*_PROBLEMS[noting.answer.problem or NoteProblem.CANNOT_RECORD])
    return noting.answer.note


class _Noting(Asks):
    """Hears the answer, or that it is not allowed."""

    answer: NoteAnswered | None = None

    def heard(self, published: Published) -> None:
        """The answer."""
        match published:
            case NoteAnswered():
                self.answer = published
                self._end(Exit.OK)
            case StaffAnswered():
                self._end(Exit.OK)
