"""What stands on the screen, by name, and what may stand in front of it. Does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QWidget

from pos_app.ui.till.amount.amount_pad import AmountPad
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.till.window.parked_row import ParkedRow
from pos_app.ui.till.window.recent_strip import RecentStrip
from pos_app.ui.till.window.top_bar import TopBar

if TYPE_CHECKING:
    from pos_app.ui.till.lock.lock_screen import LockScreenController
    from pos_app.ui.till.payment.prompts import Prompts
    from pos_app.ui.widgets.overlay import OverlayHost


class Parts(NamedTuple):
    """`body` is all that an overlay may cover."""

    bar: TopBar
    pad: AmountPad
    panels: Panels
    strip: RecentStrip
    parked: ParkedRow
    body: QWidget


class InFront(NamedTuple):
    """What may stand in front of the sale: the lock, a dialog, a question."""

    lock_screen: LockScreenController
    overlay: OverlayHost
    prompts: Prompts

    @property
    def covers_sale(self) -> bool:
        """Whether the sale cannot be worked on; under an alert that nobody asked for it can."""
        return self.lock_screen.is_up or (self.overlay.top is not None and not self.prompts.alert_is_up)
