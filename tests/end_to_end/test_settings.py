"""Settings changed through the real windows while a payment waits: it ends PAID, and the journal knows who and why."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.ui.theme import theme
from pos_app.ui.theme.tokens import DARK, LIGHT
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.settings_steps import (
    COMMENT,
    WHY,
    change,
    choose,
    close,
    fill,
    open_settings,
    records,
    save,
    saved,
    says_anywhere,
    write_in,
)
from tests.end_to_end.staffing import hand_over, open_menu
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


@pytest.fixture(autouse=True)
def commented(sandbox: Sandbox, config_dir: Path) -> Path:
    """A settings file that a person has written in; the token of today."""
    return write_in(sandbox, config_dir)


def test_each_group_is_changed_while_a_payment_waits_and_it_ends_paid(
    till: StartedTill, sandbox: Sandbox, commented: Path
) -> None:
    before = commented.read_text("utf-8")
    waiting = till.charge_qr("40")
    change(
        till, "shop", {"shop.name": "Harbour Shop", "shop.max_amount": "60"}, {"shop.default_method": "push"}
    )
    assert till.session.shop.settings.shop.name == "Harbour Shop"
    change(till, "payment", {"payment.give_up_s": "200"}, {"gateway.verification_fail_is_final": "true"})
    change(till, "sign_in", {"otp.message": "{{code}} opens the till.", "sign_in.session_hours": "8"}, {})
    change(till, "window", {}, {"window.theme": "dark"})
    change(till, "counter", {}, {"gateway.qr_amount_field": "amount"})
    token = sandbox.renew_token()
    till.until(lambda: says_anywhere(till, "refused this terminal’s sign-in"))
    change(till, "secrets", {"access_token": token}, {})
    close(till)
    till.until(lambda: not says_anywhere(till, "refused this terminal’s sign-in"))
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    sandbox.act(waiting, "pay")
    till.until_result("PAID")
    text = commented.read_text("utf-8")
    assert text.startswith(COMMENT)
    assert 'name = "Harbour Shop"' in text
    assert "max_amount = 60" in text
    assert len(text.splitlines()) > len(before.splitlines())
    permitted = [each.content for each in records(till, "PERMITTED")]
    assert [each["reason"] for each in permitted] == [WHY] * 6
    assert permitted[0]["content"]["changes"]["shop.name"] == {"old": "Corner Shop", "new": "Harbour Shop"}
    assert permitted[1]["content"]["changes"]["payment.give_up_s"] == {"old": "300", "new": "200"}
    assert permitted[-1]["content"] == {"stored": ["access_token"], "revoked": []}
    assert all(token not in repr(each) for each in records(till, "PERMITTED", "SETTINGS_IN_FORCE"))
    in_force = records(till, "SETTINGS_IN_FORCE")
    assert len(in_force) == 6
    assert {each.actor for each in in_force} == {"demo-1"}


def test_who_is_shown_at_the_till_is_known_to_its_session(make_till: MakeTill) -> None:
    """The settings ask the session whether a manager is there: seen once as "Only a manager can change these settings",
    with a manager at the till of a busy machine."""
    till = make_till(signed_in="")
    known: list[bool] = []

    class Watches(QObject):
        def eventFilter(self, _of: QObject, event: QEvent) -> bool:  # noqa: N802 - as Qt calls it
            if event.type() == QEvent.Type.Show:
                known.append(till.session.terminal.signed_in is not None)
            return False

    watches = Watches()
    lock = till.window.findChild(QWidget, "lock_button")
    assert lock is not None
    lock.installEventFilter(watches)
    till.sign_in()
    assert known == [True]


def test_new_limits_and_messages_hold_at_once(till: StartedTill, sandbox: Sandbox) -> None:
    change(till, "shop", {"shop.max_amount": "60"}, {})
    change(till, "sign_in", {"otp.message": "{{code}} opens the till."}, {})
    close(till)
    till.type("61")
    till.press(Qt.Key.Key_F2)
    till.until(lambda: "60" in " ".join(till.words()))
    assert sandbox.transactions() == []


def test_what_was_typed_before_is_there_after(till: StartedTill, sandbox: Sandbox) -> None:
    till.type("12.5")
    till.touch("fold")
    till.part("invoice").setFocus()
    till.type("INV-")
    before = till.window
    change(till, "shop", {"shop.name": "Harbour Shop", "shop.max_amount": "60"}, {})
    close(till)
    assert till.window is not before
    assert till.session.shop.settings.shop.name == "Harbour Shop"
    till.type("7")
    assert (till.part("amount_figure").figure(), till.part("invoice").text()) == ("12.5", "INV-7")
    till.part("amount_pad").take_focus()
    change(till, "shop", {"shop.max_amount": "600"}, {})
    close(till)
    till.type("0")
    assert (till.part("amount_figure").figure(), till.part("invoice").text()) == ("12.50", "INV-7")
    till.press(Qt.Key.Key_F2)
    assert till.until_seen("waiting_amount").figure() == "12.50"
    till.until(lambda: len(sandbox.transactions()) == 1)


def test_a_wallet_number_half_typed_is_there_after_a_change(till: StartedTill, sandbox: Sandbox) -> None:
    """Only the amount stayed: the customer was asked for the number once more."""
    till.type("12.5")
    till.press(Qt.Key.Key_F3)
    till.until(lambda: till.has_focus("wallet_number"))
    till.type("0771")
    before = till.window
    change(till, "shop", {"shop.max_amount": "60"}, {})
    close(till)
    assert till.window is not before
    assert till.text("wallet_number") == "0771"
    assert "12.50" in till.part("push_amount").figure()
    till.until(lambda: till.has_focus("wallet_number"))
    till.type("234567")
    till.press(Qt.Key.Key_Return)
    till.until(lambda: len(sandbox.transactions()) == 1)


def test_a_wallet_number_half_typed_for_a_sale_tried_again_is_there_after_a_change(
    till: StartedTill, sandbox: Sandbox
) -> None:
    """In front of the result; a number that was wrong is still told to be."""
    attempt_id = till.charge_push("41")
    sandbox.act(attempt_id, "reject")
    till.until_result("NOT PAID")
    till.touch("result_push")
    till.until(lambda: till.has_focus("wallet_number"))
    till.type("0771")
    till.press(Qt.Key.Key_Return)
    wrong = till.until_seen("wallet_number_error").text()
    change(till, "shop", {"shop.max_amount": "40"}, {})
    close(till)
    assert (till.text("wallet_number"), till.says("wallet_number_error")) == ("0771", wrong)
    assert "41.00" in till.part("push_amount").figure()
    till.press(Qt.Key.Key_Escape)
    till.until_seen("result_push")


def test_a_window_that_was_minimised_has_the_keyboard_where_it_was(till: StartedTill) -> None:
    """It was at the amount: the rest of a wallet number, or of a setting, went there."""
    till.type("12.5")
    till.press(Qt.Key.Key_F3)
    till.until(lambda: till.has_focus("wallet_number"))
    till.type("0771")
    till.window.showMinimized()
    till.settle()
    till.window.showNormal()
    till.settle()
    till.type("234567")
    assert (till.text("wallet_number"), till.part("amount_figure").figure()) == ("0771234567", "12.5")


def test_both_services_are_tested_and_no_sms_is_sent(till: StartedTill, sandbox: Sandbox) -> None:
    before = len(sandbox.sms())
    open_settings(till, "counter")
    till.touch("test_connection")
    till.until_says("test_outcome_sms", "No SMS was sent")
    assert "accepted this terminal" in till.says("test_outcome")
    till.part("sections").choose("secrets")
    fill(till, "access_token", "not-the-token")
    till.touch("test_connection")
    till.until_says("test_outcome_sms", "refused the access token")
    assert "refused the access token" in till.says("test_outcome")
    assert len(sandbox.sms()) == before
    assert [each.content["act"] for each in records(till, "PERMITTED")] == ["test_connection"] * 2
    close(till)
    assert till.charge_qr("3")


def test_a_test_at_another_address_is_written_down_with_it(till: StartedTill, sandbox: Sandbox) -> None:
    """The stored secrets go there, though nothing is saved: the record had a test, and not whom it had asked."""
    elsewhere = sandbox.base_url.replace("127.0.0.1", "localhost")
    assert elsewhere != sandbox.base_url
    open_settings(till, "shop")
    fill(till, "shop.name", "Harbour Shop")
    till.part("sections").choose("counter")
    fill(till, "gateway.base_url", elsewhere)
    till.touch("test_connection")
    till.until_says("test_outcome", "accepted this terminal")
    (asked,) = records(till, "PERMITTED")
    assert asked.content["content"]["changes"] == {
        "gateway.base_url": {"old": sandbox.base_url, "new": elsewhere}
    }
    close(till)
    open_menu(till, "manager_done")
    till.until(lambda: till.rows("staff_log_lines"))
    told = till.rows("staff_log_lines")[0]
    assert told.startswith("Nimali: Test the connection")
    assert elsewhere in told


def test_a_cashier_changes_nothing_even_past_the_buttons(make_till: MakeTill, commented: Path) -> None:
    till = make_till(signed_in="Kasun")
    before = commented.read_bytes()
    open_settings(till, "shop")
    assert not till.part("shop_name").isEnabled()
    panel: Any = till.part("settings")
    panel.form.part("shop.name").part.set_text("Mine")
    panel.reason.set_text(WHY)
    panel.save.setEnabled(True)
    till.touch("save")
    till.until_says("save_outcome", "Only a manager can change these settings.")
    till.session.bridge.post(Permit(request_id="r", act=Act.CHANGE_SECRETS, reason=WHY))
    till.until(lambda: len(records(till, "RIGHT_REFUSED")) >= 1)
    assert commented.read_bytes() == before
    assert records(till, "PERMITTED", "SETTINGS_IN_FORCE") == []


def test_a_cashier_does_not_read_what_the_token_s_command_takes(make_till: MakeTill) -> None:
    """It may be a secret, as the record takes it for one; each cashier could read it on this screen."""
    till = make_till(signed_in="Kasun")
    hand_over(till, "Nimali")
    command = "/bin/echo shop-token-7"
    change(till, "token", {"gateway.token_command": command}, {"gateway.token_provider": "command"})
    assert till.text("gateway_token_command") == command
    close(till)
    hand_over(till, "Kasun")
    open_settings(till, "token")
    assert till.text("gateway_token_command") == "\u2022" * 6
    fields = till.window.findChildren(QLineEdit)
    assert not any("shop-token-7" in each.text() for each in fields)


@contextmanager
def written_slowly(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> Iterator[tuple[threading.Event, threading.Event]]:
    """A disk that takes its time: when the settings have begun to be written, and when that goes on."""
    begun, go_on, sync = threading.Event(), threading.Event(), os.fsync

    def slow(descriptor: int) -> None:
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(file.parent)):  # noqa: PTH115
            begun.set()
            assert go_on.wait(60)
        sync(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", slow)
        yield begun, go_on


def test_a_full_disk_changes_nothing_and_the_journal_says_so(
    till: StartedTill, sandbox: Sandbox, commented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {file.name: file.read_bytes() for file in commented.parent.iterdir()}
    sync = os.fsync

    def full(descriptor: int) -> None:
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(commented.parent)):  # noqa: PTH115
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    waiting = till.charge_qr("40")
    open_settings(till, "shop")
    fill(till, "shop.name", "Harbour Shop")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        save(till)
        till.until_says("save_outcome", "Nothing was changed.")
    assert "No space left on device" in till.says("save_outcome")
    assert till.part("shop_name").text() == "Harbour Shop"
    assert {file.name: file.read_bytes() for file in commented.parent.iterdir()} == before
    till.until(lambda: len(records(till, "SETTINGS_NOT_WRITTEN")) == 1)
    (noted,) = records(till, "SETTINGS_NOT_WRITTEN")
    (permitted,) = records(till, "PERMITTED")
    assert noted.content["request_id"] == permitted.content["request_id"]
    assert "No space left" in noted.content["why"]
    saved(till)
    close(till)
    sandbox.act(waiting, "pay")
    till.until_result("PAID")


def test_a_change_is_whose_leave_it_was_whoever_is_there_when_it_is_written(
    till: StartedTill, commented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk, or a key store that asks, takes its time; the manager has handed the till over meanwhile.

    Whoever is there by then is at their sale: it put the settings before them, with "Saved", and took the keyboard.
    """
    open_settings(till, "shop")
    fill(till, "shop.max_amount", "60")
    with written_slowly(monkeypatch, commented) as (begun, go_on):
        save(till)
        till.until(begun.is_set)
        close(till)
        hand_over(till, "Kasun")
        till.type("12")
        before = till.window
        go_on.set()
        till.until(lambda: till.session.window is not before)
        till.until(lambda: len(records(till, "SETTINGS_IN_FORCE")) == 1)
    (in_force,) = records(till, "SETTINGS_IN_FORCE")
    (permitted,) = records(till, "PERMITTED")
    assert in_force.actor == permitted.actor == "demo-1"
    till.type("3")
    assert till.says("amount") == "Amount LKR 123"
    assert not till.seen("settings")


def test_what_is_typed_while_the_rest_is_written_is_there_in_the_next_window(
    till: StartedTill, commented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a lock, too."""
    open_settings(till, "shop")
    fill(till, "shop.max_amount", "60")
    with written_slowly(monkeypatch, commented) as (begun, go_on):
        save(till)
        till.until(begun.is_set)
        fill(till, "shop.name", "Harbour Shop")
        till.press(Qt.Key.Key_F9)
        till.until_seen("sign_in")
        before = till.window
        go_on.set()
        till.until(lambda: till.session.window is not before)
        till.until(lambda: till.takes("passcode"))
        till.type_passcode()
        till.until(lambda: not till.seen("sign_in"))
    till.until_says("save_outcome", "Saved.")
    assert till.text("shop_name") == "Harbour Shop"
    assert till.text("shop_max_amount") == "60"
    saved(till)
    assert 'name = "Harbour Shop"' in commented.read_text("utf-8")


def test_what_the_site_file_locks_is_read_only(
    make_till: MakeTill, commented: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "xdg" / "pos-app" / "config.toml"
    site.parent.mkdir(parents=True)
    site.write_text('[site]\nlocked = ["shop.max_amount", "payment"]\n[payment]\ngive_up_s = 240\n')
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(site.parent.parent))
    till = make_till(settings="\n[payment]\ngive_up_s = 10\n")
    open_settings(till, "payment")
    assert till.part("payment_give_up_s").text() == "240"
    assert not till.part("payment_give_up_s").isEnabled()
    assert till.says("payment_give_up_s_source") == "locked"
    assert till.says("payment_why_not") == "What is locked here: Locked by the site file."
    change(till, "shop", {"shop.name": "Harbour Shop"}, {})
    text = commented.read_text("utf-8")
    assert 'name = "Harbour Shop"' in text
    assert "give_up_s = 10" in text


def test_a_command_line_keeps_its_keys(make_till: MakeTill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POS_APP_SHOP_NAME", "Of the environment")
    till = make_till()
    open_settings(till, "shop")
    assert till.part("shop_name").text() == "Of the environment"
    assert not till.part("shop_name").isEnabled()
    assert till.says("shop_name_source") == "locked"
    assert "Set by POS_APP_SHOP_NAME in the environment" in till.says("shop_why_not").replace("\u200b", "")


def test_a_revoked_token_stops_the_selling_and_another_provider_takes_it_up(
    till: StartedTill, sandbox: Sandbox, config_dir: Path
) -> None:
    waiting = till.charge_qr("40")
    open_settings(till, "secrets")
    till.touch("access_token_revoke")
    saved(till, "It was seen on a photo")
    assert till.says("access_token_source") == "not set"
    assert "access_token" not in (config_dir / "secrets.toml").read_text("utf-8")
    till.until(lambda: says_anywhere(till, "refused this terminal’s sign-in"))
    token_file = config_dir / "token"
    token_file.write_text(sandbox.renew_token())
    token_file.chmod(0o600)
    change(till, "token", {"gateway.token_file": str(token_file)}, {"gateway.token_provider": "file"})
    close(till)
    till.until(lambda: not says_anywhere(till, "refused this terminal’s sign-in"))
    sandbox.act(waiting, "pay")
    till.until_result("PAID")
    first, second = (each.content["content"] for each in records(till, "PERMITTED"))
    assert first == {"stored": [], "revoked": ["access_token"]}
    assert second["changes"]["gateway.token_provider"] == {"old": "static", "new": "file"}


def test_a_result_that_offers_another_way_still_offers_it_after_a_change(
    till: StartedTill, sandbox: Sandbox
) -> None:
    """It lost both ways to try again, and offered to check a payment that had ended."""
    attempt_id = till.charge_push("41")
    sandbox.act(attempt_id, "reject")
    till.until_result("NOT PAID")
    offered = {name: till.seen(name) for name in _OFFERS}
    assert [name for name in _OFFERS if offered[name]] == ["result_qr", "result_push"]
    change(till, "shop", {"shop.max_amount": "600"}, {})
    close(till)
    till.until_result("NOT PAID")
    assert {name: till.seen(name) for name in _OFFERS} == offered
    change(till, "window", {}, {"window.theme": "dark"})
    close(till)
    till.until_result("NOT PAID")
    assert {name: till.seen(name) for name in _OFFERS} == offered


_OFFERS = ("result_qr", "result_push", "result_check")


def test_what_was_done_tells_a_change_once_from_what_to_what_and_why(till: StartedTill) -> None:
    """It stood in two lines, by the names of the file and without a value."""
    change(till, "shop", {"shop.name": "Harbour Shop", "shop.max_amount": "600"}, {})
    close(till)
    till.press(Qt.Key.Key_F10)
    till.touch("manager_done")
    till.until(lambda: till.rows("staff_log_lines"))
    said = [each for each in till.rows("staff_log_lines") if "settings" in each]
    (once,) = said
    assert once.startswith("Nimali: Changed the settings · ")
    assert "Shop name: Corner Shop → Harbour Shop, Highest amount: 999999.99 → 600" in once
    assert f"Why: {WHY}" in once
    choose(till, "staff_log_who", "demo-2")
    till.until_says("staff_log_said", "Nothing of that kind")
    choose(till, "staff_log_who", "demo-1")
    till.until(lambda: once in till.rows("staff_log_lines"))
    days = till.part("staff_log_day")
    choose(till, "staff_log_day", days.itemData(1))
    till.until(lambda: once in till.rows("staff_log_lines"))
    choose(till, "staff_log_day", days.itemData(2))
    till.until_says("staff_log_said", "Nothing of that kind")


def test_larger_letters_need_no_reason(till: StartedTill) -> None:
    open_settings(till, "window")
    choose(till, "window.text_percent", "125")
    till.touch("save")
    till.until_says("save_outcome", "Saved.")
    (permitted,) = records(till, "PERMITTED")
    assert permitted.content["reason"] == "Look, sound and language"
    open_settings(till, "shop")
    fill(till, "shop.max_amount", "600")
    till.touch("save")
    till.until_says("reason_error", "Enter why")


def test_other_colours_leave_what_is_typed_readable_on_the_screen_that_set_them(till: StartedTill) -> None:
    """Lists, boxes and texts followed; what stood in the fields kept the colour of before, dark on dark."""
    open_settings(till, "window")
    typed = till.part("sound_volume")
    for name, tokens in (("dark", DARK), ("light", LIGHT)):
        choose(till, "window.theme", name)
        till.touch("save")
        till.until(lambda tokens=tokens: theme.tokens() is tokens)  # type: ignore[misc]
        till.until(
            lambda tokens=tokens: (  # type: ignore[misc]
                typed.palette().color(QPalette.ColorRole.Text).name() == tokens.text.lower()
            )
        )
        assert typed.palette().color(QPalette.ColorRole.Base).alpha() == 0
    assert till.part("sound_volume") is typed


def test_another_language_is_said_to_be_saved_in_it(till: StartedTill) -> None:
    """All else on the screen was in the new one."""
    open_settings(till, "window")
    for language, said in (("si", "සුරැකුණා"), ("en", "Saved.")):
        choose(till, "window.language", language)
        save(till)
        till.until(lambda: till.says("save_outcome"))
        assert said in till.says("save_outcome")
    close(till)


def test_a_size_of_texts_that_the_screen_has_no_room_for_is_said_when_it_is_saved(till: StartedTill) -> None:
    """The screen of the tests is smaller than any that has room for it."""
    change(till, "window", {}, {"window.text_percent": "200"})
    till.until_says("save_outcome", "This screen has room for texts of 100 %.")
