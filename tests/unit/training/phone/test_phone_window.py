"""The customer's phone against a real sandbox: everything its owner could do reaches the service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtNetwork import QNetworkAccessManager
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.i18n.words.phone import words
from pos_app.training.phone.news import CodeOnScreen, Key
from pos_app.training.phone.values import Payment
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from pos_app.ui.theme.theme import apply
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient
from tests.unit.ui.dialog_cases import faults

NUMBER = "+94771234567"


@pytest.fixture(scope="module")
def running_sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running_sandbox: Sandbox) -> Sandbox:
    running_sandbox.reset()
    running_sandbox.clear_faults()
    return running_sandbox


@pytest.fixture
def shop(sandbox: Sandbox) -> Iterator[ServiceClient]:
    client = ServiceClient(sandbox)
    yield client
    client.close()


@pytest.fixture
def phone(qtbot: QtBot, sandbox: Sandbox) -> Iterator[PhoneWindow]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    window = PhoneWindow(Wire(sandbox.control_url))
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    with qtbot.waitSignal(window.wallet.inbox):  # it has asked once: what comes from here on is new to it
        window.take(Key(sandbox.control_token))
    yield window
    window.close()


def rings(qtbot: QtBot, phone: PhoneWindow, amount: str = "") -> None:
    """Asks at once, again and again: the phone's own second is too long for a test."""
    ask = phone.wallet_page.ask

    def has_rung() -> bool:
        phone.wallet.ask()
        return ask.isVisible() and amount in ("", ask.amount.text())

    qtbot.waitUntil(has_rung)


def status_becomes(qtbot: QtBot, sandbox: Sandbox, external_id: str, status: str) -> None:
    qtbot.waitUntil(lambda: sandbox.transaction(external_id)["status"] == status)


@pytest.mark.parametrize(
    ("verb", "status"),
    [
        ("approve", "Payment Success"),
        ("reject", "Customer Reject"),
        ("fail", "Payment Fail"),
        ("verify", "Verification Success"),
        ("later", "Verification Success"),
    ],
)
def test_a_request_rings_and_is_answered(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient, verb: str, status: str
) -> None:
    shop.initiate_push("A-1", NUMBER, chargeTotal=1250)
    rings(qtbot, phone, "1,250")
    phone.wallet_page.ask.buttons[verb].click()
    status_becomes(qtbot, sandbox, "A-1", status)


def test_a_request_that_is_ignored_stays_as_it_is_and_can_be_paid_later(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    shop.initiate_push("A-1", NUMBER)
    rings(qtbot, phone)
    phone.wallet_page.ask.buttons["ignore"].click()
    assert not phone.wallet_page.ask.isVisible()
    assert sandbox.transaction("A-1")["status"] == "Merchant Initiated"
    wallet_id = sandbox.transaction("A-1")["walletTransactionId"]
    pay_now = phone.findChild(Button, f"pay_now_{wallet_id}")
    assert pay_now is not None
    pay_now.click()
    status_becomes(qtbot, sandbox, "A-1", "Payment Success")


def test_pay_late_makes_the_shop_s_cancel_come_too_late(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    shop.initiate_push("A-1", NUMBER)
    rings(qtbot, phone)
    phone.wallet_page.ask.buttons["later"].click()
    status_becomes(qtbot, sandbox, "A-1", "Verification Success")
    assert shop.cancel("A-1").code == "5006"


def test_paying_after_the_shop_cancelled_says_that_it_is_too_late(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    shop.initiate_push("A-1", NUMBER)
    rings(qtbot, phone)
    phone.wallet.stop()
    shop.cancel("A-1")
    phone.wallet_page.ask.buttons["approve"].click()
    qtbot.waitUntil(lambda: phone.line.text() == words.TOO_LATE)
    assert sandbox.transaction("A-1")["status"] == "Merchant Cancel"


def test_a_code_on_the_till_s_screen_is_scanned_and_approved(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    text = shop.initiate_qr("Q-1", chargeTotal=380).response["qrEncryptedText"]
    phone.take(CodeOnScreen(text))
    assert phone.scan_page.isVisible()
    phone.scan_page.scan.click()
    rings(qtbot, phone, "380")
    assert sandbox.transaction("Q-1")["status"] == "Verification Success"
    phone.wallet_page.ask.buttons["approve"].click()
    status_becomes(qtbot, sandbox, "Q-1", "Payment Success")


def test_a_code_scanned_badly_fails_and_can_be_scanned_again(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    text = shop.initiate_qr("Q-1").response["qrEncryptedText"]
    phone.take(CodeOnScreen(text))
    phone.scan_page.badly.click()
    status_becomes(qtbot, sandbox, "Q-1", "Verification Fail")
    phone.show_tab(1)
    phone.scan_page.scan.click()
    status_becomes(qtbot, sandbox, "Q-1", "Verification Success")


def test_no_code_no_scan(phone: PhoneWindow, sandbox: Sandbox) -> None:
    phone.take(CodeOnScreen("abc"))
    phone.take(CodeOnScreen(""))
    assert not phone.scan_page.scan.isEnabled()
    phone.scan_page.scanned.emit("ignore")
    assert sandbox.transactions() == []


def test_a_foreign_code_is_refused_with_a_word(qtbot: QtBot, phone: PhoneWindow) -> None:
    phone.take(CodeOnScreen("https://evil.example/pay"))
    phone.scan_page.scan.click()
    qtbot.waitUntil(lambda: phone.line.text() == words.NOT_DONE)


def test_a_message_comes_with_its_code(
    qtbot: QtBot, phone: PhoneWindow, shop: ServiceClient, sandbox: Sandbox
) -> None:
    shop.send_otp("94771234567", "Corner Shop: your code is {{code}}.")
    code = sandbox.sms()[0]["code"]
    came: list[str] = []
    phone.message_came.connect(came.append)
    qtbot.waitUntil(lambda: code in phone.line.text())
    qtbot.waitUntil(lambda: len(came) == 1)
    assert code in came[0]
    assert phone.messages_page.isVisible(), "nobody looks for a code behind a tab"
    text = phone.findChild(Label, "message_0_text")
    assert text is not None
    assert code in text.text()


def test_a_phone_with_a_number_hears_only_its_own(
    qtbot: QtBot, phone: PhoneWindow, shop: ServiceClient
) -> None:
    shop.initiate_push("A-1", "+94711111111", chargeTotal=90)
    rings(qtbot, phone, "90")
    phone.number.setText("+94 77 123 4567")
    phone.number.editingFinished.emit()
    assert not phone.wallet_page.ask.isVisible()
    shop.initiate_push("A-2", NUMBER, chargeTotal=1250)
    rings(qtbot, phone, "1,250")
    phone.answer_for("+94711111111")
    rings(qtbot, phone, "90")


def test_a_phone_that_starts_again_knows_what_it_paid_by_code(
    qtbot: QtBot, phone: PhoneWindow, sandbox: Sandbox, shop: ServiceClient
) -> None:
    shop.initiate_qr("A-0", chargeTotal=75)
    phone.take(CodeOnScreen(shop.initiate_qr("A-1", chargeTotal=1250).response["qrEncryptedText"]))
    phone.scan_page.scan.click()
    rings(qtbot, phone, "1,250")
    phone.wallet_page.ask.buttons["approve"].click()
    again = PhoneWindow(Wire(sandbox.control_url), currency="LKR")
    qtbot.addWidget(again)
    again.show()
    again.take(Key(sandbox.control_token))
    qtbot.waitUntil(lambda: [each.kind for each in again.wallet.payments] == ["qr"])
    (paid,) = again.wallet.payments
    amounts = [each.text() for each in again.wallet_page.findChildren(Label)]
    assert paid.money("LKR") in amounts
    assert paid.money("LKR").startswith("LKR 1,250")
    again.close()


def test_a_wrong_number_keeps_its_text_and_changes_nothing(phone: PhoneWindow) -> None:
    phone.number.setText("tel:+4477")
    phone.number.editingFinished.emit()
    assert phone.line.text() == words.NUMBER_PROBLEM
    assert phone.number.text() == "tel:+4477"
    assert phone.wallet.number == ""


def test_a_silent_sandbox_is_said_and_asked_again(qtbot: QtBot) -> None:
    lost = Sandbox()
    lost.start()
    wire = Wire(lost.control_url)
    window = PhoneWindow(wire)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.wallet.inbox):
        window.take(Key(lost.control_token))
    lost.kill()
    qtbot.waitUntil(lambda: window.line.text() == words.SILENT)
    asked: list[Any] = []
    network = wire.findChild(QNetworkAccessManager)
    assert network is not None
    network.finished.connect(asked.append)
    qtbot.waitUntil(lambda: len(asked) >= 3)
    # Whoever goes on none the less was told nothing any more: the button did nothing, and the line was gone.
    window.show_payments((Payment("9428", "push", "Merchant Initiated", "450.00"),))
    QTest.mouseClick(window.wallet_page.ask.buttons["approve"], Qt.MouseButton.LeftButton)
    assert window.line.text() == words.SILENT
    window.answer_for("+94771234567")
    assert window.line.text() == words.SILENT
    window.close()


def test_a_touch_on_a_tab_shows_its_page(phone: PhoneWindow) -> None:
    pages = (phone.wallet_page, phone.scan_page, phone.messages_page)
    for tab, page in zip(phone.tabs, pages, strict=True):
        QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
        assert page.isVisible()
        assert faults(phone) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_full_phone_fits_and_wears_the_band(
    qtbot: QtBot, phone: PhoneWindow, shop: ServiceClient, theme: str
) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, theme)
    for at in range(4):
        shop.initiate_push(f"A-{at}", NUMBER, chargeTotal=999999)
    rings(qtbot, phone, "999,999")
    phone.resize(phone.minimumSize())
    qtbot.waitUntil(lambda: phone.size() == phone.minimumSize())
    assert faults(phone) == []
    band = phone.findChild(SandboxBand)
    assert band is not None
    assert band.isVisible()
