"""A data folder that was copied, put back or cloned: no payment is shown paid with another's money (I3b)."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.cli.till import Done, Till
from tests.support.patient_verbs import PATIENT
from tests.support.sandbox import Sandbox

PUSH = ["--push", "+94771234567"]


@pytest.fixture
def folder(till: Till) -> Path:
    """Where the counter keeps what it knows."""
    return Path(till.common[till.common.index("--data-dir") + 1])


def sold(sandbox: Sandbox, till: Till, *line: str) -> str:
    """A payment that is really paid."""
    paying = till.start("pay", "--amount", "12.50", *line)
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    return attempt_id


def paid_at(sandbox: Sandbox) -> list[str]:
    """The ids under which the service has taken money."""
    return [
        each["externalMerchantTransactionId"]
        for each in sandbox.transactions()
        if each["status"] == "Payment Success"
    ]


def put_back(copy: Path, folder: Path) -> None:
    """The whole folder as it was."""
    shutil.rmtree(folder)
    shutil.copytree(copy, folder)


LATE = {"delay_s": 7, "at": "after"}


@pytest.mark.parametrize(
    ("line", "fault", "late", "zone"),
    [
        (["--qr"], "drop_after", {}, ""),
        (["--qr"], "delay", LATE, ""),
        (PUSH, "drop_after", {}, "Pacific/Kiritimati"),
    ],
    ids=["reply lost", "reply late", "push in another zone"],
)
def test_a_folder_that_is_put_back_never_shows_the_lost_sales_money(
    sandbox: Sandbox,
    till: Till,
    folder: Path,
    tmp_path: Path,
    line: list[str],
    fault: str,
    late: dict[str, object],
    zone: str,
) -> None:
    """The second sale has the first one's number and amount, and its initiate's reply does not come in time.

    Nor does the list by which the till would hear beforehand that another copy of its folder has sold.
    """
    sold(sandbox, till, "--qr")
    shutil.copytree(folder, tmp_path / "copy")
    sold(sandbox, till, *line)
    put_back(tmp_path / "copy", folder)
    before = paid_at(sandbox)
    again = Till(till.common, {"TZ": zone} if zone else {})
    sandbox.fault("drop_before", "query", count=None)
    sandbox.fault(fault, "initiate_qr" if line == ["--qr"] else "initiate_push", **late)
    done = again.run("pay", "--amount", "12.50", *line, "--give-up-after", "6")
    sandbox.clear_faults()
    assert "PAID" not in done.states
    assert done.last["attempt_id"] not in before
    assert paid_at(sandbox) == before


def test_a_folder_from_before_its_first_sale_is_told_of_the_sales_it_has_lost(
    sandbox: Sandbox, till: Till, folder: Path, tmp_path: Path
) -> None:
    """Set up and never sold with: the service's list since then says that another copy of it sold."""
    till.environment |= PATIENT
    sandbox.fault("token_expired")
    assert till.run("pay", "--amount", "12.50", "--qr").code == 69
    sandbox.clear_faults()
    shutil.copytree(folder, tmp_path / "copy")
    sold(sandbox, till, "--qr")
    put_back(tmp_path / "copy", folder)
    # Whoever sells before the list has come asks by an id of his own.
    first = till.start("pay", "--amount", "12.50", "--qr")
    with contextlib.suppress(AssertionError):
        sandbox.act(first.state("WAITING")["attempt_id"], "pay")
    assert first.end().code in (0, 73)
    done = till.run("pay", "--amount", "12.50", "--qr")
    assert done.code == 73
    assert "identity is used twice" in done.err


def test_a_clone_neither_shows_nor_cancels_what_its_twin_sells(
    sandbox: Sandbox, till: Till, make_till: Callable[[str], Till], folder: Path, tmp_path: Path
) -> None:
    """Both ask by ids of one installation, and never by the same one."""
    sold(sandbox, till, "--qr")
    shutil.copytree(folder, tmp_path / "clone")
    clone = make_till("clone")
    waiting = till.start("pay", "--amount", "12.50", *PUSH)
    attempt_id = waiting.state("WAITING")["attempt_id"]
    sandbox.fault("drop_after", "initiate_push")
    other: Done = clone.run("pay", "--amount", "12.50", "--push", "+94771234569", "--give-up-after", "6")
    sandbox.clear_faults()
    assert "PAID" not in other.states
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Initiated"
    sandbox.act(attempt_id, "pay")
    assert waiting.end().states[-1] == "PAID"
    assert "PAID" not in clone.run("open", "--resolve", "1").states
