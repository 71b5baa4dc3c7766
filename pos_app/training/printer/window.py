"""What came out of the pretended printer, dot for dot as its bytes said, and its cover, paper and switch."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.devices.printers.virtual import Sheet, VirtualPrinter
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.pretended import words
from pos_app.ui.language import SaysAnew
from pos_app.ui.paper.strip import PaperStrip
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3, S4
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place
from pos_app.ui.widgets.label import CENTRE
from pos_app.ui.widgets.said import SaidLabel

KEPT = 12
"""So many sheets are shown; older ones have fallen behind the counter."""

_ROOM = QSize(460, 640)


class PrinterWindow(SaysAnew, QWidget):
    """`look` after each change of what lies on paper. The newest stands on top. Speaks the language the till speaks."""

    def __init__(self, printer: VirtualPrinter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pretended_printer")
        # It does not keep the application alive, nor take the keyboard from the till.
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._printer = printer
        self._shown: tuple[Sheet, ...] = ()
        self.strips: list[PaperStrip] = []
        self.said = SaidLabel(words.NOTHING, "body", "muted", wrap=True, align=CENTRE, name="paper_said")
        self.tear = Button(name="paper_tear")
        self.empty = Button(name="paper_out", role="chip")
        self.open = Button(name="paper_open", role="chip")
        self.off = Button(name="paper_off", role="chip")
        self._name_all()
        self.setStyleSheet(sheet(tokens()))
        self._lay_out()
        # A scanner whose keys come here tears nothing off.
        KeyBursts(self, lambda: text_place(self.focusWidget())).start()
        FingerScroll(self).start()
        self.tear.clicked.connect(printer.tear_off)
        self.empty.clicked.connect(self._paper)
        self.open.clicked.connect(self._cover)
        self.off.clicked.connect(self._switch)
        self._say()
        self.look()

    def _lay_out(self) -> None:
        switches = ButtonRow("paper_switches")
        switches.set_parts([self.empty, self.open, self.off])
        held = QWidget()
        self._roll = QVBoxLayout(held)
        self._roll.setContentsMargins(S3, S3, S3, S3)
        self._roll.setSpacing(S4)
        self._roll.addStretch(1)
        area = QScrollArea()
        # Its sheets have the keyboard, and show it; their arrows come here.
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(held)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        below = QWidget()
        row = QHBoxLayout(below)
        row.setContentsMargins(S3, S2, S3, S3)
        row.addWidget(switches, 1)
        row.addWidget(self.tear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (SandboxBand(), self.said, area, below):
            column.addWidget(part, 1 if part is area else 0)

    def sizeHint(self) -> QSize:
        """A wide receipt, and most of its length."""
        return super().sizeHint().expandedTo(_ROOM)

    def look(self) -> None:
        """What lies on paper now, and how it is switched."""
        self._tell_switches()
        sheets = self._printer.sheets[-KEPT:]
        if sheets == self._shown:
            return
        read = self._read
        self._shown = sheets
        for strip in self.strips:
            self._roll.removeWidget(strip)
            strip.hide()
            strip.deleteLater()
        self.strips = []
        for number, printed in enumerate(reversed(sheets)):
            strip = PaperStrip(f"sheet_{number}", printed.bitmap.width)
            strip.show_bitmap(printed.bitmap)
            self._roll.insertWidget(number, strip, 0, Qt.AlignmentFlag.AlignHCenter)
            self.strips.append(strip)
            if read is not None and (printed == read or read not in sheets):
                # Whoever reads one goes on; Qt would hand the keyboard to a switch.
                strip.setFocus(Qt.FocusReason.OtherFocusReason)
                read = None
        self._tell_sheets()
        self.tear.setEnabled(bool(sheets))

    def say_anew(self) -> None:
        """The language has changed; the paper is as it was printed."""
        self._name_all()
        self._tell_switches()
        self._tell_sheets()

    @property
    def _read(self) -> Sheet | None:
        """The one that has the keyboard."""
        shown = zip(reversed(self._shown), self.strips, strict=True)
        return next((printed for printed, strip in shown if self.focusWidget() is strip), None)

    def _name_all(self) -> None:
        self.setWindowTitle(band_words.titled(words.TITLE))
        for button, said in (
            (self.tear, words.TEAR_OFF),
            (self.empty, words.NO_PAPER),
            (self.open, words.OPEN),
            (self.off, words.OFF),
        ):
            button.setText(said)

    def _tell_sheets(self) -> None:
        """Whether there is any, which are whole, and what was no printer's language."""
        for strip, printed in zip(self.strips, reversed(self._shown), strict=True):
            strip.setAccessibleName(words.WHOLE if printed.is_cut else words.HANGS)
        self.said.setText(words.BROKEN.format(why=self._printer.broken) if self._printer.broken else "")
        if not self._shown:
            self.said.setText(words.NOTHING)
        self.said.setVisible(bool(self.said.text()))

    def _paper(self) -> None:
        switches = self._printer.switches
        switches.rows_left = None if switches.rows_left is not None else 0
        self._say()

    def _cover(self) -> None:
        self._printer.switches.is_open = not self._printer.switches.is_open
        self._say()

    def _switch(self) -> None:
        self._printer.switches.is_off = not self._printer.switches.is_off
        self._say()

    def _say(self) -> None:
        """What is switched is told; what it held in its buffer comes out once there is paper and the cover is shut."""
        self._tell_switches()
        self._printer.go_on()

    def _tell_switches(self) -> None:
        """What is switched stands out, and is said by name."""
        switches = self._printer.switches
        for button, is_on in (
            (self.empty, switches.rows_left is not None),
            (self.open, switches.is_open),
            (self.off, switches.is_off),
        ):
            button.set_kind("soft" if is_on else "plain")
            button.setAccessibleDescription(words.ON if is_on else words.NOT_ON)
