"""The customer's screen on the tour: follows the till's panel, and is seen by the pictures alone, on no display."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from pos_app.domain.views import AttemptChanged
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.seen import Following
from pos_app.ui.customer.window import CustomerWindow
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.view_config import TillViewConfig

SIZE = (1280, 800)


class Across(QObject):
    """What the customer would see across the counter."""

    def __init__(self, config: TillViewConfig, till: MainWindow) -> None:
        super().__init__()
        self.config = config
        said = words_in(CustomerWords, config.language)
        self._following = Following(config, said)
        self._encoder = QrEncoder(self)
        self.window = CustomerWindow(config, said, self._encoder, till)
        self.window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.window.resize(*SIZE)
        self.window.show()
        till.panel_changed.connect(self.take)

    def take(self, change: AttemptChanged | None, who: str, is_halted: bool) -> None:
        """The panel shows this now."""
        self._following.take(change, who, is_halted=is_halted)
        self.window.show_seen(self._following.seen)

    def stop(self) -> None:
        """No window and no thread is left."""
        self.window.close()
        self._encoder.stop()
