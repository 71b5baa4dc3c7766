"""The printer of the counter beside its window: the line to it, what draws for it, and new settings while it works."""

from __future__ import annotations

from pos_app.bootstrap.printing import printer_of
from pos_app.bootstrap.shop import letterhead_of
from pos_app.devices.printers.virtual import VirtualLink, VirtualPrinter
from pos_app.engine.core.mailbox import Post
from pos_app.engine.printing.line import Line
from pos_app.settings import Settings
from pos_app.ui.paper.drawing import PaperDrawing


class CounterPrinter:
    """Made once for a session. `virtual`: the pretended one, for whoever shows its paper."""

    def __init__(self, settings: Settings) -> None:
        self.virtual = VirtualPrinter()
        self._link = VirtualLink(self.virtual)
        self._drawing = PaperDrawing(letterhead_of(settings))
        self._settings = settings
        self._line: Line | None = None

    def line(self, post: Post) -> Line:
        """The line, not begun yet; any thread."""
        self._line = Line(printer_of(self._settings, self._link), self._drawing, post)
        return self._line

    def renew(self, settings: Settings) -> None:
        """New settings hold: the next job goes to the printer they name."""
        self._settings = settings
        self._drawing.letterhead = letterhead_of(settings)
        if self._line is not None:
            self._line.printer = printer_of(settings, self._link)
