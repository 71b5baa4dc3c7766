"""The keys themselves: a page for each script, for signs, for figures. They say what was touched, and type nowhere."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.i18n.table import spoken
from pos_app.i18n.words.keyboard import words
from pos_app.ui.keyboard.layouts import FIGURES, LETTERS, ROWS, SIGNS, Letters, Rows, face
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import GAP, S2, TOUCH, Tokens
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.touched_fields import Takes

_TALLEST = 64
_SHARE = 0.07
"""Of the window's height, a key; never under a finger's."""
_WIDEST = 1180
_SIGN_SHARE = 0.44
_WORD_SHARE = 0.32
LEAST_WIDTH = 13 * (TOUCH + GAP)
"""A window narrower than the longest row's keys cannot have them inside it."""


class Page(StrEnum):
    """What stands on the keys, beside the script."""

    LETTERS = "letters"
    SIGNS = "signs"
    FIGURES = "figures"


class BoardKey(Button):
    """A key as large as its place; it never takes the keyboard from the field that is typed into."""

    def __init__(self, text: str, *, name: str, accessible: str = "", icon: str = "", wide: int = 2) -> None:
        """`wide`: its share of its row, two for a letter."""
        super().__init__(text, name=name)
        self.called(accessible or text)
        self.wide = wide
        self._drawn = icon
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Its row decides."""
        return QSize(TOUCH, TOUCH)

    def minimumSizeHint(self) -> QSize:
        """Never under a finger's width."""
        return QSize(TOUCH, TOUCH)

    def draw(self, icon: str) -> None:
        """Another icon."""
        self._drawn = icon
        self.update()

    def text_fits(self) -> bool:
        """Whether its sign, or its word, has its room."""
        if self._drawn:
            return True
        needed = QFontMetricsF(font("key", self._pixels(self.height()))).horizontalAdvance(self.text())
        return needed <= self.width()

    def _pixels(self, height: float) -> int:
        is_word = len(self.text()) > 2 and not self.text().startswith("\u25cc")
        return round(height * (_WORD_SHARE if is_word else _SIGN_SHARE))

    def paint_contents(self, painter: QPainter, shape: QRectF, _on: Tokens, ink: str) -> None:
        """The icon, or the sign."""
        if self._drawn:
            side = min(28.0, shape.height() * 0.5)
            place = QRectF(shape.center().x() - side / 2, shape.center().y() - side / 2, side, side)
            paint_icon(painter, self._drawn, place, ink)
            return
        painter.setFont(font("key", self._pixels(self.height())))
        painter.setPen(QColor(ink))
        # A bracket stands as it is typed, not as it would be read in a line from the right.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(shape, Qt.AlignmentFlag.AlignCenter, self.text())


def _key_height(room_height: int) -> int:
    return max(TOUCH, min(_TALLEST, round(room_height * _SHARE)))


def size_in(room_width: int, room_height: int) -> QSize:
    """How large the keys are in a window of this size."""
    return QSize(room_width, (ROWS + 1) * _key_height(room_height) + ROWS * GAP + 2 * S2)


class Keyboard(SaysAnew, QWidget):
    """`typed` carries what a key stands for; the other signals say which key that types nothing was touched.

    None of them is Enter: what is typed is done by a button that says what it does.
    """

    typed = Signal(str)
    erased = Signal()
    next_wanted = Signal()
    done = Signal()

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("screen_keyboard")
        self.setAccessibleName(words.TITLE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Keys stand where they stand in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._begin_with(language)
        self._takes = Takes.TEXT
        self._page = Page.LETTERS
        self._shifted = self._locked = False
        self._pages: dict[tuple[str, str, bool], QWidget] = {}
        self._shifts: list[BoardKey] = []
        self._shown: QWidget | None = None
        self._key_height = TOUCH
        self._side = QVBoxLayout(self)
        self._side.setContentsMargins(S2, S2, S2, S2)
        self._side.setSpacing(GAP)
        self._signs = self._made("", "signs", words.SIGNS, wide=3)
        self._letters = self._made("", "script", "", wide=4)
        self._hyphen = self._made("-", "hyphen", "-")
        self._space = self._made("", "space", words.SPACE, wide=9)
        self._point = self._made(".", "point", ".")
        self._next = self._made("", "next", words.NEXT, icon="next_field", wide=3)
        self._done = self._made("", "done", words.DONE, icon="keyboard_down", wide=3)
        self._below = _row(
            (self._signs, self._letters, self._hyphen, self._space, self._point, self._next, self._done)
        )
        self._side.addWidget(self._below, 1)
        self._signs.clicked.connect(self._turn_signs)
        self._letters.clicked.connect(self._turn_script)
        self._hyphen.clicked.connect(lambda: self._type("-"))
        self._space.clicked.connect(lambda: self._type(" "))
        self._point.clicked.connect(lambda: self._type("."))
        self._next.clicked.connect(self.next_wanted)
        self._done.clicked.connect(self.done)
        self._show_page()

    def _begin_with(self, language: str) -> None:
        """The script of this language first, where it has one of its own."""
        self._own = self._script = language if language in LETTERS else "en"
        self._scripts = tuple(dict.fromkeys((self._own, "en", *LETTERS)))

    def serve(self, takes: Takes, *, others: bool) -> None:
        """For a field that takes this; `others`: there is another one that Next leads to."""
        if takes is not self._takes:
            self._takes = takes
            self._page = Page.FIGURES if takes is Takes.FIGURES else Page.LETTERS
            self._script = self._own if takes is Takes.TEXT else "en"
        self._shifted = self._locked = False
        self._next.setEnabled(others)
        self._show_page()

    def place(self, room_width: int, room_height: int) -> QSize:
        """Its size in a window of this size."""
        self._key_height = _key_height(room_height)
        side = max(S2, (room_width - _WIDEST) // 2)
        self._side.setContentsMargins(side, S2, side, S2)
        return size_in(room_width, room_height)

    @property
    def script(self) -> str:
        """Whose letters stand on it."""
        return self._script

    def say_anew(self) -> None:
        """The language has changed. Under a finger that types the letters stay; the next begin with their own."""
        if self.isHidden():
            self._begin_with(spoken())
            if self._takes is not Takes.TEXT:
                self._script = "en"
            self._shifted = self._locked = False
            self._show_page()
        self.setAccessibleName(words.TITLE)
        for key, said in ((self._space, words.SPACE), (self._next, words.NEXT), (self._done, words.DONE)):
            key.called(said)
        for page in self._pages.values():
            for key in page.findChildren(BoardKey, "board_backspace"):
                key.called(words.BACKSPACE)
        for key in self._shifts:
            key.called(words.SHIFT)
        self._name_turns()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Between the keys nothing is touched that lies behind."""
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Its ground, and a line above it."""
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(on.bg))
        painter.fillRect(0, 0, self.width(), 1, QColor(on.fieldline))

    def _made(self, text: str, name: str, accessible: str, *, icon: str = "", wide: int = 2) -> BoardKey:
        return BoardKey(text, name=f"board_{name}", accessible=accessible, icon=icon, wide=wide)

    def _type(self, sign: str) -> None:
        self.typed.emit(sign)
        if self._shifted and not self._locked:
            self._shifted = False
            self._show_page()

    def _turn_shift(self) -> None:
        """Once for one letter, twice for all that follow, a third time for none."""
        self._shifted, self._locked = (not self._locked, self._shifted and not self._locked)
        self._show_page()

    def _turn_signs(self) -> None:
        is_first = self._page is (Page.FIGURES if self._takes is Takes.FIGURES else Page.LETTERS)
        other = Page.LETTERS if self._takes is Takes.FIGURES else Page.SIGNS
        self._page = other if is_first else Page.FIGURES if self._takes is Takes.FIGURES else Page.LETTERS
        self._shifted = self._locked = False
        self._show_page()

    def _turn_script(self) -> None:
        if self._page is Page.LETTERS:
            self._script = self._own = self._following
        self._page = Page.LETTERS
        self._shifted = self._locked = False
        self._show_page()

    @property
    def _following(self) -> str:
        return self._scripts[(self._scripts.index(self._script) + 1) % len(self._scripts)]

    def _show_page(self) -> None:
        letters = {Page.SIGNS: SIGNS, Page.FIGURES: FIGURES}.get(self._page, LETTERS[self._script])
        shifted = self._shifted and bool(letters.shifted)
        at = (self._page, self._script if self._page is Page.LETTERS else "", shifted)
        if at not in self._pages:
            made = self._pages[at] = self._made_page(letters, shifted=shifted)
            self._side.insertWidget(0, made, ROWS)
        page = self._pages[at]
        if self._shown is not page:
            if self._shown is not None:
                self._shown.hide()
            page.show()
            self._shown = page
        for key in self._shifts:
            key.set_kind("primary" if self._locked else "picked" if self._shifted else "plain")
        self._name_turns()

    def _name_turns(self) -> None:
        """What the two keys lead to that turn the page."""
        if self._page is Page.SIGNS or (self._takes is Takes.FIGURES and self._page is Page.FIGURES):
            self._signs.called(words.LETTERS)
            self._signs.setText(LETTERS[self._script].name)
        else:
            self._signs.called(words.SIGNS)
            self._signs.setText(FIGURES.name if self._takes is Takes.FIGURES else SIGNS.name)
        other = LETTERS[self._following].name
        self._letters.setEnabled(self._takes is Takes.TEXT and self._page is Page.LETTERS)
        self._letters.called(words.SCRIPT.format(name=other))
        self._letters.setText(other)

    def _made_page(self, letters: Letters, *, shifted: bool) -> QWidget:
        rows: Rows = letters.shifted if shifted else letters.plain
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for number, row in enumerate(rows):
            keys = [self._sign_key(sign) for sign in row]
            if number == ROWS - 1:
                keys.append(self._backspace())
                if letters.shifted:
                    keys.insert(0, self._shift_key())
            column.addWidget(_row(tuple(keys)), 1)
        return page

    def _sign_key(self, sign: str) -> BoardKey:
        key = self._made(face(sign), sign, sign)
        key.clicked.connect(lambda: self._type(sign))
        return key

    def _backspace(self) -> BoardKey:
        key = self._made("", "backspace", words.BACKSPACE, icon="backspace", wide=3)
        key.setAutoRepeat(True)
        key.clicked.connect(self.erased)
        return key

    def _shift_key(self) -> BoardKey:
        key = self._made("", "shift", words.SHIFT, icon="shift", wide=3)
        key.clicked.connect(self._turn_shift)
        self._shifts.append(key)
        return key


def _row(keys: tuple[BoardKey, ...]) -> QWidget:
    row = QWidget()
    row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    across = QHBoxLayout(row)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(GAP)
    for key in keys:
        across.addWidget(key, key.wide)
    return row
