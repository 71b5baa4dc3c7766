"""Payments as a file, from the window: by a manager, with a reason, whole or not at all; and a stick as it comes."""

from __future__ import annotations

import csv
import queue
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, Qt

from pos_app.app.exports import Exports
from pos_app.bootstrap import exporting
from pos_app.domain.export import Exported, Format, News, Span, Wish
from pos_app.system.atomic_file import WriteTrouble
from pos_app.system.sticks import Stick
from pos_app.ui.dialogs.day import export as export_panel
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import allow, hand_over, written
from tests.end_to_end.test_counter_day import open_day, sell
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The desktop's own folder for what people keep."""
    home = tmp_path / "home"
    (home / "Documents").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    return home / "Documents"


def open_export(till: StartedTill) -> None:
    open_day(till)
    till.touch("day_export")
    till.until_seen("export")


def save(till: StartedTill) -> None:
    """The button, and one of the usual reasons."""
    till.touch("export_write")
    till.touch("permit_reason_suggestion_0")
    till.touch("permit_do")


def rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text().splitlines()))


def test_a_manager_saves_a_month_and_it_stands_in_what_was_done(
    documents: Path, make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till()
    sell(till, sandbox, "12.50")
    open_export(till)
    save(till)
    till.until_says("export_said", "The file is saved.")
    (file,) = documents.iterdir()
    # A long path may break anywhere: the screen helps it along with signs of no width.
    assert till.says("export_path").replace("\u200b", "") == str(file)
    assert file.name.startswith("sandbox-payments-")
    (row,) = rows(file)
    assert (row["amount"], row["state"], row["environment"], row["cashier"]) == (
        "12.50",
        "PAID",
        "sandbox",
        "Nimali",
    )
    act = next(each for each in written(till).acts if each.kind == "PERMITTED")
    assert (act.content["act"], act.content["reason"]) == ("export", "For the accountant")
    # The same once more takes another name; nothing is ever put in a file's place here.
    save(till)
    till.until(lambda: len(list(documents.iterdir())) == 2)


def test_beside_a_cashier_a_manager_allows_it_and_whole_numbers_by_a_right_of_their_own(
    documents: Path, make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till()
    attempt_id = till.charge_push("5", "+94771234567")
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    hand_over(till, "Kasun")
    open_export(till)
    till.choose("export_what", "all")
    till.touch("export_numbers")
    till.touch("export_write")
    assert list(documents.iterdir()) == []
    till.until_says("approval_what", "Save payments with whole wallet numbers")
    allow(till)
    till.until_says("export_said", "The file is saved.")
    (file,) = documents.iterdir()
    (row,) = rows(file)
    assert row["wallet_number"].endswith("94771234567")
    assert row["wallet_mask"].startswith("'+")
    file.unlink()


def test_days_that_are_none_are_said_beside_them(
    documents: Path, make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till()
    sell(till, sandbox, "12.50")
    open_export(till)
    till.choose("export_what", "dates")
    till.fill("export_from", "2026-02-30")
    till.touch("export_write")
    assert till.seen("export_from_error")
    till.fill("export_from", "2030-01-02")
    till.fill("export_to", "2030-01-01")
    till.touch("export_write")
    assert till.seen("export_to_error")
    till.fill("export_to", "2030-01-03")
    save(till)
    till.until_says("export_said", "0 lines")
    (file,) = documents.iterdir()
    assert rows(file) == []


def test_a_stick_that_is_full_or_gone_is_said_in_words(
    documents: Path,
    make_till: MakeTill,
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr(export_panel, "sticks", lambda: [Stick("KINGSTON", stick)])
    till = make_till()
    sell(till, sandbox, "12.50")
    open_export(till)
    till.choose("export_where", str(stick))
    stick.rmdir()
    save(till)
    till.until_says("export_said", "The stick or folder is gone")
    stick.mkdir()
    save(till)
    till.until_says("export_said", "The stick can be pulled out")
    assert len(list(stick.iterdir())) == 1
    assert list(documents.iterdir()) == []


def test_what_becomes_of_a_file_that_was_given_up_is_not_told_of_the_next(
    documents: Path, make_till: MakeTill, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end came to the panel that was opened after it: "Stopped", of a file that nobody had begun."""
    gate, export = threading.Event(), exporting.export

    def slow(*args: Any, **kwargs: Any) -> Exported:
        gate.wait(PATIENCE_S)
        return export(*args, **kwargs)

    monkeypatch.setattr(exporting, "export", slow)
    till = make_till()
    sell(till, sandbox, "12.50")
    open_export(till)
    save(till)
    till.until_says("export_said", "are being written")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("day")
    till.touch("day_export")
    till.until_seen("export")
    gate.set()
    till.until(lambda: all(each.name != "exporting" for each in threading.enumerate()))
    QCoreApplication.processEvents()
    assert till.says("export_said") == ""
    assert list(documents.iterdir()) == []
    save(till)
    till.until_says("export_said", "The file is saved.")


def test_a_folder_that_cannot_be_made_is_told(till: StartedTill) -> None:
    """Where the till has the screen to itself its files lie beside the journal; the panel waited for ever."""
    shop, told = till.session.shop, queue.SimpleQueue[News]()
    papers = shop.data_dir / "papers"
    papers.write_text("in its place")
    exports = Exports(lambda: shop, str)
    exports.begin(Wish(format=Format.CSV, folder=str(papers), span=Span()), told.put)
    exports.stop()
    assert told.get(timeout=30) == News(trouble=WriteTrouble.EXISTS.value)
