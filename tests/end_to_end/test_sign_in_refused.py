"""The service refuses the terminal's sign-in in the middle of things (rule 19): what waits stays, and goes on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.ids import sale_and_number
from pos_app.domain.people import TERMINAL
from pos_app.engine.connection.monitor import PROBE_MS
from pos_app.journal import read_only
from pos_app.system.boot_clock import ms_since_boot
from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

REFUSED = "The payment service refused this terminal’s sign-in. "
STAYS = REFUSED + "Payment {} stays open. Call the manager."
BLOCKED = REFUSED + "No new payments; open payments stay open. Call the manager."


def give(config_dir: Path, sandbox: Sandbox, **more: str) -> None:
    """Replaces the till's secrets file by one with today's token, as a fleet's own tool does it: in one step."""
    texts = {
        "access_token": sandbox.access_token,
        "merchant_secret_code": sandbox.merchant_secret_code,
        "merchant_password": sandbox.merchant_password,
    } | more
    replace(config_dir / "secrets.toml", "".join(f'{name} = "{text}"\n' for name, text in texts.items()))


def replace(file: Path, text: str) -> None:
    """A new private file in the place of the old one."""
    new = file.with_suffix(".new")
    new.touch(0o600)
    new.write_text(text)
    os.replace(new, file)  # noqa: PTH105 - the one name that says it


def provide(config_dir: Path, **keys: Any) -> None:
    """Another token provider in the till's settings."""
    file = config_dir / "config.toml"
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in keys.items())
    file.write_text(file.read_text().replace("counter_id = 1\n", f"counter_id = 1\n{lines}"))


def journaled(till: StartedTill, kind: str) -> int:
    """How often the journal holds this event."""
    found = till.session.shop.data_dir / "journal.sqlite"
    assert found.exists()
    journal = read_only(found)
    try:
        return [event.kind for event in journal.events_of(TERMINAL)].count(kind)
    finally:
        journal.close()


def initiates(sandbox: Sandbox) -> list[dict[str, Any]]:
    return sandbox.calls("initiate_push")


def test_a_revoked_token_keeps_the_payment_open_until_the_secrets_are_replaced(
    till: StartedTill, sandbox: Sandbox, config_dir: Path
) -> None:
    attempt_id = till.charge_push("36")
    sale, _ = sale_and_number(attempt_id)
    sandbox.renew_token()
    sandbox.act(attempt_id, "pay")
    till.until_says("trouble", STAYS.format(sale))
    till.until_says("connection", "Sign-in refused")
    assert till.seen("waiting_panel"), "nothing is concluded from a 401"
    till.press(Qt.Key.Key_F6)
    till.until(lambda: BLOCKED in till.words())
    till.type("5")
    till.press(Qt.Key.Key_F2)
    assert len(sandbox.transactions()) == 1, "no new payment"
    give(config_dir, sandbox)
    till.until_says("connection", "Connected")
    till.until(lambda: BLOCKED not in till.words())
    assert len(sandbox.transactions()) == 1


def test_a_payment_waits_through_a_renewal_and_is_paid(
    till: StartedTill, sandbox: Sandbox, config_dir: Path
) -> None:
    attempt_id = till.charge_push("37")
    sandbox.renew_token()
    till.until_says("connection", "Sign-in refused")
    sandbox.act(attempt_id, "pay")
    give(config_dir, sandbox)
    till.until_result("PAID")
    till.until_says("connection", "Connected")


def test_an_initiate_answered_401_is_sent_again_once_with_the_new_token(
    till: StartedTill, sandbox: Sandbox, config_dir: Path
) -> None:
    sandbox.renew_token()
    till.start_push("38")
    till.until_says("connection", "Sign-in refused")
    assert sandbox.transactions() == []
    give(config_dir, sandbox)
    till.until(lambda: len(sandbox.transactions()) == 1)
    sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
    till.until_result("PAID")
    sent = initiates(sandbox)
    assert [call["http_status"] for call in sent] == [401, 200]
    assert sent[0]["body"] == sent[1]["body"], "the same bytes"


def test_a_token_file_is_read_again_while_a_payment_waits(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path
) -> None:
    file = config_dir / "token"
    replace(file, sandbox.access_token)
    provide(config_dir, token_provider="file", token_file=str(file))
    till = make_till()
    attempt_id = till.charge_push("39")
    sandbox.renew_token()
    till.until_says("connection", "Sign-in refused")
    sandbox.act(attempt_id, "pay")
    replace(file, sandbox.access_token)
    till.until_result("PAID")


def test_a_payment_that_has_no_token_to_leave_with_says_so(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path
) -> None:
    """It said that the payment service could not be reached, and people looked at the cable."""
    file = config_dir / "token"
    replace(file, sandbox.access_token)
    provide(config_dir, token_provider="file", token_file=str(file))
    till = make_till()
    file.unlink()
    till.start_push("43")
    till.until_result("NOT PAID")
    assert "had no valid access token" in " ".join(till.words())
    assert initiates(sandbox) == []
    till.tap("result_next")
    till.until(lambda: "has no valid access token" in " ".join(till.words()))
    assert "(the token file cannot be read: No such file or directory)" in " ".join(till.words())
    assert REFUSED.strip() not in " ".join(till.words())


@pytest.mark.parametrize("provider", ["secrets", "file"])
def test_a_new_token_is_tried_as_soon_as_it_stands_there(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path, provider: str
) -> None:
    """Rule 19: nothing is open, what was paid is asked about in a minute, and the next probe is half of one away."""
    file = config_dir / "token"
    replace(file, sandbox.access_token)
    if provider == "file":
        provide(config_dir, token_provider="file", token_file=str(file))
    till = make_till()
    sandbox.act(till.charge_push("42"), "pay")
    till.until_result("PAID")
    sandbox.renew_token()
    till.until_says("connection", "Sign-in refused")
    began = ms_since_boot()
    replace(file, sandbox.access_token)
    give(config_dir, sandbox)
    till.until_says("connection", "Connected")
    assert ms_since_boot() - began < PROBE_MS / 2, "no probe has been waited for"


def test_a_token_command_is_run_again_while_a_payment_waits(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path
) -> None:
    file = config_dir / "grant.json"
    replace(file, json.dumps({"access_token": sandbox.access_token, "expires_in": 3600}))
    program = "import sys, pathlib; sys.stdout.write(pathlib.Path(sys.argv[1]).read_text())"
    provide(config_dir, token_provider="command", token_command=[sys.executable, "-c", program, str(file)])
    till = make_till()
    attempt_id = till.charge_push("40")
    token = sandbox.renew_token()
    replace(file, json.dumps({"access_token": token, "expires_in": 3600}))
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    assert journaled(till, "SIGN_IN_REFUSED") == 0, "a fresh token was at hand: nobody was to be called"


def test_an_oauth2_token_is_fetched_anew_while_a_payment_waits(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path
) -> None:
    provide(
        config_dir,
        token_provider="oauth2",
        token_url=sandbox.details["token_url"],
        token_client_id=sandbox.details["oauth_client_id"],
    )
    give(config_dir, sandbox, token_client_secret=sandbox.details["oauth_client_secret"])
    till = make_till()
    attempt_id = till.charge_push("41")
    sandbox.clock(4_000)
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    assert journaled(till, "SIGN_IN_REFUSED") == 0


def test_the_sms_service_s_refusal_is_its_own_and_stops_no_payment(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till(signed_in="")
    sandbox.fault("token_expired", "validate_code")
    till.pick("Nimali")
    till.until(lambda: any("The SMS service refused this terminal’s sign-in" in one for one in till.words()))
    sandbox.clear_faults()
    assert till.says("connection") != "Sign-in refused"
