"""What the window tells whoever stands beside it: code, results, the panel's payment. It shows nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from pos_app.ui.till.window.state import TillState


class Observers(QObject):
    """Speaks after each change of the panel, and says nothing twice."""

    qr_changed = Signal(str)
    """The QR text that can be scanned from the screen now, "" when it is gone."""

    result_shown = Signal(str)
    """A result came onto the panel: its Tone."""

    panel_changed = Signal(object, str)
    """The payment on the panel as it now is (an AttemptChanged or None), and whose panel it is."""

    attention_wanted = Signal()
    """Another payment's news, which must never sound like a result of the one on the panel."""

    def __init__(self, till_state: TillState, parent: QObject) -> None:
        super().__init__(parent)
        self._till_state = till_state
        self._qr_text = ""
        self._untold = ""

    def note_result(self, tone: str) -> None:
        """It is told as soon as somebody is there."""
        self._untold = tone

    def tell(self) -> None:
        """What is on the panel now."""
        if self._untold and self._till_state.is_attended:
            tone, self._untold = self._untold, ""
            self.result_shown.emit(tone)
        text = self._till_state.qr_text
        if text != self._qr_text:
            self._qr_text = text
            self.qr_changed.emit(text)
        self.panel_changed.emit(self._till_state.shown, self._till_state.who)
