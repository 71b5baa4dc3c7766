"""Two hundred hostile texts in every widget that draws one: plain, as large as the clean text, and quick."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from pos_app.ui.theme import theme
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import LONGEST, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import ElidedLabel, Label
from pos_app.ui.widgets.ticker import Ticker
from tests.attacks.hostile import TABLE, payloads, unfit

LIMIT_S = 1.0
LIMIT_KB = 64 * 1024
WIDTH, HEIGHT = 400, 300
BREAK = "\u200b"
"""Our own: where a wrapped label may break an endless word."""

PAYLOADS = payloads()


def _amount(text: str) -> QWidget:
    made = AmountText("amount", "LKR")
    made.show_figure(text)
    return made


def _ticker(text: str) -> QWidget:
    made = Ticker("time", "time")
    made.set_text(text)
    return made


MAKERS: dict[str, Callable[[str], QWidget]] = {
    "label": lambda text: Label(text),
    "wrapped": lambda text: Label(text, wrap=True),
    "elided": lambda text: ElidedLabel(text),
    "button": lambda text: Button(text, name="button"),
    "accessible": lambda text: Button("OK", name="button").called(text),
    "field": lambda text: Field(text, name="field"),
    "amount": _amount,
    "ticker": _ticker,
}


@pytest.fixture(autouse=True, scope="module")
def dressed(qapp: QApplication) -> None:
    theme.apply(qapp, "light")


def picture(widget: QWidget) -> QImage:
    """As it stands in a window of a till."""
    widget.resize(WIDTH, HEIGHT)
    # A large letter is drawn another way the second time it is drawn.
    widget.grab()
    return widget.grab(QRect(0, 0, WIDTH, HEIGHT)).toImage()


def test_there_are_two_hundred_of_them() -> None:
    """Each another one."""
    assert len(PAYLOADS) >= 200
    assert len(TABLE) > 280_000


@pytest.mark.parametrize("kind", MAKERS)
def test_every_text_is_drawn_as_its_clean_self(qtbot: QtBot, kind: str) -> None:
    """Same size and same pixels; nothing to be read aloud that could not be read; no time, no memory."""
    make, before = MAKERS[kind], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text in PAYLOADS:
        start = time.process_time()
        attacked = make(text)
        qtbot.addWidget(attacked)
        seen, size = picture(attacked), attacked.sizeHint()
        taken = time.process_time() - start
        plain = make(clean(text))
        qtbot.addWidget(plain)
        assert (size, seen) == (plain.sizeHint(), picture(plain)), ascii(text)[:80]
        assert size.height() < 1_000, ascii(text)[:80]
        assert size.width() < 8_000, ascii(text)[:80]
        assert taken < LIMIT_S, ascii(text)[:80]
        for part in (attacked, *attacked.findChildren(QWidget)):
            assert not unfit(part.accessibleName() + part.accessibleDescription())
            if isinstance(part, QLabel):
                assert part.textFormat() is Qt.TextFormat.PlainText
                assert not unfit(part.text().replace(BREAK, ""))
        attacked.deleteLater()
        plain.deleteLater()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < LIMIT_KB


@pytest.mark.parametrize(
    "text", ["<b>PAID</b>", "<i></i>PAID", "&lt;b&gt;", "<img src=/etc/passwd>", "# PAID"]
)
def test_markup_is_drawn_letter_by_letter(qtbot: QtBot, text: str) -> None:
    """Against a painter that knows of no markup at all."""
    label = Label(text, role="body")
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    drawn = label.grab().toImage()
    expected = QImage(drawn.size(), drawn.format())
    expected.fill(drawn.pixelColor(drawn.width() - 1, 0))
    painter = QPainter(expected)
    painter.setFont(label.font())
    painter.setPen(theme.colour("text"))
    painter.drawText(label.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
    painter.end()
    assert drawn == expected


def test_cleaning_is_bounded_and_done_once() -> None:
    """Clean text stays as it is; what is long is cut, whatever it is made of."""
    for text in PAYLOADS:
        fit = clean(text)
        assert len(fit) <= LONGEST
        assert clean(fit) == fit
        assert not unfit(fit)
        assert len(clean(text, 40)) <= 40
