"""`close` and `report` by the real process: a day is sold, looked at, closed and read again."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from signal import SIGINT
from typing import Any

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, open_journal
from tests.integration.cli.till import Done, Till
from tests.support.builders import KEY
from tests.support.sandbox import Sandbox


def begun_anew(folder: Path) -> Journal:
    """An empty journal in the place of a counter's, in its folder, to be filled with what no sale takes long for."""
    for left in folder.glob("journal.*"):
        left.unlink()
    (folder / "journal.key").write_text(KEY.hex())
    return open_journal(folder / "journal.sqlite", KEY, Environment.SANDBOX)


def paid(sandbox: Sandbox, till: Till, amount: str = "12.50") -> str:
    """A payment by QR, from tap to PAID."""
    paying = till.start("pay", "--amount", amount, "--qr")
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    return attempt_id


def left_waiting(till: Till) -> str:
    """A payment whose till was killed while the customer still had the code."""
    paying = till.start("pay", "--amount", "7.00", "--qr")
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    paying.kill()
    return attempt_id


@pytest.mark.parametrize("other", ["SBX-TBBBB2222-0001-1-K7Q2M9", None])
def test_an_answer_about_another_payment_does_not_answer_for_this_one(
    sandbox: Sandbox, till: Till, other: str | None
) -> None:
    one = left_waiting(till)
    sandbox.fault("edit", "get_status", count=None, set={"externalMerchantTransactionId": other})
    closed = till.run("close", "--no-reconcile")
    sandbox.control("DELETE", "/faults")
    assert closed.code == 4
    (z,) = closed.objects
    (carried,) = z["carried"]
    assert (carried["attempt_id"], carried["asked"], z["asked"]) == (one, False, False)


def verdict(said: str, number: int, z: dict[str, Any] | None, last: dict[str, Any]) -> dict[str, Any]:
    """What --check says of a paper, by the Z that the journal has of its number and the newest."""
    return {
        "check": said == "ours",
        "verdict": said,
        "number": number,
        "business_date": z["business_date"] if z else "",
        "last": last["number"],
        "last_business_date": last["business_date"],
    }


def test_a_day_is_sold_looked_at_closed_and_read_again(sandbox: Sandbox, till: Till) -> None:
    first = paid(sandbox, till)
    paid(sandbox, till, "0.05")
    (x,) = till.run("report", "x").objects
    assert (x["report"], x["number"], x["takings"]) == ("x", None, {"count": 2, "amount": "12.55"})
    closed = till.run("close")
    assert closed.code == 0
    (z,) = closed.objects
    assert (z["report"], z["number"], z["takings"]) == ("z", 1, {"count": 2, "amount": "12.55"})
    assert z["by_kind"] == {"qr": {"count": 2, "amount": "12.55"}}
    assert z["grand"] == {"taken": "12.55", "noted": "0.00", "corrected": "0.00"}
    assert (z["carried"], z["late_from"], z["asked"], z["environment"]) == ([], [], True, "sandbox")
    assert [(each["first"], each["last"]) for each in z["receipts"]] == [(1, 2)]
    again = till.run("report", "z", "--number", "1")
    assert (again.code, again.objects) == (0, [z])
    assert till.run("report", "z").objects == [z]
    assert till.run("report", "z", "--date", z["business_date"]).objects == [z]
    checked = till.run("report", "z", "--check", z["anchor"])
    assert checked.objects == [verdict("ours", 1, z, z)]
    plain = till.say("report", "z")
    assert "taken: LKR 12.55 in 2 payments" in plain.out
    assert "SANDBOX" in plain.out
    waiting = left_waiting(till)
    second = till.run("close", "--wait", "5")
    assert second.code == 4
    (z2,) = second.objects
    assert (z2["number"], z2["from_seq"], z2["previous"]) == (2, z["to_seq"] + 1, z["digest"])
    assert [(each["attempt_id"], each["state"]) for each in z2["carried"]] == [(waiting, "WAITING")]
    assert first not in str(z2["carried"])
    sandbox.act(waiting, "pay")
    assert till.run("open", "--resolve", "20").code == 0
    (z3,) = till.run("close", "--no-reconcile").objects
    assert [(each["z"], each["attempt_id"]) for each in z3["late_from"]] == [(2, waiting)]
    assert z3["takings"] == {"count": 1, "amount": "7.00"}
    told = {each["about"]: each["text"] for each in till.run("doctor").objects}
    assert told["day"] == f"the last is Z 3 of {z3['business_date']}"


def test_paper_of_a_folder_that_was_put_back_is_not_known(sandbox: Sandbox, till: Till) -> None:
    """Nothing in the files tells; the paper does."""
    paid(sandbox, till)
    till.run("close", "--no-reconcile")
    folder = Path(till.common[till.common.index("--data-dir") + 1])
    shutil.copytree(folder, folder.with_name("copy"))
    paid(sandbox, till)
    (z,) = till.run("close", "--no-reconcile").objects
    shutil.rmtree(folder)
    shutil.copytree(folder.with_name("copy"), folder)
    gone = till.run("report", "z", "--check", z["anchor"])
    first = till.run("report", "z", "--number", "1").last
    assert (gone.code, gone.objects) == (1, [verdict("missing", 2, None, first)])
    assert "this journal is older than the paper" in till.say("report", "z", "--check", z["anchor"]).out
    till.run("close", "--no-reconcile")
    second = till.run("report", "z").last
    other = till.run("report", "z", "--check", z["anchor"])
    assert (other.code, other.objects) == (1, [verdict("changed", 2, second, second)])
    foreign = z["anchor"].replace(z["anchor"][5:13], "22222222")
    anothers = till.run("report", "z", "--check", foreign)
    assert (anothers.code, anothers.objects) == (1, [verdict("foreign", 2, None, second)])


def test_a_z_that_was_changed_is_told_as_one(sandbox: Sandbox, till: Till) -> None:
    """As the window tells it. The figures are what the file says, and the code says that they are not the day's."""
    paid(sandbox, till)
    (z,) = till.run("close", "--no-reconcile").objects
    folder = Path(till.common[till.common.index("--data-dir") + 1]) / "sandbox"
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal, journal:
        journal.execute("DROP TRIGGER event_is_never_changed")
        journal.execute(
            "UPDATE event SET content = replace(content, '1250', '1150') WHERE seq = ?", (z["to_seq"],)
        )
    done = till.run("report", "z")
    assert (done.code, done.last["grand"]["taken"]) == (1, "11.50")
    assert "Z 1 is not as it was closed" in done.err
    (folder / "journal.key").rename(folder / "elsewhere")
    unknown = till.run("report", "z")
    assert (unknown.code, "cannot be told" in unknown.err) == (0, True)


def test_a_till_at_work_is_not_closed_beside_it(till: Till) -> None:
    """Its own screen closes it, and reads its X; a Z may be looked at."""
    assert till.run("close", "--no-reconcile").code == 0
    paying = till.start("pay", "--amount", "7.00", "--qr")
    paying.state("WAITING")
    assert till.run("close", "--no-reconcile").code == 73
    refused = till.run("report", "x")
    assert (refused.code, refused.out) == (73, "")
    assert "its window reads it" in refused.err
    assert till.run("report", "z").last["number"] == 1
    paying.kill()
    (x,) = till.run("report", "x").objects
    assert [each["state"] for each in x["carried"]] == ["WAITING"]


def test_a_closing_that_is_broken_off_says_so_and_is_finished_by_the_next(
    sandbox: Sandbox, till: Till
) -> None:
    """It said that the journal cannot be written, and people looked at the disk."""
    waiting = left_waiting(till)
    sandbox.fault("hold", "get_status")
    closing_day = till.start("close")
    while "get_status" not in sandbox.held():
        assert not closing_day.is_over
    done = closing_day.send(SIGINT).end()
    said = "pos-app: the day is not closed: it was interrupted; close again to finish\n"
    assert done == Done(73, "", said)
    sandbox.clear_faults()
    sandbox.release()
    (z,) = till.run("close", "--no-reconcile").objects
    assert (z["number"], [each["attempt_id"] for each in z["carried"]]) == (1, [waiting])


def test_that_an_x_was_read_stands_in_the_journal_and_on_the_z(till: Till) -> None:
    """Each time, in the name of the counter's account: takings that are looked up in between leave a trace."""
    assert till.run("report", "x").code == 1
    till.run("close", "--no-reconcile")
    first, second = (till.run("report", "x").last for _ in range(2))
    assert (first["acts"], second["acts"]) == ({"X_READ": 1}, {"X_READ": 2})
    (z,) = till.run("close", "--no-reconcile").objects
    assert z["acts"] == {"X_READ": 2, "CLOSING_BEGAN": 1}


def test_no_such_z(till: Till) -> None:
    """Nor a day before the first."""
    assert till.run("report", "x").code == 1
    assert till.run("close", "--no-reconcile").code == 0
    for line in (["--number", "9"], ["--date", "2020-01-01"]):
        assert till.run("report", "z", *line).code == 1


@pytest.mark.parametrize(
    "line",
    [
        ["report", "y"],
        ["report"],
        ["report", "z", "--number", "0"],
        ["report", "z", "--number", "one"],
        ["report", "z", "--date", "2026-02-30"],
        ["report", "z", "--date", "yesterday"],
        ["report", "z", "--number", "1", "--date", "2026-02-03"],
        ["report", "x", "--number", "1"],
        ["close", "--wait", "61"],
        ["close", "--wait", "-1"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_carried_out_is_told(till: Till, line: list[str]) -> None:
    done: Done = till.run(*line)
    assert (done.code, done.out) == (2, "")


def test_a_text_that_is_no_paper(till: Till) -> None:
    """Is neither known nor unknown."""
    assert till.run("close", "--no-reconcile").code == 0
    for text in ("x", "Z1", "Z-12.50-ABC", "T22222222-Z1-12.50-ABC", f"Z1-12.50-{'0' * 32}"):
        assert till.run("report", "z", "--check", text).code == 2


def test_the_code_of_a_z_is_taken_as_it_was_copied_and_what_is_none_is_called_so(till: Till) -> None:
    """With what stood around it; it was refused as no id."""
    z = till.run("close", "--no-reconcile").last
    assert till.run("report", "z", "--check", f" {z['anchor']}\n").objects == [verdict("ours", 1, z, z)]
    for text in ("", "Z 1"):
        said = till.run("report", "z", "--check", text)
        assert (said.code, said.out) == (2, "")
        assert f"--check: {text!r} is no code of a Z's paper" in said.err
