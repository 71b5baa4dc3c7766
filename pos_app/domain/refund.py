"""Refund notes: a manager writes down that money goes back outside this till, followed until it is given. Pure.

The till moves no money and can look at none that others move: a note is what people say, never a proof. It changes no
payment (PAID stays PAID) and no takings. A note is promised, then given, with the customer's signature on its slip, or
withdrawn by a manager; nothing leads back from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.money import AmountError, currency
from pos_app.domain.receipt import shown_number
from pos_app.domain.takings import Tally
from pos_app.domain.text import clean_text, typed_text

REFUND_NOTED = "REFUND_NOTED"
"""A note was made: `note`, all of it. Its number is one more than the last."""

REFUND_GIVEN = "REFUND_GIVEN"
"""Somebody gave the money and has the slip signed: `note`, as it then is."""

REFUND_WITHDRAWN = "REFUND_WITHDRAWN"
"""A manager takes the promise back: `note`, as it then is."""

REFUND_RECOVERED = "REFUND_RECOVERED"
"""A note of a damaged journal, taken over as it was proven to be, or as promised (`as_promised`): `note`. Its number is
not given again. `news`: what happened to it that no Z of that journal has, by the kinds of those events, in order."""

NEWS = frozenset({REFUND_NOTED, REFUND_GIVEN, REFUND_WITHDRAWN})
KINDS = NEWS | {REFUND_RECOVERED}
"""Every event that changes a note: each holds the whole note after it."""

MOST_TEXT = 120
"""Signs of a reason in words."""

MOST_RECEIVER = 60
"""Signs of who gets the money."""


class NoteState(StrEnum):
    """Where a note stands."""

    PROMISED = "PROMISED"
    GIVEN = "GIVEN"
    WITHDRAWN = "WITHDRAWN"


class NoteReason(StrEnum):
    """Why money goes back. OTHER needs a text."""

    LATE = "late"
    PAID_TWICE = "paid_twice"
    WRONG_AMOUNT = "wrong_amount"
    RETURNED = "returned"
    OTHER = "other"


class NoteWay(StrEnum):
    """How it goes back. A transfer needs a receiver."""

    CASH = "cash"
    TRANSFER = "transfer"
    SHOP_CREDIT = "shop_credit"


class Note(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One note. `number` runs by journal, from 1, without a gap; `receipt` is the payment's, as it is shown.

    `owner`: whose payment it is; `by` signed it, called `name`; `beside` is the cashier at the till who had a manager
    asked, "" for nobody; `own`: whose payment it is has signed it, alone. `payer`: the payer's wallet, masked, so that
    an own wallet as receiver is seen. `noted`, `ended`: walls, with offset; `ended_by`, `ended_name` gave it or took it
    back, the latter because of `ended_why`. No number of a wallet or phone is kept in full.
    """

    number: int
    attempt_id: str
    sale_id: str
    amount: Decimal
    currency: str
    environment: str
    reason: NoteReason
    way: NoteWay
    noted: str
    by: str
    owner: str
    receipt: str = ""
    text: str = ""
    receiver: str = ""
    payer: str = ""
    name: str = ""
    beside: str = ""
    own: bool = False
    state: NoteState = NoteState.PROMISED
    ended: str = ""
    ended_by: str = ""
    ended_name: str = ""
    ended_why: str = ""

    @property
    def is_open(self) -> bool:
        """Promised, and neither given nor withdrawn: somebody has to see to it."""
        return self.state is NoteState.PROMISED

    @property
    def stands(self) -> bool:
        """It was not taken back."""
        return self.state is not NoteState.WITHDRAWN

    @property
    def shown(self) -> str:
        """ "N-0007", as it stands on every paper."""
        return shown_note(self.number)


def shown_note(number: int) -> str:
    """ "N-0007"."""
    return f"N-{number:04d}"


_NUMBER = re.compile(r"(?:N-?)?([0-9]{1,9})")


def note_in_text(text: str) -> int:
    """The number that a person typed or a paper has: "N-0007", "n7", "7"; 0 for a text that is none."""
    # A hyphen without its letter is a minus, or a typing error.
    found = _NUMBER.fullmatch(text.strip().upper())
    return int(found[1]) if found is not None else 0


class NoteProblem(StrEnum):
    """Why there is no such note, or it goes no further."""

    NONE = ""
    UNKNOWN_PAYMENT = "unknown_payment"
    NOT_PAID = "not_paid"
    BAD_AMOUNT = "bad_amount"
    TOO_MUCH = "too_much"
    NO_REASON = "no_reason"
    NO_RECEIVER = "no_receiver"
    NO_SUCH_NOTE = "no_such_note"
    NOT_OPEN = "not_open"
    CANNOT_RECORD = "cannot_record"
    CANNOT_READ = "cannot_read"


def noted(notes: Iterable[Note]) -> Decimal:
    """What the notes of one payment come to, but for those that were taken back."""
    return sum((each.amount for each in notes if each.stands), Decimal(0))


def room(attempt: Attempt, notes: Iterable[Note]) -> Decimal:
    """How much of a payment can still be noted: what was paid less its notes; 0 for what is no proven money."""
    return max(Decimal(0), attempt.amount - noted(notes)) if attempt.state in MONEY else Decimal(0)


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A note as somebody wants it; texts as they were typed."""

    amount: Decimal
    reason: NoteReason
    way: NoteWay
    text: str = ""
    receiver: str = ""


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """Who signs: `by` and `name`, with `beside` at the till, at `wall`."""

    by: str
    wall: str
    name: str = ""
    beside: str = ""


def problem_of(wish: Wish, attempt: Attempt, notes: Iterable[Note]) -> NoteProblem:
    """What is wrong with a wish; NONE where a note can be made of it."""
    if attempt.state not in MONEY:
        return NoteProblem.NOT_PAID
    try:
        exact = currency(attempt.currency).exact(wish.amount)
    except (AmountError, KeyError):
        return NoteProblem.BAD_AMOUNT
    if exact <= 0:
        return NoteProblem.BAD_AMOUNT
    if exact > room(attempt, notes):
        return NoteProblem.TOO_MUCH
    if wish.reason is NoteReason.OTHER and not typed_text(wish.text, MOST_TEXT):
        return NoteProblem.NO_REASON
    if wish.way is NoteWay.TRANSFER and not typed_text(wish.receiver, MOST_RECEIVER):
        return NoteProblem.NO_RECEIVER
    return NoteProblem.NONE


def note_of(number: int, wish: Wish, attempt: Attempt, signed: Signed) -> Note:
    """The note; whether it may be is `problem_of`'s to say."""
    return Note(
        number=number,
        attempt_id=attempt.attempt_id,
        sale_id=attempt.sale_id,
        # One scale for one currency: 5 and 5.00 are one text on paper and in files.
        amount=currency(attempt.currency).exact(wish.amount),
        currency=attempt.currency,
        environment=attempt.environment.value,
        reason=wish.reason,
        way=wish.way,
        noted=signed.wall,
        by=signed.by,
        owner=attempt.owner,
        receipt=shown_number(attempt),
        text=typed_text(wish.text, MOST_TEXT),
        receiver=typed_text(wish.receiver, MOST_RECEIVER),
        payer=attempt.wallet_mask,
        name=signed.name,
        beside="" if signed.beside == signed.by else signed.beside,
        own=signed.by == attempt.owner and signed.beside in ("", signed.by),
    )


def given(note: Note, signed: Signed) -> Note:
    """The note once the money was handed over and its slip is signed; as somebody says it."""
    return replace(note, state=NoteState.GIVEN, ended=signed.wall, ended_by=signed.by, ended_name=signed.name)


def withdrawn(note: Note, signed: Signed, why: str) -> Note:
    """The note once a manager has taken it back."""
    return replace(
        note,
        state=NoteState.WITHDRAWN,
        ended=signed.wall,
        ended_by=signed.by,
        ended_name=signed.name,
        ended_why=typed_text(why, MOST_TEXT),
    )


MOST_NUMBERED = 999_999
"""A number beyond that is nobody's note: the next one would have to be behind it."""


def as_promised(read: Note, attempt: Attempt, others: Iterable[Note] = ()) -> Note | None:
    """A note that a damaged journal still shows and that nothing proves; None for what no till can have noted.

    Forgotten, its money could be noted once more: so it is promised until somebody has looked, whatever became of it.
    `others`: the payment's other notes. For what these leave no room it was withdrawn before them.
    """
    wish = Wish(amount=read.amount, reason=read.reason, way=read.way, text=read.text, receiver=read.receiver)
    problem = problem_of(wish, replace(attempt, state=State.PAID), others)
    fits = (
        0 < read.number <= MOST_NUMBERED
        and (read.attempt_id, read.currency) == (attempt.attempt_id, attempt.currency)
        and problem not in (NoteProblem.BAD_AMOUNT, NoteProblem.TOO_MUCH)
    )
    try:
        datetime.fromisoformat(read.noted)
    except ValueError:
        fits = False
    by, name, beside = map(clean_text, (read.by, read.name, read.beside))
    signed = Signed(by=by, wall=read.noted, name=name, beside=beside)
    return note_of(read.number, wish, attempt, signed) if fits else None


def reason_for(attempt: Attempt) -> NoteReason:
    """Why the money of a payment goes back that was answered with "money back": it came late, or across a cancel."""
    return NoteReason.LATE if attempt.state is State.PAID_LATE else NoteReason.OTHER


def owed(
    attempts: Iterable[Attempt], notes: Mapping[str, Iterable[Note]]
) -> tuple[tuple[Attempt, Decimal], ...]:
    """What is still to be noted of a sale that was paid more than once, each payment with how much of it (rule 9).

    All that was paid but one time, less what is noted already. Of what came late first, then of the newest.
    """
    paid = [each for each in attempts if each.state in MONEY]
    if len(paid) < 2:
        return ()
    left = sum((each.amount for each in paid), Decimal(0)) - min(each.amount for each in paid)
    left -= sum((noted(notes.get(each.attempt_id, ())) for each in paid), Decimal(0))
    found = []
    for each in sorted(paid, key=lambda each: (each.state is State.PAID_LATE, each.number), reverse=True):
        part = min(left, room(each, notes.get(each.attempt_id, ())))
        if part > 0:
            found.append((each, part))
            left -= part
    return tuple(found)


def is_before_notes(attempt: Attempt, notes: Iterable[Note]) -> bool:
    """Whether "money back" was answered under a version that made no note of it."""
    answer = attempt.resolution
    return answer is not None and answer.action == "refund" and not any(True for _ in notes)


def subject_of(number: int) -> str:
    """The subject of a note's events."""
    return f"note:{number}"


def content_of(note: Note, news: Sequence[str] = ()) -> dict[str, Any]:
    """What a note's event holds; `news` where it was taken over."""
    return {"note": msgspec.to_builtins(note)} | ({"news": list(news)} if news else {})


def note_in(content: Mapping[str, Any]) -> Note:
    """The note after an event. Raises msgspec.ValidationError."""
    return msgspec.convert(content.get("note"), Note)


# On X and Z


class NoteSums(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a period's notes come to in one currency, in smallest units. `open`: all that is promised still."""

    made: Tally = Tally()
    given: Tally = Tally()
    withdrawn: Tally = Tally()
    open: Tally = Tally()

    def after(self, taken: int) -> int:
        """The period's takings once its notes are honoured: information, no sum of anything that the till has seen."""
        return taken - self.made.amount + self.withdrawn.amount


class NoteNews(msgspec.Struct, frozen=True):
    """What happened in a period: events about notes, in their order, as (kind, note after it)."""

    kind: str
    note: Note

    @property
    def wall(self) -> str:
        """When it was made, given or withdrawn, as the note has it."""
        return self.note.noted if self.kind == REFUND_NOTED else self.note.ended


def news_in(kind: str, content: Mapping[str, Any]) -> list[NoteNews]:
    """What an event about a note is news of: itself, or what a damaged journal has in no Z. As `note_in` raises."""
    note = note_in(content)
    if kind != REFUND_RECOVERED:
        return [NoteNews(kind, note)]
    before = replace(note, state=NoteState.PROMISED, ended="", ended_by="", ended_name="", ended_why="")
    told = [each for each in content.get("news", ()) if each in NEWS]
    return [NoteNews(each, before if each == REFUND_NOTED else note) for each in told]


MOST_NAMED = 100
"""So many notes a report names one by one; the sums are of all."""


def sums_of(news: Iterable[NoteNews], open_: Iterable[Note]) -> dict[str, NoteSums]:
    """By currency. `open_`: every note that is promised still."""
    found: dict[str, dict[str, Tally]] = {}
    fields = {REFUND_NOTED: "made", REFUND_GIVEN: "given", REFUND_WITHDRAWN: "withdrawn"}
    counted = [(fields[each.kind], each.note) for each in news] + [("open", each) for each in open_]
    for field, note in counted:
        own = found.setdefault(note.currency, {})
        own[field] = own.get(field, Tally()).plus(Tally(1, units_of(note)))
    return {code: NoteSums(**tallies) for code, tallies in sorted(found.items())}


def named_in(news: Iterable[NoteNews], open_: Iterable[Note]) -> tuple[tuple[Note, ...], int]:
    """The notes that a report names, by number, and how many more there are: what is open goes before what is done."""
    every = {each.note.number: each.note for each in news} | {each.number: each for each in open_}
    chosen = sorted(every.values(), key=lambda each: (not each.is_open, each.number))
    return tuple(sorted(chosen[:MOST_NAMED], key=lambda each: each.number)), len(chosen[MOST_NAMED:])


def units_of(note: Note) -> int:
    """A note's amount in the currency's smallest units."""
    return int(note.amount.scaleb(currency(note.currency).digits))
