"""Other counters' payments at the window: asked for, shown, copied. What is asked for here is answered here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from pos_app.domain.commands import LookElsewhere, PrintPaper
from pos_app.domain.elsewhere import Elsewhere
from pos_app.domain.print_job import PaperKind
from pos_app.domain.receipt import Receipt
from pos_app.domain.shipping import FindRequest
from pos_app.domain.views import PrintAnswered, ReceiptRead, ToldElsewhere
from pos_app.ui.post import name_request
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.payments.other_counters import ElsewhereCard, OtherCountersPanel
    from pos_app.ui.dialogs.payments.receipt_sheet import ReceiptSheet
    from pos_app.ui.paper.worker import PaperWorker

_CARD = 760
_WIDEST = 960


class OtherCountersDesk(QObject):
    """One search, one card and one paper at a time.

    `paper_scanned(text)`: the code of a paper, whosever it is. `print_wanted(PrintPaper)`: a copy is to be printed.
    """

    paper_scanned = Signal(str)
    print_wanted = Signal(object)

    def __init__(
        self, context: TillContext, overlay: OverlayHost, paper_worker: Callable[[], PaperWorker]
    ) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._paper_worker = paper_worker
        self._panel: OtherCountersPanel | None = None
        self._card: ElsewhereCard | None = None
        self._sheet: ReceiptSheet | None = None
        self._asked = ""
        self._asked_of_paper = ""
        self._printing = ""

    @property
    def are_there(self) -> bool:
        """Whether a store can be asked."""
        return self._till_state.terminal.store.is_member

    def open(self, text: str = "") -> None:
        """The search. `text`: what was looked for among this counter's payments."""
        if self._panel is not None or not self.are_there or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.other_counters import OtherCountersPanel

        panel = self._panel = OtherCountersPanel(self._config)
        panel.fill(text)
        panel.asked.connect(self._ask)
        panel.opened.connect(self._open_card)
        panel.paper_scanned.connect(self.paper_scanned)
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_WIDEST, on_close=self._panel_closed)

    def open_paper(self, text: str) -> None:
        """A paper that is not this till's: the store is asked about it at once. `text`: what its code holds."""
        if self._card is not None:
            self._overlay.close_panel(self._card)
        self._open_card(None)
        self._asked_of_paper = name_request()
        self._post(LookElsewhere(request_id=self._asked_of_paper, text=text, who=self._till_state.who))

    def receive(self, published: ToldElsewhere | PrintAnswered) -> None:
        """What the store told, or the printer's queue; what nobody waits for any more is left alone."""
        if isinstance(published, PrintAnswered):
            if self._card is not None and published.request_id == self._printing:
                self._printing = ""
                self._card.take_print(published)
        elif self._panel is not None and published.request_id == self._asked:
            self._panel.receive(published)
        elif self._card is not None and published.request_id == self._asked_of_paper:
            self._card.receive(published)

    def _ask(self, sought: FindRequest) -> None:
        if self._panel is not None:
            self._asked = name_request()
            self._panel.begin()
            self._post(LookElsewhere(request_id=self._asked, sought=sought, who=self._till_state.who))

    def _open_card(self, payment: Elsewhere | None) -> None:
        if self._card is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.other_counters import ElsewhereCard

        has_printer = bool(self._till_state.terminal.printing.printer)
        card = self._card = ElsewhereCard(self._config, payment, has_printer=has_printer)
        card.print_wanted.connect(self._print)
        card.receipt_wanted.connect(self._open_receipt)
        card.left.connect(lambda: self._overlay.close_panel(card))
        self._overlay.open(card, width=_CARD, on_close=self._card_closed)

    def _print(self, receipt: Receipt) -> None:
        # Pressed twice it is one wish: what a manager then allows bears the first one's name.
        self._printing = self._printing or name_request()
        wanted = PrintPaper(
            request_id=self._printing,
            paper=PaperKind.ELSEWHERE,
            about=receipt.attempt_id,
            again=True,
            who=self._till_state.who,
            receipt=receipt,
        )
        self.print_wanted.emit(wanted)

    def _open_receipt(self, receipt: Receipt) -> None:
        """As it would be printed."""
        if self._sheet is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.receipt_sheet import ReceiptSheet

        sheet = self._sheet = ReceiptSheet(
            name_request(), self._config, self._paper_worker(), at_counter=self._config.counter_id
        )
        sheet.left.connect(lambda: self._overlay.close_panel(sheet))
        self._overlay.open(sheet, on_close=self._sheet_closed)
        read = ReceiptRead(request_id=sheet.request_id, attempt_id=receipt.attempt_id, receipt=receipt)
        sheet.receive(read)

    def _panel_closed(self) -> None:
        self._panel = None
        self._asked = ""

    def _card_closed(self) -> None:
        self._card = None
        self._asked_of_paper = self._printing = ""

    def _sheet_closed(self) -> None:
        self._sheet = None
