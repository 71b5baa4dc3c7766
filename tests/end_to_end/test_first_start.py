"""The first start: nothing is set up, or nobody is enrolled; and what the wizard leaves behind."""

from __future__ import annotations

import contextlib
import os
import resource
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.app.session import Session
from pos_app.app.set_up import SetUpService, live_counter
from pos_app.app.settings.store import SettingsStore
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import open_shop, settings_of
from pos_app.domain.attempt import Environment
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from pos_app.i18n.words.set_up import words as set_up_words
from pos_app.system import paths
from pos_app.ui.dialogs.set_up.form import FieldProblem, SetUp
from tests.end_to_end.conftest import MakeTill
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.support.till import UNREACHABLE, StartedTill, arguments


@pytest.fixture
def fresh(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[StartedTill]:
    """A till on a machine that has never had one."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    asked = arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None)
    front = StartedTill(sandbox, asked)
    yield front
    assert front.stop()


def test_a_counter_that_may_not_play_is_only_set_up(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A site file of rules alone: nothing is set up yet, and no sandbox is offered."""
    site = tmp_path / "xdg" / "pos-app" / "config.toml"
    site.parent.mkdir(parents=True)
    site.write_text("[site]\nsandbox = false\n")
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(site.parent.parent))
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    front = StartedTill(sandbox, arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None))
    try:
        assert front.window.objectName() == "wizard"
        assert not front.seen("try_sandbox")
        front.touch("set_up_counter")
        assert front.until_seen("shop_name")
    finally:
        assert front.stop()


def fill(till: StartedTill, **texts: str) -> None:
    for name, text in texts.items():
        till.fill(name, text)


def test_trying_the_sandbox_leads_to_two_names_and_a_till_that_sells(fresh: StartedTill) -> None:
    assert fresh.window.objectName() == "wizard"
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")
    fresh.until(lambda: fresh.rows("people") == ["Nimali", "Kasun"])
    assert fresh.seen("sandbox_band")
    assert not paths.user_file().exists()


def test_a_sandbox_whose_program_is_gone_is_told_and_tried_again(
    fresh: StartedTill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update had just taken it away: the page said "starting" for ever, and offered nothing any more."""
    with monkeypatch.context() as gone:
        gone.setattr(sys, "executable", "/nowhere/pos-app")
        fresh.touch("try_sandbox")
        fresh.until_says("start_outcome", "No such file or directory")
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")


def test_a_fault_while_it_is_opened_beside_the_window_is_told_and_tried_again(
    fresh: StartedTill, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that no code has words for: the page said "starting" for ever."""
    with monkeypatch.context() as gone, qtbot.captureExceptions() as told:
        gone.setattr(sys, "executable", "/nowhere/\0")
        fresh.touch("try_sandbox")
        fresh.until_says("start_outcome", "the till met a fault: unexpected ValueError")
    assert len(told) == 1, "as any other that nobody caught"
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")


def test_a_fault_as_its_window_is_made_is_told_and_tried_again(
    fresh: StartedTill, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_session: object) -> object:
        raise RuntimeError("access_token=canary-9")

    with monkeypatch.context() as once, qtbot.captureExceptions() as told:
        once.setattr(Session, "_make_window", fails)
        fresh.touch("try_sandbox")
        fresh.until_says("start_outcome", "the till met a fault: unexpected RuntimeError")
    assert len(told) == 1
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")


def test_a_sandbox_whose_disk_is_full_is_told_and_tried_again(fresh: StartedTill, tmp_path: Path) -> None:
    """Full just where its two people were to be written: it was "being started" for ever, and held its journal."""
    asked = Options(sandbox=True, data_dir=tmp_path / "data")
    open_shop(asked).close()
    journal = tmp_path / "data" / "sandbox-own" / "journal.sqlite"
    with closing(sqlite3.connect(journal, isolation_level=None)) as reader:
        # While somebody reads, what is written is only ever added, and the file may not grow any more.
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        shop = open_shop(asked)
        assert shop.journal is not None
        for at in range(20):
            shop.journal.append(
                [Record(kind="SIGN_IN_REFUSED", subject=TERMINAL, actor=TERMINAL, at=at, wall="")]
            )
        shop.close()
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(
            resource.RLIMIT_FSIZE, (journal.with_name("journal.sqlite-wal").stat().st_size, hard)
        )
        try:
            fresh.touch("try_sandbox")
            fresh.until_says("start_outcome", "could not be started")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")


def test_a_counter_is_set_up_by_hand(fresh: StartedTill) -> None:
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    fill(fresh, **{**UNREACHABLE, "base_url": "http://127.0.0.1:8000"})
    fresh.choose("country", "LK")
    fresh.touch("save")
    fresh.until_seen("base_url_error")
    assert fresh.window.focusWidget().objectName() == "base_url"
    fill(fresh, base_url=UNREACHABLE["base_url"])
    fresh.touch("test_connection")
    fresh.until_says("test_outcome", "No such address.")
    fresh.touch("save")
    fresh.until_seen("first_manager")
    saved = paths.user_file().read_text("utf-8")
    assert 'name = "Harbour Shop"' in saved
    assert 'currency = "LKR"' in saved
    assert "canary" not in saved
    secrets = paths.user_secrets_file()
    assert "canary-token" in secrets.read_text("utf-8")
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
    fill(fresh, manager_name="Nimali Perera", manager_number="0771234567")
    fresh.press(Qt.Key.Key_Return)
    fresh.until_seen("code_problem")
    assert not fresh.seen("sandbox_band")


def test_a_counter_that_cannot_be_stored_says_where_and_why_and_is_saved_again(fresh: StartedTill) -> None:
    """It was said by the number of an error, as a programmer reads it."""
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    fill(fresh, **UNREACHABLE)
    fresh.choose("country", "LK")
    file = paths.user_file()
    file.mkdir(parents=True)
    fresh.touch("save")
    fresh.until_seen("save_outcome")
    assert fresh.says("save_outcome").replace("\u200b", "") == f"{file} cannot be written: Is a directory"
    file.rmdir()
    fresh.touch("save")
    fresh.until_seen("first_manager")


def test_a_counter_that_another_window_has_set_up_is_not_set_up_over_it(fresh: StartedTill) -> None:
    """The icon was touched twice: nothing keeps two windows apart before there is a record, and the one that was left
    over wrote its settings and secrets over those of the till at work."""
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    fill(fresh, **UNREACHABLE)
    fresh.choose("country", "LK")
    form = {**UNREACHABLE, **_SECRETS, "counter_id": "7", "country": "LK", "currency": "LKR"}
    theirs = live_counter(form)
    assert isinstance(theirs, SetUp)
    other, answers = SetUpService(paths.user_file(), paths.user_secrets_file()), Queue[object]()
    other.save(theirs, answers.put)
    assert answers.get(timeout=30) == ()
    other.stop()
    before = paths.user_file().read_bytes(), paths.user_secrets_file().read_bytes()
    assert b"counter_id = 7" in before[0]
    for _ in range(2):
        fresh.touch("save")
        fresh.until_says("save_outcome", "set up in another window")
        assert (paths.user_file().read_bytes(), paths.user_secrets_file().read_bytes()) == before
    assert fresh.app is not None
    assert fresh.app.session is None


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_of_two_windows_that_are_saved_at_once_one_sets_the_counter_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both looked, and both wrote: the settings of one could stand beside the secrets of the other."""
    files = tmp_path / "pos-app" / "config.toml", tmp_path / "pos-app" / "secrets.toml"
    first, second = SetUpService(*files), SetUpService(*files)
    form = {**UNREACHABLE, **_SECRETS, "country": "LK", "currency": "LKR"}
    drafts = [live_counter({**form, "counter_id": number}) for number in ("7", "8")]
    assert isinstance(drafts[0], SetUp)
    assert isinstance(drafts[1], SetUp)
    mine, theirs, fsync = drafts[0], drafts[1], os.fsync
    answers = Queue[object](), Queue[object]()

    def overtaken(descriptor: int) -> None:
        """While the secrets are written."""
        monkeypatch.setattr(os, "fsync", fsync)
        second.save(theirs, answers[1].put)
        with contextlib.suppress(Empty):  # unless it waits for its turn
            answers[1].put(answers[1].get(timeout=0.5))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", overtaken)
    first.save(mine, answers[0].put)
    said = [each.get(timeout=PATIENCE_S) for each in answers]
    first.stop()
    second.stop()
    assert said == [(), (FieldProblem("", set_up_words.SET_UP_MEANWHILE),)]
    assert b"counter_id = 7" in files[0].read_bytes()


_SECRETS = {"merchant_secret_code": "canary-code", "merchant_password": "canary-word"}


def set_up(till: StartedTill, **changes: str) -> None:
    """A counter at a name that exists nowhere (RFC 6761), so that nobody is asked."""
    fill(till, **{**UNREACHABLE, **changes})
    till.choose("country", "LK")
    till.touch("save")
    till.until_seen("first_manager")


def ask_for_a_code(till: StartedTill, number: str = "0771234567") -> None:
    fill(till, manager_name="Nimali Perera", manager_number=number)
    till.press(Qt.Key.Key_Return)
    till.until_says("code_problem", "No connection")


def test_a_counter_whose_service_was_mistyped_is_set_up_once_more(fresh: StartedTill) -> None:
    """No code came, so there was no manager, and without one no way to the settings: the owner stood there for good."""
    fresh.touch("set_up_counter")
    set_up(fresh)
    ask_for_a_code(fresh)
    wrong = fresh.session
    fresh.touch("other_number")
    fresh.touch("counter_again")
    assert fresh.until_seen("base_url").text() == "https://gateway.invalid"
    assert fresh.text("access_token") == "", "a secret is never shown again"
    fresh.touch("back")
    fresh.until_seen("first_manager")
    fresh.touch("counter_again")
    set_up(fresh, counter_id="5", base_url="https://pay.invalid", access_token="canary-other")
    assert wrong.stop(), "it was ended before"
    assert fresh.session is not wrong
    assert fresh.session.shop.settings.gateway.base_url == "https://pay.invalid"
    assert fresh.session.shop.settings.gateway.counter_id == 5
    assert fresh.session.shop.secrets.access_token.reveal() == "canary-other"
    assert fresh.text("manager_name") == "Nimali Perera"
    ask_for_a_code(fresh, "0771234568")


def test_a_counter_is_set_up_once_more_after_a_restart(
    fresh: StartedTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    """It began with the page of its first manager, each time."""
    fresh.touch("set_up_counter")
    set_up(fresh)
    file = paths.user_file()
    file.write_text(file.read_text("utf-8").replace('theme = "system"', 'theme = "dark"'), "utf-8")
    assert fresh.stop()
    again = StartedTill(sandbox, arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None))
    try:
        again.until_seen("first_manager")
        again.touch("counter_again")
        again.until_seen("counter_form")
        shown = {name: again.text(name) for name in UNREACHABLE}
        assert shown == {name: text if "canary" not in text else "" for name, text in UNREACHABLE.items()}
        set_up(again, base_url="https://pay.invalid")
        assert again.session.shop.settings.gateway.base_url == "https://pay.invalid"
        assert again.session.shop.settings.window.theme == "dark", "what the form does not ask for stays"
    finally:
        assert again.stop()


def test_a_counter_that_cannot_be_opened_once_more_leaves_a_way_back_and_what_was_typed(
    fresh: StartedTill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back did nothing there. And another language, chosen on the first page, took all of the form with it."""
    fresh.touch("set_up_counter")
    set_up(fresh)
    fresh.touch("counter_again")
    fresh.until_seen("counter_form")
    fill(fresh, base_url="https://pay.invalid", access_token="canary-other", **_SECRETS)
    monkeypatch.setenv("POS_APP_PAYMENT_GIVE_UP_S", "soon")
    fresh.touch("save")
    fresh.until_says("save_outcome", "must be a whole number, for example 300")
    fresh.touch("back")
    fresh.until_seen("start_choice")
    english = fresh.says("welcome_title")
    fresh.touch("language_ta")
    fresh.until(lambda: fresh.says("welcome_title") not in ("", english))
    fresh.touch("language_en")
    fresh.until_says("welcome_title", english)
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    assert fresh.text("base_url") == "https://pay.invalid"
    assert fresh.text("access_token") == "canary-other"
    monkeypatch.delenv("POS_APP_PAYMENT_GIVE_UP_S")
    fresh.touch("save")
    fresh.until_seen("first_manager")
    assert fresh.session.shop.settings.gateway.base_url == "https://pay.invalid"
    assert (fresh.session.shop.settings.shop.country, fresh.session.shop.settings.shop.currency) == (
        "LK",
        "LKR",
    )


def test_what_a_fleet_has_set_up_is_not_set_up_by_hand(make_till: MakeTill) -> None:
    """What is typed would not count, or only until the fleet's file says otherwise."""
    till = make_till(signed_in="", people=False)
    till.until_seen("first_manager")
    assert not till.seen("counter_again")


def test_secrets_are_set_up_where_the_next_start_looks_for_them(
    fresh: StartedTill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They went into this user's own file, and the next start found none in the file that a variable names."""
    named = tmp_path / "named-secrets.toml"
    monkeypatch.setenv("POS_APP_SECRETS_FILE", str(named))
    fresh.touch("set_up_counter")
    fresh.until_seen("counter_form")
    fill(fresh, **UNREACHABLE)
    fresh.choose("country", "LK")
    fresh.touch("save")
    fresh.until_seen("first_manager")
    assert "canary-token" in named.read_text("utf-8")
    assert stat.S_IMODE(named.stat().st_mode) == 0o600
    assert not paths.user_secrets_file().exists()


def test_settings_are_set_up_in_the_file_that_the_variable_names(
    fresh: StartedTill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the settings' screen changes them, and the next start reads them."""
    named = tmp_path / "named.toml"
    monkeypatch.setenv("POS_APP_CONFIG", str(named))
    assert fresh.app is not None
    done: list[tuple[FieldProblem, ...]] = []
    setting_up = fresh.app.setting_up()
    setting_up.save(DRAFT, done.append)
    fresh.until(lambda: done)
    setting_up.stop()
    assert done == [()]
    options = Options(secrets_file=tmp_path / "none.toml")
    assert settings_of(options).source_of("shop.name").startswith(f"{named} line ")
    assert SettingsStore(options).config_file == named
    assert not paths.user_file().exists()


DRAFT = SetUp(
    environment=Environment.LIVE,
    shop_name="Harbour Shop",
    counter_id=4,
    merchant_pg_identifier="M-0001",
    base_url="https://gateway.example",
    country="LK",
    currency="LKR",
    access_token=Secret("canary-token"),
    merchant_secret_code=Secret("canary-code"),
    merchant_password=Secret("canary-word"),
)


def test_the_first_manager_is_enrolled_by_a_code_to_their_number(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till(signed_in="", people=False)
    assert till.window.objectName() == "wizard"
    till.until_seen("first_manager")
    fill(till, manager_name="Amara Silva", manager_number="077 000 0042")
    till.press(Qt.Key.Key_Return)
    till.until(lambda: till.seen("code") and till.part("code").isEnabled())
    till.part("code").setFocus()
    till.type(str(sandbox.sms("94770000042")[0]["code"]))
    till.choose_passcode()
    till.until(lambda: till.window.objectName() == "till")
    till.until(lambda: till.says("person") == "Amara Silva")
    # Nobody is asked who they are, who has just shown it.
    assert not till.seen("sign_in")
    till.charge_qr("5")
    till.press(Qt.Key.Key_F6)
    till.press(Qt.Key.Key_F10)
    till.touch("manager_settings")
    assert till.until_seen("settings")


def test_a_till_on_its_own_sandbox_changes_its_settings_for_the_run(fresh: StartedTill) -> None:
    fresh.touch("try_sandbox")
    fresh.until(lambda: fresh.window.objectName() == "till")
    fresh.meet_own_sandbox()
    fresh.sign_in()
    fresh.press(Qt.Key.Key_F10)
    fresh.touch("manager_settings")
    fresh.until_seen("settings")
    assert "holds until the till is closed" in fresh.says("why_not_changed")
    assert not fresh.part("gateway_base_url").isEnabled()
    assert fresh.says("gateway_base_url_source") == "locked"
    fresh.part("sections").choose("shop")
    assert not fresh.part("shop_name").isEnabled()
    assert fresh.says("shop_name_source") == "locked"
    fill(fresh, shop_outlet_id="12", shop_max_amount="60", reason="A course")
    fresh.touch("save")
    fresh.until_says("save_outcome", "It holds until the till is closed.")
    assert fresh.says("shop_outlet_id_source") == "this run"
    fresh.touch("back")
    assert fresh.charge_qr("60")
    assert not paths.user_file().exists()
