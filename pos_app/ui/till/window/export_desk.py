"""Files of payments at the window: the panel, a manager's leave, and what becomes of the file."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from pos_app.domain.export import Door, News, Wish
from pos_app.domain.rights import Act
from pos_app.domain.search import Meant, Only
from pos_app.domain.text import hide_numbers
from pos_app.i18n.words.export import words
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.day.export import ExportPanel

_WIDE = 760


class ExportDesk(QObject):
    """One panel at a time. A file that is being written when the panel goes is given up."""

    _came = Signal(int, object)

    def __init__(
        self,
        context: TillContext,
        overlay: OverlayHost,
        approvals: ApprovalRequests,
        door: Door | None,
    ) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, _ = context
        self._approvals = approvals
        self._door = door
        self._panel: ExportPanel | None = None
        self._file = 0
        """Which file the panel waits for: of one that was given up with an earlier panel it is told nothing."""
        # From whatever thread writes the file to the window's.
        self._came.connect(self._show, Qt.ConnectionType.QueuedConnection)

    @property
    def is_there(self) -> bool:
        """Whether this till can save files at all."""
        return self._door is not None and bool(self._config.papers_folder)

    def open(self, which: str = "", shown: Meant | None = None) -> None:
        """`which`: the Z that is looked at, by its number; `shown`: what a view shows."""
        from pos_app.ui.dialogs.day.export import ExportPanel

        if not self.is_there or self._panel is not None:
            return
        today = datetime.now().astimezone().date()
        last_z = self._till_state.terminal.day.last_z
        panel = self._panel = ExportPanel(
            self._config.papers_folder, last_z, today, shown=shown, which=which if which.isdecimal() else ""
        )
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        panel.wanted.connect(self._ask)
        panel.stop_wanted.connect(self._cancel)
        self._overlay.open(panel, width=_WIDE, on_close=self._closed)

    def _ask(self, wish: Wish) -> None:
        act = Act.EXPORT_NUMBERS if wish.numbers else Act.EXPORT
        question = (words.ASK_TITLE, words.ASK_NUMBERS if wish.numbers else words.ASK_MORE, words.ASK_YES)
        self._approvals.permit(act, question, lambda _given: self._begin(wish), content={"why": _said(wish)})

    def _begin(self, wish: Wish) -> None:
        if self._panel is not None and self._door is not None:
            self._panel.begin()
            self._file += 1
            number = self._file
            self._door.begin(wish, lambda news: self._came.emit(number, news))

    def _cancel(self) -> None:
        if self._door is not None:
            self._door.cancel()

    def _show(self, number: int, news: News) -> None:
        if self._panel is not None and number == self._file:
            self._panel.show_news(news)

    def _closed(self) -> None:
        self._panel = None
        self._file += 1
        self._cancel()


def _said(wish: Wish) -> str:
    """What stands in what was done, beside who and why: which file of which payments."""
    span = wish.span
    of = f"Z {span.z}" if span.z else " – ".join(filter(None, (span.first, span.last)))
    parts = [wish.format.value, of]
    if (among := wish.among) is not None:
        only = among.only.value if among.only is not Only.ALL else ""
        # Who looks for a customer types their number in full: it is kept as any other that is typed (I8).
        sought = hide_numbers(among.sought.text)
        parts += [" – ".join(filter(None, (among.earliest, among.latest))), only, sought]
    return " · ".join(filter(None, parts))
