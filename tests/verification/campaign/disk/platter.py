"""What is on the disk for sure and what is on its way there, played forward from what a process did.

Taken at its strictest: a sync makes the data of its file last and nothing else; a name lasts once its folder is synced;
what a failed sync was about may have come through or not, and no later sync brings it back.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from random import Random

import msgspec

from tests.verification.campaign.disk.layer import CREATED, EMPTIED, FOLDER, Entry


class Change(msgspec.Struct, frozen=True):
    """Bytes at an offset, or (data None) a new length."""

    offset: int
    data: bytes | None


class Naming(msgspec.Struct, frozen=True):
    """A name given to a file or a folder, or taken away. A rename is both, in one."""

    name: str
    file: File | None = None
    gone: str = ""


class File:
    """One inode: its bytes on the disk, and the changes that no sync has covered yet."""

    def __init__(self) -> None:
        self.lasting = bytearray()
        self.pending: list[Change] = []


def change(data: bytearray, done: Change) -> None:
    """Carries one change into a file's bytes."""
    if done.data is None:
        del data[done.offset :]
        data.extend(bytes(done.offset - len(data)))
        return
    data.extend(bytes(max(0, done.offset - len(data))))
    data[done.offset : done.offset + len(done.data)] = done.data


class Platter:
    """The folder as one run after the other leaves it; `dice` say what a failed sync leaves."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self.lasting: dict[str, File] = {}
        self.pending: list[Naming] = []
        self.names: dict[str, File] = {}
        self.folders: set[str] = set()
        """Made within the record; what lies in one is gone with its name."""
        self._open: dict[int, File | str] = {}

    def play(self, entry: Entry) -> None:
        """One entry more."""
        file = self._open.get(entry.handle)
        match entry.what:
            case "O" if not entry.failed:
                self._opened(entry)
            case "W" | "T" if isinstance(file, File) and not entry.failed:
                file.pending.append(Change(entry.offset, entry.data if entry.what == "W" else None))
            case "S" if isinstance(file, File):
                self._sync(file, lost=bool(entry.failed))
            case "S" if isinstance(file, str) and not entry.failed:
                self._sync_folder(file)
            case "R" | "L" | "U" | "D" if not entry.failed:
                self._named(entry)

    def _opened(self, entry: Entry) -> None:
        name = entry.names[0]
        if entry.flags & FOLDER:
            self._open[entry.handle] = name
            return
        if entry.flags & CREATED:
            self._give(Naming(name, File()))
        file = self._open[entry.handle] = self.names[name]
        if entry.flags & EMPTIED and isinstance(file, File):
            file.pending.append(Change(0, None))

    def _sync(self, file: File, *, lost: bool) -> None:
        for done in file.pending:
            if not lost or self._dice.random() < 0.5:
                change(file.lasting, done)
        file.pending.clear()

    def _sync_folder(self, folder: str) -> None:
        within = [naming for naming in self.pending if folder in (_folder(naming.name), _folder(naming.gone))]
        for naming in within:
            name(self.lasting, naming)
        self.pending = [naming for naming in self.pending if naming not in within]

    def _named(self, entry: Entry) -> None:
        one, two = entry.names
        match entry.what:
            case "R":
                self._give(Naming(two, self.names[one], gone=one))
            case "L":
                self._give(Naming(two, self.names[one]))
            case "U":
                self._give(Naming("", gone=one))
            case "D":
                self.folders.add(one)
                self._give(Naming(one, File()))

    def _give(self, naming: Naming) -> None:
        self.pending.append(naming)
        name(self.names, naming)


def name(names: dict[str, File], naming: Naming) -> None:
    """Carries one change of names into a folder."""
    names.pop(naming.gone, None)
    if naming.name and naming.file is not None:
        names[naming.name] = naming.file


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent) if path else ""
