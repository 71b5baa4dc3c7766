"""join, leave and sync by the real process, at a store with a real PostgreSQL on a real socket."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import datetime
from pathlib import Path
from signal import SIGINT

import pytest

from pos_app.bootstrap.journal import open_journal_of
from pos_app.domain.attempt import Environment, State
from pos_app.domain.ids import INSTALLATION_LENGTH
from pos_app.domain.installation import SUBJECT as INSTALLATION
from pos_app.domain.installation import TAKEN, Why
from pos_app.domain.membership import CONVICTED, HINTED, JOINED, SUBJECT
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.journal import read_only
from pos_app.store.database import Database
from tests.integration.cli.till import Till
from tests.support.store import code_for, rows, serving

NOBODY = "http://127.0.0.1:9"


def pay(till: Till, amount: str) -> str:
    """A payment of which the till was killed; its id."""
    under_way = till.start("pay", "--amount", amount, "--qr")
    attempt_id = str(under_way.state("WAITING")["attempt_id"])
    under_way.kill()
    return attempt_id


def doctor(till: Till) -> tuple[str, str]:
    """What it says of the store: verdict and text."""
    found = {each["about"]: each for each in till.run("doctor").objects}
    return found["store"]["verdict"], found["store"]["text"]


def test_a_counter_joins_tells_and_leaves(till: Till, database: Database, shop: int) -> None:
    with serving(database) as address:
        joined = till.run("join", address, code_for(database, shop))
        assert (joined.code, joined.err) == (0, "")
        assert joined.last["joined"]["shop_name"] == "Main street"
        again = till.run("join", address, "7K2M-Q9XB")
        assert again.code == 2
        assert "leave" in again.err
        attempt_id = pay(till, "12.50")
        synced = till.run("sync", "--once")
        assert (synced.code, synced.last["state"], synced.last["waiting"]) == (0, "well", 0)
        assert rows(database, "SELECT attempt_id, amount::text FROM attempt") == [(attempt_id, "12.50")]
        assert rows(database, "SELECT count(*) FROM batch")[0][0] >= 1
        assert doctor(till) == ("ok", "Test store, Main street, as Counter 1")
        left = till.run("leave")
        assert (left.code, left.last["told"]) == (0, True)
        assert rows(database, "SELECT state FROM installation") == [("left",)]
        none = till.run("sync")
        assert (none.code, none.last["state"]) == (0, "")
        # And back again, with what it held.
        assert till.run("join", address, code_for(database, shop)).code == 0
        assert till.run("sync", "--once").code == 0


def test_what_waits_is_told_while_nothing_is_sent(till: Till, database: Database, shop: int) -> None:
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
        waits = till.run("sync")
        # A turn sends one batch: of so little nothing is left.
        assert waits.code == 0


def test_a_wrong_code_is_refused_with_a_reason(till: Till, database: Database, shop: int) -> None:
    with serving(database) as address:
        code_for(database, shop)
        refused = till.run("join", address, "7K2M-Q9XB")
        assert refused.code == 1
        assert "code" in refused.err
        assert refused.out == ""
        assert till.run("sync").last["state"] == ""


@pytest.mark.parametrize(
    ("address", "code", "says"),
    [
        ("https://store.example", "7K2M", "8 letters and digits, for example"),
        ("http://store.example", "7K2M-Q9XB", "https"),
        ("ftp://store.example", "7K2M-Q9XB", "https"),
        ("https://user:pw@store.example", "7K2M-Q9XB", "user name"),
    ],
)
def test_what_cannot_be_is_bad_input(till: Till, address: str, code: str, says: str) -> None:
    done = till.run("join", address, code)
    assert done.code == 2
    assert says in done.err


def test_a_store_that_does_not_answer(till: Till, database: Database, shop: int) -> None:
    """Nothing is written by joining; leaving is this counter's own to say."""
    assert till.run("join", NOBODY, "7K2M-Q9XB").code == 69
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
    lost = till.run("sync", "--once")
    assert (lost.code, lost.last["state"]) == (69, "lost")
    assert lost.last["waiting"] > 0
    left = till.run("leave")
    assert (left.code, left.last["told"]) == (0, False)
    assert till.run("leave").last == {"left": "", "told": False}


def is_cancelled(folder: Path, attempt_id: str) -> bool:
    """By the journal, beside the till that writes it."""
    with closing(read_only(folder / "sandbox" / "journal.sqlite")) as journal:
        attempt = journal.attempt(attempt_id)
        return attempt is not None and attempt.state is State.CANCELLED


def test_a_till_tells_while_it_works_and_a_copy_is_found_out(
    till: Till, database: Database, shop: int, tmp_path: Path
) -> None:
    """The folder is put back: `sync` says so, the next till stops, and what was forgotten is asked of the service."""
    folder = tmp_path / "counter"
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
        pay(till, "12.50")
        assert till.run("sync", "--once").code == 0
        shutil.copytree(folder, tmp_path / "backup")
        forgotten = pay(till, "99.00")
        assert till.run("sync", "--once").code == 0
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "backup", folder)
        found = till.run("sync")
        assert (found.code, found.last["state"], found.last["conviction"]) == (1, "stopped", "older")
        # The first till that works meets the store beside its first asks.
        looking = till.start("open", "--resolve", "60")
        while not is_cancelled(folder, forgotten):
            assert not looking.is_over
        looking.send(SIGINT).end()
        with closing(read_only(folder / "sandbox" / "journal.sqlite")) as journal:
            asked = journal.attempt(forgotten)
            assert asked is not None
            # Its code cannot be shown again: the service was asked, and it is cancelled there (rule 3c).
            assert (asked.recovered, asked.service_status != "", asked.state) == (True, True, State.CANCELLED)
            assert [each.kind for each in journal.events_of(SUBJECT)] == [JOINED, CONVICTED, HINTED]
        verdict, text = doctor(till)
        assert (verdict, "a manager begins anew" in text) == ("warning", True)
        refused = till.run("pay", "--amount", "5.00", "--qr")
        assert refused.code != 0
        assert "identity" in refused.err


def test_a_counter_that_begins_anew_joins_anew_and_nothing_is_counted_twice(
    till: Till, database: Database, shop: int, tmp_path: Path
) -> None:
    """Another installation id in the same journal: told from its first event, under the new id."""
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
        first = pay(till, "12.50")
        assert till.run("sync", "--once").code == 0
        begin_anew(tmp_path / "counter" / "sandbox")
        waits = till.run("sync")
        assert (waits.code, waits.last["state"]) == (69, "rejoin")
        assert doctor(till)[0] == "warning"
        # Under the identity that it has no more nothing is asked either.
        assert till.run("find", "--amount", "12.50").code == 78
        second = pay(till, "7.00")
        assert till.run("join", address, code_for(database, shop)).code == 0
        told = till.run("sync", "--once")
        assert (told.code, told.last["state"]) == (0, "well")
        held = rows(database, "SELECT attempt_id, amount::text FROM attempt ORDER BY sale_id")
        assert held == [(first, "12.50"), (second, "7.00")]
        heads = rows(database, "SELECT head_seq > 0 FROM installation ORDER BY life")
        assert heads == [(True,), (True,)]
        assert rows(database, "SELECT count(*) FROM counter") == [(1,)]


def test_a_counter_with_another_number_joins_with_a_new_identity_and_its_past_stays(
    till: Till, database: Database, shop: int, tmp_path: Path
) -> None:
    with serving(database) as address:
        assert till.run("join", address, code_for(database, shop)).code == 0
        first = pay(till, "12.50")
        assert till.run("sync", "--once").code == 0
        assert till.run("leave").code == 0
        till.environment["POS_APP_GATEWAY_COUNTER_ID"] = "2"
        code = code_for(database, shop)
        refused = till.run("join", address, code)
        assert (refused.code, refused.out) == (1, "")
        assert "the store refused: this installation joined as counter 1 of merchant" in refused.err
        assert till.run("sync").last["state"] == ""
        begin_anew(tmp_path / "counter" / "sandbox")
        assert till.run("join", address, code).code == 0
        second = pay(till, "7.00")
        told = till.run("sync", "--once")
        assert (told.code, told.last["state"]) == (0, "well")
    held = rows(
        database, "SELECT attempt_id, counter_id FROM attempt JOIN counter USING (counter) ORDER BY sale_id"
    )
    assert held == [(first, 1), (second, 2)]
    assert rows(database, "SELECT about FROM unfit") == []


def begin_anew(folder: Path) -> None:
    """As a manager's act does at the window."""
    journal = open_journal_of(folder, Environment.SANDBOX)
    about = {
        "installation_id": journal.random_part(INSTALLATION_LENGTH),
        "before": journal.installation_id,
        "why": Why.USED_TWICE.value,
        "machine": journal.machine,
    }
    wall = datetime.now().astimezone().isoformat(timespec="milliseconds")
    taken = Record(
        kind=TAKEN, subject=INSTALLATION, actor=TERMINAL, at=journal.last_at(), wall=wall, content=about
    )
    journal.append([taken])
    journal.close()
