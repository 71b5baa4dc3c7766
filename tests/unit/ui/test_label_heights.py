"""A label remembers what its lines take; whatever changes that is asked anew."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from pos_app.ui.theme.fonts import font
from pos_app.ui.widgets.label import Label

LONG = "The payment service could not be reached, and so nothing is known of this payment yet. "


def test_a_height_is_that_of_the_lines_whatever_changes(qtbot: QtBot) -> None:
    """Text, letters, wrapping and style: each height is the one that a new label of the same kind has."""
    label = Label(LONG, wrap=True)
    qtbot.addWidget(label)
    done: list[Callable[[Label], object]] = []

    def look(change: Callable[[Label], object]) -> None:
        done.append(change)
        change(label)
        anew = Label(LONG, wrap=True)
        qtbot.addWidget(anew)
        for each in done:
            each(anew)
        for width in (120, 240, 480, 240):
            assert label.heightForWidth(width) == anew.heightForWidth(width)

    look(lambda on: on.text())
    look(lambda on: on.setText(LONG * 2))
    look(lambda on: on.setFont(font("title")))
    look(lambda on: on.set_scale(0.5))
    look(lambda on: on.setContentsMargins(0, 30, 0, 30))
    look(lambda on: on.setStyleSheet("QLabel { padding: 20px; }"))
    look(lambda on: on.stand_with_fields())
    look(lambda on: on.setWordWrap(False))
