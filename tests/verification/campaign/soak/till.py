"""The real till with a cashier who sells; says how large it is from inside.

python -m tests.verification.campaign.soak.till
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from pos_app.domain.views import ChargeOpened, Published
from tests.verification.campaign.kills.till import Shift, main, say
from tests.verification.campaign.soak.cashier import Seller

MEASURE_MS = 2_000


class SoakShift(Shift):
    """Beside the selling: blocks of memory Python has given out, and widgets, every two seconds."""

    cashier = Seller
    look_ms = 20

    def _published(self, published: Published) -> None:
        super()._published(published)
        if isinstance(published, ChargeOpened):
            self._cashier.sales += 1
            if self._cashier.sales == self._orders.payments:
                say("sold")

    def _painted(self) -> None:
        super()._painted()
        self._measuring = QTimer(self)
        self._measuring.timeout.connect(_measure)
        self._measuring.start(MEASURE_MS)


def _measure() -> None:
    say("size", f"{sys.getallocatedblocks()} {len(QApplication.allWidgets())}")


if __name__ == "__main__":
    sys.exit(main(SoakShift))
