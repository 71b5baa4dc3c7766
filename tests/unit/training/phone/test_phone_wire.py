"""The phone's line to the sandbox where it is ended under way; Qt's own warnings fail a test."""

from __future__ import annotations

import pytest
from PySide6.QtNetwork import QNetworkReply
from pytestqt.qtbot import QtBot

from pos_app.training.phone import wire
from pos_app.training.phone.wire import Wire
from tests.unit.services.raw_server import Connection, RawServer, http_reply, says

HALF = http_reply(b"[" + b" " * 9_000)[:4_000]
"""The head, and so the status, and a part of the body."""


def opened(server: RawServer) -> Wire:
    line = Wire(server.url)
    line.use_token("any")
    return line


def half(connection: Connection) -> None:
    connection.send(HALF)
    connection.wait()


def test_a_reply_that_is_ended_half_way_is_not_read_and_not_told(qtbot: QtBot) -> None:
    told: list[int] = []
    with RawServer() as server:
        server.play = half
        line = opened(server)
        line.get("/people", lambda status, _: told.append(status))
        reply = line.findChildren(QNetworkReply)[0]
        with qtbot.waitSignal(reply.readyRead):
            pass
        line.close()
        assert told == []
        assert reply.isFinished()


def test_a_reply_that_stops_half_way_is_silence(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "TIME_OUT_MS", 200)
    told: list[tuple[int, bytes]] = []
    with RawServer() as server:
        server.play = half
        line = opened(server)
        line.get("/people", lambda status, body: told.append((status, body)))
        qtbot.waitUntil(lambda: told == [(0, b"")])
        server.play = says(http_reply(b"[]"))
        line.get("/people", lambda status, body: told.append((status, body)))
        qtbot.waitUntil(lambda: told[1:] == [(200, b"[]")])
        line.close()
