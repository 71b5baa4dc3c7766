"""A payment at one counter is found, proven and its copy printed at another: real tills, a real store."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.domain.print_job import PaperKind
from pos_app.domain.receipt import Receipt
from pos_app.journal import read_only
from pos_app.store.database import Database
from tests.integration.cli.till import Till, till_of
from tests.support.patient_verbs import PATIENT
from tests.support.sandbox import Sandbox
from tests.support.store import add_shop, code_for, rows, serving


@pytest.fixture
def make_counter(config_dir: Path, tmp_path: Path, sandbox: Sandbox) -> Callable[[int, int], Till]:
    """A counter of this number, which prints to this port (0: it has no printer)."""
    assert sandbox.details

    def make(number: int, port: int = 0) -> Till:
        config = (config_dir / "config.toml").read_text()
        config = re.sub(r"(?m)^counter_id = .*$", f"counter_id = {number}", config)
        if port:
            config += f'\n[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {port}\n'
        file = tmp_path / f"config-{number}.toml"
        file.write_text(config)
        till = till_of(file, config_dir / "secrets.toml", tmp_path / f"counter-{number}")
        till.environment |= PATIENT
        return till

    return make


def sell(till: Till, sandbox: Sandbox, amount: str = "1250.00") -> dict[str, str]:
    """A payment at the phone of a customer who approves at once."""
    paying = till.start("pay", "--amount", amount, "--push", "0771234567")
    sandbox.act(paying.state("WAITING")["attempt_id"], "approve")
    paid = paying.end()
    assert paid.code == 0, paid.err
    return paid.last


def test_it_is_found_proven_and_copied_at_another_counter(
    make_counter: Callable[..., Till],
    sandbox: Sandbox,
    database: Database,
    shop: int,
    tmp_path: Path,
    server: PrinterServer,
) -> None:
    one, three = make_counter(1), make_counter(3, server.port)
    with serving(database) as address:
        for till in (one, three):
            assert till.run("join", address, code_for(database, shop)).code == 0
        paid = sell(one, sandbox)
        assert one.run("sync", "--once").code == 0
        receipt = one.run("receipt", "--last").last

        found = three.run("find", "--amount", "1250.00", "--digits", "567")
        assert (found.code, found.err) == (0, "")
        told = found.last
        assert (told["attempt_id"], told["amount"], told["state"]) == (paid["attempt_id"], "1250.00", "PAID")
        assert (told["counter_id"], told["own"], told["check"]) == (1, False, receipt["check"])
        assert told["paid_at"] == receipt["paid_at"]

        proven = three.run("find", "--check", receipt["code"])
        assert (proven.code, proven.last["verdict"], proven.last["counter_id"]) == (0, "unchanged", 1)
        last = receipt["code"][-1]
        forged = receipt["code"][:-1] + ("3" if last == "2" else "2")
        changed = three.run("find", "--check", forged)
        assert (changed.code, changed.last["verdict"]) == (1, "changed")

        text = three.say("find", receipt["receipt"], "--text")
        assert text.code == 0, text.err
        assert "COPY" in text.out
        assert "at counter 3" in text.out
        assert receipt["receipt"] in text.out

        for number in (1, 2):
            printed = three.run("find", receipt["receipt"], "--print")
            assert (printed.code, printed.last["job"]["state"], printed.last["job"]["copy"]) == (
                0,
                "PRINTED",
                number,
            ), printed.err
        with closing(read_only(tmp_path / "counter-3" / "sandbox" / "journal.sqlite")) as journal:
            jobs = journal.print_jobs_of(PaperKind.ELSEWHERE, paid["attempt_id"])
            assert [job.copy for job in jobs] == [1, 2]
            assert all(isinstance(job.receipt, Receipt) for job in jobs)
            # It is no payment of this till: no list, no sum has it.
            assert journal.attempt(paid["attempt_id"]) is None


def test_nothing_found_is_said_and_ends_with_one(
    make_counter: Callable[..., Till], sandbox: Sandbox, database: Database, shop: int
) -> None:
    one, stranger = make_counter(1), make_counter(9)
    with serving(database) as address:
        assert one.run("join", address, code_for(database, shop)).code == 0
        assert stranger.run("join", address, code_for(database, add_shop(database, "Another"))).code == 0
        sell(one, sandbox, "77.00")
        assert one.run("sync", "--once").code == 0
        for till, asked in ((one, "78.00"), (stranger, "77.00")):
            none = till.run("find", "--amount", asked)
            assert (none.code, none.out) == (1, "")
            assert "nothing found at any counter of this shop, begun since" in till.say(
                "find", "--amount", asked
            ).out  # fmt: skip
        own = one.run("find", "--amount", "77.00")
        assert (own.code, own.last["own"]) == (0, True)
        # What it prints of its own it counts, and only while its own journal says that it is paid.
        copied = one.run("find", "--amount", "77.00", "--text")
        assert (copied.code, copied.out) == (2, "")
        assert f"pos-app receipt {own.last['attempt_id']}" in copied.err


def test_a_question_says_nothing_of_how_the_counter_does(
    make_counter: Callable[..., Till], sandbox: Sandbox, database: Database, shop: int
) -> None:
    """Else a counter that is far behind would stand on Today as one that has told everything."""
    till = make_counter(1)
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
        sell(till, sandbox)
        assert till.run("sync", "--once").code == 0
        health = "SELECT seen, version, wall, skew_ms, waiting, disk_free FROM counter_now"
        before = rows(database, health)
        assert before[0][1]
        assert till.run("find", "--amount", "1.00").code == 1
        assert rows(database, health) == before


def test_a_counter_of_no_store_and_a_store_that_is_away_say_so(
    make_counter: Callable[..., Till], database: Database, shop: int
) -> None:
    one = make_counter(1)
    assert one.run("find", "--amount", "5").code == 78
    with serving(database) as address:
        assert one.run("join", address, code_for(database, shop)).code == 0
    away = one.run("find", "--amount", "5")
    assert away.code == 69
    assert "does not answer" in away.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ((), "say what is in hand"),
        (("--amount", "1,250"), "write 1250.00"),
        (("--digits", "5"), "2 to 15 digits"),
        (("--from", "yesterday"), "write 2026-03-01"),
        (("--check", "hello"), "no code of a receipt"),
        (("--amount", "5", "--again"), "--again"),
        (("--amount", "5", "--check", "x"), "say what is in hand"),
    ],
)
def test_what_cannot_be_is_bad_input(till: Till, line: tuple[str, ...], says: str) -> None:
    done = till.run("find", *line)
    assert done.code == 2
    assert says in done.err
