"""A counter whose currency is another one now: what was taken before, and what is still open, keep theirs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.test_counter_day import sell
from tests.support.sandbox import Sandbox


def test_a_payment_is_shown_in_the_currency_that_it_was_charged_in(
    make_till: MakeTill, sandbox: Sandbox, config_dir: Path
) -> None:
    """7.125 dinars that were paid behind the change stood on the panel as PAID LKR 7.125."""
    config = next(config_dir.glob("config.toml"))
    rupees = config.read_text("utf-8")
    config.write_text(rupees.replace('"LKR"', '"KWD"'), "utf-8")
    till = make_till()
    sell(till, sandbox, "1.250")
    waiting = till.charge_qr("7.125")
    till.stop()
    config.write_text(rupees, "utf-8")
    till = make_till()
    till.until(lambda: till.seen("recent_1"))
    assert till.part("recent_1").accessibleName().startswith("KWD 1.250 ")
    till.part("recent_1").click()
    till.until_says("details_1", "KWD 1.250")
    till.press(Qt.Key.Key_Escape)
    till.part("recent_0").click()
    till.until_seen("waiting_panel")
    assert till.part("waiting_amount").accessibleName() == "KWD 7.125"
    sandbox.act(waiting, "pay")
    till.until_result("PAID")
    assert till.part("result_amount").accessibleName() == "KWD 7.125"
