"""The first start: what is typed is checked, tested and saved elsewhere, and never lost."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QLocale, Qt, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import EnrolFirst, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import Listing, NoAnswer, Why
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.set_up.countries import countries, currency_of
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.set_up.wizard import Page, Wizard
from pos_app.ui.language import set_language
from pos_app.ui.theme.theme import apply
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import SecretField
from tests.support.driver import Keyboard
from tests.unit.ui.dialog_cases import Key, faults, focused, press, settle, type_text
from tests.unit.ui.setup_cases import Elsewhere

TYPED = {
    "shop_name": "Corner Shop",
    "counter_id": "3",
    "merchant_pg_identifier": "M-0001",
    "base_url": "https://gateway.example",
    "access_token": "token-1",
    "merchant_secret_code": "code-1",
    "merchant_password": "pass-1",
}


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def opened(qtbot: QtBot, elsewhere: Elsewhere, page: Page = Page.START, **more: object) -> Wizard:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    wizard = Wizard(elsewhere.calls(), page=page, **more)  # type: ignore[arg-type]
    wizard.resize(1024, 768)
    qtbot.addWidget(wizard)
    with qtbot.waitExposed(wizard):
        wizard.show()
    wizard.activateWindow()
    qtbot.waitUntil(wizard.isActiveWindow)
    wizard.show_page(page)
    settle()
    return wizard


def fill(wizard: Wizard, **changes: str) -> None:
    assert wizard.counter is not None
    for name, text in {**TYPED, "country": "LK", "currency": "LKR", **changes}.items():
        wizard.counter.form.part(name).set_text(text)


def test_trying_the_sandbox_takes_one_touch_and_counts_once(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere)
    assert wizard.start is not None
    press(Key.Key_Return)
    assert wizard.start.try_it is not None
    wizard.start.try_it.click()
    assert elsewhere.tried_sandbox == 1


def test_another_language_does_not_start_the_sandbox_twice(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """The page was made anew in it, and offered both again while one was being started."""
    wizard = opened(qtbot, elsewhere)
    languages = [each for each in wizard.findChildren(Button) if each.objectName().startswith("language_")]
    assert languages
    press(Key.Key_Return)
    for each in languages:
        each.click()
    settle()
    assert wizard.start is not None
    assert not wizard.start.set_up.isEnabled()
    assert elsewhere.tried_sandbox == 1
    wizard.sandbox_failed("no port")
    assert all(each.isEnabled() for each in languages)
    press(Key.Key_Return)
    assert elsewhere.tried_sandbox == 2, "the keyboard is where it was"


def test_another_language_leaves_a_long_token_as_it_was_pasted(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """It ended with "…" behind its first 999 characters, and was said to belong to another script."""
    token = "eyJ" + "x" * 1500
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    fill(wizard)
    assert wizard.counter is not None
    QApplication.clipboard().setText(token)
    field = wizard.counter.form.part("access_token")
    assert isinstance(field, SecretField)
    field.edit.selectAll()
    field.edit.paste()
    before = wizard.counter.form.texts()
    assert before["access_token"] == token
    wizard.counter.back.click()
    set_language("ta")
    settle()
    set_language("en")
    settle()
    wizard.show_page(Page.COUNTER)
    assert wizard.counter.form.texts() == before


def test_a_secret_is_never_cut_behind_its_dots(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """A token of 6000 characters lost its last thousand, and the service refused what was stored."""
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    field = wizard.counter.form.part("access_token")
    assert isinstance(field, SecretField)
    for length in (6_000, 8_192, 8_193):
        QApplication.clipboard().setText("x" * length)
        field.edit.selectAll()
        field.edit.paste()
        assert len(field.text()) == length


def test_nobody_leaves_the_counter_while_it_is_being_stored(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """A key store that asks its owner takes minutes: a sandbox was begun beside it, and taken for the counter."""
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    fill(wizard)
    assert wizard.counter is not None
    wizard.counter.save.click()
    assert not wizard.counter.back.isEnabled()
    elsewhere.saves[0][1]((FieldProblem("", "the disk is full"),))
    qtbot.waitUntil(wizard.counter.back.isEnabled)


def test_whose_number_is_proven_has_no_other(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """The code went to the proven one, and was said to be sent to the one typed last."""
    wizard = opened(qtbot, elsewhere, Page.MANAGER, country="LK")
    manager = wizard.manager
    assert manager is not None
    type_text("Nimali Perera")
    press(Key.Key_Return)
    type_text("077 123 4567")
    press(Key.Key_Return)
    wizard.receive(SignIn(step=SignInStep.CODE_SENT, person_id="person-1", number_mask="+94", resend_in_s=0))
    assert manager.back.isVisible()
    wizard.receive(SignIn(step=SignInStep.CHOOSE_PASSCODE, person_id="person-1"))
    wizard.receive(
        SignIn(step=SignInStep.REFUSED, person_id="person-1", problem="needs_a_code_by_sms", by_passcode=True)
    )
    assert manager.code.isVisible()
    assert not manager.back.isVisible()


def test_nothing_is_typed_into_a_page_that_is_hidden(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """An SMS that is quicker than the answer: its digits stood behind the name, for whoever went back."""
    wizard = opened(qtbot, elsewhere, Page.MANAGER, country="LK")
    manager = wizard.manager
    assert manager is not None
    type_text("Nimali Perera")
    press(Key.Key_Return)
    type_text("077 123 4567")
    press(Key.Key_Tab)
    press(Key.Key_Return)
    assert len(elsewhere.posted) == 1
    Keyboard(wizard).type("482913")
    assert (manager.name.text(), manager.number.text()) == ("Nimali Perera", "077 123 4567")


def test_a_counter_is_set_up_and_its_manager_enrolled(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere)
    assert wizard.start is not None
    wizard.start.set_up.click()
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.save.click()
    wizard.counter.save.click()
    ((counter, answer),) = elsewhere.saves
    assert counter.merchant_pg_identifier == "M-0001"
    assert counter.access_token.reveal() == "token-1"
    answer(())
    qtbot.waitUntil(lambda: wizard.manager is not None)
    assert wizard.manager is not None
    assert wizard.counter.form.part("access_token").text() == ""
    type_text("Nimali Perera")
    press(Key.Key_Return)
    type_text("077 123 4567")
    press(Key.Key_Return)
    assert elsewhere.posted == [EnrolFirst("Nimali Perera", "+94771234567")]
    mask = "+94 •• ••• 567"
    wizard.receive(SignIn(step=SignInStep.CODE_SENT, person_id="person-1", number_mask=mask, resend_in_s=30))
    type_text("482913")
    assert elsewhere.posted[1:] == [SubmitOtp("person-1", "482913")]
    wizard.receive(SignIn(step=SignInStep.CHECKING, person_id="person-1"))
    wizard.receive(SignIn(step=SignInStep.CHOOSE_PASSCODE, person_id="person-1"))
    settle()
    assert faults(wizard) == []
    for _ in range(2):
        type_text("704918")
        press(Key.Key_Return)
    assert elsewhere.posted[2:] == [ChoosePasscode(Secret("704918"))]
    with qtbot.waitSignal(wizard.finished):
        wizard.receive(SignIn(step=SignInStep.SIGNED_IN, person_id="person-1"))


def test_bad_fields_keep_their_text_and_the_first_gets_the_focus(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard, counter_id="three", base_url="http://gateway.example")
    wizard.counter.save.click()
    settle()
    assert elsewhere.saves == []
    form = wizard.counter.form
    assert form.part("counter_id").text() == "three"
    assert form.part("counter_id").error.text() == words.PROBLEM["counter_id"]
    assert form.part("base_url").error.text() == words.PROBLEM["base_url"]
    assert focused() is form.part("counter_id").focusProxy()
    assert faults(wizard) == []


def test_a_problem_found_while_saving_stands_at_its_field(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.save.click()
    elsewhere.saves[0][1]((FieldProblem("base_url", "Elsewhere says no."), FieldProblem("", "Disk full.")))
    qtbot.waitUntil(wizard.counter.outcome.isVisible)
    assert wizard.counter.form.part("base_url").error.text() == "Elsewhere says no."
    assert wizard.counter.outcome.text() == "Disk full."
    assert wizard.counter.form.part("access_token").text() == "token-1"
    assert wizard.counter.save.isEnabled()
    assert wizard.manager is None


def test_a_connection_test_answers_from_another_thread(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    test = wizard.counter.test
    threads: list[QThread] = []
    test.tested.connect(lambda _well: threads.append(QThread.currentThread()))
    test.button.click()
    test.button.click()
    ((_, answer),) = elsewhere.tests
    assert not test.button.isEnabled()
    with qtbot.waitSignal(test.tested) as tested:
        worker = threading.Thread(target=answer, args=(Listing(),))
        worker.start()
        worker.join()
    assert tested.args == [True]
    assert threads == [wizard.thread()]
    assert test.outcome.text() == words.CONNECTED


def test_a_second_enter_at_the_connection_test_leads_nowhere_else(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """The button is off while it asks: the keyboard went on to Back, and whoever pressed Enter again left the page."""
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    test = wizard.counter.test
    test.button.setFocus(Qt.FocusReason.TabFocusReason)
    press(Key.Key_Return)
    press(Key.Key_Return)
    assert wizard.counter.isVisible()
    ((_, answer),) = elsewhere.tests
    with qtbot.waitSignal(test.tested):
        answer(Listing())
    assert focused() is test.button
    press(Key.Key_Return)
    assert len(elsewhere.tests) == 2


def test_the_keyboard_is_where_it_was_after_a_saving_that_failed(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.save.setFocus(Qt.FocusReason.TabFocusReason)
    press(Key.Key_Return)
    press(Key.Key_Return)
    ((_, answer),) = elsewhere.saves
    answer((FieldProblem("", "the disk is full"),))
    qtbot.waitUntil(wizard.counter.save.isEnabled)
    assert focused() is wizard.counter.save


def test_who_went_on_meanwhile_keeps_the_keyboard(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    test = wizard.counter.test
    test.button.setFocus(Qt.FocusReason.TabFocusReason)
    press(Key.Key_Return)
    press(Key.Key_Tab)
    went_to = focused()
    with qtbot.waitSignal(test.tested):
        elsewhere.tests[0][1](Listing())
    assert focused() is went_to
    assert went_to is not test.button


def test_a_failed_test_says_what_to_check(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.test.button.click()
    with qtbot.waitSignal(wizard.counter.test.tested):
        elsewhere.tests[0][1](NoAnswer(why=Why.SIGN_IN, sent=True, http_status=401))
    assert wizard.counter.test.outcome.text() == words.NO_ANSWER[Why.SIGN_IN]


def test_the_answer_to_what_was_typed_before_is_dropped(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.test.button.click()
    part = wizard.counter.form.part("merchant_pg_identifier")
    part.setFocus()
    type_text("9")
    elsewhere.tests[0][1](Listing())
    settle()
    assert wizard.counter.test.outcome.text() == ""
    assert wizard.counter.test.button.isEnabled()


def test_an_answer_that_comes_after_the_wizard_is_gone_does_no_harm(
    elsewhere: Elsewhere, qtbot: QtBot
) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    wizard.counter.test.button.click()
    with qtbot.waitSignal(wizard.destroyed):
        wizard.deleteLater()
    elsewhere.tests[0][1](Listing())


def test_a_country_brings_its_currency(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    country = wizard.counter.form.part("country")
    country.set_text("GB")
    country.edited.emit("GB")
    assert wizard.counter.form.part("currency").text() == "GBP"
    # Of one whose currency Qt does not know, that of the country before is not taken for its own.
    country.edited.emit("WS")
    assert wizard.counter.form.part("currency").text() == ""


def test_each_country_has_a_currency_that_the_till_counts_in() -> None:
    """Qt's table and ours are made by different people: a shop's country is no reason to refuse it."""
    without = {code for code, _name in countries() if not currency_of(code)}
    told = {code for code, _name in countries() if _of_qt(code)}
    assert not without & told
    assert len(told) > 200


def _of_qt(country: str) -> str:
    locale = QLocale(QLocale.Language.AnyLanguage, QLocale.codeToTerritory(country))
    return locale.currencySymbol(QLocale.CurrencySymbolFormat.CurrencyIsoCode)


@pytest.mark.parametrize(
    ("name", "number", "field"),
    [
        ("", "0771234567", "name"),
        ("Nimali", "12", "number"),
        ("Nimali", "", "number"),
        ("Nimali", "0112345678", "number"),
    ],
)
def test_a_manager_who_cannot_be_reached_is_not_enrolled(
    qtbot: QtBot, elsewhere: Elsewhere, name: str, number: str, field: str
) -> None:
    wizard = opened(qtbot, elsewhere, Page.MANAGER, country="LK")
    page = wizard.manager
    assert page is not None
    page.name.set_text(name)
    page.number.set_text(number)
    page.send.click()
    settle()
    assert elsewhere.posted == []
    wrong = page.name if field == "name" else page.number
    assert "for example" in wrong.error.text()
    assert wrong.text() == (name if field == "name" else number)
    assert focused() is wrong.edit
    assert faults(wizard) == []


def test_an_enrolment_that_failed_can_be_typed_again(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.MANAGER, country="LK")
    page = wizard.manager
    assert page is not None
    page.name.set_text("Nimali")
    page.number.set_text("0771234567")
    page.send.click()
    page.send.click()
    assert len(elsewhere.posted) == 1
    wizard.receive(SignIn(step=SignInStep.REFUSED, problem=OtpProblem.NUMBER_BLOCKED))
    settle()
    assert page.code.problem.isVisible()
    assert focused() is page.back
    page.back.click()
    assert page.number.text() == "0771234567"
    assert focused() is page.number.edit


@pytest.mark.parametrize("page", list(Page))
def test_every_page_fits_the_smallest_screen_and_the_sandbox_s_has_the_band(
    qtbot: QtBot, elsewhere: Elsewhere, page: Page
) -> None:
    wizard = opened(qtbot, elsewhere, page, country="LK", is_sandbox=True)
    assert faults(wizard) == []
    band = wizard.findChild(SandboxBand)
    assert band is not None
    band.hide()
    assert band.isVisible()


def test_marks_of_direction_pasted_with_the_first_manager_are_no_part_of_them(
    qtbot: QtBot, elsewhere: Elsewhere
) -> None:
    wizard = opened(qtbot, elsewhere, Page.MANAGER)
    page = wizard.manager
    assert page is not None
    page.name.edit.insert("\u200fأحمد\u200f")
    page.number.edit.insert("\u202a+94\u00a077 123 4567\u202c")
    page.send.click()
    assert elsewhere.posted == [EnrolFirst("أحمد", "+94771234567")]


def test_all_that_is_wrong_with_the_first_manager_is_said_at_once(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    wizard = opened(qtbot, elsewhere, Page.MANAGER)
    assert wizard.manager is not None
    wizard.manager.send.click()
    settle()
    assert wizard.manager.name.error.text() == words.PROBLEM["name"]
    assert "Enter your mobile number, for example" in wizard.manager.number.error.text()
    assert focused() is wizard.manager.name.edit
    assert elsewhere.posted == []
    wizard.manager.name.set_text("Nimali Perera")
    wizard.manager.number.set_text("12")
    wizard.manager.send.click()
    settle()
    assert not wizard.manager.name.error.isVisible()
    assert focused() is wizard.manager.number.edit
    assert elsewhere.posted == []
