"""What a power cut may leave of a platter: un-synced changes kept, dropped, torn at sectors, out of order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import pairwise
from pathlib import Path, PurePosixPath
from random import Random

from tests.verification.campaign.disk.platter import Change, File, Naming, Platter, change, name

SECTOR = 512
MAPPED = "-shm"
"""Made anew by whoever opens the journal first; after a power cut anything may lie there."""


class Cut(StrEnum):
    """How a power cut treats what no sync covered."""

    DROPPED = "dropped"
    KEPT = "kept"
    SOME = "some"
    TORN = "torn"
    REORDERED = "reordered"
    EMPTY_SPACE = "empty space"


Image = dict[str, bytes]
"""The files of a folder by their names."""


def image(platter: Platter, cut: Cut, dice: Random) -> Image:
    """One of the folders that this cut may leave."""
    names = dict(platter.lasting)
    for naming in _names_kept(platter.pending, cut, dice):
        name(names, naming)
    pick = _PICKS[cut]
    made: dict[File, bytes] = {}
    found: Image = {}
    for path, file in names.items():
        parents = {str(each) for each in PurePosixPath(path).parents} & platter.folders
        if path in platter.folders or any(parent not in names for parent in parents):
            continue
        if path.endswith(MAPPED):
            if dice.random() < 0.5:
                found[path] = dice.randbytes(dice.choice((0, 100, 32_768)))
            continue
        if file not in made:
            made[file] = _content(file, pick(file.pending, dice))
        found[path] = made[file]
    return found


def _names_kept(pending: list[Naming], cut: Cut, dice: Random) -> Iterable[Naming]:
    """A journalling file system keeps their order; POSIX promises none, and so neither does a reordered one."""
    match cut:
        case Cut.DROPPED:
            return ()
        case Cut.KEPT:
            return pending
        case Cut.REORDERED:
            return [naming for naming in pending if dice.random() < 0.5]
        case _:
            return pending[: dice.randint(0, len(pending))]


def _content(file: File, kept: Iterable[Change]) -> bytes:
    data = bytearray(file.lasting)
    for done in kept:
        change(data, done)
    return bytes(data)


def _dropped(pending: list[Change], dice: Random) -> Iterable[Change]:  # noqa: ARG001 - one of the picks
    return ()


def _kept(pending: list[Change], dice: Random) -> Iterable[Change]:  # noqa: ARG001 - one of the picks
    return pending


def _some(pending: list[Change], dice: Random) -> Iterable[Change]:
    share = dice.random()
    return [done for done in pending if dice.random() < share]


def _torn(pending: list[Change], dice: Random) -> Iterable[Change]:
    """All up to one, of which only some sectors came through."""
    if not pending:
        return ()
    last = dice.randrange(len(pending))
    return [*pending[:last], *_sectors(pending[last], dice)]


def _sectors(done: Change, dice: Random) -> Iterable[Change]:
    if done.data is None:
        return ()
    end = done.offset + len(done.data)
    bounds = [done.offset, *range(done.offset // SECTOR * SECTOR + SECTOR, end, SECTOR), end]
    return [
        Change(start, done.data[start - done.offset : stop - done.offset])
        for start, stop in pairwise(bounds)
        if dice.random() < 0.5
    ]


def _reordered(pending: list[Change], dice: Random) -> Iterable[Change]:
    """The later ones came through, the earlier ones did not."""
    return pending[dice.randint(0, len(pending)) :]


def _empty_space(pending: list[Change], dice: Random) -> Iterable[Change]:
    """The file has grown, the bytes have not come: zeros stand where they should be."""
    came = dice.randint(0, len(pending))
    return [
        done if place < came or done.data is None else Change(done.offset + len(done.data), b"")
        for place, done in enumerate(pending)
    ]


_PICKS: dict[Cut, Callable[[list[Change], Random], Iterable[Change]]] = {
    Cut.DROPPED: _dropped,
    Cut.KEPT: _kept,
    Cut.SOME: _some,
    Cut.TORN: _torn,
    Cut.REORDERED: _reordered,
    Cut.EMPTY_SPACE: _empty_space,
}


def quick_folder() -> Path | None:
    """Where images are examined: in memory where the system has such a folder, for thousands of syncs take a while."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else None


def lay(found: Image, folder: Path) -> None:
    """Writes an image as a folder that a till can be started on."""
    for path, data in found.items():
        file = folder / path
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(0o600)
        file.write_bytes(data)
