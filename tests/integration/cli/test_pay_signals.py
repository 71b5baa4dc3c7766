"""Ctrl-C and SIGTERM during `pay`: the first cancels and waits for the truth, the second ends at once."""

import os
import select
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from signal import SIGCONT, SIGHUP, SIGINT, SIGSTOP, SIGTERM, Signals

import pytest

from tests.integration.cli.till import Running, Till
from tests.support.patient_verbs import PATIENT
from tests.support.sandbox import Sandbox

GONE_LIMIT_MS = 30_000


def children(pid: int) -> list[int]:
    """The processes a process has started and not yet reaped."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_gone_soon(pid: int) -> bool:
    """Waits, without polling, until somebody else's process has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(GONE_LIMIT_MS))
    finally:
        os.close(handle)


def waiting(paying: Running) -> str:
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    return attempt_id


@pytest.mark.parametrize("number", [SIGINT, SIGTERM, SIGHUP])
def test_the_first_signal_cancels_and_ends_with_the_truth(
    sandbox: Sandbox, till: Till, number: Signals
) -> None:
    paying = till.start("pay", "--amount", "9.00", "--qr")
    attempt_id = waiting(paying)
    done = paying.send(number).end()
    assert (done.code, done.last["state"]) == (1, "CANCELLED")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"


def test_a_terminal_that_is_closed_is_told_of_twice_and_ends_nothing_at_once(
    sandbox: Sandbox, till: Till
) -> None:
    """An ssh that breaks off: the customer's code was left alive, and nobody asked what became of it."""
    paying = till.start("pay", "--amount", "9.00", "--qr")
    attempt_id = waiting(paying)
    sandbox.fault("hold", "cancel")
    paying.send(SIGHUP).tells("cancelling")
    paying.send(SIGHUP)
    sandbox.clear_faults()
    done = paying.end()
    assert (done.code, done.last["state"]) == (1, "CANCELLED")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"


def test_a_signal_that_comes_after_the_customer_paid_ends_paid(sandbox: Sandbox, till: Till) -> None:
    paying = till.start("pay", "--amount", "9.00", "--push", "+94771234567")
    sandbox.act(waiting(paying), "pay")
    done = paying.send(SIGINT).end()
    assert (done.code, done.last["state"]) == (0, "PAID")


@pytest.mark.parametrize(("number", "code"), [(SIGINT, 130), (SIGTERM, 143)])
def test_the_second_signal_ends_at_once_and_the_next_start_goes_on(
    sandbox: Sandbox, till: Till, number: Signals, code: int
) -> None:
    paying = till.start("pay", "--amount", "9.00", "--qr")
    attempt_id = waiting(paying)
    sandbox.fault("hold", "cancel", count=None)
    paying.send(number).tells("cancelling")
    done = paying.send(number).end()
    assert done.code == code
    assert done.last["state"] == "WAITING"

    sandbox.clear_faults()
    resolved = till.run("open", "--resolve", "20")
    assert (resolved.code, resolved.last["state"]) == (0, "CANCELLED")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"


def test_a_terminals_ctrl_c_leaves_the_sandbox_alive_to_cancel_at(tmp_path: Path) -> None:
    till = Till(["--sandbox", "--data-dir", str(tmp_path)])
    paying = till.start("pay", "--amount", "9.00", "--qr", "--customer", "ignore")
    waiting(paying)
    (server,) = children(paying.pid)
    done = paying.group(SIGINT).end()
    assert (done.code, done.last["state"]) == (1, "CANCELLED")
    assert is_gone_soon(server)


@pytest.mark.parametrize("how", ["two signals", "a power cut"])
def test_the_sandbox_ends_with_its_till_however_that_ends(tmp_path: Path, how: str) -> None:
    till = Till(["--sandbox", "--data-dir", str(tmp_path)])
    paying = till.start("pay", "--amount", "9.00", "--qr", "--customer", "ignore")
    waiting(paying)
    (server,) = children(paying.pid)
    if how == "two signals":
        # It answers nothing in between: on a busy machine the cancel would else be over before the second one.
        os.kill(server, SIGSTOP)
        assert is_gone_soon(paying.group(SIGINT).group(SIGTERM).pid)
        # It has the same outputs, and whoever reads them waits for its end, too.
        with suppress(ProcessLookupError):
            os.kill(server, SIGCONT)
        assert paying.end().code in (130, 143)
    else:
        paying.kill()
    assert is_gone_soon(server)
    assert till.run("open").states == ["WAITING"]


def test_before_anything_is_charged_a_signal_starts_nothing(
    sandbox: Sandbox, make_till: Callable[[str], Till]
) -> None:
    till = make_till("counter")
    till.environment |= PATIENT
    before = till.start("pay", "--amount", "9.00", "--qr")
    attempt_id = waiting(before)
    before.kill()
    sandbox.fault("hold", "get_status", containing=attempt_id)
    paying = till.start("pay", "--amount", "8.00", "--qr")
    while not sandbox.held():
        pass
    done = paying.send(SIGINT).end()
    assert (done.code, done.out) == (1, "")
    assert [said["attempt_id"] for said in till.run("open").objects] == [attempt_id]
