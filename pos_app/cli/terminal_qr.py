"""A QR code on a terminal, in half blocks: black on white with its quiet zone, whatever the terminal's colours.

Its colours go along into a pipe, too: at the other end of `ssh` or `tee` stands a terminal. NO_COLOR leaves them out.
"""

from __future__ import annotations

import os

from pos_app.bootstrap.plain_lines import plain_line

QUIET = 4
_BLACK_ON_WHITE = "\x1b[30;107m"
_PLAIN = "\x1b[0m"
_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def matrix(text: str) -> list[list[bool]] | None:
    """The code of a text, its quiet zone around it: True is black. None where no code can hold it."""
    import qrcode
    from qrcode.exceptions import DataOverflowError

    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_L, border=QUIET)
    code.add_data(text.encode(), optimize=0)
    try:
        code.make(fit=True)
    except (DataOverflowError, ValueError):
        return None
    return [[bool(module) for module in row] for row in code.get_matrix()]


def drawn(text: str, encoding: str) -> str:
    """The code of a text; the text itself where no code can hold it or the terminal has no half blocks."""
    rows = matrix(text)
    try:
        "█▀▄".encode(encoding)
    except UnicodeEncodeError:
        rows = None
    if rows is None:
        return plain_line(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    lines = (
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
    on, off = ("", "") if os.environ.get("NO_COLOR") else (_BLACK_ON_WHITE, _PLAIN)
    return "\n".join(f"{on}{line}{off}" for line in lines)
