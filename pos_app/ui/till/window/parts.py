"""What stands on the screen, by name. Does nothing."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from pos_app.ui.till.amount.amount_pad import AmountPad
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.till.window.parked_row import ParkedRow
from pos_app.ui.till.window.recent_strip import RecentStrip
from pos_app.ui.till.window.top_bar import TopBar


class Parts(NamedTuple):
    """`body` is all that an overlay may cover."""

    bar: TopBar
    pad: AmountPad
    panels: Panels
    strip: RecentStrip
    parked: ParkedRow
    body: QWidget
