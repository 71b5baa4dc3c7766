"""Escapes, forged lines and formulas: what a gateway says, written to a terminal, to JSON lines and to the log.

No verb writes CSV yet; the formula signs below are looked for in what is written instead, and stay inside JSON texts.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.bootstrap.plain_lines import plain_line, plain_lines
from pos_app.cli.printer import Printer
from pos_app.cli.terminal_qr import drawn
from pos_app.log.lines import FIELDS, LineFormatter
from pos_app.log.redaction import Redactor
from tests.attacks.hostile import is_written, payloads
from tests.attacks.test_live_and_sandbox_crossed import till
from tests.integration.cli.till import Done, Till
from tests.support.published import attempt
from tests.unit.services.raw_server import RawServer, told

_OF_A_CODE = re.compile(r"\x1b\[30;107m[█▀▄ ]+\x1b\[0m")
"""What the till itself draws below a payment, and nothing else."""
FORGED = "\x1b[2J\x1b[1;1H\x9b31m\nPAID LKR 1,000.00\r\nPAID\u2028PAID\u202e\x07\x00"
FORMULAS = ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\tPAID", "\rPAID", "\x00PAID")


def is_harmless(text: str) -> bool:
    """Nothing that a terminal obeys."""
    return not any(_obeyed(line) for line in text.split("\n"))


def _obeyed(line: str) -> set[str]:
    return {
        sign
        for at, sign in enumerate(line)
        if not sign.isprintable() and sign not in "\xa0\u2009\u202f" and not is_written(line, at)
    }


@pytest.fixture
def gateway() -> Iterator[RawServer]:
    with RawServer() as server:
        yield server


@pytest.fixture
def counter(gateway: RawServer, tmp_path: Path) -> Till:
    return till(tmp_path, "sandbox", gateway.url, tmp_path / "data")


def listing(said: str) -> dict[str, Any]:
    item = {
        "walletTransactionId": "W-1",
        "externalMerchantTransactionId": said,
        "transactionDateTime": said,
        "walletAccountNumber": said,
        "transactionAmount": "1.00",
        "transactionStatus": said,
        "statusDescription": said,
    }
    return {"response": {"status": "success", "message": said, "transactionList": [item]}}


def test_a_list_of_the_service_cannot_draw_on_the_terminal(gateway: RawServer, counter: Till) -> None:
    """One payment, one line: nothing moves the cursor, and no line is the gateway's."""
    told(gateway, listing(FORGED))
    done = counter.say("transactions")
    assert is_harmless(done.out + done.err), done
    heading, *payments = done.out.splitlines()
    assert heading.startswith(("Time ", "No payments"))
    assert len(payments) <= 1
    assert not any(line.startswith("PAID") for line in (done.out + done.err).splitlines())
    said = counter.run("transactions")
    assert said.out.isascii()
    assert len(said.objects) == len(said.out.splitlines())


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_the_service_stays_inside_its_text(
    gateway: RawServer, counter: Till, formula: str
) -> None:
    """No line and no field begins with it: JSON quotes it; the wallet number is masked."""
    told(gateway, listing(formula))
    done = counter.run("transactions")
    assert not any(line.startswith(formula) for line in done.out.splitlines())
    for said in done.objects if done.out else ():
        assert set(said["wallet_number"]) <= set("0123456789+ •")


@pytest.mark.parametrize("verb", [("status", "SBX-TK7M3Q9RD-0123-1"), ("doctor",), ("transactions",)])
def test_a_refusal_of_the_service_cannot_draw_on_the_terminal(
    gateway: RawServer, counter: Till, verb: tuple[str, ...]
) -> None:
    """Neither its message nor its code, nor what is no JSON at all."""
    replies: list[Any] = [
        {"response": {"status": "failure", "code": FORGED, "message": FORGED}},
        FORGED.encode(),
        {"response": {"status": "failure", "code": "5012", "message": FORGED, "transactionStatus": FORGED}},
    ]
    for reply in replies:
        told(gateway, reply)
        done: Done = counter.say(*verb)
        assert is_harmless(done.out + done.err), done
        assert "Traceback" not in done.err
        assert not any(line.startswith("PAID") for line in (done.out + done.err).splitlines())


def test_every_hostile_text_is_one_harmless_line_of_a_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """`open`, `pay` and `status` show payments this way."""
    foreign = ("service_status", "wallet_transaction_id", "code")
    for at, text in enumerate(payloads()):
        it = attempt(attempt_id=f"SBX-TK7M3Q9RD-{at}-1", **dict.fromkeys(foreign, text))
        for as_json in (True, False):
            Printer(as_json=as_json).attempt(it)
            said, *code = capsys.readouterr().out.splitlines()
            assert all(map(_OF_A_CODE.fullmatch, code))
            assert bool(code) is (not as_json and it.qr_showable)
            assert is_harmless(said), ascii(said)[:80]
            if as_json:
                assert json.loads(said)["service_status"] == text


def test_a_code_that_cannot_be_drawn_is_not_obeyed() -> None:
    """A terminal without half blocks gets the text of the code, which the service made."""
    assert drawn("\x1b]0;PAID\x07\nPAID", "ascii") == "\\x1b]0;PAID\\x07\\nPAID"


@given(st.text())
def test_a_line_is_one_line_and_printable(text: str) -> None:
    """Whatever it is; what is plain stays as it is."""
    fit = plain_line(text)
    assert is_harmless(fit)
    assert len(fit.splitlines()) <= 1
    assert plain_line(fit) == fit
    assert plain_lines(text).count("\n") == text.count("\n")


def test_every_hostile_text_is_one_line_of_the_log() -> None:
    """As message, as argument, as field, as the text of an error."""
    formatter = LineFormatter(Redactor([]))
    for text in [*payloads(), FORGED]:
        fields: dict[str, Any] = dict.fromkeys(FIELDS, text)
        record = logging.makeLogRecord(
            {"name": "pos_app", "msg": "%s", "args": (text,), "exc_info": None, **fields}
        )
        record.exc_info = (ValueError, ValueError(text), None)
        line = formatter.format(record)
        assert line.isascii()
        assert line.isprintable()
        assert json.loads(line)["logger"] == "pos_app"
