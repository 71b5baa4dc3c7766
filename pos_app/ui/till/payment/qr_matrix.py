"""A QR text as a matrix of modules. Opaque bytes in, black and white out; knows no Qt."""

from __future__ import annotations

import sys

import msgspec

_DRAWERS = "qrcode.image.styles.moduledrawers.pil"
MOST_BYTES = 2953
"""What the largest QR code holds (threat 3)."""

STRONG_UP_TO = 150
"""Up to here level M (15 %); longer texts take level L, so that their modules stay large enough to scan."""


class Matrix(msgspec.Struct, frozen=True):
    """`rows` holds one byte for each module, 1 for black; no quiet zone."""

    side: int
    rows: tuple[bytes, ...]


def matrix(text: str, mask: int | None = None) -> Matrix | None:
    """The smallest code for the text; None when no code can be made of it.

    `mask` 0 to 7 is taken as it is, which saves two thirds of the time; without one the best is chosen, for a code that
    is read off any screen by any phone.

    That is when it holds more than a QR code can, or is no text but runs of NUL.
    """
    # Loaded by whoever encodes first, off the window's thread. What it would draw with Pillow is wanted by nobody: None
    # is the importer's own word for "not there", and the library goes on without, as it does where Pillow is missing.
    sys.modules.setdefault(_DRAWERS, None)  # type: ignore[arg-type]
    from qrcode.constants import ERROR_CORRECT_L, ERROR_CORRECT_M
    from qrcode.main import QRCode

    try:
        data = text.encode()
    except UnicodeEncodeError:
        return None
    if not data or len(data) > MOST_BYTES:
        return None
    level = ERROR_CORRECT_M if len(data) <= STRONG_UP_TO else ERROR_CORRECT_L
    code = QRCode(error_correction=level, border=0, mask_pattern=mask)
    code.add_data(data, optimize=0)
    try:
        code.make(fit=True)
    except ValueError:
        # The library takes the logarithm of a block's first byte; where all of the block is NUL there is none.
        return None
    rows = tuple(bytes(bool(module) for module in row) for row in code.modules)
    return Matrix(len(rows), rows)
