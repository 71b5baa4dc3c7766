"""What the matrix takes for the screen is what the real window shows, for each behaviour, sentence by sentence."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QWidget

from pos_app.domain.attempt import Kind
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.widgets.ticker import Ticker
from tests.support.published import NIMALI
from tests.support.stage import Stage
from tests.verification.matrix.cells import Case, cases
from tests.verification.matrix.play import play
from tests.verification.matrix.screen import FACE, Screen
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.planting import Planter, planted

SAMPLE = {
    "20 S": Kind.PUSH,
    "20 T": Kind.QR,
    "20 C": Kind.QR,
    "29 T": Kind.PUSH,
    "41 T": Kind.PUSH,
    "46 S": Kind.QR,
    "46 T": Kind.PUSH,
    "4 J1": Kind.QR,
    "4 C": Kind.PUSH,
    "2 S": Kind.PUSH,
    "48 D": Kind.QR,
    "49 T": Kind.PUSH,
    "50 T": Kind.QR,
}
PANELS = ("waiting_panel", "result_panel")
_MOVING = re.compile(r"\d+:\d\d(?::\d\d)?|in \d+ s")


SAMPLED = [case for case in cases() if SAMPLE.get(case.cell) is case.kind is not None]


def _seen(case: Case) -> list[Screen]:
    """The payments' screens that the cell looked at, each of its kind once."""
    seen: list[Screen] = []

    def plant(planter: Planter) -> None:
        planter.put(Shop, "watched", seen)

    with planted(plant):
        assert play(case, 1) == []
    kinds = {_still(screen): screen for screen in seen if screen.change is not None}
    return list(kinds.values())


def _still(screen: Screen) -> str:
    return _MOVING.sub("…", screen.text)


def _read(stage: Stage) -> str:
    """All that can be read on the payment's panel."""
    panels = [
        part for name in PANELS for part in stage.window.findChildren(QWidget, name) if part.isVisible()
    ]
    assert len(panels) == 1
    parts: list[Any] = [*panels[0].findChildren(QLabel), *panels[0].findChildren(Ticker)]
    return _MOVING.sub(
        "…", " | ".join(part.text().replace("\u200b", "") for part in parts if part.isVisible())
    )


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case.cell)
def test_the_window_says_what_the_matrix_read(case: Case, qtbot: Any) -> None:
    """But for the amount, which has a widget of its own, and the top bar."""
    screens = _seen(case)
    assert screens
    for screen in screens:
        assert screen.change is not None
        stage = Stage(qtbot)
        stage.begin(screen.change)
        # The matrix works without people; a window shows a payment to somebody.
        stage.receive(replace(screen.terminal, signed_in=NIMALI))
        stage.settle()
        shown = _read(stage)
        lines = [line for line in screen.lines[1:] if line != FACE.money(screen.attempt.amount)]
        if screen.telling.tone is not Tone.WAITING:
            lines = [line for line in lines if not line.startswith("sale ")]
            assert f"sale {screen.attempt.sale_id}" in shown
        for line in lines:
            assert _MOVING.sub("…", line) in shown
        buttons = {act.value for act in screen.acts}
        for act in buttons:
            name = "waiting" if screen.telling.tone is Tone.WAITING else "result"
            assert stage.seen(f"{name}_{act}"), (act, shown)
        stage.window.close()
