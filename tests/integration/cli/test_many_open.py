"""20,000 open payments in a real record: the next sale begins, and a signal ends the till, whoever has not answered."""

from __future__ import annotations

import signal
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, State
from pos_app.domain.ids import attempt_id, sale_id
from pos_app.journal import Journal, open_journal
from pos_app.secrets import journal_key
from tests.integration.cli.till import Till
from tests.support.builders import attempt, record, sale
from tests.support.sandbox import Sandbox

OPEN = 20_000
AT_A_TIME = 2_000


@pytest.fixture
def full(sandbox: Sandbox, till: Till) -> Till:
    """A counter whose every payment of a long evening without a line still waits."""
    folder = Path(till.common[till.common.index("--data-dir") + 1]) / Environment.SANDBOX.value
    folder.mkdir(parents=True)
    key = journal_key(folder, Environment.SANDBOX.value, use_keystore=False)
    with closing(open_journal(folder / "journal.sqlite", key, Environment.SANDBOX)) as journal:
        for first in range(1, OPEN + 1, AT_A_TIME):
            _fill(journal, range(first, first + AT_A_TIME), sandbox)
    return till


def _fill(journal: Journal, numbers: range, sandbox: Sandbox) -> None:
    now_ms = int(time.time() * 1000)
    today = f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S}"
    records = []
    for number in numbers:
        known = sale_id(number)
        made = replace(
            attempt(number),
            attempt_id=attempt_id(Environment.SANDBOX, journal.installation_id, known, 1, "K7Q2M9"),
            wallet_transaction_id=f"W-{number}",
            merchant_id=sandbox.merchant_pg_identifier,
            tapped_at=now_ms + number,
            transaction_date_time=today,
            origin=sandbox.base_url,
            shown=True,
            state=State.WAITING,
        )
        records.append(
            record(made, "INTENT", sale=sale(number), path=(State.INTENT, State.WAITING), sealed=b"{}")
        )
    journal.append(records)


def test_a_sale_begins_and_a_signal_is_obeyed_while_not_one_of_them_has_been_answered(
    sandbox: Sandbox, full: Till
) -> None:
    """And where the service answers, the sale in front of the till is paid before all of them have been asked."""
    sandbox.fault("hold", "get_status", count=None)
    selling = full.start("pay", "--amount", "12.34", "--qr", "--another-customer")
    sold = selling.state("WAITING")
    assert "get_status" in sandbox.held()
    assert [call for call in sandbox.calls("initiate_qr") if sold["attempt_id"] in call["body"]]
    selling.send(signal.SIGTERM).tells("a second signal leaves at once")
    assert selling.send(signal.SIGTERM).end().code == 128 + signal.SIGTERM
    sandbox.clear_faults()

    selling = full.start("pay", "--amount", "12.35", "--qr", "--another-customer")
    before = sandbox.calls()[-1]["number"]
    sandbox.act(selling.state("WAITING")["attempt_id"], "pay")
    assert selling.end().code == 0
    assert sandbox.calls()[-1]["number"] - before < OPEN
