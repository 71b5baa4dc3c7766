"""Target `qr`: any text the service may send as a QR's; a code that is read back as the same bytes, or none at all."""

from __future__ import annotations

import os
import time

from pos_app.ui.till.payment.qr_matrix import MOST_BYTES, Matrix, matrix
from tests.verification.fuzz.finding import Finding

READ_BACK = int(os.environ.get("FUZZ_QR_READ_BACK", "16"))
"""One code in so many is looked at with a camera's eyes."""

NULS = "\0" * 12
"""Fewer fill no block of any code: then there is one."""

QUIET, PIXELS = 4, 3
_drawn = [0]


def play(data: bytes) -> str:
    """The text is opaque: nothing in it means anything to the till."""
    text = data.decode("utf-8", "replace")
    size = len(text.encode())
    began = time.process_time()
    found = matrix(text)
    if time.process_time() - began > 5:
        raise Finding(f"{size} bytes take longer than a customer waits")
    if found is None:
        if NULS in text:
            return "no text"
        if 0 < size <= MOST_BYTES:
            raise Finding(f"{size} bytes fit into a code")
        return "empty" if not size else "too long"
    if not 0 < size <= MOST_BYTES:
        raise Finding(f"{size} bytes do not fit")
    version, rest = divmod(found.side - 17, 4)
    if rest or not 1 <= version <= 40 or any(len(row) != found.side or max(row) > 1 for row in found.rows):
        raise Finding("a square that is no code")
    _drawn[0] += 1
    if _drawn[0] % READ_BACK == 0:
        if read_back(found) != text.encode():
            raise Finding(f"{size} bytes are not read back")
        return "read back"
    return "drawn"


def read_back(found: Matrix) -> bytes:
    """What a scanner reads from the code, drawn with its quiet zone."""
    import zxingcpp

    side = (found.side + 2 * QUIET) * PIXELS
    white = bytes((255,)) * side
    picture = [white] * (QUIET * PIXELS)
    edge = white[: QUIET * PIXELS]
    for row in found.rows:
        line = edge + b"".join((b"\0" if module else b"\xff") * PIXELS for module in row) + edge
        picture += [line] * PIXELS
    picture += [white] * (QUIET * PIXELS)
    plane = memoryview(b"".join(picture)).cast("B", (side, side))
    codes = zxingcpp.read_barcodes(plane)
    return bytes(codes[0].bytes) if codes else b""


def seeds() -> list[bytes]:
    """Each size class, and texts that would mean something if they were not opaque."""
    texts = [
        "A",
        "12345678",
        "HTTPS://PAY.EXAMPLE/$%*+-./:",
        "aGVsbG8=" * 20,
        "\u0000",
        "<b>PAID</b>",
        "\U0001f600" * 9,
    ]
    texts += [
        "http://evil.example/?a=b",
        "\u202eabc",
        "\n\r\t",
        "\x1b@",
        "WIFI:S:x;;",
        "\u00e9" * 60,
        "\u65e5\u672c" * 9,
    ]
    sizes = [
        bytes(place % 95 + 32 for place in range(size))
        for size in (150, 151, 900, 2_952, 2_953, 2_954, 3_090)
    ]
    return [text.encode() for text in texts] + sizes + [b""]
