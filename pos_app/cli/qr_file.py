"""The code of a payment as a picture in a file, there as long as it can be paid; for a screen of somebody's own."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import zlib
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import note
from pos_app.domain.attempt import Attempt

ENDING = ".png"
_PIXELS = 8
"""Of a module, each way: a line of the picture is whole bytes then, at one bit a pixel."""


class QrFile:
    """`see` each attempt as it is; `end` when the verb does. It shows a code only while the till would.

    What cannot be written after the start is said, and ends no payment (docs/payment-rules.md, rule 15).
    """

    def __init__(self, path: Path) -> None:
        """Takes away what an earlier run left there, so that nobody scans it. Raises CommandError."""
        self._path = path
        self._shown = ""
        folder = path.absolute().parent
        problem = "" if os.access(folder, os.W_OK | os.X_OK) else f"{folder} is no folder that can be written"
        try:
            if path.exists() and not stat.S_ISREG(path.stat().st_mode):
                problem = f"{path} is no file"
            elif not problem:
                path.unlink(missing_ok=True)
        except OSError as error:
            problem = f"{path} cannot be replaced: {error.strerror}"
        if problem:
            raise CommandError(Exit.CANNOT_CREATE, f"--qr-file: {problem}; nothing was sent")

    def see(self, attempt: Attempt) -> None:
        """Its code, where it can be scanned now; no code of it, where it cannot any more."""
        if attempt.qr_showable and attempt.qr_text != self._shown:
            self._show(attempt.qr_text)
        elif not attempt.qr_showable and attempt.qr_text == self._shown:
            self.end()

    def end(self) -> None:
        """No code is shown any more."""
        if self._shown:
            self._shown = ""
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)

    def _show(self, qr_text: str) -> None:
        from pos_app.cli.terminal_qr import matrix
        from pos_app.system.atomic_file import write_whole

        rows = matrix(qr_text)
        if rows is None:
            note("no picture can hold this code; its text stands above")
            return
        try:
            write_whole(self._path.absolute(), picture(rows))
            self._shown = qr_text
        except OSError as error:
            note(f"{self._path} cannot be written: {error.strerror}; the payment goes on")


def picture(rows: list[list[bool]]) -> bytes:
    """A PNG, black on white; made here, because nothing else of the till needs a library that draws files."""
    wide, high = len(rows[0]) * _PIXELS, len(rows) * _PIXELS
    lines = []
    for row in rows:
        bits = "".join(("0" if module else "1") * _PIXELS for module in row)
        # A line begins with its filter, none, and ends with a whole byte.
        line = b"\0" + int(bits, 2).to_bytes(len(row) * _PIXELS // 8, "big")
        lines.append(line * _PIXELS)
    header = struct.pack(">IIBBBBB", wide, high, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
