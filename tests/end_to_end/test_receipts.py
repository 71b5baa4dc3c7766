"""A receipt at the real till: looked at after a sale, kept, and brought back by a customer."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.domain.receipt import Verdict
from pos_app.i18n.words.paper import words
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read


def test_a_receipt_is_seen_and_known_again_when_it_comes_back(till: StartedTill, sandbox: Sandbox) -> None:
    paid = till.charge_qr("1250")
    sandbox.act(paid, "pay")
    till.until_result("PAID")
    till.press(Qt.Key.Key_F4)
    till.until(lambda: len(till.rows("found_list")) == 1)
    till.press(Qt.Key.Key_Return)
    till.until_seen("payment_details")
    till.touch("details_receipt")
    till.until_seen("receipt_strip")
    strip = till.part("receipt_strip")
    (code,) = read(strip.image)
    assert code.startswith(f"{paid} SBX-T")
    assert "LKR 1,250.00" in strip.accessibleName()
    assert strip.accessibleName().count("SANDBOX – NOT A PAYMENT") == 3
    for panel in ("receipt_sheet", "payment_details"):
        till.press(Qt.Key.Key_Escape)
        till.until(lambda panel=panel: not till.seen(panel))  # type: ignore[misc]
    till.type(code)
    till.until_says("verdict_0", words.VERDICT[Verdict.OURS])
    till.touch("verdict_look")
    till.until_seen("payment_details")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("payment_details"))
    forged = code[:-1] + ("2" if code[-1] != "2" else "3")
    till.type(forged)
    till.until_says("verdict_0", words.VERDICT[Verdict.CHANGED])
