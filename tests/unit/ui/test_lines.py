"""A text that is broken into lines and read from the right begins each of them at its edge, and loses no letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from pos_app.training.coach.exercises_page import ExerciseRow
from pos_app.training.coach.model import Line
from pos_app.ui.customer.fit_text import FitText
from pos_app.ui.language import set_language
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.lines import ended

TEXT = "لم يُمسح الرمز بعد. يمكنك بدلًا من ذلك إرسال الطلب 12 إلى هاتف العميل الآن"
WIDTHS = range(300, 620, 20)
ICON = 22
"""Beside the title of an exercise (pixels)."""
BEARING = 4
"""What a letter may leave between its ink and its edge (pixels); a space of this size is ten."""


@pytest.fixture(autouse=True)
def arabic() -> Iterator[None]:
    """Lines begin at the right."""
    set_language("ar")
    yield
    set_language("en")


def _ends(part: QWidget, line: int, seen: QRect | None = None) -> list[int]:
    """How far from the right edge the ink of each line begins, where lines are this high."""
    image = part.grab(part.rect() if seen is None else seen).toImage()
    ground, edge = image.pixel(0, 0), image.width() - 1
    rows = [range(top, min(top + line, image.height())) for top in range(0, image.height(), line)]
    return [
        next(x for x in range(image.width()) if any(image.pixel(edge - x, y) != ground for y in each))
        for each in rows
        if any(image.pixel(x, y) != ground for y in each for x in range(0, image.width(), 2))
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_each_line_of_a_label_begins_at_its_edge(qtbot: Any, width: int) -> None:
    label = Label(TEXT, "heading", wrap=True)
    qtbot.addWidget(label)
    label.setAutoFillBackground(True)
    label.resize(width, label.heightForWidth(width))
    lines = ended(TEXT, label.font(), width).count("\n") + 1
    found = _ends(label, label.height() // lines)
    assert len(found) == lines > 1
    assert max(found) <= BEARING
    assert label.text_fits()


def test_each_line_on_the_customer_s_screen_does(qtbot: Any) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    said = FitText("said", "heading", wrap=True, parent=room)
    said.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    said.setAutoFillBackground(True)
    said.say(TEXT)
    said.place(QRect(0, 0, 400, 600), 40, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
    lines = ended(TEXT, font("heading", said.pixels()), 400).split("\n")
    found = _ends(said, QFontMetrics(font("heading", said.pixels())).boundingRect(lines[0]).height())
    assert len(found) >= len(lines) > 1
    assert max(found) <= BEARING


@pytest.mark.parametrize("width", [280, 320, 420])
def test_each_line_of_an_exercise_s_title_does(qtbot: Any, width: int) -> None:
    row = ExerciseRow(Line(key="first", title=TEXT, mark="", outcome=None), is_next=False)
    qtbot.addWidget(row)
    row.resize(width, row.heightForWidth(width))
    beside_the_icon = QRect(S2, S2, width - 2 - 2 * S3 - ICON - S2, row.height() - 2 * S2)
    found = _ends(row, QFontMetrics(font("strong")).boundingRect(TEXT).height(), beside_the_icon)
    assert len(found) > 1
    assert max(found) <= BEARING / 2, "its letters are half as large"


def test_no_word_is_lost_and_only_spaces_give_way() -> None:
    large = font("heading")
    for width in WIDTHS:
        assert ended(TEXT, large, width).replace("\n", " ") == TEXT
    assert ended("سطر\nآخر", large, 1_000) == "سطر\nآخر"
    assert ended("🧾 إيصال 🧾 آخر", large, 90).replace("\n", " ") == "🧾 إيصال 🧾 آخر"
