"""Refund notes at the counter: made, given, withdrawn; each durable before anybody is told. It changes no payment.

The till moves no money back and sees none: a note is what a manager signs, and its slip what the customer signs. How
much of a payment is noted is read from the journal at each wish, so that no two notes can add up to more than was paid.
The refund of a sale that was paid twice is signed here, with its notes (rule 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Resolution
from pos_app.domain.commands import (
    Answer,
    AttemptCommand,
    GiveNote,
    NoteRefund,
    ReadNotes,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.events import AttemptEvent
from pos_app.domain.money import AmountError, currency
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import PrintJob
from pos_app.domain.record import Record, wall_of
from pos_app.domain.refund import (
    MOST_TEXT,
    REFUND_GIVEN,
    REFUND_NOTED,
    REFUND_WITHDRAWN,
    Note,
    NoteProblem,
    NoteReason,
    Signed,
    Wish,
    content_of,
    given,
    note_of,
    owed,
    problem_of,
    reason_for,
    room,
    subject_of,
    withdrawn,
)
from pos_app.domain.text import typed_text
from pos_app.domain.views import NoteAnswered, NotesRead
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.printing.queue import PrintQueue
from pos_app.engine.staff.authorizer import Allowed

SHOWN = 50
"""So many of the notes that are open are shown at a glance; all of them stand in each Z."""

_ENDED: Mapping[type[msgspec.Struct], str] = {GiveNote: REFUND_GIVEN, WithdrawNote: REFUND_WITHDRAWN}


class Made(msgspec.Struct, frozen=True):
    """Notes that are to be written, their records, and the jobs for their slips. `keep` them once that is done."""

    notes: tuple[Note, ...] = ()
    records: tuple[Record, ...] = ()
    jobs: tuple[PrintJob, ...] = ()


NONE_MADE = Made()


class RefundNotes:
    """Owns which notes are open: what is promised, and neither given nor withdrawn."""

    def __init__(self, ports: Ports, live_payments: LivePayments, printing: PrintQueue) -> None:
        self._journal = ports.journal
        self._clock = ports.clock
        self._publish = ports.publish
        self._live_payments = live_payments
        self._printing = printing
        self._open: dict[int, Note] = {}
        """With those that happened and could not be written yet: one that has ended is in the journal."""

    def take_up(self) -> None:
        """What is promised still."""
        self._open = {each.number: each for each in self._journal.open_notes()}

    @property
    def open(self) -> tuple[Note, ...]:
        """The newest of what is open, oldest first."""
        return tuple(self._open[number] for number in sorted(self._open)[-SHOWN:])

    @property
    def more(self) -> int:
        """How many are open besides."""
        return max(0, len(self._open) - SHOWN)

    def do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.command:
            case NoteRefund() as wanted:
                self._publish(self._note(wanted, allowed.actor))
            case GiveNote() | WithdrawNote() as wanted:
                self._publish(self._end(wanted, allowed.actor))
            case SignRefund() as signed:
                self._sign(signed)

    def read(self, wanted: ReadNotes, counter_id: int | None) -> NotesRead:
        """A payment's notes; `counter_id`: only of this counter's payments, None for those of all."""
        answer = NotesRead(request_id=wanted.request_id, attempt_id=wanted.attempt_id)
        attempt = self._live_payments.known(wanted.attempt_id)
        if attempt is None or counter_id not in (None, attempt.counter_id):
            return replace(answer, problem=NoteProblem.UNKNOWN_PAYMENT)
        notes = self._live_payments.read(lambda: self._notes_of(wanted.attempt_id), None)
        if notes is None:
            return replace(answer, problem=NoteProblem.CANNOT_READ)
        return replace(answer, notes=notes, room=room(attempt, notes))

    def of_answer(self, event: AttemptEvent | AttemptCommand, before: Attempt, after: Attempt) -> Made:
        """The note of a late or crossed payment that was answered with "money back": of all that is not noted yet."""
        if not isinstance(event, Answer) or event.action != "refund" or after.resolution == before.resolution:
            return NONE_MADE
        reason = reason_for(after)
        parts = self._live_payments.read(
            lambda: ((after, room(after, self._notes_of(after.attempt_id))),), ((after, Decimal(0)),)
        )
        return self._made(parts, event, reason)

    def keep(self, made: Made) -> None:
        """They are written, or will be before anything else is."""
        self._open |= {each.number: each for each in made.notes}
        for job in made.jobs:
            self._printing.keep(job)

    def _made(
        self, parts: Sequence[tuple[Attempt, Decimal]], command: Answer | SignRefund, reason: NoteReason
    ) -> Made:
        """Without a number nothing is made: the journal cannot be read just now, and a person notes it later."""
        number = self._live_payments.read(self._next_number, 0)
        by = command.who or TERMINAL
        signed = Signed(by=by, wall=self._wall, name=command.name, beside=command.beside)
        notes: list[Note] = []
        for attempt, amount in parts:
            wish = Wish(
                amount=amount,
                reason=reason,
                way=command.way,
                text=command.reason,
                receiver=command.receiver,
            )
            if number and amount > 0 and _is_exact(wish, attempt):
                notes.append(note_of(number + len(notes), wish, attempt, signed))
        return self._with_slips(notes, by)

    def _with_slips(self, notes: Sequence[Note], actor: str) -> Made:
        records = [self._record(REFUND_NOTED, each, actor) for each in notes]
        papers = self._printing.of_notes([each.number for each in notes], actor)
        return Made(
            tuple(notes), (*records, *(record for _, record in papers)), tuple(job for job, _ in papers)
        )

    def _note(self, wanted: NoteRefund, actor: str) -> NoteAnswered:
        attempt = self._live_payments.known(wanted.attempt_id)
        if attempt is None:
            return NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.UNKNOWN_PAYMENT)
        known = self._live_payments.read(
            lambda: (self._notes_of(wanted.attempt_id), self._next_number()), None
        )
        if known is None:
            return NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.CANNOT_READ)
        notes, number = known
        wish = Wish(
            amount=wanted.amount,
            reason=wanted.why,
            way=wanted.way,
            text=wanted.text,
            receiver=wanted.receiver,
        )
        problem = problem_of(wish, attempt, notes)
        if problem:
            return NoteAnswered(request_id=wanted.request_id, problem=problem)
        signed = Signed(by=actor, wall=self._wall, name=wanted.name, beside=wanted.beside)
        made = self._with_slips([note_of(number, wish, attempt, signed)], actor)
        if not self._live_payments.commit(made.records):
            return NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.CANNOT_RECORD)
        self.keep(made)
        return NoteAnswered(request_id=wanted.request_id, note=made.notes[0])

    def _end(self, wanted: GiveNote | WithdrawNote, actor: str) -> NoteAnswered:
        found = self._live_payments.read(lambda: (self._known(wanted.number),), None)
        if found is None:
            return NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.CANNOT_READ)
        (note,) = found
        problem = _problem_of_end(wanted, note)
        if problem or note is None:
            return NoteAnswered(request_id=wanted.request_id, note=note, problem=problem)
        signed = Signed(by=actor, wall=self._wall, name=wanted.name)
        ended = given(note, signed)
        if isinstance(wanted, WithdrawNote):
            ended = withdrawn(note, signed, wanted.reason)
        if not self._live_payments.commit([self._record(_ENDED[type(wanted)], ended, actor)]):
            return NoteAnswered(request_id=wanted.request_id, problem=NoteProblem.CANNOT_RECORD)
        self._open.pop(ended.number, None)
        return NoteAnswered(request_id=wanted.request_id, note=ended)

    def _sign(self, command: SignRefund) -> None:
        """The double payment of a sale goes back (rule 9), with its notes. Nothing for a sale nobody knows."""
        sale = self._live_payments.sale(command.sale_id)
        if sale is None:
            return
        made = self._of_sale(command)
        signed = Resolution("refund", command.name, command.reason, self._clock.now())
        actor, refunded = command.who or command.name, replace(sale, refund=signed)
        record = self._live_payments.record("REFUND_SIGNED", sale.sale_id, actor, sale=refunded)
        self._live_payments.write([record, *made.records])
        self.keep(made)

    def _of_sale(self, command: SignRefund) -> Made:
        """The notes of a sale that was paid more than once: of what is not noted yet (rule 9)."""
        attempts = self._live_payments.known_attempts_of(command.sale_id)
        none: tuple[tuple[Attempt, Decimal], ...] = ()
        parts = self._live_payments.read(
            lambda: owed(attempts, {each.attempt_id: self._notes_of(each.attempt_id) for each in attempts}),
            none,
        )
        return self._made(parts, command, NoteReason.PAID_TWICE)

    def _known(self, number: int) -> Note | None:
        return self._open.get(number) or self._journal.note(number)

    def _notes_of(self, attempt_id: str) -> tuple[Note, ...]:
        """As the journal has them, and those that it has not got yet."""
        found = {each.number: each for each in self._journal.notes_of(attempt_id)}
        found |= {each.number: each for each in self._open.values() if each.attempt_id == attempt_id}
        return tuple(found[number] for number in sorted(found))

    def _next_number(self) -> int:
        return max(self._journal.last_note(), max(self._open, default=0)) + 1

    @property
    def _wall(self) -> str:
        return wall_of(self._clock.wall())

    def _record(self, kind: str, note: Note, actor: str) -> Record:
        return self._live_payments.record(kind, subject_of(note.number), actor, content=content_of(note))


def _problem_of_end(wanted: GiveNote | WithdrawNote, note: Note | None) -> NoteProblem:
    if note is None:
        return NoteProblem.NO_SUCH_NOTE
    if not note.is_open:
        return NoteProblem.NOT_OPEN
    if isinstance(wanted, WithdrawNote) and not typed_text(wanted.reason, MOST_TEXT):
        return NoteProblem.NO_REASON
    return NoteProblem.NONE


def _is_exact(wish: Wish, attempt: Attempt) -> bool:
    """An amount that the currency cannot write is in no sum, and in no note."""
    try:
        currency(attempt.currency).exact(wish.amount)
    except (AmountError, KeyError):
        return False
    return True
