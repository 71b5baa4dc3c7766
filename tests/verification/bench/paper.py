"""A receipt drawn beside a window's thread, against a script that lays out the same lines with bare Qt."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.verification.bench.figure import Figure, interleaved, timed_ms

ROUNDS = 60
DOTS = 576


def measure(*, quick: bool = False) -> list[Figure]:
    """A warm receipt; the first of a till is measured at the till (printing.py)."""
    from pos_app.ui.paper.offscreen import drawing

    with drawing():
        ours, floor = _in_a_thread(lambda: _warm(5 if quick else ROUNDS))
    return [
        Figure(
            name="receipt drawn, warm",
            unit="ms",
            ours=ours,
            floor=floor,
            goal=1.5,
            floor_is="bare QTextLayout and qrcode",
            limited_by="labels and values are laid out apart, and measured before they are placed",
        ),
    ]


def _warm(rounds: int) -> tuple[float, float]:
    from pos_app.domain.paper import lines_of
    from pos_app.ui.paper.raster import bitmap_of
    from tests.unit.ui.paper_cases import paper

    made = paper("paid", "ta")
    lines = list(lines_of(made))
    height = bitmap_of(made, DOTS).height
    bare = _bare(lines, height)
    bare()
    return interleaved(lambda: timed_ms(lambda: bitmap_of(made, DOTS)), lambda: timed_ms(bare), rounds)


def _bare(lines: list[str], height: int) -> Callable[[], object]:
    """The same lines in one font, the same code, the same packing; each where the last one ended."""
    from PIL import Image
    from PySide6.QtCore import QPointF, Qt
    from PySide6.QtGui import QImage, QPainter, QTextLayout
    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.main import QRCode

    from pos_app.ui.paper.layout import paper_font

    def draw() -> object:
        image = QImage(DOTS, height, QImage.Format.Format_Grayscale8)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        font, at = paper_font(24), 0.0
        for text in lines[:-1]:
            layout = QTextLayout(text, font)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(DOTS)
                line.setPosition(QPointF(0, at))
                at += 36
            layout.endLayout()
            layout.draw(painter, QPointF(0, 0))
        code = QRCode(error_correction=ERROR_CORRECT_M, border=0, mask_pattern=3)
        code.add_data("T7K3M9QRD-0123-1-K7Q2M9 T7K3M9QRD-R000123 K7Q2M9XHTD", optimize=0)
        code.make(fit=True)
        for row, modules in enumerate(code.modules):
            for column, is_black in enumerate(modules):
                if is_black:
                    painter.fillRect(column * 6, row * 6, 6, 6, Qt.GlobalColor.black)
        painter.end()
        grey = Image.frombytes(
            "L", (DOTS, height), bytes(image.constBits()), "raw", "L", image.bytesPerLine()
        )
        return grey.point(lambda value: 255 if value < 128 else 0, "1").tobytes("raw", "1")

    return draw


def _in_a_thread(work: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """As at the till: the thread that owns the application does something else."""
    found: list[tuple[float, float]] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]
