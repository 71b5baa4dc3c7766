"""Refund notes: never above what was paid, never a number in full, three states, no way back; what X and Z say."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest

from pos_app.domain.attempt import Attempt, Resolution, State
from pos_app.domain.day import Grand, Period, entries_of, grown
from pos_app.domain.refund import (
    MOST_NAMED,
    REFUND_GIVEN,
    REFUND_NOTED,
    REFUND_WITHDRAWN,
    Note,
    NoteNews,
    NoteProblem,
    NoteReason,
    NoteState,
    NoteSums,
    NoteWay,
    Signed,
    Wish,
    content_of,
    given,
    is_before_notes,
    named_in,
    note_in,
    note_in_text,
    note_of,
    noted,
    owed,
    problem_of,
    reason_for,
    room,
    subject_of,
    sums_of,
    withdrawn,
)
from pos_app.domain.takings import Tally
from tests.support.builders import attempt

SIGNED = Signed(by="person-2", wall="2026-03-01T12:00:00.000+05:30", name="Kamala", beside="person-1")


def _paid(number: int = 1, state: State = State.PAID, **facts: object) -> Attempt:
    return msgspec.structs.replace(
        attempt(1, number), state=state, receipt=number, receipt_of="23456789", **facts
    )


def _wish(amount: str = "5.00", **facts: object) -> Wish:
    about = {"reason": NoteReason.RETURNED, "way": NoteWay.CASH} | facts
    return Wish(amount=Decimal(amount), **about)  # type: ignore[arg-type]


def _note(amount: str = "5.00", number: int = 1, of: Attempt | None = None, **facts: object) -> Note:
    made = note_of(number, _wish(amount), of or _paid(), SIGNED)
    return msgspec.structs.replace(made, **facts)


def test_what_is_noted_is_never_more_than_was_paid() -> None:
    """Earlier notes count, one that was taken back does not."""
    paid = _paid()
    assert room(paid, ()) == paid.amount == Decimal("12.50")
    notes = [
        _note("5.00"),
        _note("4.00", 2, state=NoteState.GIVEN),
        _note("2.00", 3, state=NoteState.WITHDRAWN),
    ]
    assert noted(notes) == Decimal("9.00")
    assert room(paid, notes) == Decimal("3.50")
    assert problem_of(_wish("3.50"), paid, notes) is NoteProblem.NONE
    assert problem_of(_wish("3.51"), paid, notes) is NoteProblem.TOO_MUCH
    assert room(paid, [_note("99.00")]) == 0


@pytest.mark.parametrize("state", sorted(set(State) - {State.PAID, State.PAID_LATE}))
def test_only_proven_money_goes_back(state: State) -> None:
    """What is open, disputed, unpaid or a manager's word has nothing that could."""
    unproven = _paid(state=state)
    assert room(unproven, ()) == 0
    assert problem_of(_wish(), unproven, ()) is NoteProblem.NOT_PAID


@pytest.mark.parametrize("amount", ["0", "-1.00", "0.001", "NaN", "Infinity"])
def test_an_amount_is_one_that_the_currency_can_write(amount: str) -> None:
    """Nothing is rounded (rule 16)."""
    assert problem_of(_wish(amount), _paid(), ()) is NoteProblem.BAD_AMOUNT


def test_a_currency_that_nobody_knows_has_no_notes() -> None:
    """No sum could hold them."""
    assert problem_of(_wish(), _paid(currency="XXX"), ()) is NoteProblem.BAD_AMOUNT


@pytest.mark.parametrize("unseen", [" \u202e ", "\u200b \u200b"])
def test_another_reason_needs_words_and_a_transfer_somebody(unseen: str) -> None:
    """Of nothing but what cannot be seen, neither is said: also where a space stands between it."""
    paid = _paid()
    assert problem_of(_wish(reason=NoteReason.OTHER, text=unseen), paid, ()) is NoteProblem.NO_REASON
    to_nobody = _wish(way=NoteWay.TRANSFER, receiver=unseen)
    assert problem_of(to_nobody, paid, ()) is NoteProblem.NO_RECEIVER
    assert problem_of(_wish(reason=NoteReason.OTHER, text="broken"), paid, ()) is NoteProblem.NONE
    assert problem_of(_wish(way=NoteWay.TRANSFER), paid, ()) is NoteProblem.NO_RECEIVER
    assert problem_of(_wish(way=NoteWay.TRANSFER, receiver="Kamala"), paid, ()) is NoteProblem.NONE


def test_a_note_keeps_no_number_in_full_and_one_scale() -> None:
    """Whoever gets it is known by the last digits (I8); 5 and 5.00 are one text."""
    paid = _paid(wallet_mask="+94 77 ••• •567")
    made = note_of(7, _wish("5", text="to\n+94 77 123 4567", receiver="0771234567"), paid, SIGNED)
    assert (made.text, made.receiver, made.payer) == ("to …567", "…567", "+94 77 ••• •567")
    assert str(made.amount) == "5.00"
    assert (made.shown, made.is_open, made.stands) == ("N-0007", True, True)
    assert made.receipt.endswith("-R000001")


@pytest.mark.parametrize(
    ("by", "beside", "own", "kept"),
    [
        ("person-1", "", True, ""),
        ("person-1", "person-1", True, ""),
        ("person-1", "person-3", False, "person-3"),
        ("person-2", "", False, ""),
        ("person-2", "person-1", False, "person-1"),
    ],
)
def test_it_says_whether_whose_payment_it_is_signed_alone(by: str, beside: str, own: bool, kept: str) -> None:
    """Four eyes, or a mark that there were two."""
    signed = msgspec.structs.replace(SIGNED, by=by, beside=beside)
    made = note_of(1, _wish(), _paid(owner="person-1"), signed)
    assert (made.own, made.beside) == (own, kept)


def test_it_ends_once_by_somebody_with_a_time() -> None:
    """A reason is a manager's who takes it back."""
    signed = Signed(by="person-3", wall="2026-03-01T13:00:00.000+05:30", name="Ruwan")
    gone = withdrawn(_note(), signed, "kept\nthe goods")
    assert (gone.state, gone.ended_why, gone.ended_by) == (NoteState.WITHDRAWN, "kept the goods", "person-3")
    assert (gone.is_open, gone.stands) == (False, False)
    handed = given(_note(), signed)
    assert (handed.state, handed.ended, handed.ended_name) == (NoteState.GIVEN, signed.wall, "Ruwan")
    assert (handed.is_open, handed.stands) == (False, True)


def test_an_event_holds_all_of_it() -> None:
    """To the last field."""
    note = _note(own=True)
    assert note_in(content_of(note)) == note
    assert subject_of(7) == "note:7"
    with pytest.raises(msgspec.ValidationError):
        note_in({})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("N-0007", 7),
        (" n7 ", 7),
        ("7", 7),
        ("N-12345", 12345),
        ("", 0),
        ("N-", 0),
        ("\u0667", 0),
        ("1" * 10, 0),
        ("R7", 0),
        ("-7", 0),
        ("N--7", 0),
        ("N-N7", 0),
    ],
)
def test_a_number_is_read_as_it_stands_on_paper(text: str, number: int) -> None:
    """In letters of either case."""
    assert note_in_text(text) == number


def test_an_answer_of_before_there_were_notes_is_told_apart() -> None:
    """It moved no less money, and nobody knows how much."""
    answered = _paid(resolution=Resolution("refund", "Nimali", "late", 9))
    assert is_before_notes(answered, ())
    assert not is_before_notes(answered, [_note()])
    assert not is_before_notes(_paid(resolution=Resolution("complete", "Nimali", "late", 9)), ())
    assert not is_before_notes(_paid(), ())


def test_why_it_goes_back_follows_from_the_payment() -> None:
    """Late, or across a cancel: then the words that were typed say it."""
    assert reason_for(_paid(state=State.PAID_LATE)) is NoteReason.LATE
    assert reason_for(_paid()) is NoteReason.OTHER


def test_of_a_sale_paid_twice_one_payment_goes_back() -> None:
    """The late one first, then the newest; what is noted already is not noted again (rule 9)."""
    first, second = _paid(1), _paid(2)
    assert owed([first], {}) == ()
    assert owed([first, second], {}) == ((second, Decimal("12.50")),)
    late = _paid(1, State.PAID_LATE)
    assert owed([late, second], {}) == ((late, Decimal("12.50")),)
    noted_late = {late.attempt_id: [_note("12.50", of=late)]}
    assert owed([late, second], noted_late) == ()
    part = {late.attempt_id: [_note("10.00", of=late)]}
    assert owed([late, second], part) == ((late, Decimal("2.50")),)


def test_of_three_payments_two_go_back() -> None:
    """One is the shop's."""
    paid = [_paid(1), _paid(2), _paid(3), _paid(4, State.FAILED)]
    assert [(each.number, amount) for each, amount in owed(paid, {})] == [
        (3, Decimal("12.50")),
        (2, Decimal("12.50")),
    ]


def test_a_periods_sums_are_of_what_happened_in_it_and_of_what_is_open() -> None:
    """A note of an earlier day that ends in it counts as ended alone."""
    old = _note("4.00", 1, state=NoteState.WITHDRAWN)
    new, other = _note("5.00", 2), _note("3.00", 3, currency="USD", state=NoteState.GIVEN)
    news = [
        NoteNews(REFUND_WITHDRAWN, old),
        NoteNews(REFUND_NOTED, new),
        NoteNews(REFUND_NOTED, other),
        NoteNews(REFUND_GIVEN, other),
    ]
    assert sums_of(news, [new]) == {
        "LKR": NoteSums(made=Tally(1, 500), withdrawn=Tally(1, 400), open=Tally(1, 500)),
        "USD": NoteSums(made=Tally(1, 300), given=Tally(1, 300)),
    }
    assert sums_of(news, [new])["LKR"].after(10_000) == 9_900
    assert named_in(news, [new]) == ((old, new, other), 0)


def test_a_report_names_so_many_and_counts_the_others() -> None:
    """What somebody has still to see to goes before what is done."""
    done = [
        NoteNews(REFUND_GIVEN, _note(number=at, state=NoteState.GIVEN)) for at in range(1, MOST_NAMED + 1)
    ]
    named, more = named_in(done, [_note(number=500), _note(number=501)])
    assert (len(named), more) == (MOST_NAMED, 2)
    assert [each.number for each in named[-2:]] == [500, 501]


def test_takings_stay_gross() -> None:
    """A note is counted beside them, in a total that only grows."""
    noted_ = {"LKR": NoteSums(made=Tally(1, 500), withdrawn=Tally(1, 400))}
    period = Period(
        number=2, from_seq=1, to_seq=9, began_at=0, began="", entries=entries_of({}), noted=noted_
    )
    before = {"LKR": Grand(taken=10_000, noted=400)}
    assert grown(before, period) == {"LKR": Grand(taken=10_000, noted=900)}
    only_open = msgspec.structs.replace(period, noted={"USD": NoteSums(open=Tally(1, 5))})
    assert grown(before, only_open) == before
