"""`pos-app sandbox`: the same sandbox as the tests use, with the common options of every verb."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM
from typing import Any

import pytest

from pos_app.devices.escpos import job_stream
from pos_app.devices.printers.network import Limits, NetworkPrinter
from pos_app.devices.printers.printer import BrokeOff, NotReady
from pos_app.domain.paper import Bitmap
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from tests.integration.cli.till import Running, Till
from tests.support.ports import free_port


def test_its_data_folder_may_stand_before_the_verb(tmp_path: Path) -> None:
    data, config = tmp_path / "data", tmp_path / "config"
    line = ["--data-dir", str(data), "sandbox", "--write-config", str(config), "--seed", "7", "--reveal"]
    running = Till([]).start(*line)
    first = running.until(lambda said: "base_url" in said)
    assert {"control_url", "control_token", "access_token", "merchant_secret_code"} <= set(first)
    assert {"merchant_password", "merchant_pg_identifier"} <= set(first)
    till = Till(["--config", str(config / "config.toml"), "--secrets-file", str(config / "secrets.toml")])
    asked = till.run("--data-dir", str(tmp_path / "till"), "transactions")
    done = running.send(SIGTERM).end()
    assert (asked.code, asked.objects) == (0, [])
    assert done.code == 0
    assert json.loads(done.out.splitlines()[0]) == first
    assert list(data.iterdir())


def test_a_verbs_name_may_be_a_folder_too(tmp_path: Path) -> None:
    done = Till([]).say("--data-dir", str(tmp_path / "sandbox"), "--sandbox", "open")
    assert (done.code, done.out, done.err) == (0, "Nothing is open, and nothing needs an answer.\n", "")


JOB = PrintJob(number=57, paper=PaperKind.TEST)
DATA = job_stream(Bitmap(384, 2_000, bytes(48 * 2_000)), JOB.signs)
LIMIT_S = 30.0


class Printer:
    """`sandbox --printer`, a process of its own, and its switches."""

    def __init__(self) -> None:
        self.port = free_port(neighbours=1)
        self.process: Running = Till([]).start("sandbox", "--printer", str(self.port), "--reveal")
        self.process.until(lambda said: "base_url" in said)

    def turn(self, **switches: Any) -> dict[str, Any]:
        """Changes switches; what all of them are then."""
        with (
            socket.create_connection(("127.0.0.1", self.port + 1)) as control,
            control.makefile("rw") as lines,
        ):
            lines.write(json.dumps(switches) + "\n")
            lines.flush()
            said: dict[str, Any] = json.loads(lines.readline())
            return said

    def take(self, data: bytes = DATA) -> JobState:
        """One job over the network."""
        session = NetworkPrinter("127.0.0.1", self.port, Limits(status_s=LIMIT_S, echo_s=LIMIT_S)).open()
        try:
            return session.send(data, JOB, time.monotonic() + LIMIT_S)
        finally:
            session.close()


@pytest.fixture
def printer() -> Iterator[Printer]:
    made = Printer()
    yield made
    made.process.kill()


def test_it_has_a_printer_whose_switches_are_lines(printer: Printer) -> None:
    assert printer.take() is JobState.PRINTED
    assert printer.turn()["sheets"] == 1
    assert printer.turn(rows_left=0)["rows_left"] == 0
    with pytest.raises(NotReady) as held:
        printer.take()
    assert held.value.why is Why.PAPER_OUT
    assert printer.process.send(SIGTERM).end().code == 0


def test_a_printer_whose_process_is_killed_leaves_a_question(printer: Printer) -> None:
    """In the middle of a job, by the system itself: nobody answers, nobody closes anything in order."""
    # Longer than anybody waits here: it never comes to its end by itself.
    printer.turn(bytes_per_s=1_000)
    ended: list[Any] = []

    def take() -> None:
        try:
            ended.append(printer.take())
        except BrokeOff as broke:
            ended.append(broke)

    sending = threading.Thread(target=take)
    sending.start()
    deadline = time.monotonic() + LIMIT_S
    while not printer.turn()["hanging"]:
        assert time.monotonic() < deadline
    printer.process.kill()
    sending.join(LIMIT_S)
    assert [type(each) for each in ended] == [BrokeOff]


@pytest.mark.parametrize("port", ["0", "65535", "x", "-1"])
def test_a_printers_port_that_is_none_is_refused(port: str) -> None:
    done = Till([]).run("sandbox", f"--printer={port}")
    assert (done.code, "is no port for a printer" in done.err) == (2, True)


def test_a_printers_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = Till([]).run("sandbox", "--printer", str(taken.getsockname()[1]))
    assert (done.code, "used by another program" in done.err) == (2, True)
