"""What a dishonest cashier does, played at the real till, and where whoever is responsible sees it (docs/attacks.md).

Kasun is at the till; Nimali is its manager. Each test is one way to money or to a clean record; each ends at the place
that shows it. What touches neither the till nor the service nobody can see, and no test pretends to.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.domain.attempt import State
from pos_app.domain.day import Z, anchor_text
from pos_app.domain.paper import text_of
from pos_app.domain.receipt import Verdict
from pos_app.domain.reconcile import DifferenceKind
from pos_app.engine.core import clock
from pos_app.i18n.words.day import words as day_words
from pos_app.i18n.words.paper import words as paper_words
from pos_app.i18n.words.reconcile import words as recon_words
from pos_app.journal import read_only
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import allow, hand_over, open_menu, written
from tests.end_to_end.test_counter_day import open_day, sell
from tests.integration.cli.till import Till, till_of
from tests.support.codes import codes_on
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient
from tests.support.till import StartedTill

CLOSES_ALONE = "\n[day]\ncashier_may_close = true\n"


@pytest.fixture
def verbs(config_dir: Path, tmp_path: Path) -> Callable[[str], Till]:
    """The command line on a data folder of this name: with "data" on the window's own, once that has ended."""
    return lambda name: till_of(config_dir / "config.toml", config_dir / "secrets.toml", tmp_path / name)


def cancelled(till: StartedTill, amount: str) -> str:
    """The code was shown, then the sale was cancelled."""
    attempt_id = till.charge_qr(amount)
    till.cancel()
    till.until_result("NOT PAID")
    next_customer(till)
    return attempt_id


def next_customer(till: StartedTill) -> None:
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("result_panel"))


def leave(till: StartedTill) -> None:
    """Back to the till from the day's panel."""
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")
    till.leave_menu()


def read(till: StartedTill) -> str:
    """The report that stands on the panel, as it would come out of the printer."""
    return text_of(till.part("day_report").paper)


def until_reads(till: StartedTill, *said: str) -> None:
    till.until(lambda: till.part("day_report").paper is not None and all(each in read(till) for each in said))


def close_day(till: StartedTill) -> None:
    """By whoever may, on the open panel."""
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", day_words.DONE)


def z_of(till: StartedTill, number: int) -> Z:
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        found = journal.z(number)
    finally:
        journal.close()
    assert found is not None
    return found


def privately(sandbox: Sandbox, some_id: str, amount: float) -> None:
    """Paid under this shop's merchant and counter with somebody's own program."""
    client = ServiceClient(sandbox)
    client.initiate_qr(some_id, transactionDateTime=f"{datetime.now():%Y-%m-%d %H:%M:%S}", chargeTotal=amount)
    sandbox.act(some_id, "pay")
    client.close()


def differences(done_: Any) -> dict[str, dict[str, Any]]:
    """By their classes, of what `reconcile` said."""
    return {each["difference"]: each for each in done_.objects if "difference" in each}


def test_1_cancels_once_the_code_was_shown_and_is_paid_elsewhere(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    """X and Z: so many of so many cancelled, under the name of who did it; and by reason among "why not paid"."""
    till = make_till()
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    for amount in ("700", "850"):
        cancelled(till, amount)
    sell(till, sandbox, "9")
    open_day(till)
    until_reads(till, "LKR 9.00")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")
    till.leave_menu()
    hand_over(till, "Nimali")
    open_day(till)
    until_reads(till, "Kasun ×1", "2 / 3")
    lines = read(till).splitlines()
    by_name = {
        name: at for at, line in enumerate(lines) for name in ("Nimali ×1", "Kasun ×1") if name in line
    }
    assert "2 / 3" in lines[by_name["Kasun ×1"] + 1]
    assert " / " not in lines[by_name["Nimali ×1"] + 1]
    close_day(till)
    until_reads(till, "2 / 3")


def test_2_takes_money_under_the_counter_without_the_till(make_till: MakeTill, sandbox: Sandbox) -> None:
    """Reconciliation: foreign, with its sum; the Z says that something differs."""
    till = make_till()
    hand_over(till, "Kasun")
    sell(till, sandbox, "12.50")
    cancelled(till, "99.50")
    privately(sandbox, "my-own-pocket", 99.5)
    hand_over(till, "Nimali")
    open_day(till)
    close_day(till)
    until_reads(till, paper_words.RECONCILED_OTHER.of(1))
    till.touch("day_reconcile")
    till.until_seen("difference_0_card")
    assert till.says("difference_0_kind") == recon_words.KIND[DifferenceKind.FOREIGN]
    assert till.says("difference_0_risk") == recon_words.AT_RISK.format(money="LKR 99.50")


def test_3_reprints_an_old_receipt_as_if_it_were_a_new_sales(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path, printer: VirtualPrinter, server: PrinterServer
) -> None:
    """It says COPY above and below and has the first one's number and code; X and Z count copies by person."""
    with next(config_dir.glob("config.toml")).open("a") as file:
        file.write(f'\n[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {server.port}\nwidth = 58\n')
    till = make_till()
    hand_over(till, "Kasun")
    sandbox.act(till.charge_qr("1250"), "pay")
    till.until_result("PAID")
    till.until(lambda: len([sheet for sheet in printer.sheets if sheet.is_cut]) == 1)
    till.press(Qt.Key.Key_F12)
    till.touch("copy_ask_yes")
    till.until(lambda: len([sheet for sheet in printer.sheets if sheet.is_cut]) == 2)
    first, second = printer.sheets
    assert codes_on(first.bitmap) == codes_on(second.bitmap)
    assert second.bitmap.height > first.bitmap.height
    next_customer(till)
    hand_over(till, "Nimali")
    open_day(till)
    until_reads(till, paper_words.COPIES)
    lines = read(till).splitlines()
    assert "Kasun" in lines[lines.index(paper_words.COPIES) + 1]
    assert [each.count for each in z_copies(till)] == [1]


def z_copies(till: StartedTill) -> tuple[Any, ...]:
    close_day(till)
    return z_of(till, 1).copies


def test_4_shows_the_receipt_of_a_training_till_as_paid(
    make_till: MakeTill, sandbox: Sandbox, verbs: Callable[[str], Till]
) -> None:
    """Every paper of the sandbox says so three times; scanned here, it is of no payment of this till."""
    training = verbs("training")
    paying = training.start("pay", "--amount", "1250", "--qr")
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    assert paying.end().code == 0
    told = training.run("receipt", "--last").last
    assert training.say("receipt", "--last", "--text").out.count("SANDBOX – NOT A PAYMENT") == 3
    till = make_till()
    till.press(Qt.Key.Key_F4)
    till.until_seen("found_payments")
    till.type(f"{told['attempt_id']} {told['receipt']} {told['check']}")
    till.until_says("verdict_0", paper_words.VERDICT[Verdict.FOREIGN])


def test_5_says_that_it_was_paid_where_nothing_was(
    make_till: MakeTill, sandbox: Sandbox, verbs: Callable[[str], Till]
) -> None:
    """A manager must be beside; it is in no sum, stands among what is without money, and differs: here_paid."""
    till = make_till()
    hand_over(till, "Kasun")
    attempt_id = till.charge_push("38")
    till.act_and_say(attempt_id, "fail", transactionAmount=3.8)
    till.until_result("DO NOT HAND OVER")
    till.press(Qt.Key.Key_F8)
    till.touch(f"sign_off_{attempt_id}")
    till.touch("settle_reason_suggestion_0")
    till.touch("settle_paid")
    till.until_seen("approval")
    assert [each.state for each in written(till).recent] == [State.DISPUTED], "not without a manager"
    till.type_passcode()
    till.until(lambda: not till.seen("approval"))
    till.until(lambda: [each.state for each in written(till).recent] == [State.SIGNED_OFF])
    sandbox.clear_faults()
    assert till.stop()
    at_the_desk = verbs("data")
    (x,) = at_the_desk.run("report", "x").objects
    assert (x["takings"]["count"], x["ended"]) == (0, {"SIGNED_OFF(paid)": 1})
    found = differences(at_the_desk.run("reconcile"))["here_paid"]
    assert (found["attempt_id"], Decimal(found["at_risk"])) == (attempt_id, Decimal(38))


def test_6_puts_the_folder_back_to_forget_a_sale(
    make_till: MakeTill, sandbox: Sandbox, verbs: Callable[[str], Till], tmp_path: Path
) -> None:
    """The service's list has what the record has not: there_unknown. The Z's paper knows a Z that is not there."""
    till = make_till()
    sell(till, sandbox, "12.50")
    assert till.stop()
    shutil.copytree(tmp_path / "data", tmp_path / "kept")
    till = make_till(people=False)
    hand_over(till, "Kasun")
    sell(till, sandbox, "99.50")
    forgotten = written(till).recent[0].attempt_id
    hand_over(till, "Nimali")
    open_day(till)
    close_day(till)
    paper = anchor_text(z_of(till, 1))
    assert till.stop()
    shutil.rmtree(tmp_path / "data")
    shutil.copytree(tmp_path / "kept", tmp_path / "data")
    at_the_desk = verbs("data")
    found = differences(at_the_desk.run("reconcile"))["there_unknown"]
    assert (found["attempt_id"], Decimal(found["at_risk"])) == (forgotten, Decimal("99.5"))
    till = make_till(people=False)
    till.press(Qt.Key.Key_F4)
    till.until_seen("found_payments")
    till.type(paper)
    till.until_says("z_verdict_0", day_words.VERDICT[Verdict.MISSING].format(number=1))


def test_7_turns_the_clock_back_so_that_a_sale_is_yesterdays(
    make_till: MakeTill, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Z is a range of numbers, not of dates: the sale is in it, and it says that the clock was moved."""

    class Wall(datetime):
        """The machine's clock, which somebody sets."""

        back = timedelta()

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Wall:
            return super().now(tz) - cls.back

    monkeypatch.setattr(clock, "datetime", Wall)
    till = make_till()
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    Wall.back = timedelta(days=1)
    sell(till, sandbox, "99.50")
    Wall.back = timedelta()
    sell(till, sandbox, "1")
    hand_over(till, "Nimali")
    open_day(till)
    until_reads(till, paper_words.CLOCK_MOVED, "113.00")
    close_day(till)
    assert z_of(till, 1).clock_moved
    assert (z_of(till, 1).receipts[0].first, z_of(till, 1).receipts[0].last) == (1, 3)


def test_8_never_has_a_day_compared(make_till: MakeTill, sandbox: Sandbox) -> None:
    """Whoever closes without says so on the Z, and on each that follows, until somebody compares that day."""
    till = make_till(settings=CLOSES_ALONE)
    hand_over(till, "Kasun")
    for day in (1, 2):
        sell(till, sandbox, "12.50")
        sandbox.fault("hold", "query", count=None)
        open_day(till)
        till.touch("day_close")
        till.touch("day_ask_yes")
        till.touch("day_without")
        till.until_says("day_said", day_words.DONE)
        sandbox.clear_faults()
        sandbox.release()
        leave(till)
        assert z_of(till, day).not_reconciled == tuple(range(1, day))
    hand_over(till, "Nimali")
    sell(till, sandbox, "1")
    open_day(till)
    close_day(till)
    until_reads(
        till,
        paper_words.RECONCILED,
        *(paper_words.NOT_RECONCILED_Z.format(number=number) for number in (1, 2)),
    )


def test_9_closes_early_and_sells_for_an_own_evening(make_till: MakeTill, sandbox: Sandbox) -> None:
    """What comes after a Z is in the next one, whoever closed and when: it begins where that ended, and nothing falls
    between.
    """
    till = make_till(settings=CLOSES_ALONE)
    hand_over(till, "Kasun")
    sell(till, sandbox, "12.50")
    open_day(till)
    close_day(till)
    leave(till)
    sell(till, sandbox, "99.50")
    hand_over(till, "Nimali")
    open_day(till)
    until_reads(till, "Kasun ×1", "LKR 99.50", "LKR 112.00")
    close_day(till)
    first, second = z_of(till, 1), z_of(till, 2)
    assert (first.by, second.from_seq, second.previous) != ("", 0, "")
    assert second.from_seq == first.to_seq + 1
    assert (second.grand["LKR"].taken, second.receipts[0].first) == (11200, 2)


def test_10_calls_money_that_came_late_handed_over(make_till: MakeTill, sandbox: Sandbox) -> None:
    """The answer has a name and a reason, in what was done; the payment stays on the Z as it is."""
    till = make_till()
    hand_over(till, "Kasun")
    attempt_id = till.charge_push("17")
    sandbox.fault("cancel_loses", "cancel")
    till.cancel()
    till.until_result("PAID")
    till.until_seen("settle")
    till.part("settle_reason").setFocus()
    till.type("The customer has the goods")
    till.touch("settle_complete")
    till.until(lambda: not till.seen("settle"))
    till.until(lambda: written(till).recent[0].resolution is not None)
    answered = written(till).recent[0]
    assert answered.resolution is not None
    assert (answered.attempt_id, answered.resolution.action, answered.resolution.name) == (
        attempt_id,
        "complete",
        "Kasun",
    )
    hand_over(till, "Nimali")
    open_menu(till, "manager_done")
    till.until(lambda: till.rows("staff_log_lines"))
    said = next(each for each in till.rows("staff_log_lines") if "The customer has the goods" in each)
    assert said.startswith("Kasun: ")


def test_11_sells_on_a_till_of_their_own_beside(
    make_till: MakeTill, sandbox: Sandbox, verbs: Callable[[str], Till]
) -> None:
    """A second folder with the shop's settings is another installation at this counter: other_till, with its sum."""
    till = make_till()
    sell(till, sandbox, "12.50")
    own = verbs("own")
    paying = own.start("pay", "--amount", "99.50", "--qr")
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    assert paying.end().code == 0
    open_day(till)
    close_day(till)
    till.touch("day_reconcile")
    till.until_seen("difference_0_card")
    assert till.says("difference_0_kind") == recon_words.KIND[DifferenceKind.OTHER_TILL]
    assert "99.5" in till.says("difference_0_sides")


def test_12_deletes_the_record(make_till: MakeTill, sandbox: Sandbox, tmp_path: Path) -> None:
    """It is a lost one and no first start: the list gives the money back, and the first Z names it as from before."""
    till = make_till()
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    sell(till, sandbox, "99.50")
    ids = {each.attempt_id for each in written(till).recent}
    assert till.stop()
    for left in (tmp_path / "data").rglob("journal.sqlite*"):
        if not left.name.endswith(".anchor"):
            left.unlink()
    till = make_till()
    till.until(lambda: {each.attempt_id for each in written(till).recent} == ids)
    till.until(lambda: {each.state for each in written(till).recent} == {State.PAID_LATE})
    # Nobody who sold them is known any more, so that each asks for an answer.
    till.until_seen("settle")
    till.until(lambda: not till.touch_first("settle_later") and not till.seen("settle"))
    open_day(till)
    until_reads(till, "LKR 112.00", paper_words.LATE_EARLIER)
    close_day(till)
    z = z_of(till, 1)
    assert {(each.z, each.attempt_id) for each in z.late_from} == {(0, each) for each in ids}


def test_13_has_money_given_back_to_a_wallet_of_their_own(make_till: MakeTill, sandbox: Sandbox) -> None:
    """A manager must be beside; X and Z have the receiver's digits beside the payer's, and who asked for it."""
    till = make_till()
    hand_over(till, "Kasun")
    attempt_id = till.charge_push("40", "+94771234567")
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    next_customer(till)
    till.touch("recent_0")
    till.until_seen("payment_details")
    till.touch("details_notes")
    till.until(lambda: till.takes("notes_new"))
    till.touch("notes_new")
    till.until(lambda: till.takes("note_do"))
    till.fill("note_receiver", "+94770000011")
    till.touch("note_do")
    till.until_seen("approval")
    assert notes_of(till) == ()
    allow(till)
    till.until(lambda: len(notes_of(till)) == 1)
    (note,) = notes_of(till)
    assert (note.amount, note.by == note.beside, note.state.value) == (Decimal(40), False, "PROMISED")
    for panel in ("refund_notes", "payment_details"):
        till.until(lambda: not till.seen("approval") and not till.seen("note_do"))
        if till.seen(panel):
            till.press(Qt.Key.Key_Escape)
            till.until(lambda panel=panel: not till.seen(panel))  # type: ignore[misc]
    hand_over(till, "Nimali")
    open_day(till)
    until_reads(till, note.shown, "LKR 40.00")
    told = next(each for each in read(till).splitlines() if "…011" in each)
    assert "…567" in told
    assert "Kasun" in told


def notes_of(till: StartedTill) -> tuple[Any, ...]:
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        return journal.period().notes
    finally:
        journal.close()
