"""A shop without a keyboard: everything from the first start on, by touches alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit

from pos_app.system import paths
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.finger import Finger
from tests.support.sandbox import Sandbox
from tests.support.till import NUMBERS, PASSCODE, UNREACHABLE, arguments, tills
from tests.unit.ui.qr_reader import read

AMARA = "94770000042"
KASUN = "94770000043"


@pytest.fixture
def make_finger(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
) -> Iterator[MakeTill]:
    """Tills that are worked by a finger."""
    with tills(partial(Finger, sandbox), config_dir, tmp_path / "data", log_level="info") as make:
        yield make


@pytest.fixture
def fresh(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Finger]:
    """A till on a machine that has never had one."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    finger = Finger(sandbox, arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None))
    yield finger
    assert finger.stop()


def test_a_counter_is_set_up_without_a_keyboard(fresh: Finger) -> None:
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    for name, text in UNREACHABLE.items():
        fresh.write(name, text)
    for name in ("access_token", "merchant_secret_code", "merchant_password"):
        assert fresh.part(name).echoMode() is QLineEdit.EchoMode.Password
    fresh.touch("board_done")
    fresh.choose("country", "LK")
    fresh.touch("save")
    fresh.until_seen("first_manager")
    assert not fresh.seen("screen_keyboard")
    assert 'name = "Harbour Shop"' in paths.user_file().read_text("utf-8")
    fresh.write("manager_name", "Nimali Perera")
    fresh.touch("board_next")
    fresh.write("manager_number", "0771234567")
    fresh.touch("send_code")
    fresh.until_seen("code_problem")


def test_a_day_is_worked_without_a_keyboard(make_finger: MakeTill, sandbox: Sandbox) -> None:
    till: Finger = make_finger(signed_in="", people=False)  # type: ignore[assignment]
    _first_manager(till)
    _push_sale(till, sandbox)
    _qr_sale(till, sandbox)
    _settings(till)
    _enrol(till)
    _cancel_with_a_reason(till, sandbox)
    _closed_day(till)


def _first_manager(till: Finger) -> None:
    till.until_seen("first_manager")
    till.write("manager_name", "Amara Silva")
    till.write("manager_number", "0" + AMARA.removeprefix("94"))
    till.touch("send_code")
    till.give_code(AMARA)
    till.choose_passcode()
    till.until(lambda: till.window.objectName() == "till")
    till.until(lambda: till.says("person") == "Amara Silva")


def _push_sale(till: Finger, sandbox: Sandbox) -> None:
    till.tap_amount("12.50")
    till.touch("fold")
    till.write("invoice", "INV-7/a")
    # What covers the ways to pay is put away by its own key; none of its keys pays.
    till.touch("board_done")
    till.touch("method_push")
    till.touch("wallet_number")
    assert not till.seen("screen_keyboard")
    till.tap_amount("0771234567")
    till.touch("push_send")
    till.until(lambda: len(sandbox.transactions()) == 1)
    paid = sandbox.transactions()[0]["externalMerchantTransactionId"]
    sandbox.act(paid, "approve")
    till.until_result("PAID")


def _qr_sale(till: Finger, sandbox: Sandbox) -> None:
    till.tap_amount("50")
    till.touch("method_qr")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")


def _settings(till: Finger) -> None:
    till.touch("settings_button")
    till.touch("manager_settings")
    till.until_seen("settings")
    till.pick_row("sections", "Shop")
    till.write("shop_outlet_id", "12")
    till.write("shop_max_amount", "900.50")
    till.write("reason", "The owner asked")
    till.touch("board_done")
    till.touch("save")
    till.until_says("save_outcome", "Saved.")
    till.touch("back")
    assert str(till.session.shop.settings.shop.max_amount) == "900.50"


def _enrol(till: Finger) -> None:
    till.touch("settings_button")
    till.touch("manager_people")
    till.touch("staff_enrol")
    till.write("person_name", "Kasun")
    till.write("person_number", "0" + KASUN.removeprefix("94"))
    till.write("staff_question_reason", "New here")
    till.touch("board_done")
    till.touch("staff_question_do")
    till.give_code(KASUN)
    till.until_says("staff_done", "Kasun")
    till.touch("staff_close")
    till.until(lambda: not till.seen("staff"))
    if till.seen("manager_close"):
        till.touch("manager_close")


def _cancel_with_a_reason(till: Finger, sandbox: Sandbox) -> None:
    """The manager's payment, by a cashier, allowed by the manager beside them."""
    till.tap_amount("20")
    till.touch("method_qr")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    till.touch("person")
    till.touch("menu_switch")
    till.pick("Kasun")
    till.until(lambda: till.takes("code") or till.seen("send_new_code"))
    if not till.takes("code"):
        till.until(lambda: till.part("send_new_code").isEnabled())
        till.touch("send_new_code")
    till.give_code(KASUN)
    till.choose_passcode()
    till.until(lambda: till.says("person") == "Kasun")
    till.touch("open_badge")
    till.touch(f"cancel_{sandbox.transactions()[0]['externalMerchantTransactionId']}")
    till.until_seen("approval")
    till.write("approval_reason", "Customer left")
    till.touch("board_done")
    till.until(lambda: till.takes("passcode"))
    till.tap_digits("passcode_pad", PASSCODE)
    till.touch("submit_passcode")
    till.until(lambda: sandbox.calls("cancel") and not till.seen("approval"))
    till.until(lambda: sandbox.transactions()[0]["status"] == "Merchant Cancel")


def _closed_day(till: Finger) -> None:
    """By the cashier at the till, allowed by the manager beside them."""
    if till.seen("open_payments"):
        till.touch("open_payments_close")
    till.until(lambda: not till.seen("overlay"))
    till.touch("person")
    till.touch("menu_day")
    till.until_says("day_report", "LKR")
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_seen("approval")
    till.write("approval_reason", "End of day")
    till.touch("board_done")
    till.until(lambda: till.takes("passcode"))
    till.tap_digits("passcode_pad", PASSCODE)
    till.touch("submit_passcode")
    till.until(lambda: not till.seen("approval"))
    till.until_says("day_said", "The day is closed.")


def test_an_hour_is_sold_without_a_keyboard(make_finger: MakeTill, sandbox: Sandbox) -> None:
    """Signed in by code, cancelled, parked, noted, brought back, looked up, locked and unlocked."""
    till: Finger = make_finger(signed_in="")  # type: ignore[assignment]
    till.pick("Nimali")
    till.give_code(NUMBERS["Nimali"])
    till.choose_passcode()
    till.until_at_the_till("Nimali")
    _cancelled(till, sandbox)
    _parked_and_brought_back(till, sandbox)
    _looked_up(till)
    _locked_and_unlocked(till)


def _shown_code(till: Finger, amount: str) -> str:
    """By QR; the attempt's id once its code can be scanned."""
    till.tap_amount(amount)
    till.touch("method_qr")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    return str(till.sandbox.transactions()[0]["externalMerchantTransactionId"])


def _cancelled(till: Finger, sandbox: Sandbox) -> None:
    """Whoever thinks better of it goes back once, and the second time it is cancelled."""
    attempt_id = _shown_code(till, "90")
    till.touch("waiting_cancel")
    till.touch("question_no")
    till.until(lambda: not till.seen("question"))
    assert not sandbox.calls("cancel")
    till.touch("waiting_cancel")
    till.touch("question_yes")
    till.until_result("NOT PAID")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"
    till.touch("result_next")
    till.until_seen("methods_panel")


def _parked_and_brought_back(till: Finger, sandbox: Sandbox) -> None:
    attempt_id = _shown_code(till, "260")
    till.touch("waiting_park")
    till.touch("parked_note")
    till.write("parked_note_text", "red cap")
    till.touch("park_note_save")
    till.until(lambda: not till.seen("overlay"))
    till.until(lambda: "red cap" in " ".join(till.words()) + str(till.part("parked_0").accessibleName()))
    till.touch("parked_0")
    till.until_seen("waiting_panel")
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    till.touch("result_next")


def _looked_up(till: Finger) -> None:
    """Today, its filter, a search on the pad, and the card of a payment."""
    till.touch("find_button")
    till.until_seen("found_list")
    till.touch("found_not_paid")
    till.until(lambda: till.part("found_not_paid").isChecked() and till.part("found_list").count() == 1)
    till.touch("found_all")
    till.until(lambda: till.part("found_list").count() == 2)
    till.tap_digits("found_pad", "260")
    till.until(lambda: till.part("found_list").count() == 1)
    listed = till.part("found_list")
    till.touch_at(listed.viewport(), listed.visualItemRect(listed.item(0)).center())
    till.until_seen("payment_details")
    till.touch("details_close")
    till.until(lambda: not till.seen("payment_details"))
    if till.seen("found_close"):
        till.touch("found_close")
    till.until(lambda: not till.seen("overlay"))


def _locked_and_unlocked(till: Finger) -> None:
    till.touch("lock_button")
    till.until(lambda: till.takes("passcode"))
    till.tap_digits("passcode_pad", "111111")
    till.touch("submit_passcode")
    till.until(lambda: till.takes("passcode") and till.says("passcode_error"))
    till.tap_digits("passcode_pad", PASSCODE)
    till.touch("submit_passcode")
    till.until_at_the_till("Nimali")
