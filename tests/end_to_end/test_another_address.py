"""The service's address is changed under an open payment: what stands on the screen, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.bootstrap.journal import JOURNAL, open_journal_of
from pos_app.domain.attempt import Environment, Reason, State
from pos_app.domain.ids import attempt_id
from pos_app.domain.record import Record
from pos_app.journal import read_only
from pos_app.system import paths
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.settings_steps import close, fill, open_settings, save, says_anywhere, write_in
from tests.end_to_end.test_first_start import fill as fill_in
from tests.support.builders import attempt, sale
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments


@pytest.fixture
def other() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def test_a_payment_of_another_address_is_shown_and_the_settings_lead_back(
    make_till: MakeTill, sandbox: Sandbox, other: Sandbox, config_dir: Path
) -> None:
    """Both addresses on the screen, no button that asks; F10 may name its own address again, and it is PAID."""
    file = write_in(sandbox, config_dir)
    till = make_till()
    waiting = till.charge_qr("40")
    till.stop()
    file.write_text(file.read_text("utf-8").replace(sandbox.base_url, other.base_url), "utf-8")

    till = make_till(people=False)
    till.press(Qt.Key.Key_F8)
    till.until_seen("open_payments")
    till.until(lambda: says_anywhere(till, f"at another payment service, {sandbox.base_url}; the settings"))
    assert says_anywhere(till, f"the settings now name {other.base_url}")
    assert till.seen(f"sign_off_{waiting}")
    assert not till.seen(f"check_{waiting}")
    assert not till.seen(f"cancel_{waiting}")
    assert waiting not in str(other.calls())
    till.press(Qt.Key.Key_Escape)

    first = till.session
    open_settings(till, "counter")
    fill(till, "gateway.base_url", "http://127.0.0.1:1")
    save(till)
    till.until_says("gateway_base_url_error", "1 payment is open")
    fill(till, "gateway.base_url", sandbox.base_url)
    save(till)
    till.until(lambda: till.session is not first and till.session.window.isVisible())
    till.sign_in()
    till.until_says("save_outcome", "The till was begun anew")
    close(till)
    sandbox.act(waiting, "pay")
    journal = read_only(till.session.shop.data_dir / JOURNAL)
    try:
        till.until(lambda: (known := journal.attempt(waiting)) is not None and known.state is State.PAID)
    finally:
        journal.close()
    assert waiting not in str(other.calls())


def test_a_name_saved_beside_a_changed_address_does_not_carry_payments_there(
    make_till: MakeTill, sandbox: Sandbox, other: Sandbox, config_dir: Path
) -> None:
    """What other hands wrote into the file makes another till, and no such till under an open payment: nothing is
    saved, that is said, and the payment goes on where it is.
    """
    file = write_in(sandbox, config_dir)
    till = make_till()
    first = till.session
    waiting = till.charge_qr("40")
    till.press(Qt.Key.Key_F6)
    file.write_text(file.read_text("utf-8").replace(sandbox.base_url, other.base_url), "utf-8")
    open_settings(till, "shop")
    fill(till, "shop.name", "Harbour Shop")
    save(till)
    till.until(lambda: says_anywhere(till, "1 payment is open"))
    assert till.session is first
    assert "Harbour Shop" not in file.read_text("utf-8")
    close(till)
    sandbox.act(waiting, "pay")
    journal = read_only(till.session.shop.data_dir / JOURNAL)
    try:
        till.until(lambda: (known := journal.attempt(waiting)) is not None and known.state is State.PAID)
    finally:
        journal.close()
    assert waiting not in str(other.calls())


def test_the_wizard_s_address_is_another_one_too(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The settings are gone, the live journal is not: what is open in it waits for the address it names."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    folder = paths.data_dir(tmp_path / "data", "live")
    journal = open_journal_of(folder, Environment.LIVE)
    known = replace(
        attempt(state=State.WAITING, shown=True, origin="https://first.invalid"),
        attempt_id=attempt_id(Environment.LIVE, journal.installation_id, "0001", 1, "K7Q2M9"),
        environment=Environment.LIVE,
    )
    now = datetime.now().astimezone()
    at: dict[str, Any] = {"at": int(now.timestamp() * 1000), "wall": now.isoformat()}
    intent = Record(
        kind="INTENT",
        subject=known.attempt_id,
        actor="p1",
        path=(known.state,),
        attempt=known,
        sale=sale(),
        **at,
    )
    journal.append([intent])
    journal.close()
    till = StartedTill(sandbox, arguments(tmp_path, tmp_path / "data", config=None, secrets_file=None))
    try:
        till.touch("set_up_counter")
        till.until_seen("counter_form")
        fill_in(
            till,
            shop_name="Harbour Shop",
            counter_id="1",
            merchant_pg_identifier="M-0001",
            base_url="https://second.invalid",
            access_token="canary-token",
            merchant_secret_code="canary-code",
            merchant_password="canary-word",
        )
        till.choose("country", "LK")
        till.touch("save")
        till.until_seen("first_manager")
        seen = read_only(folder / JOURNAL)
        try:
            till.until(lambda: (now := seen.attempt(known.attempt_id)) is not None and now != known)
            told = seen.attempt(known.attempt_id)
        finally:
            seen.close()
    finally:
        assert till.stop()
    assert told is not None
    assert (told.state, told.reason) == (State.UNRESOLVED, Reason.OTHER_ORIGIN)
    assert (told.origin, told.other_origin) == ("https://first.invalid", "https://second.invalid")
