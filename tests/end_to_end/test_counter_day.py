"""The counter's day at the window: takings so far, the closing, closed days; by a manager, and by a cashier."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from pos_app.domain.day import anchor_text
from pos_app.domain.receipt import Verdict
from pos_app.i18n.words.day import words
from pos_app.journal import read_only
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import allow, hand_over, written
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


def sell(till: StartedTill, sandbox: Sandbox, amount: str) -> None:
    """Paid, and the till ready for the next."""
    sandbox.act(till.charge_qr(amount), "pay")
    till.until_result("PAID")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("result_panel"))


def open_day(till: StartedTill) -> None:
    till.press(Qt.Key.Key_F10)
    till.touch("manager_day")
    till.until_seen("day")


def zs(till: StartedTill) -> list[int]:
    """The numbers of the closed days in the journal."""
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        last = journal.last_z()
        return [] if last is None else list(range(1, last.number + 1))
    finally:
        journal.close()


def test_a_manager_reads_the_takings_and_closes_the_day(till: StartedTill, sandbox: Sandbox) -> None:
    """A payment that waits keeps nothing from being closed: it is named, and goes on into the next day."""
    sell(till, sandbox, "12.50")
    waiting = till.charge_qr("40")
    till.press(Qt.Key.Key_F6)
    open_day(till)
    till.until(lambda: "LKR 12.50" in till.says("day_report"))
    till.until(lambda: till.part("day_paper").image is not None)
    till.touch("day_close")
    till.until_says("day_ask_more", "One payment is open or waits for an answer")
    till.touch("day_ask_yes")
    till.until_says("day_title", "Z 1")
    till.until_says("day_said", "The day is closed.")
    till.until(lambda: till.part("day_which").currentText() == "Z 1")
    assert not till.seen("day_close"), "nothing offers to close it twice"
    assert waiting in till.says("day_report")
    assert zs(till) == [1]
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")
    till.press(Qt.Key.Key_Escape)
    sandbox.act(waiting, "pay")
    till.until(lambda: written(till).recent[0].state is State.PAID)
    open_day(till)
    till.until(lambda: "LKR 40.00" in till.says("day_report"))
    assert "LKR 12.50" not in till.says("day_report")
    till.choose("day_which", "1")
    till.until(lambda: "LKR 12.50" in till.says("day_report"))


def test_a_cashier_reads_what_is_their_own_and_a_manager_beside_them_the_rest(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till()
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    sell(till, sandbox, "7")
    open_day(till)
    till.until(lambda: "LKR 7.00" in till.says("day_report"))
    assert "12.50" not in till.says("day_report")
    assert not till.seen("day_pictures_button"), "the sums of the whole till are a manager's"
    till.choose("day_which", "")
    allow(till)
    till.until(lambda: "LKR 19.50" in till.says("day_report"))
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_seen("approval")
    assert zs(till) == []
    allow(till)
    till.until_says("day_said", "The day is closed.")
    assert zs(till) == [1]
    assert till.says("person") == "Kasun"


def test_a_cashier_closes_alone_where_the_shop_says_so(make_till: MakeTill, sandbox: Sandbox) -> None:
    """And reads their own part of it alone."""
    till = make_till(settings="\n[day]\ncashier_may_close = true\n")
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    sell(till, sandbox, "7")
    open_day(till)
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", "The day is closed.")
    assert zs(till) == [1]
    till.until(lambda: "LKR 7.00" in till.says("day_report"))
    assert "12.50" not in till.says("day_report")


def test_what_a_cashier_closed_is_a_managers_to_print(
    make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    """The whole Z came out into the hands of who may read their own part of it alone."""
    (papers := tmp_path / "papers").mkdir()
    printer = f'\n[printer]\nkind = "file"\npath = "{papers}"\nauto = "off"\n'
    till = make_till(settings=f"{printer}\n[day]\ncashier_may_close = true\n")
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    open_day(till)
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", words.DONE_OWN)
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")
    till.press(Qt.Key.Key_Escape)
    hand_over(till, "Nimali")
    open_day(till)
    till.choose("day_which", "1")
    till.until(lambda: "LKR 12.50" in till.says("day_report"))
    assert list(papers.iterdir()) == []
    till.touch("day_print")
    till.until(lambda: [each.name for each in papers.iterdir()] == ["000001.escpos"])


def test_a_cashier_scans_a_zs_paper_and_learns_whether_the_record_is_still_its(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    """No manager is needed to notice that a folder was put back: the paper's number and date are told, no takings."""
    till = make_till()
    sell(till, sandbox, "12.50")
    open_day(till)
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", "The day is closed.")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")
    till.press(Qt.Key.Key_Escape)
    hand_over(till, "Kasun")
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        z = journal.z(1)
    finally:
        journal.close()
    assert z is not None
    till.press(Qt.Key.Key_F4)
    till.until_seen("found_payments")
    till.type(anchor_text(z))
    till.until_says("z_verdict_0", words.VERDICT[Verdict.OURS])
    assert till.says("z_verdict_1").startswith("Z 1 of ")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("z_verdict"))
    till.type(anchor_text(replace(z, number=2)))
    till.until_says("z_verdict_0", words.VERDICT[Verdict.MISSING].format(number=2))
