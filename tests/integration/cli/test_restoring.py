"""`pos-app restore`: a copy of the journal is put back, and the till asks the service about what is not in it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import Any

import pytest

from pos_app.journal.schema import MIGRATIONS
from pos_app.system.updating import raise_flag
from tests.integration.cli.till import Till
from tests.support.sandbox import Sandbox


@pytest.fixture
def journal(till: Till) -> Path:
    """Where the counter keeps what it knows."""
    return Path(till.common[till.common.index("--data-dir") + 1]) / "sandbox" / "journal.sqlite"


def sold(sandbox: Sandbox, till: Till) -> str:
    """A payment that is really paid."""
    paying = till.start("pay", "--amount", "12.50", "--qr")
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    return attempt_id


def known(till: Till) -> dict[str, Any]:
    """Each payment that the journal has, and its state."""
    return {each["attempt_id"]: each["state"] for each in till.run("transactions", "--local").objects}


@pytest.fixture
def copy(sandbox: Sandbox, till: Till, journal: Path, tmp_path: Path) -> Path:
    """A backup of the folder, of before its second payment."""
    sold(sandbox, till)
    kept = tmp_path / "stick"
    shutil.copytree(journal.parent, kept)
    return kept


def test_it_is_only_looked_over_until_somebody_means_it(
    sandbox: Sandbox, till: Till, journal: Path, copy: Path
) -> None:
    sold(sandbox, till)
    before = known(till)
    done = till.run("restore", str(copy))
    assert done.code == 0, done.err
    assert done.last["restored"] is False
    assert done.last["journal"] == len(MIGRATIONS)
    assert 0 < done.last["events"] < done.last["instead_of"]["events"]
    assert known(till) == before
    told = till.say("restore", str(copy)).out
    assert "Nothing was changed; --yes puts it back." in told
    assert "days closed" in told
    assert {each.name for each in journal.parent.iterdir() if "restore" in each.name} == set()


def test_the_till_takes_up_what_is_not_in_the_copy_from_the_service(
    sandbox: Sandbox, till: Till, journal: Path, copy: Path
) -> None:
    first = next(iter(known(till)))
    second = sold(sandbox, till)
    done = till.run("restore", str(copy / "journal.sqlite"), "--yes")
    assert done.code == 0, done.err
    assert done.last["restored"] is True
    kept = Path(done.last["kept"])
    assert kept.parent == journal.parent
    assert set(known(till)) == {first}
    third = sold(sandbox, till)
    assert known(till) == {first: "PAID", second: "PAID_LATE", third: "PAID"}
    paid = [each for each in sandbox.transactions() if each["status"] == "Payment Success"]
    assert {first, second, third} <= {each["externalMerchantTransactionId"] for each in paid}
    (listed,) = till.run("restore").objects
    assert Path(listed["file"]) == kept / journal.name


def test_what_is_open_is_not_nothing_while_the_service_is_still_asked(
    sandbox: Sandbox, till: Till, copy: Path
) -> None:
    """It said so, and ended with 0, before the payment that the copy does not have was known again."""
    paying = till.start("pay", "--amount", "7", "--qr")
    attempt_id = paying.state("WAITING")["attempt_id"]
    paying.send(SIGKILL).end()
    sandbox.act(attempt_id, "pay")
    assert till.run("restore", str(copy), "--yes").code == 0
    following = till.start("open", "--resolve", "100")
    assert following.state("PAID_LATE")["attempt_id"] == attempt_id
    # The newest part of the list is read again, minutes later: until then one more may come.
    ended = following.send(SIGINT).end()
    assert ended.code == 4
    assert "We still ask the service for the others." in till.say("open", "--resolve", "0").out


def test_what_the_service_has_still_to_tell_of_is_not_called_no_payment_of_this_till(
    till: Till, journal: Path
) -> None:
    """Whoever wanted it closed, or gone on with, was told of a slip on the line while its customer could still pay.

    Whoever looked what is open was told that nothing is.
    """
    paying = till.start("pay", "--amount", "7", "--qr")
    attempt_id = paying.state("WAITING")["attempt_id"]
    paying.send(SIGKILL).end()
    journal.with_name("journal.sqlite-wal").unlink()
    journal.unlink()
    unsaid = (4, "We still ask the service for the others.\n")
    gone = till.say("open")
    assert (gone.code, gone.out) == unsaid
    assert "the journal is gone" in gone.err
    journal.write_bytes(b"no database")
    for verb in (("cancel", attempt_id), ("open", "--continue", attempt_id)):
        told = till.run(*verb)
        assert (told.code, told.out) == (4, ""), told
        assert f"{attempt_id} is not known here yet" in told.err
    looked = till.say("open")
    assert (looked.code, looked.out) == unsaid
    asking = till.start("open", "--resolve", "100")
    assert asking.state("WAITING")["attempt_id"] == attempt_id
    asking.send(SIGKILL).end()
    assert till.say("open").out.endswith(unsaid[1])
    closed = till.run("cancel", attempt_id)
    assert (closed.code, closed.last["state"]) == (0, "CANCELLED")


def test_papers_of_what_is_not_in_the_copy_are_not_called_another_tills(
    sandbox: Sandbox, till: Till, copy: Path
) -> None:
    """They name the identity that this till had: nobody is sent away with them as if they were another shop's."""
    kept = till.run("receipt", "--last").last["code"]
    second = sold(sandbox, till)
    lost = till.run("receipt", second).last["code"]
    (z,) = till.run("close", "--no-reconcile").objects
    assert till.run("restore", str(copy), "--yes").code == 0
    sold(sandbox, till)
    assert till.run("receipt", "--check", kept).last["verdict"] == "ours"
    checked = till.run("receipt", "--check", lost)
    assert (checked.code, checked.last["verdict"]) == (1, "missing")
    checked = till.run("report", "z", "--check", z["anchor"])
    assert (checked.code, checked.last["verdict"], checked.last["last"]) == (1, "missing", 0)
    # Another Z has that number by now; it is none that was changed.
    assert till.run("close", "--no-reconcile").last["number"] == z["number"] == 1
    checked = till.run("report", "z", "--check", z["anchor"])
    assert (checked.code, checked.last["verdict"], checked.last["last"]) == (1, "missing", 1)
    assert "of the journal before this one" in till.say("report", "z", "--check", z["anchor"]).out
    foreign = z["anchor"].replace(z["anchor"][5:13], "22222222")
    assert till.run("report", "z", "--check", foreign).last["verdict"] == "foreign"


def test_refused_while_a_till_is_at_work(sandbox: Sandbox, till: Till, copy: Path) -> None:
    """To look it over needs nobody to stop selling."""
    paying = till.start("pay", "--amount", "7", "--qr")
    attempt_id = paying.state("WAITING")["attempt_id"]
    refused = till.run("restore", str(copy), "--yes")
    assert refused.code == 73
    assert "is in use" in refused.err
    assert "close the till first" in refused.err
    assert till.run("restore", str(copy)).code == 0
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    assert known(till)[attempt_id] == "PAID"


def test_refused_while_the_till_is_being_updated(till: Till, copy: Path, tmp_path: Path) -> None:
    raise_flag(os.getpid(), tmp_path)
    refused = Till(till.common, {"POS_APP_RUN_DIR": str(tmp_path)}).run("restore", str(copy), "--yes")
    assert refused.code == 75
    assert "being updated" in refused.err


def test_what_cannot_be_put_back_is_refused_in_words(
    till: Till, make_till: Callable[[str], Till], sandbox: Sandbox, journal: Path, copy: Path
) -> None:
    before = known(till)
    file = copy / "journal.sqlite"
    other = make_till("another")
    sold(sandbox, other)
    foreign = Path(other.common[other.common.index("--data-dir") + 1]) / "sandbox" / "journal.sqlite"
    newer, changed = copy / "newer.sqlite", copy / "changed.sqlite"
    for made, change in (
        (newer, f"PRAGMA user_version = {len(MIGRATIONS) + 1}"),
        (changed, "DROP TRIGGER event_is_never_changed; UPDATE event SET actor = 'p9' WHERE seq = 2"),
    ):
        shutil.copy(file, made)
        with closing(sqlite3.connect(made)) as connection:
            connection.executescript(change)
    for named, code, said in (
        (foreign, 73, "was made with another key"),
        (newer, 73, "written by a newer till"),
        (changed, 73, "cannot be put back: damaged: event 2"),
        (copy / "journal.key", 73, "cannot be put back: damaged: file is not a database"),
        (copy / "nothing.sqlite", 2, "is not there"),
        (journal, 2, "is the journal that a copy is to take the place of"),
    ):
        refused = till.run("restore", str(named), "--yes")
        assert (refused.code, refused.out) == (code, ""), named
        assert said in refused.err, refused.err
    assert till.run("restore", "--yes").code == 2
    assert known(till) == before
    assert till.run("restore").objects == []


def test_a_folder_without_its_key_is_given_none(till: Till, journal: Path, copy: Path) -> None:
    """A fresh folder that a copy is to be put into: a copy opens with its own key alone."""
    shutil.rmtree(journal.parent)
    refused = till.run("restore", str(copy), "--yes")
    assert refused.code == 73
    assert "put journal.key back" in refused.err
    assert not (journal.parent / "journal.key").exists()
    shutil.copy(copy / "journal.key", journal.parent)
    assert till.run("restore", str(copy), "--yes").code == 0
    assert len(known(till)) == 1
