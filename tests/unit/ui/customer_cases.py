"""The customer's window in each of its states, and all that can be read on it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from gettext import NullTranslations
from typing import Any

from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import CancelWish, Kind, Reason, State
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.seen import Seen, idle, see, typing
from pos_app.ui.customer.window import CustomerWindow
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.view_config import TillViewConfig
from tests.support.published import NIMALI, attempt, change

ATTEMPTS: dict[str, Any] = {
    "code": attempt(),
    "scanned": attempt(service_status="Verification Success"),
    "scan_failed": attempt(service_status="Verification Fail"),
    "phone": attempt(kind=Kind.PUSH),
    "approved": attempt(kind=Kind.PUSH, service_status="Customer Approved"),
    "moment": attempt(state=State.INTENT, shown=False, qr_text=""),
    "ending": attempt(cancel_wish=CancelWish(NIMALI.person_id, 5_000)),
    "paid": attempt(state=State.PAID, amount=Decimal("999999.99")),
    "not_paid": attempt(state=State.FAILED, reason=Reason.CUSTOMER_REJECTED),
    "not_known": attempt(state=State.IN_DOUBT),
    "ask": attempt(state=State.DISPUTED, reason=Reason.OTHER_TRANSACTION),
}
VIEWS: dict[str, Callable[[TillViewConfig, CustomerWords], Seen]] = {
    "idle": lambda _config, words: idle(words),
    "amount": lambda config, words: typing((Decimal("999999.99"),), config, words),
    "prices": lambda config, words: typing((Decimal("12345.67"),) * 6, config, words),
    **{
        name: lambda config, words, of=of: see(change(of), config, words)  # type: ignore[misc]
        for name, of in ATTEMPTS.items()
    },
}
"""Every picture a customer can meet, by name."""


def longer(by: float = 0.4) -> CustomerWords:
    """A language whose words are longer by so much, each of them no longer than a long word is."""

    class Longer(NullTranslations):
        def pgettext(self, _context: str, message: str) -> str:
            return _longer(message, by)

    return CustomerWords.apart(Longer())


def _longer(text: str, by: float) -> str:
    return (
        f"{text}{'~' * max(1, round(len(text.split()[-1]) * by))} {'ök ' * round(len(text) * by / 3)}".strip()
    )


class Shown:
    """The window alone, without a till."""

    def __init__(
        self, qtbot: Any, config: TillViewConfig, words: CustomerWords, size: tuple[int, int]
    ) -> None:
        self.config, self.words = config, words
        self.encoder = QrEncoder()
        self.till = QWidget()
        self.window = CustomerWindow(config, words, self.encoder, self.till)
        qtbot.addWidget(self.till)
        qtbot.addWidget(self.window, before_close_func=lambda _window: self.encoder.stop())
        self.window.resize(*size)
        self.window.show()

    def show(self, view: str) -> None:
        """One of VIEWS."""
        self.window.show_seen(VIEWS[view](self.config, self.words))

    def parts(self) -> list[Any]:
        """All that carries words, and can be seen."""
        return [
            each for each in self.window.findChildren(QWidget) if each.isVisible() and hasattr(each, "text")
        ]

    def cut(self) -> list[str]:
        """The parts whose words are not all there."""
        return [each.objectName() for each in self.parts() if each.text() and not each.text_fits()]


def said(window: QWidget) -> str:
    """Everything that a person or a screen reader finds on a window, seen or not."""
    every = [window, *window.findChildren(QWidget)]
    texts = [f"{each.accessibleName()} {each.accessibleDescription()} {each.toolTip()}" for each in every]
    texts += [str(each.text()) for each in every if hasattr(each, "text")]
    return " ".join([window.windowTitle(), *texts])
