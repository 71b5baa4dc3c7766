"""Secrets are written and never read; both services are tested, and it is said what was not."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from pos_app.app.connection_check import ask_both
from pos_app.domain.replies import Listing, NoAnswer, OtpRefusal, OtpRefused, Why
from pos_app.domain.secret import Secret
from pos_app.i18n.words.settings import words
from pos_app.secrets import ShopSecrets
from pos_app.secrets.files import NAMES
from pos_app.settings import Settings, load_settings
from pos_app.ui.dialogs.settings.values import ServicesSaid, SettingsSaved
from tests.unit.services.raw_server import RawServer, http_reply, says
from tests.unit.ui.dialog_cases import faults, settle
from tests.unit.ui.settings_cases import PICTURE, Elsewhere, edit_of, fill, opened, secret


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def settings_at(url: str, folder: Path, **more: str) -> Settings:
    """A counter's whose services are at this address, from no file."""
    named = {
        "gateway.environment": "sandbox",
        "gateway.base_url": url,
        "gateway.merchant_pg_identifier": "M-0001",
        "shop.name": "Corner Shop",
        "shop.country": "LK",
        "shop.currency": "LKR",
        "gateway.counter_id": 1,
    }
    return load_settings(None, {}, named | more, site_file=folder / "none", user_file=folder / "none")


def test_secrets_are_written_and_never_read(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "access_token", "canary-token")
    token = dialog.form.part("access_token")
    edit = edit_of(dialog, "access_token")
    assert isinstance(edit, QLineEdit)
    assert (token.caption.text(), edit.echoMode()) == ("stored 12 Nov", QLineEdit.EchoMode.Password)
    assert dialog.form.part("otp_access_token").caption.text() == words.NOT_STORED
    secret(dialog, "merchant_password").revoke.click()
    assert dialog.form.part("merchant_password").caption.text() == words.WILL_BE_REVOKED
    dialog.save.click()
    ((draft, tell),) = elsewhere.saves
    assert draft.secrets["access_token"].reveal() == "canary-token"
    assert (set(draft.secrets), draft.forget) == ({"access_token"}, ("merchant_password",))
    assert "canary" not in repr(draft)
    tell(SettingsSaved(PICTURE, words.SAVED))
    for name in NAMES:
        assert dialog.form.part(name).text() == ""


def test_a_secret_that_cannot_be_one_is_told_without_it(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    dialog.form.part("merchant_secret_code").part.set_text("canary\u0d9a")
    dialog.save.click()
    assert elsewhere.saves == []
    error = dialog.form.part("merchant_secret_code").part.error.text()
    assert error.startswith("Merchant secret code: character 7 of 7 belongs to another script")
    assert "canary" not in error


def test_a_typed_secret_is_not_revoked_as_well(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    secret(dialog, "access_token").revoke.click()
    fill(dialog, "access_token", "new")
    dialog.save.click()
    ((draft, _),) = elsewhere.saves
    assert (set(draft.secrets), draft.forget) == ({"access_token"}, ())


def test_the_test_says_what_was_tested_and_what_was_not(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    dialog.test.button.click()
    assert dialog.test.outcomes[0].text() == words.TESTING
    ((_, tell),) = elsewhere.tests
    tell(ServicesSaid(Listing(), OtpRefused(OtpRefusal.NOT_FOUND, 404)))
    settle()
    payments, sign_in = (outcome.text() for outcome in dialog.test.outcomes)
    assert "accepted this terminal" in payments
    assert "No SMS was sent" in sign_in
    assert faults(dialog) == []
    fill(dialog, "shop.name", "Other")
    assert not dialog.test.isVisible()


def secrets_with(token: str) -> ShopSecrets:
    """All there; the tokens are as they are given, "" for none."""
    canary = Secret("canary")
    return ShopSecrets(
        access_token=Secret(token),
        merchant_secret_code=canary,
        merchant_password=canary,
        otp_access_token=Secret(token),
        token_client_secret=canary,
        source="form",
    )


Outcomes = tuple[str, str]
NO_TOKEN: Outcomes = (
    "Payment service: There is no access token to ask with. Check where it comes from.",
    "SMS service: there is no access token to ask it with.",
)


@pytest.fixture
def outcomes(qtbot: QtBot, elsewhere: Elsewhere) -> Callable[[Settings, str], Outcomes]:
    """What is said of both services once they are tested with these settings and this token."""

    def tested(settings: Settings, token: str = "canary") -> Outcomes:
        dialog = opened(qtbot, elsewhere)
        dialog.test.button.click()
        ((_, tell),) = elsewhere.tests
        tell(ask_both(settings, secrets_with(token)))
        settle()
        assert faults(dialog) == []
        payments, sign_in = (outcome.text() for outcome in dialog.test.outcomes)
        return payments, sign_in

    return tested


def test_a_token_that_cannot_be_had_is_no_answer_of_a_service(
    outcomes: Callable[..., Outcomes], tmp_path: Path
) -> None:
    """Nobody was asked: whoever reads that the service refused it would ask for another."""
    file = tmp_path / "token"
    file.write_text("one")
    file.chmod(0o604)
    from_file = {"gateway.token_provider": "file", "gateway.token_file": str(file)}
    assert outcomes(settings_at("http://127.0.0.1:9", tmp_path, **from_file), "") == NO_TOKEN


def test_a_token_that_does_not_come_is_no_service_that_cannot_be_reached(
    outcomes: Callable[..., Outcomes], tmp_path: Path
) -> None:
    """Both services were well, and whoever read that they are away changed the addresses."""
    with RawServer() as server, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        away = {
            "gateway.token_provider": "oauth2",
            "gateway.token_url": f"http://127.0.0.1:{taken.getsockname()[1]}/token",
            "gateway.token_client_id": "till",
        }
        assert outcomes(settings_at(server.url, tmp_path, **away), "") == NO_TOKEN
    assert server.accepted == 0


@pytest.mark.parametrize("status", ["404 Not Found", "405 X", "406 X", "415 X", "400 X"])
def test_another_web_server_at_its_address_is_no_sms_service(
    outcomes: Callable[..., Outcomes], tmp_path: Path, status: str
) -> None:
    """A page that says "not found" was taken for the service's word that nobody was sent such a code."""
    page = http_reply(b"<h1>nginx</h1>", status, b"Content-Type: text/html\r\n")
    with RawServer() as server:
        server.play = says(page)
        payments, sign_in = outcomes(settings_at(server.url, tmp_path))
    assert "not as a payment service does" in payments
    assert sign_in == "SMS service: what answered is no SMS service."


@pytest.mark.parametrize(
    ("status", "says_so"),
    [
        ("502 X", "is busy. Try again in a minute."),
        ("503 X", "is busy. Try again in a minute."),
        ("504 X", "is busy. Try again in a minute."),
        ("407 X", "Is a network log-in open?"),
        ("511 X", "Is a network log-in open?"),
        ("500 X", "not as a payment service does. Check the address."),
    ],
)
def test_whoever_sets_up_is_sent_to_the_address_for_no_fault_that_is_elsewhere(
    outcomes: Callable[..., Outcomes], tmp_path: Path, status: str, says_so: str
) -> None:
    """A service that is out of order for a while, or a network that answers in its place."""
    with RawServer() as server:
        server.play = says(http_reply(b"<h1>no</h1>", status, b"Content-Type: text/html\r\n"))
        payments, _ = outcomes(settings_at(server.url, tmp_path))
    assert says_so in payments


@pytest.mark.parametrize("why", list(Why))
def test_every_way_of_no_answer_has_words(why: Why) -> None:
    well, said = words.sign_in_outcome(NoAnswer(why, sent=True))
    assert not well
    assert said.startswith("SMS service: ")


@pytest.mark.parametrize("refusal", list(OtpRefusal))
def test_every_refusal_of_the_sms_service_has_words(refusal: OtpRefusal) -> None:
    well, _ = words.sign_in_outcome(OtpRefused(refusal, 400))
    assert well is (refusal.value not in (*_BAD,))


_BAD = (
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "TOO_MANY_REQUESTS",
    "INTERNAL",
    "UNAVAILABLE",
    "TIMEOUT",
    "UNKNOWN",
)
