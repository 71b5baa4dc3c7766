"""What the till fills into a sentence is in the cashier's language too: states, and the signs between things."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.attempt import State
from pos_app.domain.views import Block
from tests.support.published import attempt, change, terminal
from tests.support.stage import Stage


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("si", "ලියා ගන්න: විකුණුම 0123 ගෙවා නැත 1,250.00"),
        ("ta", "எழுதி வையுங்கள்: விற்பனை 0123 செலுத்தவில்லை 1,250.00"),
        ("ar", "دوّن على ورقة: البيع رقم 0123، غير مدفوع، 1,250.00"),
    ],
)
def test_what_is_to_be_written_down_is_in_the_cashiers_language(qtbot: Any, language: str, said: str) -> None:
    """A code in English letters is copied wrongly by whoever reads none."""
    on = Stage(qtbot, language=language)
    on.begin(change())
    on.receive(
        terminal(block=Block.JOURNAL_HALTED, block_detail="disk full"), change(attempt(state=State.FAILED))
    )
    assert on.part("write_down").text() == said


def test_payments_in_a_row_stand_apart_by_the_languages_own_commas(qtbot: Any) -> None:
    """A Latin comma beside the one inside an amount runs sale and amount together in Arabic."""
    on = Stage(qtbot, language="ar")
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0121-1", sale_id="0121")
    on.receive(terminal(block=Block.STARTING, open=(attempt(), second)))
    assert "(البيع رقم 0123، 1,250.00؛ البيع رقم 0121، 1,250.00)" in on.part("block").text()
