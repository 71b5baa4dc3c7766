"""Puts the named points into a till's own process by wrapping its methods: it dies there, and says what leaves it.

Nothing of this is in the till: the product has no door for it.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.record import Record
from pos_app.engine.core.engine import Engine
from pos_app.journal import Journal
from pos_app.journal.anchor import Anchor
from pos_app.journal.verify import Head
from pos_app.services import sockets
from pos_app.services.call import Call, MayLeave
from pos_app.services.client import Reply, ServiceClient
from tests.verification.campaign.kills.orders import Left
from tests.verification.simulation.planting import Planter

_NAMES = {
    "initiate/push": "initiate_push",
    "initiate/qr": "initiate_qr",
    "getstatus": "get_status",
    "transaction/cancel": "cancel",
    "transaction/query": "query",
    "validate-code": "validate_code",
    "submit-code": "submit_code",
}


class Death:
    """Counts the passings of one point and ends the process at the one that was ordered."""

    def __init__(self, point: str, on: int) -> None:
        self._point = point
        self._left = on
        self._lock = threading.Lock()

    def passing(self, point: str) -> None:
        """The point is passed now, on whatever thread; may not return."""
        if point != self._point:
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def waits_at(self, point: str) -> bool:
        """Whether this is where it is to die."""
        return point == self._point and self._left == 1


class SentLog:
    """A line before each request that leaves; what was written survives the process."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.seq = 0

    def note(self, operation: str, body: bytes) -> None:
        """Written when this returns."""
        left = Left(at=int(time.time() * 1000), operation=operation, seq=self.seq, body=body.decode())
        os.write(self._file, msgspec.json.encode(left) + b"\n")


def hook(death: Death, log: SentLog) -> None:
    """From now on this process has the points."""
    _hook_journal(death, log)
    _hook_calls(death, log)
    _wrap(Engine, "start", before=lambda: death.passing("start:engine"))
    _wrap(Engine, "start", after=lambda: death.passing("start:taken up"))
    _wrap(Anchor, "write", lambda: death.passing("anchor:before"), lambda: death.passing("anchor:after"))


def _nothing() -> None:
    pass


def _wrap(
    owner: type, name: str, before: Callable[[], None] = _nothing, after: Callable[[], None] = _nothing
) -> None:
    """Does something before and after a method; to the type checker a method is no variable."""
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **named: Any) -> Any:
        before()
        found = original(*arguments, **named)
        after()
        return found

    setattr(owner, name, wrapped)


def _hook_journal(death: Death, log: SentLog) -> None:
    def pass_all(records: Sequence[Record], when: str) -> None:
        for kind in {record.kind for record in records}:
            death.passing(f"commit {kind}:{when}")

    def appended(journal: Journal, records: Sequence[Record]) -> int:
        pass_all(records, "before")
        log.seq = append(journal, records)
        pass_all(records, "after")
        return log.seq

    def inserted(journal: Journal, records: Sequence[Record]) -> Head:
        head: Head = insert(journal, records)
        pass_all(records, "inside")
        return head

    planter = Planter()
    append = planter.put(Journal, "append", appended)
    insert = planter.put(Journal, "_insert", inserted)


def _hook_calls(death: Death, log: SentLog) -> None:
    post, send_all = ServiceClient.post, sockets.send_all
    under_way = threading.local()

    def posted(
        client: ServiceClient,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        deadline_s: float,
        may_leave: MayLeave | None = None,
    ) -> Reply:
        under_way.name = next((name for end, name in _NAMES.items() if path.endswith(end)), "")
        under_way.body = body
        under_way.begun = False
        reply = post(client, path, body, headers, deadline_s, may_leave)
        death.passing(f"{under_way.name}:reply")
        return reply

    def sent(sock: socket.socket, data: bytes, call: Call) -> None:
        name = under_way.name
        if not under_way.begun:
            under_way.begun = True
            log.note(name, under_way.body)
            death.passing(f"{name}:before")
            if death.waits_at(f"{name}:first byte"):
                sock.send(data[:1])
            death.passing(f"{name}:first byte")
            send_all(sock, data, call)
            death.passing(f"{name}:head")
        else:
            send_all(sock, data, call)
            death.passing(f"{name}:sent")

    setattr(ServiceClient, "post", posted)  # noqa: B010 - as in _wrap
    setattr(sockets, "send_all", sent)  # noqa: B010 - as in _wrap
