"""What stands on the screen, by name. Does nothing."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from pos_app.ui.till.amount_pad import AmountPad
from pos_app.ui.till.panels import Panels
from pos_app.ui.till.parked_row import ParkedRow
from pos_app.ui.till.recent_strip import RecentStrip
from pos_app.ui.till.top_bar import TopBar


class Parts(NamedTuple):
    """`body` is all that an overlay may cover."""

    bar: TopBar
    pad: AmountPad
    panels: Panels
    strip: RecentStrip
    parked: ParkedRow
    body: QWidget
