"""An error that nobody thought of is no word about money: 1 of `pay` says for certain that nothing was charged."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.cli.few_files import MOST
from tests.integration.cli.test_closing import paid
from tests.integration.cli.till import Done, Till
from tests.support.sandbox import Sandbox

FAULT = 70
CANNOT_CREATE = 73
ENDED_UNPAID = {"REFUSED", "NOT_SENT", "FAILED", "CANCELLED"}


def refused_with(till: Till, most: int) -> Done:
    """A payment that the service refuses, by a process that may have so many files open."""
    limited = Till(till.common, {MOST: str(most)}, program="tests.integration.cli.few_files")
    return limited.run("pay", "--amount", "1.00", "--push", "+94771005003", "--give-up-after", "1")


def test_an_error_is_no_not_paid_and_the_log_alone_has_what_it_says(till: Till, tmp_path: Path) -> None:
    """It fails in another place with each number: at the start, at the journal, behind the first event."""
    done = [refused_with(till, most) for most in range(3, 15)]
    assert done[0].code == FAULT
    for each in done:
        assert each.code != 1 or set(each.states[-1:]) & ENDED_UNPAID, each
    failed = [each for each in done if each.code == FAULT]
    assert all("pos-app: unexpected OSError; `open` lists" in each.err for each in failed)
    # The log takes secrets out of what an error says; standard error would not.
    assert not any("Errno" in each.err for each in failed)
    limited = [sys.executable, "-m", "tests.integration.cli.few_files", *till.common, "open"]
    assert code_unheard(till, limited, {MOST: "3"}) == FAULT
    (file,) = (tmp_path / "counter").glob("**/pos-app.log")
    messages = [json.loads(line)["message"] for line in file.read_text("utf-8").splitlines()]
    assert 0 < messages.count("unexpected error") <= len(failed)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (["pay", "--amount", "many"], 2),
        (["pay", "--amount", "1.00", "--push", "+94771005005"], 1),
    ],
)
def test_what_a_verb_ends_with_holds_where_nobody_takes_a_word(
    till: Till, line: list[str], code: int
) -> None:
    """Python tries what is left in a buffer once more at the end, and ends with 120 where that fails, too."""
    assert (
        code_unheard(till, [sys.executable, "-m", "pos_app", *till.common, *line], {"PYTHONHOME_": "x"})
        == code
    )


def code_unheard(till: Till, line: list[str], more: dict[str, str]) -> int:
    """How it ends where its standard error is a disk that is full; buffered, as whoever starts a till has it."""
    environment = {**till.environment, **more}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(line, env=environment, stdout=subprocess.DEVNULL, stderr=full, check=False)
    return done.returncode


def test_an_answer_that_a_fault_took_is_waited_for_by_nobody(till: Till) -> None:
    """The till itself goes on, since it asks about what is open; a verb that has nothing else to wait for ends."""
    wrong = Till(till.common, program="tests.integration.cli.with_a_fault")
    for line in (["close", "--no-reconcile"], ["report", "x"]):
        done = wrong.run(*line)
        assert (done.code, done.out) == (CANNOT_CREATE, ""), line
        assert "the till met a fault; see its log" in done.err


def test_an_answer_that_came_before_a_fault_stands(sandbox: Sandbox, till: Till) -> None:
    """A script that hears of a fault asks again: five would be noted twice, and the next day closed as well."""
    attempt_id = paid(sandbox, till)
    wrong = Till(till.common, program="tests.integration.cli.with_a_late_fault")
    noted = wrong.run("refund", "--note", attempt_id, "--reason", "returned", "--amount", "5.00")
    assert (noted.code, [each["note"] for each in noted.objects]) == (0, ["N-0001"]), noted.err
    closed = wrong.run("close", "--no-reconcile")
    assert (closed.code, [each["number"] for each in closed.objects]) == (0, [1]), closed.err


def test_nobody_is_made_a_manager_by_a_journal_that_cannot_be_read(till: Till) -> None:
    """Said at once, and no code is sent: who is in no record could not sign in."""
    done = Till(till.common, program="tests.integration.cli.unreadable").run(
        "first-manager", "Amara", "+94771234567"
    )
    assert (done.code, done.out) == (CANNOT_CREATE, "")
    assert "the journal cannot be written" in done.err
