"""Histories of folders that were put back, cloned or lost, with one thing forged: I3b, rules 10, 12 and 20 tried."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from pos_app.domain.attempt import State
from tests.verification.simulation.directed import A_CODE, OF_FOLDERS
from tests.verification.simulation.forging import TILL, record
from tests.verification.simulation.history import History, Line, Stranger, Written
from tests.verification.simulation.run import play

FIRST_LINE, AGAIN, ANEW = TILL, f"{TILL}/0.1", f"{TILL}/0.1"


@cache
def put_back() -> History:
    """A sale that was paid, the folder put back to before it, and the same sale again, which nobody pays."""
    return play(replace(OF_FOLDERS["ids_without_random_part"], faults=())).history


@cache
def seen_again() -> History:
    """A folder that was put back, and has seen by the service's list what it lost."""
    return play(OF_FOLDERS["looks_for_no_copy"]).history


@cache
def begun_anew() -> History:
    """Of a lost journal the anchor was left: two paid sales are found again, and a third is begun."""
    story = OF_FOLDERS["sells_before_the_list"]
    first, second = story.sales
    return play(replace(story, sales=(first, replace(second, at=60_000), replace(first, at=8_000)))).history


@cache
def moved() -> History:
    """The folder wakes on another machine between two sales."""
    return play(OF_FOLDERS["machine_ignored"]).history


@cache
def away() -> History:
    """The settings name another service for a while, under an open payment."""
    return play(OF_FOLDERS["asks_where_the_settings_say"]).history


@cache
def scanned() -> History:
    """A QR that is paid."""
    return play(replace(OF_FOLDERS["unseen_code_is_paid"], acts=(), sales=(A_CODE,))).history


HONEST = (put_back, seen_again, begun_anew, moved, away, scanned)


def _with_line(history: History, line: str, change: Callable[[Written], Written | None]) -> History:
    changed = tuple(new for each in history.journals[line] if (new := change(each)) is not None)
    return replace(history, journals={**history.journals, line: changed})


def _paid(history: History) -> str:
    return next(held.external_id for held in history.held if held.status == "Payment Success")


def paid_by_another() -> History:
    """The line that goes on shows the lost sale's money for its own customer."""
    history = put_back()
    lost = _paid(history)
    intent = next(each for each in history.journals[AGAIN] if each.record.kind == "INTENT")
    own = intent.record.subject
    money = next(each for each in history.journals[FIRST_LINE] if "PAID" in each.record.path).record

    def change(each: Written) -> Written:
        attempt = each.record.attempt
        if attempt is None or attempt.attempt_id != own:
            return each
        if each.record.kind == "STATUS_ANSWERED":
            return record(
                each, **{name: getattr(money, name) for name in ("path", "content", "attempt")}, subject=lost
            )
        return record(each, subject=lost, attempt=replace(attempt, attempt_id=lost))

    return _with_line(history, AGAIN, change)


def one_payment_in_two_sales() -> History:
    """Two tills that began alone both show it; nobody watched whose bytes the service took."""
    history = put_back()
    alone = {**history.journals, "BBBBBBBB": history.journals[FIRST_LINE]}
    return replace(
        history, journals=alone, held=tuple(replace(held, asked_by=("", 0)) for held in history.held)
    )


def asked_by_the_other() -> History:
    """The service took the bytes of the second sale, and the first is shown as paid."""
    history = put_back()
    seq = next(each.seq for each in history.journals[AGAIN] if each.record.kind == "INTENT")
    return replace(history, held=tuple(replace(held, asked_by=(AGAIN, seq)) for held in history.held))


def code_from_nowhere() -> History:
    """No reply ever had the text of the code that was paid."""

    def change(each: Written) -> Written:
        reply = {key: text for key, text in each.record.content.get("reply", {}).items() if key != "qr_text"}
        return record(each, content=each.record.content | {"reply": reply})

    return _with_line(scanned(), TILL, change)


def told_to_another() -> History:
    """The other service heard of it."""
    history = away()
    line, attempt_id, _ = min(history.asked)
    return replace(history, asked=history.asked | {(line, attempt_id, "https://elsewhere.example")})


def opened_late() -> History:
    """Six seconds after its start."""
    history = put_back()
    return replace(history, opened=(*history.opened, (23_000, AGAIN, 6_000)))


def woke_elsewhere() -> History:
    """It stood on another machine, and took no new id."""
    history = put_back()
    return replace(history, machines=tuple((at, line, "elsewhere") for at, line, _ in history.machines))


def moved_and_kept_its_id() -> History:
    """The event by which it took a new one is not there."""
    return _with_line(moved(), TILL, lambda each: None if each.record.kind == "INSTALLATION_TAKEN" else each)


def sold_after_a_stranger() -> History:
    """A list had shown an id of its own that it did not know."""
    history = put_back()
    return replace(history, strangers=(Stranger(25_000, AGAIN, _paid(history)),))


def sold_under_a_stopped_id() -> History:
    """That its identity is used twice stands in the journal, before the sale."""
    history = put_back()
    about = {"installation_id": TILL}
    return _with_line(
        history,
        AGAIN,
        lambda each: (
            record(each, kind="IDENTITY_USED_TWICE", content=about)
            if each.record.kind == "SERVICE_NAMED"
            else each
        ),
    )


def saw_nothing_of_it() -> History:
    """The till sells on, as if it had lost nothing."""
    history = seen_again()
    return replace(history, rested=tuple(replace(moment, stopped=False) for moment in history.rested))


def begun_as_new() -> History:
    """Nothing in the fresh journal says that there was one before."""
    return _with_line(
        begun_anew(), ANEW, lambda each: None if each.record.kind == "JOURNAL_REBUILT" else each
    )


def not_taken_over() -> History:
    """A payment of the lost journal is in no table, and nobody is told."""
    history = begun_anew()
    lost = _paid(history)
    closed = tuple(
        replace(moment, attempts=tuple(each for each in moment.attempts if each.attempt_id != lost))
        for moment in history.closed
    )
    return replace(history, closed=closed)


def sold_before_the_list() -> History:
    """The third sale was begun a moment after the start."""
    history = begun_anew()
    before = {"LIST_READ": "LIST_BEGAN"}
    start = max(at for at, line in history.starts if line == ANEW)
    return _with_line(
        history,
        ANEW,
        lambda each: replace(
            record(each, kind=before.get(each.record.kind, each.record.kind)),
            at=start + 100 if each.record.kind == "INTENT" else each.at,
        ),
    )


def money_by_recovery() -> History:
    """What the list shows as paid is entered as paid."""

    def change(each: Written) -> Written:
        attempt = each.record.attempt
        if each.record.kind != "RECOVERED" or attempt is None:
            return each
        late = replace(attempt, state=State.PAID_LATE)
        return record(each, path=(State.PAID_LATE,), attempt=late)

    history = begun_anew()
    unproved = {
        FIRST_LINE: tuple(each for each in history.journals[FIRST_LINE] if "PAID" not in each.record.path)
    }
    return _with_line(replace(history, journals={**history.journals, **unproved}), ANEW, change)


def anothers_entered() -> History:
    """A payment of another installation, from the list."""

    def change(each: Written) -> Written:
        attempt = each.record.attempt
        if each.record.kind != "RECOVERED" or attempt is None:
            return each
        other = attempt.attempt_id.replace(TILL, "CCCCCCCC")
        return record(each, subject=other, attempt=replace(attempt, attempt_id=other))

    return _with_line(begun_anew(), ANEW, change)


def lost_without_a_word() -> History:
    """The line that goes on knows the sale no more, and none was cut off."""
    history = put_back()
    lines = {AGAIN: Line(FIRST_LINE, "put_back", 20_000, 2, 500)}
    journals = {AGAIN: history.journals[AGAIN]}
    return replace(history, lines=lines, journals={**journals, FIRST_LINE: ()})


FORGED_FOLDERS: dict[Callable[[], History], str] = {
    paid_by_another: "I3b",
    one_payment_in_two_sales: "I3b",
    asked_by_the_other: "I3b",
    code_from_nowhere: "rule 10",
    told_to_another: "rule 10",
    opened_late: "rule 12",
    woke_elsewhere: "rule 20",
    moved_and_kept_its_id: "rule 20",
    sold_after_a_stranger: "rule 20",
    sold_under_a_stopped_id: "rule 20",
    saw_nothing_of_it: "rule 20",
    begun_as_new: "rule 12",
    not_taken_over: "I2",
    sold_before_the_list: "rule 12",
    money_by_recovery: "I3",
    anothers_entered: "rule 12",
    lost_without_a_word: "I2",
}
