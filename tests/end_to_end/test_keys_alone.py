"""An hour at the counter with the keyboard alone, from the first manager on: nothing needs the mouse."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from pos_app.system import paths
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.typist import Typist
from tests.support.sandbox import Sandbox
from tests.support.till import PASSCODE, UNREACHABLE, arguments, tills
from tests.unit.ui.qr_reader import read

Key = Qt.Key
AMARA = "94770000042"
KASUN = "94770000043"


@pytest.fixture
def make_typist(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
) -> Iterator[MakeTill]:
    """Tills that are worked by keys."""
    with tills(partial(Typist, sandbox), config_dir, tmp_path / "data", log_level="info") as make:
        yield make


def test_a_counter_is_set_up_by_keys(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    fresh = Typist(sandbox, arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None))
    try:
        fresh.do("set_up_counter")
        fresh.until_seen("counter_form")
        for name, text in {**UNREACHABLE, "access_token": " canary-token"}.items():
            fresh.fill(name, text)
        # Looked at once, by the key beside it; who goes on leaves dots behind.
        fresh.do("access_token_eye")
        assert fresh.part("access_token").echoMode() is QLineEdit.EchoMode.Normal
        fresh.go_to("country")
        assert fresh.part("access_token").echoMode() is QLineEdit.EchoMode.Password
        fresh.type("Sri L")
        assert fresh.part("country").currentData() == "LK"
        fresh.do("save")
        fresh.until_seen("first_manager")
        assert 'name = "Harbour Shop"' in paths.user_file().read_text("utf-8")
        fresh.type("Nimali Perera")
        fresh.press(Key.Key_Return)
        fresh.type("077123456")
        fresh.press(Key.Key_Return)
        fresh.until_says("manager_number_error", "1 digit is missing: 077 123 456_")
    finally:
        assert fresh.stop()


def test_an_hour_is_worked_by_keys(make_typist: MakeTill, sandbox: Sandbox) -> None:
    till: Typist = make_typist(signed_in="", people=False)  # type: ignore[assignment]
    _first_manager(till)
    _sales(till, sandbox)
    _cancelled(till, sandbox)
    _parked(till, sandbox)
    _today(till)
    _settings(till)
    _enrolled(till)
    _what_was_done(till)
    _closed_day(till)
    _locked(till)


def _until_at_the_amount(till: Typist) -> None:
    """Nothing is in front, and digits are an amount."""
    till.until_seen("methods_panel")
    till.until(lambda: not till.seen("overlay"))


def _first_manager(till: Typist) -> None:
    till.until_seen("first_manager")
    till.type("Amara Silva")
    till.press(Key.Key_Return)
    till.type("0" + AMARA.removeprefix("94"))
    till.press(Key.Key_Return)
    till.until(lambda: till.has_focus("code") and sandbox_code(till, AMARA))
    till.type(sandbox_code(till, AMARA))
    till.choose_passcode()
    till.until(lambda: till.window.objectName() == "till")
    till.until(lambda: till.says("person") == "Amara Silva")


def sandbox_code(till: Typist, number: str) -> str:
    """The newest code that came to this number."""
    inbox = till.sandbox.sms(number)
    return str(inbox[0]["code"]) if inbox else ""


def _sales(till: Typist, sandbox: Sandbox) -> None:
    """An invoice by F7, prices added up, QR by Enter; then a push, whose number is corrected."""
    till.press(Key.Key_F7)
    till.until(lambda: till.has_focus("invoice"))
    till.type("INV-7/a")
    till.press(Key.Key_Return)
    till.type("12.50+30")
    till.press(Key.Key_Return)
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")
    assert sandbox.transactions()[0]["invoiceNumber"] == "INV-7/a"
    till.start_push("20", "077123456")
    till.until_says("wallet_number_error", "1 digit is missing")
    till.press(Key.Key_End)
    till.type("7")
    till.press(Key.Key_Return)
    till.until(lambda: len(sandbox.transactions()) == 2)
    sandbox.act(str(sandbox.transactions()[0]["externalMerchantTransactionId"]), "reject")
    till.until_result("NOT PAID")
    till.press(Key.Key_Escape)
    _until_at_the_amount(till)


def _cancelled(till: Typist, sandbox: Sandbox) -> None:
    """Esc asks; Enter alone cancels nothing."""
    attempt_id = till.charge_qr("90")
    till.press(Key.Key_Escape)
    till.until_seen("question")
    till.press(Key.Key_Return)
    till.until(lambda: not till.seen("question"))
    assert not sandbox.calls("cancel")
    till.press(Key.Key_Escape)
    till.until_seen("question")
    till.do("question_yes")
    till.until_result("NOT PAID")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"
    till.press(Key.Key_Escape)
    _until_at_the_amount(till)


def _parked(till: Typist, sandbox: Sandbox) -> None:
    """F6 puts it aside, F11 says whose it is, F6 brings it back; F8 lists it."""
    attempt_id = till.charge_qr("260")
    till.press(Key.Key_F6)
    till.until_seen("parked_0")
    till.press(Key.Key_F11)
    till.until(lambda: till.has_focus("parked_note_text"))
    till.type("red cap")
    till.press(Key.Key_Return)
    till.until(lambda: not till.seen("overlay"))
    till.press(Key.Key_F8)
    till.until_seen("open_payments")
    till.press(Key.Key_Escape)
    _until_at_the_amount(till)
    till.press(Key.Key_F6)
    till.until_seen("waiting_panel")
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    till.press(Key.Key_Return)
    _until_at_the_amount(till)


def _today(till: Typist) -> None:
    """F4, a search, a row, its card; Esc is one step back each time."""
    till.press(Key.Key_F4)
    till.until_seen("found_list")
    till.until(lambda: till.says("found_total"))
    till.type("260")
    till.until(lambda: till.part("found_list").count() == 1)
    till.press(Key.Key_Down)
    till.press(Key.Key_Return)
    till.until_seen("payment_details")
    assert any("Paid · " in each and each.endswith(" ago") for each in till.words())
    till.press(Key.Key_Escape)
    till.until(lambda: not till.seen("payment_details"))
    if till.seen("found_payments"):
        till.do("found_not_paid")
        till.until(lambda: till.part("found_not_paid").isChecked())
        till.press(Key.Key_Escape)
    _until_at_the_amount(till)


def _to_menu(till: Typist, row: str) -> None:
    if not till.seen("managers_menu"):
        till.press(Key.Key_F10)
        till.until_seen("managers_menu")
    till.do(row)


def _settings(till: Typist) -> None:
    _to_menu(till, "manager_settings")
    till.until_seen("settings")
    till.go_to("sections")
    till.press(Key.Key_Down)
    till.fill("shop_max_amount", "900.50")
    till.fill("reason", "The owner asked")
    till.press(Key.Key_Return)
    till.until_says("save_outcome", "Saved.")
    assert str(till.session.shop.settings.shop.max_amount) == "900.50"
    till.press(Key.Key_Escape)
    till.until(lambda: not till.seen("settings"))


def _enrolled(till: Typist) -> None:
    _to_menu(till, "manager_people")
    till.do("staff_enrol")
    till.until(lambda: till.has_focus("person_name"))
    till.type("Kasun")
    till.press(Key.Key_Return)
    till.type("0" + KASUN.removeprefix("94"))
    till.fill("staff_question_reason", "New here")
    till.press(Key.Key_Return)
    till.until(lambda: till.has_focus("code") and sandbox_code(till, KASUN))
    till.type(sandbox_code(till, KASUN))
    till.until_says("staff_done", "Kasun")
    till.press(Key.Key_Escape)
    till.until(lambda: not till.seen("staff"))


def _what_was_done(till: Typist) -> None:
    _to_menu(till, "manager_done")
    till.until_seen("staff_log_lines")
    everybody = till.part("staff_log_lines").count()
    till.go_to("staff_log_day")
    till.press(Key.Key_Down)
    till.until(lambda: till.part("staff_log_day").currentData() != "")
    till.until(lambda: till.seen("staff_log_lines"))
    assert till.part("staff_log_lines").count() == everybody, "all of it was today"
    till.press(Key.Key_Escape)
    till.until(lambda: not till.seen("staff_log"))
    till.leave_menu()
    _until_at_the_amount(till)


def _closed_day(till: Typist) -> None:
    _to_menu(till, "manager_day")
    till.until_says("day_report", "LKR")
    till.do("day_close")
    till.until_seen("day_ask")
    till.press(Key.Key_Return)
    till.until_says("day_said", "The day is closed.")
    till.until_says("day_title", "Z 1")
    till.press(Key.Key_Escape)
    till.until(lambda: not till.seen("day"))
    till.leave_menu()
    _until_at_the_amount(till)


def _locked(till: Typist) -> None:
    till.press(Key.Key_F9)
    till.until(lambda: till.has_focus("passcode"))
    till.type("111111")
    till.press(Key.Key_Return)
    till.until(lambda: till.has_focus("passcode") and till.says("passcode_error"))
    till.type(PASSCODE)
    till.press(Key.Key_Return)
    till.until(lambda: not till.seen("sign_in"))
    till.type("5")
    assert till.says("amount_figure").endswith("5.00") or "5" in till.says("amount_figure")
