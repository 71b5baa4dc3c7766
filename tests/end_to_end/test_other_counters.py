"""A payment of one counter is found, proven and copied at another's window: real tills, store and printer."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pos_app.bootstrap import finding
from pos_app.bootstrap.membership import join
from pos_app.bootstrap.shop import open_shop
from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.domain.elsewhere import Proof, Unanswered
from pos_app.domain.membership import StoreState
from pos_app.domain.print_job import JobState, PaperKind
from pos_app.domain.receipt import Receipt
from pos_app.domain.shipping import read_code
from pos_app.domain.views import Block
from pos_app.i18n.words.elsewhere import words
from pos_app.journal import read_only
from pos_app.store.database import Database
from pos_app.store.server import CounterApi
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import allow, hand_over, written
from tests.integration.cli.till import Till, till_of
from tests.support.codes import codes_on
from tests.support.driver import Key
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.support.store import code_for, database, rows, serving, shop
from tests.support.till import StartedTill, arguments

__all__ = ["database", "shop"]

pytestmark = pytest.mark.usefixtures("patient_store")


class Counters:
    """Counter 1, which sells without a window, and counter 7 at its window, both of one store."""

    def __init__(
        self, make_till: MakeTill, config_dir: Path, folder: Path, sandbox: Sandbox, database: Database
    ) -> None:
        self._make, self._config_dir, self._folder = make_till, config_dir, folder
        self._sandbox, self._database = sandbox, database
        config = (config_dir / "config.toml").read_text()
        other = folder / "counter-1.toml"
        other.write_text(re.sub(r"(?m)^counter_id = .*$", "counter_id = 1", config))
        here = re.sub(r"(?m)^counter_id = .*$", "counter_id = 7", config)
        (config_dir / "config.toml").write_text(here)
        self.one: Till = till_of(other, config_dir / "secrets.toml", folder / "counter-1")

    def join(self, address: str, shop: int) -> None:
        """Both; the window's as the verb does beside no till."""
        done = self.one.run("join", address, code_for(self._database, shop))
        assert done.code == 0, done.err
        self._make(signed_in="").stop()
        opened = open_shop(arguments(self._config_dir, self._folder / "data"))
        try:
            join(opened, address, read_code(code_for(self._database, shop)))
        finally:
            opened.close()

    def window(self, port: int = 0) -> StartedTill:
        """Counter 7 with Nimali at it, once it has met its store. `port`: of its printer."""
        settings = f'\n[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {port}\nauto = "off"\n'
        till = self._make(people=False, settings=settings if port else "")
        till.until(lambda: till.session.terminal.store.state is StoreState.WELL)
        return till

    def sell(self, amount: str = "1250.00") -> dict[str, Any]:
        """At counter 1, told to the store; the receipt of it."""
        paying = self.one.start("pay", "--amount", amount, "--push", "0771234567")
        self._sandbox.act(paying.state("WAITING")["attempt_id"], "approve")
        paid = paying.end()
        assert paid.code == 0, paid.err
        assert self.one.run("sync", "--once").code == 0
        return dict(self.one.run("receipt", "--last").last)

    @property
    def journal(self) -> Path:
        """Counter 7's."""
        return self._folder / "data" / "sandbox" / "journal.sqlite"


@pytest.fixture
def counters(
    make_till: MakeTill, config_dir: Path, tmp_path: Path, sandbox: Sandbox, database: Database
) -> Counters:
    return Counters(make_till, config_dir, tmp_path, sandbox, database)


class Liar(CounterApi):
    """A store that answers each question with these bytes."""

    def __init__(self, database: Database, body: bytes) -> None:
        super().__init__(database)
        self._body = body

    def routes(self) -> list[BaseRoute]:
        """As ever, but for that."""
        return [Route("/v1/find", self._lie, methods=["POST"]), *super().routes()]

    async def _lie(self, _request: Request) -> Response:
        return Response(self._body, media_type="application/json")


def scan(till: StartedTill, text: str) -> None:
    """As a scanner does."""
    hands = till.keyboard(5)
    hands.type(text)
    hands.press(Key.Key_Return)


def look_up(till: StartedTill, **typed: str) -> None:
    """F4, F4, what is in hand, Enter."""
    if not till.seen("other_counters"):
        till.press(Key.Key_F4)
        till.until_seen("found_others")
        till.press(Key.Key_F4)
        till.until_seen("other_counters")
    for name, text in typed.items():
        till.fill(f"elsewhere_{name}", text)
    till.press(Key.Key_Return)


def sheets(printer: VirtualPrinter) -> list[list[str]]:
    """The codes on each whole sheet."""
    assert not printer.broken
    return [codes_on(sheet.bitmap) for sheet in printer.sheets if sheet.is_cut]


def test_it_is_found_proven_and_copied_at_another_counters_window(
    counters: Counters, database: Database, shop: int, printer: VirtualPrinter, server: PrinterServer
) -> None:
    with serving(database) as address:
        counters.join(address, shop)
        receipt = counters.sell()
        till = counters.window(server.port)

        # By its number, then by what the customer knows.
        look_up(till, id=receipt["receipt"])
        till.until(lambda: len(till.rows("elsewhere_list")) == 1)
        till.fill("elsewhere_id", "")
        look_up(till, amount="1250.00", digits="567")
        till.until(lambda: len(till.rows("elsewhere_list")) == 1)
        till.press(Key.Key_Return)
        till.until_seen("elsewhere_card")
        said = till.words()
        assert receipt["receipt"] in said
        assert "LKR 1,250.00" in said
        assert any(text.startswith("Paid, as told at ") for text in said)
        till.touch("elsewhere_print")
        till.until(lambda: len(sheets(printer)) == 1)
        till.until_says("elsewhere_copy_said", words.COPY_ASKED.format(number=1))
        for _ in range(3):
            till.press(Key.Key_Escape)
        till.until(lambda: not till.seen("found_payments"))

        # By the paper itself, read off the copy that has just come out.
        ((code,),) = sheets(printer)
        assert code == receipt["code"]
        scan(till, code)
        till.until_says("elsewhere_verdict", "unchanged")
        till.touch("elsewhere_print")
        till.until(lambda: len(sheets(printer)) == 2)
        till.press(Key.Key_Escape)

        # A digit of its check code is another's.
        last = code[-1]
        scan(till, code[:-1] + ("3" if last == "2" else "2"))
        till.until_says("elsewhere_verdict", "DO NOT TRUST IT")
        assert not till.seen("elsewhere_print")
        till.press(Key.Key_Escape)
        # A number that no counter told.
        scan(till, code.replace(receipt["receipt"], receipt["receipt"][:-6] + "999999"))
        till.until_says("elsewhere_verdict", words.VERDICT[Proof.MISSING])

        attempt_id = receipt["attempt_id"]
        till.until(
            lambda: (
                rows(database, "SELECT count(*) FROM printed WHERE attempt_id = %s", attempt_id)[0][0] >= 2
            )
        )
        till.stop()
    with closing(read_only(counters.journal)) as journal:
        jobs = journal.print_jobs_of(PaperKind.ELSEWHERE, attempt_id)
        assert [(job.copy, job.state) for job in jobs] == [(1, JobState.PRINTED), (2, JobState.PRINTED)]
        assert all(isinstance(job.receipt, Receipt) for job in jobs)
        # It is no payment of this till: no list and no sum has it.
        assert journal.attempt(attempt_id) is None


def test_a_cashiers_copy_is_a_managers_right(
    counters: Counters, database: Database, shop: int, printer: VirtualPrinter, server: PrinterServer
) -> None:
    with serving(database) as address:
        counters.join(address, shop)
        receipt = counters.sell()
        till = counters.window(server.port)
        hand_over(till, "Kasun")
        look_up(till, id=receipt["receipt"])
        till.until(lambda: len(till.rows("elsewhere_list")) == 1)
        till.press(Key.Key_Return)
        till.touch("elsewhere_print")
        allow(till)
        till.until(lambda: len(sheets(printer)) == 1)
        approved = next(each for each in written(till).acts if each.kind == "APPROVED")
        assert approved.content["act"] == "reprint"


def test_with_the_store_away_it_says_so_and_sells_on(
    counters: Counters, database: Database, shop: int
) -> None:
    with serving(database) as address:
        counters.join(address, shop)
        receipt = counters.sell()
        till = counters.window()
        look_up(till, id=receipt["receipt"])
        till.until(lambda: len(till.rows("elsewhere_list")) == 1)
    look_up(till, digits="567")
    till.until_says("elsewhere_said", words.PROBLEM[Unanswered.AWAY])
    assert not till.rows("elsewhere_list")
    for _ in range(2):
        till.press(Key.Key_Escape)
    scan(till, receipt["code"])
    till.until_says("elsewhere_verdict", words.PROBLEM[Unanswered.AWAY])
    till.press(Key.Key_Escape)
    attempt_id = till.charge_push("40")
    till.sandbox.act(attempt_id, "approve")
    till.until_result("PAID")
    assert till.session.terminal.block is Block.NONE


def test_nobody_waits_for_a_store_that_never_answers_and_the_newest_question_is_answered(
    counters: Counters, database: Database, shop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked again while it runs, left while it runs; a sale beside it; and the till ends in time with one under way."""
    with serving(database) as address:
        counters.join(address, shop)
        till = counters.window()
    port = int(address.rpartition(":")[2])
    # In its place now stands something that takes every call and answers none.
    with socket.create_server(("127.0.0.1", port)):
        monkeypatch.setattr(finding, "FIND_S", 2.0)
        look_up(till, digits="567")
        look_up(till, digits="568")
        till.until_says("elsewhere_said", words.PROBLEM[Unanswered.AWAY])
        look_up(till, digits="569")
        for _ in range(2):
            till.press(Key.Key_Escape)
        attempt_id = till.charge_push("40")
        till.sandbox.act(attempt_id, "approve")
        till.until_result("PAID")
        assert not till.seen("other_counters")
        monkeypatch.setattr(finding, "FIND_S", 2 * PATIENCE_S)
        look_up(till, digits="570")
        began = monotonic()
        assert till.stop()
        assert monotonic() - began < PATIENCE_S
    assert "other counters" not in {each.name for each in threading.enumerate()}


def test_a_counter_of_no_store_has_no_such_search(make_till: MakeTill) -> None:
    till = make_till()
    till.press(Key.Key_F4)
    till.until_seen("found_payments")
    assert not till.seen("found_others")
    till.press(Key.Key_F4)
    assert not till.seen("other_counters")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<html>" * 1000, "elsewhere_said"),
        (b'{"payments": [' + b"[" * 5000, "elsewhere_said"),
        (
            b'{"payments":[{"attempt":{"attempt_id":"<b>\\u202e","amount":"1e999999"},"counter":"<img>",'
            b'"counter_id":1,"installation":"x","told":"now"}]}',
            "elsewhere_note",
        ),
    ],
)
def test_a_store_that_answers_with_anything_shows_none_of_it(
    counters: Counters, database: Database, shop: int, body: bytes, says: str
) -> None:
    with serving(database, api=Liar(database, body)) as address:
        counters.join(address, shop)
        till = counters.window()
        look_up(till, digits="567")
        till.until(lambda: till.says(says) not in ("", words.ASKING, words.HINT))
        assert not till.rows("elsewhere_list")
        assert not any("<" in text for text in till.words())
        assert till.session.terminal.block is Block.NONE
