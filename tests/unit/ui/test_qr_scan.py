"""The customer's phone can read the code from the real window: both themes, 100 % and 200 %, long texts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from threading import get_ident
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt, CancelWish, Reason, State
from pos_app.ui.theme.tokens import QR_LEAST, QUIET_ZONE
from pos_app.ui.till.payment import qr_encoder
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.payment.qr_matrix import MOST_BYTES, Matrix, matrix
from pos_app.ui.till.payment.qr_view import QrView
from tests.support.published import QR_TEXT, attempt, change
from tests.support.stage import Stage
from tests.unit.ui.qr_reader import read

LONG = (QR_TEXT * 4)[:300]


def _waiting(qtbot: Any, it: Attempt, **told: Any) -> tuple[Stage, QrView]:
    on = Stage(qtbot, **told)
    on.begin(change(it))
    view = on.part("qr")
    assert isinstance(view, QrView)
    qtbot.waitUntil(lambda: view.is_shown)
    return on, view


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("text", [QR_TEXT, LONG], ids=["84", "300"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1920, 1080)], ids=str)
def test_a_scanner_reads_the_code_from_the_window(
    qtbot: Any, colours: str, text: str, size: tuple[int, int]
) -> None:
    on, view = _waiting(qtbot, attempt(qr_text=text), colours=colours, size=size)
    assert read(on.window.grab().toImage()) == [text]
    assert view.module_pixels() * (matrix_side(text)) >= QR_LEAST
    if text == QR_TEXT:
        assert view.module_pixels() >= 6


def matrix_side(text: str) -> int:
    made = matrix(text)
    assert made is not None
    return made.side + 2 * QUIET_ZONE


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("scale", ["1.25", "2"])
def test_a_scanner_reads_the_code_at_other_scale_factors(colours: str, scale: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.unit.ui.qr_reader", colours, QR_TEXT],
        env={**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=60,
        check=True,
    )
    seen = json.loads(run.stdout)
    assert seen["ratio"] == float(scale)
    assert seen["texts"] == [QR_TEXT]
    assert seen["colours"] == 2, "smoothed modules"
    assert seen["module_pixels"] >= 6


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_code_is_black_on_white_with_its_quiet_zone(qtbot: Any, colours: str) -> None:
    on, view = _waiting(qtbot, attempt(), colours=colours)
    image = on.window.grab().toImage()
    paper = _paper(on, view, image)
    seen = {image.pixelColor(x, y).name() for x in range(*paper[0]) for y in range(*paper[1])}
    assert seen == {"#000000", "#ffffff"}
    module = view.module_pixels()
    margin = QUIET_ZONE * module
    for along in range(paper[0][0], paper[0][1]):
        for off in range(margin):
            assert image.pixelColor(along, paper[1][0] + off) == QColor("#ffffff")
            assert image.pixelColor(along, paper[1][1] - 1 - off) == QColor("#ffffff")


def _paper(on: Stage, view: QrView, image: QImage) -> tuple[tuple[int, int], tuple[int, int]]:
    side = view.module_pixels() * matrix_side(QR_TEXT)
    place = QRect(view.mapTo(on.window, QPoint(0, 0)), view.size())
    left = place.x() + round((place.width() - side) / 2)
    top = place.y() + round((place.height() - side) / 2)
    assert image.rect().contains(QRect(left, top, side, side))
    return (left, left + side), (top, top + side)


ENDS = {
    "cancelling": attempt(cancel_wish=CancelWish("p1", 5)),
    "paid": attempt(state=State.PAID),
    "failed": attempt(state=State.FAILED, reason=Reason.PAYMENT_FAILED),
    "cancelled": attempt(state=State.CANCELLED),
    "unresolved": attempt(state=State.UNRESOLVED, reason=Reason.GAVE_UP),
    "disputed": attempt(state=State.DISPUTED, reason=Reason.OTHER_AMOUNT),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_code_is_gone_the_moment_the_attempt_does_not_wait(qtbot: Any, end: str) -> None:
    on, view = _waiting(qtbot, attempt())
    gone: list[str] = []
    on.window.qr_changed.connect(gone.append)
    on.receive(change(ENDS[end]))
    assert not view.is_shown
    assert read(on.window.grab().toImage()) == []
    assert gone == [""]


def test_the_code_is_gone_when_the_payment_is_parked(qtbot: Any) -> None:
    on, view = _waiting(qtbot, attempt())
    on.part("waiting_park").click()
    assert not view.is_shown
    assert read(on.window.grab().toImage()) == []


def test_a_code_that_is_ready_too_late_is_not_shown(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.receive(change(attempt(state=State.CANCELLED)))
    encoder = on.window.encoder
    qtbot.waitUntil(lambda: not encoder.isRunning())
    on.settle()
    assert not on.part("qr").is_shown


def test_another_code_replaces_the_first(qtbot: Any) -> None:
    on, view = _waiting(qtbot, attempt())
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", number=2, qr_text="another text altogether")
    on.receive(change(attempt(state=State.CANCELLED)), change(second))
    qtbot.waitUntil(lambda: view.is_shown)
    assert read(on.window.grab().toImage()) == ["another text altogether"]


def test_what_no_code_can_hold_is_not_painted() -> None:
    assert matrix("x" * (MOST_BYTES + 1)) is None
    assert matrix("") is None
    largest = matrix("x" * MOST_BYTES)
    assert largest is not None
    assert largest.side == 177


@pytest.mark.parametrize("text", ["\0" * 400, "0123" * 40 + "\0" * 400 + "END"])
def test_runs_of_nul_are_no_code(text: str) -> None:
    assert matrix(text) is None


def test_the_encoding_never_runs_on_the_windows_thread(qtbot: Any) -> None:
    on = Stage(qtbot)
    threads: list[int] = []
    encoder = on.window.encoder
    encoder.encoded.connect(
        lambda _text, _made: threads.append(get_ident()), Qt.ConnectionType.DirectConnection
    )
    on.begin(change(attempt()))
    qtbot.waitUntil(lambda: on.part("qr").is_shown)
    assert len(threads) == 1
    assert get_ident() not in threads


@pytest.mark.usefixtures("qapp")
def test_what_was_made_is_not_made_again_by_a_late_warming() -> None:
    """On a slow machine the first code may be asked for before the libraries were to be loaded."""
    made: list[str] = []
    encoder = QrEncoder()
    encoder.encoded.connect(lambda text, _made: made.append(text), Qt.ConnectionType.DirectConnection)
    encoder.encode("0123")
    assert encoder.wait(qr_encoder.STOP_MS)
    encoder.warm()
    assert encoder.wait(qr_encoder.STOP_MS)
    assert made == ["0123"]


def test_an_encoder_that_was_stopped_does_not_begin_again(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a first code: Qt ends the process where a thread that works loses its last owner."""
    begun, go_on = threading.Event(), threading.Event()

    def held(text: str) -> Matrix | None:
        if text == "4567":
            begun.set()
            assert go_on.wait(30)
        return matrix(text)

    monkeypatch.setattr(qr_encoder, "matrix", held)
    encoder = QrEncoder()
    with qtbot.waitSignal(encoder.finished):
        encoder.encode("0123")
    encoder.encode("4567")
    assert begun.wait(30)
    with monkeypatch.context() as at_once:
        at_once.setattr(qr_encoder, "STOP_MS", 0)
        encoder.stop()
    begins: list[bool] = []
    encoder.started.connect(lambda: begins.append(True), Qt.ConnectionType.DirectConnection)
    with qtbot.waitSignal(encoder.finished):
        go_on.set()
    encoder.encode("0123")
    encoder.warm()
    assert encoder.wait(qr_encoder.STOP_MS)
    assert begins == []


def test_the_window_goes_while_a_code_is_being_made(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(qr_text="x" * 2000)))
    encoder = on.window.encoder
    on.window.close()
    assert not encoder.isRunning()
    assert isinstance(on.window, QWidget)
