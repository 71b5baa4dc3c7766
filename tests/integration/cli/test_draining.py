"""`drain` beside a verb that takes a payment: what it says is what it ends with, and it counts for nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.system.updating import Everybody
from tests.integration.cli.till import Running, Till
from tests.support.sandbox import Sandbox

UNKNOWN = {"open": None, "busy": None}
NOTHING = {"open": 0, "busy": False}
UPDATING, NO_TILL = 75, 69


@pytest.fixture
def apart(till: Till, tmp_path: Path) -> Till:
    """The counter on a machine of its own, as far as updates know, which has been asked for one before: tills that have
    yet to find the files have three seconds for it (tests/end_to_end/test_updates.py).
    """
    with Everybody(tmp_path):
        pass
    return Till(till.common, till.environment | {"POS_APP_RUN_DIR": str(tmp_path)})


@pytest.fixture
def paying(apart: Till) -> Iterator[Running]:
    """A verb that answers nobody's question, with the customer's code on it."""
    running = apart.start("pay", "--amount", "7.00", "--qr")
    running.state("WAITING")
    yield running
    if not running.is_over:
        running.kill()


@pytest.mark.parametrize("line", [["--end"], ["--end", "--all-users"]])
def test_the_last_line_says_what_it_ends_with(
    apart: Till, paying: Running, sandbox: Sandbox, line: list[str]
) -> None:
    """A script that reads it heard that payments are under way, or nothing at all, from a `drain` that ended with 0."""
    late = apart.run("drain", *line, "--wait", "0")
    assert (late.code, late.last) == (UPDATING, {"step": "nobody_answered", **UNKNOWN})
    asking = apart.start("drain", *line, "--wait", "60")
    assert asking.until(bool) == {"step": "payments_are_under_way", **UNKNOWN}
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    done = asking.end()
    assert (done.code, done.last) == (0, {"step": "nothing_is_under_way", **NOTHING})
    assert paying.end().code == 0
    none = apart.run("drain", *line)
    assert (none.code, none.objects) == (NO_TILL, [{"step": "no_till_runs", **NOTHING}])
