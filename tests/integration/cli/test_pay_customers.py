"""`pay --sandbox --customer`: each thing a customer can do, by QR and by push, all side by side."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.integration.cli.till import KEYS, Done, Running, Till

NUMBER = "+94771234567"
LINES = {
    "qr approve": ["--qr"],
    "push approve": ["--push", NUMBER],
    "qr reject": ["--qr"],
    "push ignore": ["--push", NUMBER, "--give-up-after", "2"],
    "qr late": ["--qr", "--give-up-after", "1"],
}


class Counters:
    """The payments under way, each at a counter with a sandbox of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = {name: self._start(name, line) for name, line in LINES.items()}
        self._done: dict[str, Done] = {}

    def folder(self, name: str) -> Path:
        return self._folder / name.replace(" ", "-")

    def _start(self, name: str, line: list[str]) -> Running:
        till = Till(["--sandbox", "--data-dir", str(self.folder(name))])
        customer = name.split()[1]
        return till.start("pay", "--amount", "12.50", *line, "--invoice", "INV-7", "--customer", customer)

    def end(self, name: str) -> Done:
        if name not in self._done:
            self._done[name] = self._started[name].end()
        return self._done[name]


@pytest.fixture(scope="module")
def counters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counters]:
    started = Counters(tmp_path_factory.mktemp("counters"))
    yield started
    for name in LINES:
        started.end(name)


@pytest.mark.parametrize("name", ["qr approve", "push approve"])
def test_an_approval_ends_paid(counters: Counters, name: str) -> None:
    done = counters.end(name)
    assert (done.code, done.err) == (0, "")
    assert (done.last["state"], done.last["reason"], done.last["code"]) == ("PAID", "", "")
    assert done.last["service_status"] == "Payment Success"
    assert done.states[:2] == ["INTENT", "WAITING"]


def test_a_rejection_ends_failed_with_its_reason(counters: Counters) -> None:
    done = counters.end("qr reject")
    assert (done.code, done.last["state"]) == (1, "FAILED")
    assert (done.last["reason"], done.last["service_status"]) == ("customer_rejected", "Customer Reject")


def test_a_customer_who_does_nothing_ends_cancelled(counters: Counters) -> None:
    done = counters.end("push ignore")
    assert (done.code, done.last["state"], done.last["service_status"]) == (1, "CANCELLED", "Merchant Cancel")


def test_a_customer_who_pays_after_the_till_gave_up_ends_paid_late(counters: Counters) -> None:
    done = counters.end("qr late")
    assert (done.code, done.last["state"]) == (5, "PAID_LATE")
    assert "Verification Success" in {said["service_status"] for said in done.objects}


@pytest.mark.parametrize("name", LINES)
def test_each_line_is_one_object_with_the_same_keys_and_exact_values(counters: Counters, name: str) -> None:
    done = counters.end(name)
    for said in done.objects:
        assert list(said) == KEYS
        assert all(isinstance(value, str) for value in said.values())
        assert (said["amount"], said["currency"], said["kind"]) == ("12.50", "LKR", name.split()[0])
        assert said["attempt_id"].startswith("SBX-")
        assert re.search(rf"-{said['sale_id']}-1-[2-9A-Z]{{6}}$", said["attempt_id"])
    lines = done.out.splitlines()
    assert all(line != after for line, after in pairwise(lines))


def test_a_qr_text_is_said_only_while_it_can_be_scanned(counters: Counters) -> None:
    for name in ("qr approve", "qr reject", "qr late"):
        for said in counters.end(name).objects:
            assert bool(said["qr_text"]) <= (said["state"] == "WAITING")
        assert any(said["qr_text"] for said in counters.end(name).objects)
    assert not any(said["qr_text"] for said in counters.end("push approve").objects)


def test_the_customers_number_is_in_no_output_and_in_no_file_of_the_till(counters: Counters) -> None:
    digits = NUMBER.lstrip("+").encode()
    for name in ("push approve", "push ignore"):
        done, folder = counters.end(name), counters.folder(name)
        assert digits.decode() not in done.out + done.err
        server = folder / "sandbox-own" / "server"
        files = [file for file in folder.rglob("*") if file.is_file() and server not in file.parents]
        assert len(files) >= 2
        for file in files:
            assert digits not in file.read_bytes(), file


def test_what_was_late_is_on_the_list_of_what_needs_attention(counters: Counters) -> None:
    counters.end("qr late")
    listed = Till(["--sandbox", "--data-dir", str(counters.folder("qr late"))]).run("open")
    assert (listed.code, listed.states) == (0, ["PAID_LATE"])
    counters.end("qr approve")
    nothing = Till(["--sandbox", "--data-dir", str(counters.folder("qr approve"))]).run("open")
    assert (nothing.code, nothing.out) == (0, "")
