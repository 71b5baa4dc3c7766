"""Settings as texts and back: what holds, what differs, what may not change now, and what the journal gets."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.app.settings.dates import dates_of
from pos_app.app.settings.draft import IDENTITY, change_of, problems_with, secrets_with
from pos_app.app.settings.texts import changes, flat, problems_of, text_of, value_of, with_values
from pos_app.domain.attempt import Environment, State
from pos_app.domain.record import Record
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.views import Terminal
from pos_app.i18n.words.settings import words
from pos_app.secrets import ShopSecrets
from pos_app.settings import load_settings, write_settings
from pos_app.settings.model import BY_NAME, KEYS
from pos_app.ui.dialogs.settings.values import SettingsDraft, SettingsPicture
from tests.support.builders import attempt
from tests.unit.settings.files import LIVE, loaded

OTHER: dict[str, str] = {
    "day.cutoff": "05:30",
    "day.cashier_may_close": "true",
    "day.auto_close": "true",
    "gateway.environment": "sandbox",
    "gateway.base_url": "https://other.example",
    "gateway.merchant_pg_identifier": "M-2",
    "gateway.counter_id": "7",
    "gateway.qr_amount_field": "amount",
    "gateway.ca_file": "/etc/ssl/shop.pem",
    "gateway.otp_base_url": "https://otp.example",
    "gateway.token_provider": "file",
    "gateway.token_file": "/run/token",
    "gateway.token_command": "/usr/bin/token '--for me'",
    "gateway.token_url": "https://login.example/token",
    "gateway.token_client_id": "till-3",
    "gateway.verification_fail_is_final": "true",
    "shop.name": "Harbour Shop",
    "shop.currency": "USD",
    "shop.country": "US",
    "shop.outlet_id": "12",
    "shop.max_amount": "5000.50",
    "shop.confirm_above": "100",
    "shop.default_method": "push",
    "payment.give_up_s": "200",
    "payment.extension_s": "0",
    "printer.kind": "system",
    "printer.auto": "off",
    "printer.host": "printer.shop.example",
    "printer.port": "9101",
    "printer.path": "/dev/usb/lp1",
    "printer.name": "Receipts",
    "printer.width": "58",
    "receipt.header": "2 Harbour Road | Tel. 1",
    "receipt.footer": "Goodbye",
    "receipt.tax_id": "7-7",
    "receipt.cashier": "none",
    "receipt.size": "36",
    "otp.message": "{{code}} opens the till.",
    "otp.message_si": "{{code}} කේතය",
    "otp.message_ta": "{{code}} குறியீடு",
    "otp.message_ar": "{{code}} رمز",
    "sign_in.lock_after_min": "10",
    "sign_in.session_hours": "8",
    "window.theme": "dark",
    "window.language": "si",
    "window.text_percent": "150",
    "window.motion": "false",
    "window.keyboard": "always",
    "sound.on": "false",
    "sound.volume": "40",
    "scanner.into": "reference",
    "scanner.prefix": "~",
    "scanner.suffix": "#",
    "customer_display.name": "HDMI-2",
    "customer_display.language": "ta",
    "store.address": "https://192.168.1.9:8443",
    "store.ca_file": "/etc/ssl/store.pem",
    "store.pin": "ab" * 32,
    "store.references": "true",
}
NO_SECRETS = ShopSecrets(
    access_token=Secret("a"),
    merchant_secret_code=Secret("b"),
    merchant_password=Secret("c"),
    otp_access_token=Secret(""),
    token_client_secret=Secret(""),
    source="file",
)


def picture(folder: Path, **facts: Any) -> SettingsPicture:
    values = {name: text_of(value, name) for name, value in flat(loaded(folder)).items()}
    made = SettingsPicture(environment=Environment.LIVE, values=values, sources={}, locked={}, stored={})
    return replace(made, **facts)


def draft(reason: str = "why", **facts: Any) -> SettingsDraft:
    values = facts.pop("values", {})
    return SettingsDraft(values=values, reason=reason, **facts)


def test_every_key_has_a_text_that_reads_as_itself(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    assert set(OTHER) == set(BY_NAME)
    assert problems_of(settings, {name: text_of(value, name) for name, value in flat(settings).items()}) == ()
    assert changes(settings, {name: text_of(value, name) for name, value in flat(settings).items()}) == {}


@pytest.mark.parametrize("name", [key.name for key in KEYS])
def test_what_is_typed_is_what_the_file_says_then(tmp_path: Path, name: str) -> None:
    """Through the file and back: the same value, the same text."""
    settings = loaded(tmp_path)
    ((changed, (_, new)),) = changes(settings, {name: OTHER[name]}).items()
    assert changed == name
    file = tmp_path / "config.toml"
    write_settings(file, {name: new})
    needed = {"gateway.token_file": "/run/token"} if name == "gateway.token_provider" else {}
    needed |= {"gateway.base_url": "http://127.0.0.1:8000"} if name == "gateway.environment" else {}
    again = flat(load_settings(file, {}, needed))
    assert again[name] == new
    assert value_of(name, text_of(again[name], name)) in (new, list(new) if isinstance(new, tuple) else new)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("shop.name", "", "Shop name must not be empty"),
        ("shop.name", "A {{code}}", "Shop name must not contain {{code}}, for example Corner Shop."),
        ("gateway.counter_id", "one", "Counter number must be a whole number, for example 1."),
        ("gateway.base_url", "http://x.example", "must be https"),
        ("gateway.base_url", "https://10.0.0.1", "a private network"),
        ("gateway.token_provider", "oauth2", "is missing for token_provider oauth2"),
        ("gateway.token_command", "'open", "must be a list of texts"),
        ("shop.max_amount", "1e5", "must be a number"),
        ("otp.message_si", "x", "{{code}} exactly once"),
        ("sign_in.session_hours", "25", "from 1 to 24"),
    ],
)
def test_each_problem_names_field_limit_and_example(tmp_path: Path, name: str, text: str, says: str) -> None:
    problems = problems_of(loaded(tmp_path), {name: text})
    assert problems
    assert any(says in problem.text for problem in problems)
    for problem in problems:
        assert problem.field in BY_NAME
        assert ", for example " in problem.text


def test_a_locked_key_is_not_changed_by_what_is_typed(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    locked = picture(tmp_path, locked={"shop.name": "because"}, secrets_locked="because")
    given = draft(values={"shop.name": "Mine", "shop.outlet_id": "4"}, secrets={"access_token": Secret("x")})
    change = change_of(settings, locked, replace(given, forget=("merchant_password",)))
    assert change.names == ("shop.outlet_id",)


def test_the_journal_gets_old_and_new_and_of_secrets_the_names(tmp_path: Path) -> None:
    given = draft(
        values={"shop.name": "Harbour", "gateway.token_command": "/bin/token canary"},
        secrets={"access_token": Secret("canary-token")},
        forget=("merchant_password",),
    )
    change = change_of(loaded(tmp_path), picture(tmp_path), given)
    assert change.acts() == [
        (
            Act.CHANGE_SETTINGS,
            {
                "changes": {
                    "shop.name": {"old": "Corner Shop", "new": "Harbour"},
                    "gateway.token_command": {},
                }
            },
        ),
        (Act.CHANGE_SECRETS, {"stored": ["access_token"], "revoked": ["merchant_password"]}),
    ]
    assert "canary" not in repr(change.acts())
    assert (change.reconnects, change.is_another_till) == (True, False)


@pytest.mark.parametrize(
    ("values", "reconnects", "another"),
    [
        ({"shop.name": "Harbour"}, False, False),
        ({"gateway.verification_fail_is_final": "true"}, False, False),
        ({"gateway.qr_amount_field": "amount"}, True, False),
        ({"gateway.ca_file": "/x"}, True, False),
        *(({name: OTHER[name]}, name.startswith("gateway."), True) for name in IDENTITY),
    ],
)
def test_what_a_change_asks_of_the_till(
    tmp_path: Path, values: dict[str, str], reconnects: bool, another: bool
) -> None:
    change = change_of(loaded(tmp_path), picture(tmp_path), draft(values=values))
    assert (change.reconnects, change.is_another_till) == (reconnects, another)


@pytest.mark.parametrize(
    "state", [State.INTENT, State.WAITING, State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED]
)
def test_whom_open_payments_belong_to_stays(tmp_path: Path, state: State) -> None:
    """One that nobody settled yet is asked about on, with what it was begun with."""
    settings, still_open = loaded(tmp_path), attempt(state=state)
    terminal = Terminal(open=(still_open,)) if still_open.is_open else Terminal(attention=(still_open,))
    given = draft(values={"gateway.merchant_pg_identifier": "M-2"})
    change = change_of(settings, picture(tmp_path), given)
    (problem,) = problems_with(settings, given, change, terminal)
    assert problem.field == "gateway.merchant_pg_identifier"
    assert problem.text.startswith("1 payment is open: it belongs to merchant M-0001, counter 1.")
    assert problems_with(settings, given, change, Terminal()) == ()
    name = draft(values={"shop.name": "Harbour"})
    assert problems_with(settings, name, change_of(settings, picture(tmp_path), name), terminal) == ()


@pytest.mark.parametrize(
    ("opened_at", "stays"),
    [("https://other.example", False), ("https://other.example:8443", True), ("https://third.example", True)],
)
def test_the_way_back_to_an_open_payment_s_own_address_is_open(
    tmp_path: Path, opened_at: str, stays: bool
) -> None:
    """Rule 10: there alone it is asked about. A last slash and the usual port make no other address."""
    elsewhere = attempt(state=State.UNRESOLVED, origin=opened_at)
    given = draft(values={"gateway.base_url": "https://OTHER.example:443/"})
    change = change_of(loaded(tmp_path), picture(tmp_path), given)
    found = problems_with(loaded(tmp_path), given, change, Terminal(attention=(elsewhere,)))
    assert [each.field for each in found] == (["gateway.base_url"] if stays else [])


def test_a_file_changed_by_other_hands_makes_another_till_too(tmp_path: Path) -> None:
    """A saved theme must not carry open payments to an address that somebody wrote in beside it."""
    before = loaded(tmp_path)
    theme = change_of(before, picture(tmp_path), draft(values={"window.theme": "dark"}))
    assert not theme.makes_another_till(before, with_values(before, flat(before) | {"window.theme": "dark"}))
    now = with_values(before, flat(before) | {"gateway.base_url": "https://other.example"})
    assert theme.makes_another_till(before, now)


def test_what_is_over_is_in_nobody_s_way(tmp_path: Path) -> None:
    settings, late = loaded(tmp_path), attempt(state=State.PAID_LATE)
    given = draft(values={"shop.currency": "USD"})
    change = change_of(settings, picture(tmp_path), given)
    assert problems_with(settings, given, change, Terminal(attention=(late,), recent=(late,))) == ()


def test_without_a_change_or_a_reason_nothing_is_asked_for(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    same = draft(values={"shop.name": "Corner Shop"})
    (problem,) = problems_with(settings, same, change_of(settings, picture(tmp_path), same), Terminal())
    assert problem.field == ""
    unexplained = draft(" ", values={"shop.name": "Harbour"})
    change = change_of(settings, picture(tmp_path), unexplained)
    (problem,) = problems_with(settings, unexplained, change, Terminal())
    assert problem.field == "reason"


def test_secrets_as_they_would_be(tmp_path: Path) -> None:
    given = draft(secrets={"access_token": Secret("new")}, forget=("merchant_password", "access_token"))
    change = change_of(loaded(tmp_path), picture(tmp_path), given)
    after = secrets_with(NO_SECRETS, change)
    assert (after.access_token.reveal(), after.merchant_secret_code.reveal()) == ("new", "b")
    assert not after.merchant_password


def test_values_keep_their_sources_and_locks(tmp_path: Path) -> None:
    settings = loaded(tmp_path, LIVE)
    made = with_values(settings, flat(settings) | {"shop.name": "Harbour"})
    assert made.shop.name == "Harbour"
    assert made.sources == settings.sources


def permitted(day: str, request_id: str, **content: Any) -> Record:
    """As the engine writes it."""
    told = {"act": "change_secrets", "request_id": request_id, "content": content}
    return Record(
        kind="PERMITTED", subject="terminal", actor="p", at=1, wall=f"{day}T10:00:00+05:30", content=told
    )


def test_a_secret_s_date_is_that_of_its_last_storing_that_was_done() -> None:
    events = [
        permitted("2026-11-12", "a", stored=["access_token", "merchant_password"], revoked=[]),
        permitted("2026-11-13", "b", stored=["access_token"], revoked=[]),
        replace(permitted("2026-11-13", "c"), kind="SETTINGS_NOT_WRITTEN", content={"request_id": "b"}),
        permitted("2026-11-14", "d", stored=[], revoked=["merchant_password"]),
    ]
    day = date(2026, 11, 12)
    assert dates_of(events) == {"access_token": day, "merchant_password": day}
    assert (words.stored_on(day), words.stored_on(None)) == ("stored 12 Nov", "stored")
