"""The printer of the counter beside its window: the line to it, what draws for it, and new settings while it works."""

from __future__ import annotations

from pos_app.bootstrap.printing import RESULT_FIRST_MS, VIRTUAL, printer_of, printing_of
from pos_app.bootstrap.shop import letterhead_of, paper_language_of
from pos_app.devices.printers.virtual import VirtualLink, VirtualPrinter
from pos_app.engine.core.config import Printing
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
        self._is_in_exercise = False

    def line(self, post: Post) -> Line:
        """The line, not begun yet; any thread."""
        self._line = Line(printer_of(self._settings, self._link), self._drawing, post)
        return self._line

    def pretend(self, paper: bool | None) -> Printing | None:
        """The pretended printer stands at the counter, for an exercise; with paper or without. How the engine sees it.

        None: the exercise is over. The counter has its own printer again; where it has none, the pretended one stays,
        so that nothing of the exercise waits for ever, and prints only what is asked for.
        """
        self._is_in_exercise = paper is not None
        settings, switches = self._settings, self.virtual.switches
        switches.rows_left = 0 if paper is False else None
        switches.is_open = switches.is_off = False
        language = paper_language_of(settings)
        if paper is None and (own := printing_of(settings, language, at_window=True)) is not None:
            self.renew(settings)
            return own
        if self._line is not None:
            self._line.printer = self._link
        self.virtual.go_on()
        return Printing(
            printer=VIRTUAL,
            auto="off" if paper is None else "all",
            width=settings.printer.width,
            language=language,
            rests_ms=RESULT_FIRST_MS,
        )

    def renew(self, settings: Settings) -> None:
        """New settings hold: the next job goes to the printer they name, once no exercise needs the pretended one."""
        self._settings = settings
        self._drawing.letterhead = letterhead_of(settings)
        if self._line is not None:
            self._line.printer = self._link if self._is_in_exercise else printer_of(settings, self._link)
