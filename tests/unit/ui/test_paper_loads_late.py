"""What draws papers is loaded with the first one, and by nothing that starts the till or tells a receipt as text."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = (
    "import pos_app.app.session, pos_app.ui.till.window.controller, pos_app.ui.till.window.payment_details",
    "import pos_app.ui.dialogs.payments.receipt_sheet, pos_app.ui.paper.worker",
    "import pos_app.cli.verbs.receipt, pos_app.i18n.papers",
    "from pos_app.ui.till.payment.qr_matrix import matrix; assert matrix('a payment')",
)


@pytest.mark.parametrize("line", BEFORE)
def test_pillow_is_not_there_before_the_first_paper(line: str) -> None:
    code = f"import sys; {line}; print('PIL' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"


def test_a_receipt_as_text_needs_no_qt() -> None:
    code = f"import sys; {BEFORE[2]}; print('PySide6' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"
