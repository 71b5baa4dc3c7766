"""An X or a Z as its paper, in the middle of the panel of the day: what is read here is what is printed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.domain.day import X, Z
from pos_app.domain.paper import WIDTHS, Bitmap, Paper, text_of
from pos_app.i18n.papers import Papers
from pos_app.i18n.table import spoken
from pos_app.ui.paper.strip import PaperStrip
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

_ROOM = QSize(440, 420)
_HEARD = 1_400
"""So many letters are heard as the report's name, as many more as its description; all of it is `report --text`."""
_KEYS = itertools.count(1)


class ReportView(QScrollArea):
    """`show_report` draws it beside the window's thread; until it is there the one before stays. `names`: by id."""

    def __init__(
        self,
        config: TillViewConfig,
        worker: PaperWorker,
        names: Mapping[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("day_report")
        self._config = config
        self._worker = worker
        self._names = names
        self._papers = Papers(spoken(), config.letterhead)
        self._dots = WIDTHS[config.paper_mm]
        self._key = ""
        self.paper: Paper | None = None
        self.strip = PaperStrip("day_paper", self._dots)
        held = QWidget()
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.strip)
        middle.addStretch(1)
        column = QVBoxLayout(held)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(middle)
        column.addStretch(1)
        self.setWidget(held)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The paper in it has the keyboard, and shows it; its arrows come here.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusProxy(self.strip)
        worker.drawn.connect(self._drawn)

    def show_report(self, report: X | Z) -> None:
        """This one, from its beginning."""
        self._key = f"report-{next(_KEYS)}"
        self.paper = self._papers.report(report, self._names)
        said, more = _in_two(text_of(self.paper).splitlines())
        for part in (self, self.strip):
            part.setAccessibleName(said)
            part.setAccessibleDescription(more)
        self._worker.draw(self._key, self.paper, self._dots)

    def _drawn(self, key: str, bitmap: Bitmap) -> None:
        if key == self._key:
            self.strip.show_bitmap(bitmap)
            self.verticalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:
        """As wide as its paper, and high enough to read in."""
        return QSize(
            max(self.strip.width() + self.verticalScrollBar().sizeHint().width(), _ROOM.width()),
            _ROOM.height(),
        )

    def minimumSizeHint(self) -> QSize:
        """Its paper's width; it scrolls up and down alone."""
        return QSize(self.strip.width() + self.verticalScrollBar().sizeHint().width(), _ROOM.height() // 2)


def _in_two(lines: Sequence[str]) -> tuple[str, str]:
    """A report's text as it is heard: in two parts that no line is torn between."""
    parts = ["", ""]
    for line in lines:
        said = clean(line, DETAILS_LIMIT)
        at = 0 if not parts[1] and len(parts[0]) + len(said) < _HEARD else 1
        if said and len(parts[at]) + len(said) < _HEARD:
            parts[at] += f"{said}. "
    return parts[0].strip(), parts[1].strip()
