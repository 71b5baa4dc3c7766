"""Each way to a printer, against the virtual one on a real socket, real device files and real programs."""

from __future__ import annotations

import os
import random
import select
import socket
import stat
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pos_app.devices.escpos import job_echo, job_stream
from pos_app.devices.escpos_reading import read_job
from pos_app.devices.printers import network as on_network
from pos_app.devices.printers import system
from pos_app.devices.printers.channel import opened
from pos_app.devices.printers.device_file import DeviceChannel, DevicePrinter, is_printer
from pos_app.devices.printers.folder import FolderPrinter
from pos_app.devices.printers.network import Limits, NetworkPrinter
from pos_app.devices.printers.printer import BrokeOff, NotReady, Printer
from pos_app.devices.printers.system import SystemPrinter
from pos_app.devices.printers.virtual import MOST, VirtualLink, VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.devices.printers.windows import WindowsPrinter
from pos_app.domain.paper import Bitmap
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.system.dialing import Address
from tests.support.virtual_printer import mute, printer, server

__all__ = ["mute", "printer", "server"]

LIMIT_S = 30.0
JOB = PrintJob(number=57, paper=PaperKind.TEST)
HEIGHT = 700


def picture(height: int = HEIGHT) -> Bitmap:
    """Some dots, none of which is a real-time command."""
    dots = random.Random(7).randbytes(48 * height)
    return Bitmap(384, height, bytes(each & 0xEF for each in dots))


STREAM = job_stream(picture(), JOB.signs)


def sent(printer: Printer, data: bytes = STREAM, limit_s: float = LIMIT_S) -> JobState:
    """One job."""
    session = printer.open()
    try:
        return session.send(data, JOB, time.monotonic() + limit_s)
    finally:
        session.close()


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


@pytest.fixture
def network(server: PrinterServer) -> NetworkPrinter:
    return NetworkPrinter("127.0.0.1", server.port, limits(echo_s=LIMIT_S))


def limits(**own: float) -> Limits:
    """Those that a test is about; a printer of `server` is otherwise waited for longer than machines stand still."""
    return on_network.LIMITS._replace(**own)


def on_paper(printer: VirtualPrinter) -> list[tuple[int, str, bool]]:
    """Rows of picture, the job's name and whether it was cut, of each sheet."""
    assert printer.broken == ""
    return [(each.bitmap.height, each.job, each.is_cut) for each in printer.sheets]


FED = 120
WHOLE = (HEIGHT + FED, "0057", True)


def test_a_job_over_the_network_lies_on_paper_and_is_named(
    network: NetworkPrinter, printer: VirtualPrinter
) -> None:
    assert sent(network) is JobState.PRINTED
    assert on_paper(printer) == [WHOLE]
    assert printer.sheets[0].bitmap.rows[: len(picture().rows)] == picture().rows
    assert sent(network) is JobState.PRINTED
    assert len(on_paper(printer)) == 2


@pytest.mark.usefixtures("mute")
def test_a_printer_that_says_nothing_gets_its_job_and_is_believed_nothing(
    network: NetworkPrinter, printer: VirtualPrinter
) -> None:
    printer.switches.talks = False
    assert sent(network) is JobState.SENT
    until(lambda: on_paper(printer) == [WHOLE])


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [("is_open", True, Why.COVER_OPEN), ("rows_left", 0, Why.PAPER_OUT), ("is_off", True, Why.NO_CONNECTION)],
)
def test_a_printer_that_cannot_print_is_found_out_before_a_byte_of_the_job(
    network: NetworkPrinter, printer: VirtualPrinter, name: str, value: Any, why: Why
) -> None:
    setattr(printer.switches, name, value)
    with pytest.raises(NotReady) as held:
        network.open()
    assert held.value.why is why
    assert on_paper(printer) == []


def test_nobody_at_the_address_is_no_connection(server: PrinterServer) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(NotReady) as held:
            NetworkPrinter("127.0.0.1", taken.getsockname()[1], limits()).open()
    assert held.value.why is Why.NO_CONNECTION
    with pytest.raises(NotReady):
        NetworkPrinter("no-such-printer.invalid", server.port, limits(connect_s=2)).open()


def test_an_address_of_a_kind_that_this_machine_has_not_is_passed_over(
    server: PrinterServer,
) -> None:
    """A name with an IPv6 address first, on a system whose IPv6 is switched off."""
    there: Address = (socket.AF_INET, ("127.0.0.1", server.port))
    named: list[Address] = [(socket.AF_APPLETALK, ("printer", 0)), there]
    network = NetworkPrinter("printer.shop", 9100, limits(echo_s=LIMIT_S), lookup=lambda _host, _port: named)
    assert sent(network) is JobState.PRINTED
    named.remove(there)
    with pytest.raises(NotReady) as held:
        network.open()
    assert held.value.why is Why.NO_CONNECTION


def test_a_dead_address_takes_no_time_from_the_others(server: PrinterServer) -> None:
    """A printer that was given an IPv6 address once and is reached by IPv4 alone: tried one after the other, the dead
    one had all the time there was.
    """
    with socket.create_server(("::1", 0), family=socket.AF_INET6, backlog=0) as dead, ExitStack() as fillers:
        for _ in range(4):
            filler = fillers.enter_context(socket.socket(socket.AF_INET6))
            filler.setblocking(False)
            filler.connect_ex(dead.getsockname())
        named = [(socket.AF_INET6, dead.getsockname()), (socket.AF_INET, ("127.0.0.1", server.port))]
        network = NetworkPrinter(
            "printer.shop",
            9100,
            limits(connect_s=2 * LIMIT_S, echo_s=LIMIT_S),
            lookup=lambda _host, _port: named,
        )
        began = time.monotonic()
        assert sent(network) is JobState.PRINTED
        assert time.monotonic() - began < LIMIT_S


def test_a_name_that_is_found_too_late_is_there_for_the_next_try(server: PrinterServer) -> None:
    """The first of two name servers is dead: the system takes five seconds for each name, and no try has them."""
    answers = threading.Event()

    def lookup(_host: str, _port: int) -> list[Address]:
        answers.wait(LIMIT_S)
        return [(socket.AF_INET, ("127.0.0.1", server.port))]

    network = NetworkPrinter("printer.shop", 9100, limits(connect_s=1, echo_s=LIMIT_S), lookup=lookup)
    with pytest.raises(NotReady) as held:
        network.open()
    assert held.value.why is Why.NO_CONNECTION
    answers.set()
    _end_of_lookups()
    answers.clear()
    assert sent(network) is JobState.PRINTED
    answers.set()
    _end_of_lookups()


def _end_of_lookups() -> None:
    for thread in threading.enumerate():
        if thread.name == "resolver":
            thread.join(LIMIT_S)


@pytest.mark.parametrize("dies_after", [9 + 1, 9 + 12, 9 + 20, 9 + 48 * 300, 9 + len(STREAM) - 11])
def test_a_printer_that_dies_after_any_byte_leaves_a_question(
    network: NetworkPrinter, printer: VirtualPrinter, dies_after: int
) -> None:
    """Its status takes nine bytes."""
    printer.switches.dies_after = dies_after
    with pytest.raises(BrokeOff):
        sent(network)
    assert len(on_paper(printer)) <= 1


def test_paper_that_runs_out_in_the_middle_leaves_a_question(
    printer: VirtualPrinter, server: PrinterServer
) -> None:
    printer.switches.rows_left = 600
    with pytest.raises(BrokeOff) as broke:
        sent(NetworkPrinter("127.0.0.1", server.port, limits(status_s=LIMIT_S, echo_s=0.3)))
    assert broke.value.why is Why.PAPER_OUT
    assert on_paper(printer) == [(600, "", False)]


def test_a_printer_that_talked_and_is_mute_leaves_a_question(
    printer: VirtualPrinter, server: PrinterServer
) -> None:
    """Its buffer is full of what it cannot print: nobody knows how much of the job still lies in the network."""
    printer.switches.rows_left = 100
    with pytest.raises(BrokeOff) as broke:
        sent(NetworkPrinter("127.0.0.1", server.port, limits(status_s=3, echo_s=0.3)))
    assert broke.value.why is Why.TOO_SLOW
    assert on_paper(printer) == [(100, "", False)]


def test_a_printer_that_takes_nothing_more_is_given_up_in_time(
    network: NetworkPrinter, printer: VirtualPrinter
) -> None:
    session = network.open()
    printer.switches.is_open = True
    long = job_stream(picture(40_000), JOB.signs)
    with closing(session), pytest.raises(BrokeOff) as broke:
        session.send(long * 4, JOB, time.monotonic() + 0.5)
    assert broke.value.why is Why.TOO_SLOW


def test_a_slow_printer_is_waited_for(network: NetworkPrinter, printer: VirtualPrinter) -> None:
    printer.switches.bytes_per_s = 60_000
    assert sent(network, job_stream(picture(200), JOB.signs)) is JobState.PRINTED


class Behind:
    """A channel to a printer that is behind with its dots: until it has printed them it hears nothing, and then says
    which job that was. `is_full`: it has no room for a question, either.
    """

    def __init__(self, *, is_full: bool) -> None:
        self._is_full = is_full
        self._answers: list[bytes] = []
        self._has_job = self._is_heard = False

    def write(self, data: bytes, until: float) -> None:  # noqa: ARG002 - as in Channel
        if len(data) > 3:
            self._has_job = True
        elif not self._has_job:
            self._answers.append(b"\x12")
        elif self._is_full:
            self._answers.append(job_echo(JOB.signs))
            raise TimeoutError("the printer takes nothing more")
        else:
            self._is_heard = True

    def read(self, until: float) -> bytes:
        if self._answers:
            return self._answers.pop(0)
        threading.Event().wait(max(0.0, until - time.monotonic()))
        if self._is_heard:
            self._answers.append(job_echo(JOB.signs))
        return b""

    def finish(self, until: float) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("is_full", [False, True])
def test_a_long_paper_is_waited_for_to_its_end(is_full: bool) -> None:
    """A Z that was still being printed after three seconds was said not to have been finished."""
    session = opened(Behind(is_full=is_full), status_s=0.05, echo_s=0.05)
    assert session.send(STREAM, JOB, time.monotonic() + LIMIT_S) is JobState.PRINTED


class Answering:
    """A printer of three lines: what it answers to each question, whatever is asked."""

    def __init__(self, *answers: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.heard = b""
        self._thread = threading.Thread(target=self._run, args=(answers,))
        self._thread.start()

    def _run(self, answers: tuple[bytes, ...]) -> None:
        connection, _ = self._listener.accept()
        given = 0
        with connection:
            while data := connection.recv(65_536):
                self.heard += data
                for answer in answers[given : self.heard.count(b"\x10\x04")]:
                    connection.sendall(answer)
                    given += 1
        self._listener.close()

    def end(self) -> None:
        """When everything was heard."""
        self._thread.join(LIMIT_S)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((b"\x12", b"\x12", b"\x12"), None),
        ((b"\x12", b"\x32", b"\x12"), Why.PAPER_OUT),
        ((b"\x1a", b"\x12", b"\x12"), Why.OFFLINE),
        ((b"\x1a", b"\x16", b"\x72"), Why.COVER_OPEN),
        ((b"\x12", b"\x12", b"\x72"), Why.PAPER_OUT),
        ((b"\x14\x00\x00\x0f\x12", b"\x12", b"\x12"), None),
    ],
    ids=["ready", "paper out", "off line", "open", "paper's end", "status unasked before the answer"],
)
def test_what_a_printer_says_of_itself_is_read_by_its_bits(
    answers: tuple[bytes, ...], why: Why | None
) -> None:
    printer = Answering(*answers)
    network = NetworkPrinter("127.0.0.1", printer.port, limits(status_s=LIMIT_S, echo_s=0.05))
    if why is None:
        network.open().close()
    else:
        with pytest.raises(NotReady) as held:
            network.open()
        assert held.value.why is why
    printer.end()
    assert printer.heard == b"\x10\x04\x01\x10\x04\x02\x10\x04\x04"


def test_an_echo_of_another_job_is_none() -> None:
    again = [b"\x37\x22" + b"0056\x00\x12", b"\x12", b"\x12"]
    printer = Answering(b"\x12", b"\x12", b"\x12", *again)
    network = NetworkPrinter("127.0.0.1", printer.port, limits(status_s=LIMIT_S, echo_s=0.2))
    assert sent(network, STREAM) is JobState.SENT
    printer.end()


class Babbling:
    """A channel on which there is always something more to read, once `ready` answers of a printer were given."""

    MOST = 3_000_000

    def __init__(self, ready: int = 0) -> None:
        self._ready = ready
        self._asked = 0
        self.written = b""
        self.reads = 0
        self.is_closed = False

    def write(self, data: bytes, until: float) -> None:  # noqa: ARG002 - as in Channel
        self.written += data
        self._asked += 1

    def read(self, until: float) -> bytes:  # noqa: ARG002 - as in Channel
        self.reads += 1
        assert self.reads < self.MOST, "it listens for ever"
        if len(self.written) // 3 < self._ready or self._asked:
            answer = b"\x12" if self._asked else b""
            self._asked = 0
            return answer
        return b"\x00" * 4_096

    def finish(self, until: float) -> None: ...

    def close(self) -> None:
        self.is_closed = True


def test_what_never_stops_talking_is_left_before_a_byte_of_the_job() -> None:
    """The line would listen to it for ever, and print no other job."""
    channel = Babbling()
    with pytest.raises(NotReady) as held:
        opened(channel, status_s=0.05)
    assert held.value.why is Why.NO_CONNECTION
    assert (channel.written, channel.is_closed) == (b"", True)
    channel = Babbling(ready=3)
    session = opened(channel, status_s=0.05)
    with pytest.raises(BrokeOff) as broke:
        session.send(STREAM, JOB, time.monotonic() + LIMIT_S)
    assert broke.value.why is Why.TOO_SLOW
    assert channel.written == b"\x10\x04\x01\x10\x04\x02\x10\x04\x04"


@pytest.fixture
def usb() -> Iterator[tuple[int, Path]]:
    """A terminal of the system in the place of a printer's device: a character device with both directions."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    yield ours, Path(os.ttyname(theirs))
    os.close(ours)
    os.close(theirs)


def is_terminal(mode: int, device: int) -> bool:
    return stat.S_ISCHR(mode) and os.major(device) == 136


@pytest.mark.skipif(sys.platform != "linux", reason="usblp is Linux's")
def test_a_device_gets_the_bytes(usb: tuple[int, Path]) -> None:
    ours, path = usb
    heard = bytearray()

    def read() -> None:
        while len(heard) < len(STREAM) + 3:
            heard.extend(os.read(ours, 4096))

    reader = threading.Thread(target=read)
    reader.start()
    assert sent(DevicePrinter(path, is_terminal, status_s=0.05, echo_s=0.05)) is JobState.SENT
    reader.join(LIMIT_S)
    assert bytes(heard[:3]) == b"\x10\x04\x01"
    assert read_job(bytes(heard[3:])).bitmap == picture()


@pytest.mark.skipif(sys.platform != "linux", reason="usblp is Linux's")
def test_a_device_that_takes_nothing_more_is_given_up_in_time(usb: tuple[int, Path]) -> None:
    """Never blocking: a printer without paper stops reading for hours."""
    _, path = usb
    with pytest.raises(BrokeOff) as broke:
        sent(DevicePrinter(path, is_terminal, status_s=0.05, echo_s=0.05), limit_s=0.3)
    assert broke.value.why is Why.TOO_SLOW


def drained(ours: int) -> bytes:
    """What has come, until nothing more does."""
    heard = b""
    while select.select([ours], [], [], 0.2)[0]:
        heard += os.read(ours, 65_536)
    return heard


@pytest.mark.skipif(sys.platform != "linux", reason="usblp is Linux's")
def test_a_device_that_does_not_take_the_end_leaves_a_question(usb: tuple[int, Path]) -> None:
    """usblp has each piece as soon as it is written without blocking, and breaks the last one off at the closing."""
    ours, path = usb
    printer = DevicePrinter(path, is_terminal, status_s=0.05, echo_s=0.05)
    for _ in range(20):
        # How much it takes depends on how soon the system moves it on: at best as much as this time.
        with pytest.raises(BrokeOff):
            sent(printer, limit_s=0.5)
        some = STREAM[: len(drained(ours)) - 3]
        try:
            sent(printer, some, limit_s=0.5)
        except BrokeOff as broke:
            if drained(ours).endswith(some) and broke.why is Why.TOO_SLOW:
                return
        drained(ours)
    pytest.fail("the end was never written, or always called taken")


@pytest.mark.skipif(sys.platform != "linux", reason="usblp is Linux's")
def test_a_device_that_is_pulled_out_at_the_end_has_not_taken_it() -> None:
    ours, theirs = os.openpty()
    channel = DeviceChannel(os.open(os.ttyname(theirs), os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY))
    os.close(theirs)
    channel.write(b"the end", time.monotonic() + LIMIT_S)
    os.close(ours)
    with pytest.raises(OSError, match="Input/output error"):
        channel.finish(time.monotonic() + LIMIT_S)
    channel.close()


def test_anything_but_a_printers_device_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A path that was mistyped must not overwrite anybody's file."""
    file = tmp_path / "accounts.ods"
    file.write_bytes(b"of the shop")
    link = tmp_path / "lp0"
    link.symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    for path in (file, link, tmp_path, tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(NotReady) as held:
            DevicePrinter(path).open()
        assert held.value.why is Why.NO_SUCH_PRINTER, path
    with pytest.raises(NotReady) as held:
        DevicePrinter(tmp_path / "lp9").open()
    assert held.value.why is Why.NO_CONNECTION
    assert file.read_bytes() == b"of the shop"


def test_a_printers_device_is_known_by_its_number() -> None:
    assert is_printer(stat.S_IFCHR | 0o660, os.makedev(180, 0))
    assert not is_printer(stat.S_IFCHR | 0o660, os.makedev(1, 3))
    assert not is_printer(stat.S_IFBLK | 0o660, os.makedev(180, 0))


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], SystemPrinter]:
    """`lp` and `lpstat` as they stand in a system, written by the test; a busy machine takes long to begin one."""
    monkeypatch.setattr(system, "ASK_S", LIMIT_S)

    def make(lp: str, lpstat: str = "echo 'printer till is idle.'") -> SystemPrinter:
        for name, body in (("lp", lp), ("lpstat", lpstat)):
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        return SystemPrinter("till", [str(tmp_path / "lp")], [str(tmp_path / "lpstat")])

    return make


def test_the_systems_printer_gets_the_pdf(programs: Callable[..., SystemPrinter], tmp_path: Path) -> None:
    printer = programs(f'echo "$@" > {tmp_path}/words; cat > {tmp_path}/got')
    assert sent(printer, b"%PDF-1.4 ...") is JobState.SENT
    assert (tmp_path / "got").read_bytes() == b"%PDF-1.4 ..."
    assert (tmp_path / "words").read_text() == "-d till -t pos-app 57\n"


@pytest.mark.parametrize(
    ("lpstat", "why"),
    [
        ("echo 'lpstat: Invalid destination name' >&2; exit 1", Why.NO_SUCH_PRINTER),
        ("echo 'printer till disabled since Mon'", Why.OFFLINE),
        ("case \"$*\" in *'-a till'*) echo 'till not accepting requests since Mon -';; esac", Why.OFFLINE),
        ("exec sleep 60", Why.OFFLINE),
    ],
)
def test_a_queue_that_takes_nothing_is_found_out_first(
    programs: Callable[..., SystemPrinter], monkeypatch: pytest.MonkeyPatch, lpstat: str, why: Why
) -> None:
    if "sleep" in lpstat:
        monkeypatch.setattr(system, "ASK_S", 0.5)
    with pytest.raises(NotReady) as held:
        programs("exit 1", lpstat).open()
    assert held.value.why is why


@pytest.mark.parametrize(
    "state", ["printer desk disabled since Mon -", "desk not accepting requests since Mon -"]
)
def test_the_systems_default_is_looked_at_as_any_queue(
    programs: Callable[..., SystemPrinter], tmp_path: Path, state: str
) -> None:
    """Its papers lay in the queue, said to have been sent, and all came out when somebody let it go on."""
    programs("exit 1", f"case $1 in -d) echo 'system default destination: desk';; *) echo '{state}';; esac")
    with pytest.raises(NotReady) as held:
        SystemPrinter("", [str(tmp_path / "lp")], [str(tmp_path / "lpstat")]).open()
    assert held.value.why is Why.OFFLINE


def test_a_queue_may_be_called_anything(programs: Callable[..., SystemPrinter]) -> None:
    printer = programs("cat > /dev/null", "echo 'printer disabled-access-till is idle.  enabled since Mon'")
    assert sent(printer, b"%PDF") is JobState.SENT


@pytest.mark.parametrize(
    ("lp", "limit_s", "why"), [("exec sleep 60", 0.5, Why.TOO_SLOW), ("exit 1", LIMIT_S, Why.BROKE_OFF)]
)
def test_lp_that_hangs_is_killed_and_nobody_knows(
    programs: Callable[..., SystemPrinter], lp: str, limit_s: float, why: Why
) -> None:
    with pytest.raises(BrokeOff) as broke:
        sent(programs(lp), b"%PDF", limit_s=limit_s)
    assert broke.value.why is why


def test_a_system_without_lp_has_no_printer(tmp_path: Path) -> None:
    with pytest.raises(NotReady) as held:
        SystemPrinter("till", [str(tmp_path / "lp")]).open()
    assert held.value.why is Why.NO_SUCH_PRINTER


def test_a_folder_gets_each_job_whole_and_none_twice(tmp_path: Path) -> None:
    assert sent(FolderPrinter(tmp_path)) is JobState.PRINTED
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("000057.escpos", STREAM)]
    with pytest.raises(NotReady) as held:
        FolderPrinter(tmp_path / "not there").open()
    assert held.value.why is Why.NO_SUCH_PRINTER


def test_a_job_of_the_same_number_in_the_folder_is_left_alone_and_keeps_no_paper_back(tmp_path: Path) -> None:
    """Another till's, or of the journal before this one: each job of theirs was said to have broken off."""
    lies_there = {"000057.escpos": b"another till's", "000057-2.escpos": b"the old journal's"}
    for name, data in lies_there.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "000057-3.escpos").mkdir()
    assert sent(FolderPrinter(tmp_path)) is JobState.PRINTED
    found = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    assert found == {**lies_there, "000057-4.escpos": STREAM}


class Calls:
    """Windows' spooler as its documents have it: which calls came, in which order; one of them fails."""

    def __init__(self, fails: str = "", takes: int | None = None) -> None:
        self.made: list[str] = []
        self._fails = fails
        self._takes = takes
        self.data = b""

    def _call(self, name: str) -> int:
        self.made.append(name)
        return 0 if name == self._fails else 1

    def open_printer(self, name: str) -> int:
        return self._call("open") * (7 if name == "till" else 0)

    def start_document(self, printer: int, title: str) -> int:
        return self._call("start document") * int(printer == 7 and title == "pos-app 57")

    def start_page(self, printer: int) -> int:
        return self._call("start page") * int(printer == 7)

    def write(self, printer: int, data: bytes) -> int:
        self.data = data[: self._takes]
        return len(self.data) * self._call("write") * int(printer == 7)

    def end_page(self, printer: int) -> int:
        return self._call("end page") * int(printer == 7)

    def end_document(self, printer: int) -> int:
        return self._call("end document") * int(printer == 7)

    def abort(self, printer: int) -> int:
        return self._call("abort") * int(printer == 7)

    def close(self, printer: int) -> int:
        return self._call("close") * int(printer == 7)


PAGE = ["open", "start document", "start page", "write", "end page", "end document", "close"]


def test_windows_spooler_is_handed_one_raw_document() -> None:
    calls = Calls()
    assert sent(WindowsPrinter("till", calls)) is JobState.SENT
    assert calls.made == PAGE
    assert calls.data == STREAM


@pytest.mark.parametrize("fails", ["start document", "start page", "write", "end page", "end document"])
def test_a_spooler_that_fails_leaves_a_question(fails: str) -> None:
    calls = Calls(fails)
    with pytest.raises(BrokeOff):
        sent(WindowsPrinter("till", calls))
    assert calls.made[-1] == "close"
    assert ("abort" in calls.made) == (fails in ("start page", "write", "end page"))


def test_a_short_write_to_the_spooler_is_taken_back_and_leaves_a_question() -> None:
    calls = Calls(takes=100)
    with pytest.raises(BrokeOff):
        sent(WindowsPrinter("till", calls))
    assert calls.made[-2:] == ["abort", "close"]


def test_a_printer_that_windows_does_not_list_is_none() -> None:
    with pytest.raises(NotReady):
        WindowsPrinter("another", Calls()).open()


@pytest.mark.skipif(sys.platform == "win32", reason="there it is")
def test_elsewhere_there_is_no_spooler() -> None:
    with pytest.raises(NotReady) as held:
        WindowsPrinter("till").open()
    assert held.value.why is Why.NO_SUCH_PRINTER


def test_the_printer_of_this_process_is_reached_without_a_socket(printer: VirtualPrinter) -> None:
    assert sent(VirtualLink(printer)) is JobState.PRINTED
    assert on_paper(printer) == [WHOLE]
    printer.tear_off()
    assert on_paper(printer) == []
    printer.switches.dies_after = 9 + 48 * 100
    with pytest.raises(BrokeOff):
        sent(VirtualLink(printer))
    assert on_paper(printer) == [(99, "", False)]
    with pytest.raises(NotReady):
        VirtualLink(printer).open()


NO_TIME_S = 1e-9
"""Over before anybody can look: as on a machine that stood still between a question and its answer."""


def test_an_answer_that_is_looked_at_too_late_is_heard(printer: VirtualPrinter) -> None:
    """Under load the pretended printer was taken for one that says nothing, and a receipt for printed without paper."""
    link = VirtualLink(printer, NO_TIME_S, NO_TIME_S)
    assert sent(link) is JobState.PRINTED
    printer.switches.rows_left = 0
    with pytest.raises(NotReady) as held:
        link.open()
    assert held.value.why is Why.PAPER_OUT


def test_paper_that_nobody_tears_off_falls_down_and_is_counted(printer: VirtualPrinter) -> None:
    """A till in a room where people learn prints for weeks."""
    small = job_stream(picture(1), JOB.signs)
    for _ in range(MOST + 3):
        printer.take(small)
    printer.take(job_stream(picture(2), "0058"))
    assert (len(printer.sheets), printer.whole) == (MOST, MOST + 4)
    assert printer.sheets[-1].job == "0058"
    printer.tear_off()
    assert (printer.sheets, printer.whole) == ((), 0)


def test_the_virtual_printer_knows_no_command_that_the_till_does_not_send(printer: VirtualPrinter) -> None:
    printer.take(b"\x1b@" + b"LKR 12.50\n")
    assert printer.broken.startswith("unknown at byte 2: 4c 4b 52")


def test_switches_are_changed_by_lines(server: PrinterServer, printer: VirtualPrinter) -> None:
    with (
        socket.create_connection(("127.0.0.1", server.control_port)) as control,
        control.makefile("rw") as lines,
    ):

        def said(line: str) -> str:
            lines.write(line + "\n")
            lines.flush()
            return lines.readline()

        assert '"rows_left": 0' in said('{"rows_left": 0}')
        assert printer.switches.rows_left == 0
        assert '"sheets": 0' in said("")
        for wrong in (
            '{"paper": 1}',
            "[]",
            "x",
            '{"is_open": 1}',
            '{"rows_left": true}',
            '{"rows_left": "1"}',
            '{"dies_after": -3}',
            "[" * 20_000,
        ):
            assert "error" in said(wrong), wrong
        assert '"rows_left": null' in said('{"rows_left": null, "is_open": true}')
        assert printer.switches.is_open
