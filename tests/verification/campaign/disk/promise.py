"""What a till has let others rely on up to a point of the record: commits that returned, bytes and words that left."""

from __future__ import annotations

import json
import re

import msgspec

from tests.verification.campaign.disk.layer import Entry
from tests.verification.campaign.disk.shop import Fact

ENDS = frozenset({"PAID", "PAID_LATE", "FAILED", "CANCELLED", "REFUSED", "NOT_SENT"})
_PATH = re.compile(rb"^POST (\S+)")
_ID = re.compile(rb'"externalMerchantTransactionId":\s*"([^"]+)"')


class Promise:
    """Of one journal. `head` and `mac`: the last commit that returned; `begun`: the last that was handed over,
    None where nobody says; `said`: the ends a screen has shown."""

    def __init__(self) -> None:
        self.head = 0
        self.mac = b""
        self.begun: int | None = None
        self.initiated: set[str] = set()
        self.cancelled: set[str] = set()
        self.messages = 0
        self.said: dict[str, str] = {}

    def add(self, fact: Fact) -> None:
        """One mark more."""
        if fact.mac:
            self.head, self.mac = fact.head, bytes.fromhex(fact.mac)
        if fact.begun or fact.head:
            self.begun = max(self.begun or 0, fact.begun, fact.head)
        self.sent(fact.sent, fact.subject)

    def sent(self, operation: str, subject: str) -> None:
        """Bytes that left."""
        match operation:
            case "initiate":
                self.initiated.add(subject)
            case "cancel":
                self.cancelled.add(subject)
            case "otp":
                self.messages += 1


class Promises:
    """Of every journal of a folder, by its name: from the marks of a till of the simulation."""

    def __init__(self) -> None:
        self.journals: dict[str, Promise] = {}

    def play(self, entry: Entry) -> None:
        """One entry more."""
        if entry.what == "M":
            fact = msgspec.json.decode(entry.data, type=Fact)
            self.journals.setdefault(fact.journal, Promise()).add(fact)


class Overheard:
    """The promise of a real till: from what went through its sockets and to its standard output."""

    def __init__(self) -> None:
        self.promise = Promise()
        self._requests: dict[int, bytes] = {}
        self._line = b""

    def play(self, entry: Entry) -> None:
        """One entry more."""
        if entry.what == "N":
            self._sent(entry.handle, entry.data)
        elif entry.what == "P":
            *lines, self._line = (self._line + entry.data).split(b"\n")
            for line in lines:
                self._printed(line)

    def _sent(self, socket: int, data: bytes) -> None:
        so_far = data if data.startswith(b"POST ") else self._requests.get(socket, b"") + data
        self._requests[socket] = so_far
        path, subject = _PATH.search(so_far), _ID.search(so_far)
        if path is None:
            return
        if b"/initiate/" in path[1] and subject:
            self.promise.sent("initiate", subject[1].decode())
        elif path[1].endswith(b"/cancel") and subject:
            self.promise.sent("cancel", subject[1].decode())
        elif path[1].endswith(b"/validate-code") and data.startswith(b"POST "):
            self.promise.sent("otp", "")

    def _printed(self, line: bytes) -> None:
        if not line.startswith(b"{"):
            return
        said = json.loads(line)
        if said.get("state") in ENDS:
            self.promise.said[said["attempt_id"]] = said["state"]
