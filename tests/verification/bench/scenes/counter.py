"""The bench's cashier at the till's own window: signs in, charges, waits for what is painted. Judges nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QWidget

from pos_app.bootstrap.sandbox_control import Control
from pos_app.bootstrap.sandbox_process import Details
from pos_app.domain.attempt import Attempt
from pos_app.domain.views import AttemptChanged
from pos_app.tour.day import MANAGER_MSISDN
from pos_app.tour.signing_in import first_sign_in
from pos_app.tour.stage import Stage
from pos_app.ui.till.window.controller import UNSEEN_S
from pos_app.ui.till.window.main_window import MainWindow
from tests.verification.bench.watching import Painting, say

VARIABLE = "BENCH_SANDBOX"
LIMIT_MS = 20_000
AMOUNT = "12.50"
READ_MS = 1000 * UNSEEN_S + 100


class Counter:
    """`until_painted` is how everything is timed: it returns when the window with the awaited thing is painted."""

    def __init__(self, window: QWidget, painting: Painting) -> None:
        assert isinstance(window, MainWindow)
        self.window = window
        self._painting = painting
        self._shown: AttemptChanged | None = None
        window.panel_changed.connect(self._panel_changed)
        self.stage = Stage(window, None, lambda _line: None)
        details = json.loads(os.environ[VARIABLE])
        self.details = Details(**{name: details[name] for name in Details.__struct_fields__})
        self.control = Control(self.details)

    def sign_in(self) -> None:
        """As the manager, with the code from the sandbox's SMS."""
        first_sign_in(self.stage, self._code)
        self.stage.wait("nothing in the way", lambda: self.part("method_qr").isEnabled())
        self.rest(1_000)

    def _code(self) -> str:
        messages: list[dict[str, str]] = self.control.get(f"/sms?msisdn={MANAGER_MSISDN}")
        return messages[0]["code"] if messages else ""

    def part(self, name: str) -> Any:
        """A part of the window, shown or not."""
        return self.window.findChild(QWidget, name)

    @property
    def attempt(self) -> Attempt | None:
        """The payment on the panel."""
        return self._shown.attempt if self._shown is not None else None

    def _panel_changed(self, change: AttemptChanged | None, _who: str) -> None:
        self._shown = change

    def rest(self, milliseconds: float) -> None:
        """Lets the window live."""
        loop = QEventLoop()
        QTimer.singleShot(round(milliseconds), loop.quit)
        loop.exec()

    def until_painted(self, shown: Callable[[], bool]) -> float:
        """When (monotonic, s) the window was painted with it. Raises AssertionError when it never was."""
        loop = QEventLoop()
        seen: list[float] = []

        def painted(at: float) -> None:
            if shown() and not seen:
                seen.append(at)
                loop.quit()

        self._painting.painted = painted
        limit = QTimer()
        limit.setSingleShot(True)
        limit.timeout.connect(loop.quit)
        limit.start(LIMIT_MS)
        loop.exec()
        limit.stop()
        self._painting.painted = lambda _at: None
        assert seen, "the awaited picture was never painted"
        return seen[0]

    def type_amount(self) -> None:
        """An amount, on a till that is ready for one."""
        self.stage.see("methods_panel")
        self.stage.type(AMOUNT)

    def charge_by_qr(self) -> None:
        """Charges and waits until the code stands on the screen."""
        self.type_amount()
        self.stage.key(Qt.Key.Key_F2)
        self.stage.wait("the code", self.has_code)

    def has_code(self) -> bool:
        """Whether a code can be scanned from the screen."""
        code = self.part("qr")
        return code is not None and code.isVisible() and code.is_shown

    def act(self, verb: str) -> None:
        """Makes the service move the payment on the panel."""
        assert self.attempt is not None
        self.control.post(f"/transactions/{self.attempt.wallet_transaction_id}/{verb}")

    def finish(self, verb: str = "pay") -> None:
        """Ends the payment on the panel and gets ready for the next."""
        if self.attempt is not None and self.attempt.is_open:
            self.act(verb)
            self.stage.key(Qt.Key.Key_F5)
        self.stage.see("result_panel")
        # As whoever reads it: a result that goes sooner is kept in the row above, and painted with each that follows.
        self.rest(READ_MS)
        self.stage.press("result_next")
        self.stage.see("methods_panel")

    def tell(self, measured: Any) -> None:
        """What was measured, for the process that started this one."""
        say(json.dumps(measured))
