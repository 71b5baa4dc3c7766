"""What a till has let others rely on up to a point of the record: commits that returned, bytes that left."""

from __future__ import annotations

import msgspec

from tests.campaign.disk.layer import Entry
from tests.campaign.disk.shop import Fact


class Promise:
    """Of one journal. `head` and `mac`: the last commit that returned; `begun`: the last that was handed over."""

    def __init__(self) -> None:
        self.head = 0
        self.mac = b""
        self.begun = 0
        self.initiated: set[str] = set()
        self.cancelled: set[str] = set()
        self.messages = 0

    def add(self, fact: Fact) -> None:
        """One mark more."""
        if fact.mac:
            self.head, self.mac = fact.head, bytes.fromhex(fact.mac)
        self.begun = max(self.begun, fact.begun, fact.head)
        match fact.sent:
            case "initiate":
                self.initiated.add(fact.subject)
            case "cancel":
                self.cancelled.add(fact.subject)
            case "otp":
                self.messages += 1


class Promises:
    """Of every journal of a folder, by its name."""

    def __init__(self) -> None:
        self.books: dict[str, Promise] = {}

    def play(self, entry: Entry) -> None:
        """One entry more."""
        if entry.what == "M":
            fact = msgspec.json.decode(entry.data, type=Fact)
            self.books.setdefault(fact.book, Promise()).add(fact)
