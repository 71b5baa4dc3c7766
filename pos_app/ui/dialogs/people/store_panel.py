"""Whose counter this is: joining a central store by a code, and leaving it. It asks, and neither calls nor records."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.membership import NotJoined, StoreState, StoreView
from pos_app.domain.shipping import read_code
from pos_app.i18n.words.store import words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, column, focus, heading, title_row
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.touched_fields import Takes

ADDRESS_EXAMPLE, CODE_EXAMPLE = "https://store.example", "7K2M-Q9XB"


class StorePanel(LeftByEsc):
    """`join_wanted(address, code)`, `leave_wanted`, `left` to go away.

    `show_view` how it stands now, `begin` that it is under way, `show_problem` and `show_done` what came of it.
    """

    join_wanted = Signal(str, str)
    leave_wanted = Signal()

    def __init__(self, view: StoreView, address: str = "", parent: QWidget | None = None) -> None:
        """`address`: the one that the settings name, and then the only one."""
        super().__init__(parent)
        self.setObjectName("store_panel")
        self.setAccessibleName(words.TITLE)
        self.standing = Label("", "body", wrap=True, name="store_standing")
        self.address = Field(words.ADDRESS, "store_address", example=ADDRESS_EXAMPLE, takes=Takes.LATIN)
        self.code = Field(words.CODE, "store_code", example=CODE_EXAMPLE, takes=Takes.LATIN)
        self.said = Label("", "body", "muted", wrap=True, name="store_said")
        self.said.hide()
        self.join = Button(words.JOIN, name="store_join", kind="primary")
        self.leave = Button(words.LEAVE, name="store_leave", kind="danger")
        self.close_button = Button(words.CLOSE, name="store_close", keycap="Esc")
        self._buttons = ButtonRow("store_buttons", at_end=True)
        self._voice = Announcer(self.said)
        title = title_row(heading(words.TITLE, "store_title"), self.close_button)
        column(self, title, self.standing, self.address, self.code, self.said, self._buttons, spacing=S3)
        if address:
            self.address.set_text(address)
            self.address.edit.setEnabled(False)
        self._is_busy = False
        self.show_view(view)
        is_member = view.is_member
        self.setFocusProxy(self.close_button if is_member else self.code if address else self.address)
        for field in (self.address, self.code):
            field.entered.connect(self._want)
        self.join.clicked.connect(self._want)
        self.leave.clicked.connect(self.leave_wanted)
        self.close_button.clicked.connect(self.left)

    def show_view(self, view: StoreView) -> None:
        """How it stands with the store; what can be done about it follows."""
        self.standing.setText(words.standing(view) or words.NOT_MEMBER)
        for field in (self.address, self.code):
            field.setVisible(not view.is_member)
        has_one = view.state is not StoreState.NONE
        self._buttons.set_parts(
            [*([self.leave] if has_one else []), *([] if view.is_member else [self.join])]
        )

    def begin(self, said: str) -> None:
        """It is under way: nothing more can be wished."""
        self._set_busy(is_busy=True)
        self._tell(said)

    def show_problem(self, problem: NotJoined, said: str = "") -> None:
        """Why nothing came of it. `said`: the store's words, or the settings' address where another was typed."""
        self._set_busy(is_busy=False)
        if problem is NotJoined.NO_ADDRESS:
            self.said.hide()
            self._show_no_address()
        else:
            text = words.PROBLEM.get(problem, words.PROBLEM[NotJoined.AWAY])
            self._tell(text.format(address=said, said=said), "bad")

    def show_done(self, said: str) -> None:
        """It is recorded."""
        self._set_busy(is_busy=False)
        self.code.set_text("")
        self._tell(said, "text")
        focus(self.close_button)

    def _want(self) -> None:
        """What is typed, where it can be an address and a code."""
        address = self.address.text().strip()
        for field in (self.address, self.code):
            field.clear_error()
        if not address:
            self._show_no_address()
            return
        try:
            code = read_code(self.code.text())
        except ValueError:
            self.code.show_error(words.BAD_CODE.format(example=CODE_EXAMPLE))
            return
        if not self._is_busy:
            self.join_wanted.emit(address, code)

    def _show_no_address(self) -> None:
        text = words.PROBLEM[NotJoined.NO_ADDRESS].format(address=ADDRESS_EXAMPLE)
        self.address.show_error(text)

    def _set_busy(self, *, is_busy: bool) -> None:
        self._is_busy = is_busy
        for button in (self.join, self.leave):
            button.setEnabled(not is_busy)

    def _tell(self, text: str, tone: str = "muted") -> None:
        self.said.set_tone(tone)
        self.said.setText(text)
        self.said.show()
        self._voice.say(text)
