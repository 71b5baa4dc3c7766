"""A QR code on a terminal, in half blocks: black on white with its quiet zone, whatever the terminal's colours."""

from __future__ import annotations

from pos_app.bootstrap.plain_lines import plain_line

QUIET = 4
_BLACK_ON_WHITE = "\x1b[30;107m"
_PLAIN = "\x1b[0m"
_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def drawn(text: str, encoding: str) -> str:
    """The code of a text; the text itself where no code can hold it or the terminal has no half blocks."""
    import qrcode
    from qrcode.exceptions import DataOverflowError

    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_L, border=QUIET)
    code.add_data(text.encode(), optimize=0)
    try:
        "█▀▄".encode(encoding)
        code.make(fit=True)
    except (UnicodeEncodeError, DataOverflowError, ValueError):
        return plain_line(text)
    rows = [[bool(module) for module in row] for row in code.get_matrix()]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    lines = (
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(f"{_BLACK_ON_WHITE}{line}{_PLAIN}" for line in lines)
