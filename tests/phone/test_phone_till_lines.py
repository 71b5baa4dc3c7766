"""What the till tells the phone reaches it, on the phone's own thread, and nothing else does any harm."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from pytestqt.qtbot import QtBot

from pos_app.phone.till_lines import MAX_LINE, CodeOnScreen, Dialled, Key, TillLines, read_line


class Heard(QObject):
    """Keeps what was told and the thread it came on."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[object] = []
        self.threads: set[QThread] = set()

    @Slot(object)
    def hear(self, said: object) -> None:
        self.said.append(said)
        self.threads.add(QThread.currentThread())


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    os.close(read)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"token": "t0"}', (Key("t0"),)),
        (b'{"qr": "abc"}', (CodeOnScreen("abc"),)),
        (b'{"qr": ""}', (CodeOnScreen(""),)),
        (b'{"number": "+94771234567"}', (Dialled("+94771234567"),)),
        (b'{"token": "t0", "qr": "abc"}', (Key("t0"), CodeOnScreen("abc"))),
        (b'{"later": 1}', ()),
        (b'{"qr": 5}', ()),
        (b"[]", ()),
        (b"\xff\xfe", ()),
        (b"", ()),
    ],
)
def test_a_line_says_what_it_says_or_nothing(line: bytes, said: tuple[object, ...]) -> None:
    assert read_line(line) == said


def test_lines_arrive_on_the_window_s_thread_however_they_are_cut(
    qtbot: QtBot, pipe: tuple[int, int]
) -> None:
    read, write = pipe
    lines, heard = TillLines(read), Heard()
    lines.told.connect(heard.hear)
    lines.start()
    with qtbot.waitSignal(lines.ended):
        os.write(write, b'{"token": "t0"}\n{"qr"')
        os.write(write, b': "abc"}\nnonsense\n{"qr": ""}\n')
        os.close(write)
    assert lines.wait(2)
    qtbot.waitUntil(lambda: len(heard.said) == 3)
    assert heard.said == [Key("t0"), CodeOnScreen("abc"), CodeOnScreen("")]
    assert heard.threads == {heard.thread()}


def test_an_endless_line_is_dropped_and_the_next_one_is_read(qtbot: QtBot, pipe: tuple[int, int]) -> None:
    read, write = pipe
    lines, heard = TillLines(read), Heard()
    lines.told.connect(heard.hear)
    lines.start()
    with qtbot.waitSignal(lines.ended):
        for _ in range(4):
            os.write(write, b"x" * MAX_LINE)
        os.write(write, b'\n{"qr": "abc"}\n')
        os.close(write)
    assert lines.wait(2)
    qtbot.waitUntil(lambda: bool(heard.said))
    assert heard.said == [CodeOnScreen("abc")]
