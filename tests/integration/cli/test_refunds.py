"""`refund` by the real process: notes are made, listed, given and withdrawn; no payment and no sum is changed by it."""

from __future__ import annotations

from contextlib import closing
from decimal import Decimal
from pathlib import Path

from pos_app.domain.attempt import State
from pos_app.domain.record import Record
from pos_app.domain.refund import (
    REFUND_NOTED,
    NoteReason,
    NoteWay,
    Signed,
    Wish,
    content_of,
    note_of,
    subject_of,
)
from tests.integration.cli.test_closing import begun_anew, left_waiting, paid
from tests.integration.cli.till import Till
from tests.support.builders import INSTALLATION, WALL, attempt, record, sale
from tests.support.sandbox import Sandbox
from tests.unit.journal.tampering import tamper


def test_notes_are_made_listed_given_withdrawn_and_told_with_the_day(sandbox: Sandbox, till: Till) -> None:
    """Takings stay gross, the export has them, the payment is paid as before."""
    attempt_id = paid(sandbox, till)
    made = till.run(
        "refund", "--note", attempt_id, "--reason", "returned", "--amount", "5.00", "--to", "0771234567"
    )
    (note,) = made.objects
    assert (made.code, note["note"], note["state"], note["amount"]) == (0, "N-0001", "PROMISED", "5.00")
    assert (note["receiver"], note["own"], note["by"]) == ("…567", True, "terminal")
    rest = till.run("refund", "--note", attempt_id, "--reason", "other", "--text", "we agreed so")
    assert [each["amount"] for each in rest.objects] == ["7.50"]
    assert till.run("refund", "--note", attempt_id, "--reason", "late").code == 1
    assert till.run("refund", "--note", attempt_id, "--reason", "late", "--amount", "0.01").code == 1
    (x,) = till.run("report", "x").objects
    assert (x["takings"], x["after_notes"]) == ({"count": 1, "amount": "12.50"}, "0.00")
    assert x["notes"]["made"] == x["notes"]["open"] == {"count": 2, "amount": "12.50"}
    assert till.run("refund", "--give", "N-0001").objects[0]["state"] == "GIVEN"
    withdrawn = till.run("refund", "--withdraw", "2", "--text", "kept the goods")
    assert withdrawn.objects[0]["ended_why"] == "kept the goods"
    assert till.run("refund", "--give", "2").code == 1
    assert till.run("refund", "--give", "9").code == 1
    assert till.run("refund", "--open").objects == []
    assert [each["note"] for each in till.run("refund").objects] == ["N-0001", "N-0002"]
    (z,) = till.run("close", "--no-reconcile").objects
    assert [(each["note"], each["state"]) for each in z["refund_notes"]] == [
        ("N-0001", "GIVEN"),
        ("N-0002", "WITHDRAWN"),
    ]
    assert z["grand"] == {"taken": "12.50", "noted": "12.50", "corrected": "0.00"}
    (told,) = till.run("report", "z").objects
    assert told == z
    (receipt,) = till.run("receipt", "--last").objects
    (checked,) = till.run("receipt", "--check", receipt["code"]).objects
    assert (checked["check"], checked["state"], checked["refunded"], checked["noted"]) == (
        True,
        "PAID",
        True,
        "5.00",
    )


def test_why_an_amount_cannot_be_noted_is_told(sandbox: Sandbox, till: Till) -> None:
    """How much could be; of what was never paid, that: without an amount it said that nothing was left of it."""
    waiting = left_waiting(till)
    for amount in ((), ("--amount", "1.00")):
        unpaid = till.say("refund", "--note", waiting, "--reason", "late", *amount)
        assert (unpaid.code, unpaid.err) == (
            1,
            "pos-app: there is no proven money in it: nothing can be noted\n",
        )
    of = ("refund", "--note", paid(sandbox, till), "--reason", "returned", "--amount")
    assert till.run(*of, "5.00").code == 0
    over = till.say(*of, "7.51")
    said = "pos-app: --amount: that is more than is left of the payment; at most 7.50\n"
    assert (over.code, over.err) == (1, said)
    assert till.run(*of, "7.50").code == 0
    none = till.say(*of, "0.01")
    assert (none.code, none.err) == (1, "pos-app: nothing is left of the payment that could be noted\n")


def test_all_notes_are_listed_however_many_there_are(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    """Of more than two hundred the oldest were left out, and nothing said so."""
    paid(sandbox, till)
    of = attempt(1, state=State.PAID, ended_at=1500, receipt=1, receipt_of=INSTALLATION)
    wish = Wish(amount=Decimal("0.01"), reason=NoteReason.RETURNED, way=NoteWay.CASH)
    notes = [note_of(number, wish, of, Signed(by="p2", wall=WALL)) for number in range(1, 206)]
    with closing(begun_anew(tmp_path / "counter" / "sandbox")) as journal:
        journal.append([record(of, path=(State.WAITING, State.PAID), sale=sale(1))])
        journal.append(
            [
                Record(
                    kind=REFUND_NOTED,
                    subject=subject_of(note.number),
                    actor="p2",
                    at=9_000,
                    wall=WALL,
                    content=content_of(note),
                )
                for note in notes
            ]
        )
    listed = till.run("refund").objects
    assert [each["note"] for each in listed] == [note.shown for note in notes]


def test_a_damaged_record_is_told_and_no_fault_of_the_program(
    sandbox: Sandbox, till: Till, tmp_path: Path
) -> None:
    """As an export tells it."""
    attempt_id = paid(sandbox, till)
    of = ("refund", "--note", attempt_id, "--reason", "late")
    assert till.run(*of, "--amount", "5.00").code == 0
    tamper(tmp_path / "counter" / "sandbox" / "journal.sqlite", "UPDATE refund_note SET snapshot = 'x'")
    for line in (("refund",), ("refund", "--open"), of):
        told = till.say(*line)
        assert (told.code, told.out, told.err) == (73, "", "pos-app: the journal cannot be read\n")


def test_what_cannot_be_carried_out_is_told(sandbox: Sandbox, till: Till) -> None:
    """Two things at once, a note of nothing, words that are missing."""
    assert till.run("refund").code == 1, "there is no journal"
    attempt_id = paid(sandbox, till)
    assert till.say("refund").out == "there is no refund note\n"
    assert till.say("refund", "--open").out == "no refund note is promised still\n"
    wrong = till.say("refund", "--note", attempt_id, "--reason", "late", "--amount", "12.505")
    assert "no amount of this payment's currency, for example 12.50\n" in wrong.err
    for line, code in (
        (("--give", "1", "--withdraw", "1"), 2),
        (("--open", "--give", "1"), 2),
        (("--amount", "5.00"), 2),
        (("--to", "Nimali"), 2),
        (("--give", "1", "--way", "cash"), 2),
        (("--give", "1", "--text", "sorry"), 2),
        (("--give", "R7"), 2),
        (("--give", "-1"), 2),
        (("--withdraw", "1"), 2),
        (("--note", attempt_id), 2),
        (("--note", attempt_id, "--reason", "late", "--amount", "a lot"), 2),
        (("--note", attempt_id, "--reason", "other"), 2),
        (("--note", attempt_id, "--reason", "late", "--way", "transfer"), 2),
        (("--note", "SBX-no-such", "--reason", "late"), 1),
    ):
        assert till.run("refund", *line).code == code, line
