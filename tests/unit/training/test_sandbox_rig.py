"""What an exercise has done at its sandbox, over the wire: also where that says nothing for a while."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from pos_app.training.sandbox_rig import SandboxRig
from tests.unit.services.raw_server import RawServer, http_reply, says

DONE, DOWN, NOTHING_OPEN = http_reply(b"{}"), http_reply(b"", "503 X"), http_reply(b"[]")


def test_what_was_not_cleaned_up_is_cleaned_up_once_the_sandbox_answers(qtbot: Any) -> None:
    """A machine that slept for a moment: the exercise said "the rest ends by itself" for ever."""
    done: list[str] = []
    with RawServer() as server, ExitStack() as end:
        server.play = says(DONE, DOWN, DONE, NOTHING_OPEN)
        rig = SandboxRig(server.url, "token")
        end.callback(rig.stop)
        rig.clean_up(lambda: done.append("clean"))
        qtbot.waitUntil(lambda: done == ["clean"], timeout=30_000)
        asked = [request.split(b" HTTP")[0] for request in server.requests]
    assert asked == [b"DELETE /faults", b"GET /transactions"] * 2


def test_what_the_next_exercise_breaks_is_not_mended_for_the_last_one(qtbot: Any) -> None:
    """The clean-up of one that was left, put off, comes behind what has begun since."""
    done: list[str] = []
    with RawServer() as server, ExitStack() as end:
        server.play = says(DONE, DOWN, DONE, NOTHING_OPEN, DONE)
        rig = SandboxRig(server.url, "token")
        end.callback(rig.stop)
        rig.clean_up(lambda: done.append("left"))
        rig.clean_up(lambda: done.append("begun"))
        qtbot.waitUntil(lambda: done == ["begun"], timeout=30_000)
        rig.break_({"kind": "drop_after"})
        qtbot.waitUntil(lambda: rig.is_idle, timeout=30_000)
        rig.customer("A-1", "approve")
        qtbot.waitUntil(lambda: rig.is_idle, timeout=30_000)
        asked = [request.split(b" HTTP")[0] for request in server.requests]
    assert asked[4:] == [b"POST /faults", b"POST /transactions/A-1/approve"]
