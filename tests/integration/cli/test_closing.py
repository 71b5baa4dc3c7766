"""`close` and `report` by the real process: a day is sold, looked at, closed and read again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.cli.till import Done, Till
from tests.support.sandbox import Sandbox


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
    assert till.run("report", "z", "--check", z["anchor"]).objects == [{"check": True, "number": 1}]
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
    (z3,) = till.run("close").objects
    assert [(each["z"], each["attempt_id"]) for each in z3["late_from"]] == [(2, waiting)]
    assert z3["takings"] == {"count": 1, "amount": "7.00"}
    told = {each["about"]: each["text"] for each in till.run("doctor").objects}
    assert told["day"] == f"the last is Z 3 of {z3['business_date']}"


def test_paper_of_a_folder_that_was_put_back_is_not_known(sandbox: Sandbox, till: Till) -> None:
    """Nothing in the files tells; the paper does."""
    paid(sandbox, till)
    till.run("close")
    folder = Path(till.common[till.common.index("--data-dir") + 1])
    shutil.copytree(folder, folder.with_name("copy"))
    paid(sandbox, till)
    (z,) = till.run("close").objects
    shutil.rmtree(folder)
    shutil.copytree(folder.with_name("copy"), folder)
    gone = till.run("report", "z", "--check", z["anchor"])
    assert (gone.code, gone.objects) == (1, [{"check": False, "number": 2}])
    till.run("close")
    other = till.run("report", "z", "--check", z["anchor"])
    assert (other.code, other.objects) == (1, [{"check": False, "number": 2}])


def test_a_till_at_work_is_not_closed_beside_it(till: Till) -> None:
    """Its own screen closes it; whoever looks may look."""
    paying = till.start("pay", "--amount", "7.00", "--qr")
    paying.state("WAITING")
    assert till.run("close").code == 73
    (x,) = till.run("report", "x").objects
    assert [each["state"] for each in x["carried"]] == ["WAITING"]
    paying.kill()


def test_no_such_z(till: Till) -> None:
    """Nor a day before the first."""
    assert till.run("report", "x").code == 1
    assert till.run("close").code == 0
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
    assert till.run("close").code == 0
    for text in ("x", "Z1", "Z-12.50-ABC", "Z1-12.50-ABC", "Z1 12.50"):
        assert till.run("report", "z", "--check", text).code == 2
