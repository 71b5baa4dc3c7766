"""Reads QR codes from a picture of the window; as a program, at whatever scale factor it was started with."""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage

from tests.support.codes import read_plane


def read(image: QImage) -> list[str]:
    """The texts of all codes in the picture, as a camera would find them."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    stride, width = grey.bytesPerLine(), grey.width()
    bits = bytes(grey.constBits())
    lines = b"".join(bits[at * stride : at * stride + width] for at in range(grey.height()))
    plane = memoryview(lines).cast("B", (grey.height(), width))
    return read_plane(plane)


def main(colours: str, text: str) -> None:
    """Show the window with this code; print what is read from it."""
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from pos_app.ui.till.payment.qr_view import QrView
    from tests.support.published import attempt, change
    from tests.support.stage import Stage

    app = QApplication(["till"])
    on = Stage(None, colours=colours)
    on.begin(change(attempt(qr_text=text)))
    view = on.part("qr")
    assert isinstance(view, QrView)
    while not view.is_shown:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    image = on.window.grab().toImage()
    ratio = image.devicePixelRatio()
    side = view.module_pixels()
    middle = QRect(view.mapTo(on.window, QPoint(0, 0)), view.size()).center()
    colours_seen = {
        image.pixelColor(round(middle.x() * ratio) + x, round(middle.y() * ratio) + y).name()
        for x in range(-6 * side, 6 * side)
        for y in range(-6 * side, 6 * side)
    }
    seen = {
        "ratio": ratio,
        "texts": read(image),
        "module_pixels": side,
        "colours": len(colours_seen),
    }
    on.window.close()
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
