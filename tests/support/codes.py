"""Reads QR codes from pictures for paper, as a scanner at a counter would."""

from __future__ import annotations

import io

import zxingcpp
from PIL import Image

from pos_app.domain.paper import Bitmap


def read_plane(plane: memoryview) -> list[str]:
    """The texts of the QR codes in a grey picture; to look for every kind of code would take a tenth of a second."""
    wanted = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    return [code.text for code in zxingcpp.read_barcodes(plane, formats=wanted)]


def codes_on(bitmap: Bitmap) -> list[str]:
    """The texts of all codes on a piece of paper, from the top."""
    return _read(Image.frombytes("1", (bitmap.width, bitmap.height), bitmap.rows, "raw", "1;I"))


def codes_in_png(data: bytes) -> list[str]:
    """The same of a file."""
    return _read(Image.open(io.BytesIO(data)))


def _read(image: Image.Image) -> list[str]:
    grey = image.convert("L")
    plane = memoryview(grey.tobytes()).cast("B", (grey.height, grey.width))
    return read_plane(plane)
