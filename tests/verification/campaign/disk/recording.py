"""Runs under the layer, written down from the first write to the last: tills of the simulation, and real ones."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from signal import SIGINT

import msgspec

from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import open_shop
from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, open_journal
from tests.integration.cli.till import Running, Till, till_of
from tests.support.sandbox import Sandbox
from tests.verification.campaign.disk import layer
from tests.verification.campaign.disk.examine import examine
from tests.verification.campaign.disk.images import Cut, Image, image
from tests.verification.campaign.disk.platter import Platter
from tests.verification.campaign.disk.promise import Overheard, Promises
from tests.verification.simulation.sqlite_journal import KEY

CHANGES = frozenset("OWTSRLUD")
ON_THE_LAYER = "tests.verification.campaign.disk.preloaded"
RUN_LIMIT_S = 120.0
FOLDERS = "/"

Examine = Callable[[Path], list[str]]
"""A folder with an image in it to what is wrong with it."""


class Recording(msgspec.Struct, frozen=True):
    """A run that is over. `folder` is as the run left it; `problem` is how it ended if that was not well.

    `deaf`: a disk that does nothing when it is told to sync a file of this ending, or FOLDERS.
    """

    title: str
    record: Path
    folder: Path
    real: bool = False
    problem: str = ""
    deaf: str = ""


def of_seed(seed: int, under: Path, plants: Sequence[str] = (), fail: str = "") -> Recording:
    """The simulation's story of a seed, on the real journal."""
    folder, record = under / "folder", under / "record"
    folder.mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-m", "tests.verification.campaign.disk.shop", str(folder), str(seed), *plants],
        env=layer.beneath(folder, record, fail),
        capture_output=True,
        text=True,
        timeout=RUN_LIMIT_S,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1:] or [""]
    # A disk that refuses twice ends the run at its start, as it would the till.
    refused = bool(fail) and "JournalTrouble" in last[0]
    problem = f"ended with {done.returncode}: {last[0]}" if done.returncode and not refused else ""
    title = " ".join((f"seed {seed}", *plants, *([f"({fail})"] if fail else [])))
    return Recording(title, record, folder, problem=problem)


def of_first_start(under: Path, config: Path) -> Recording:
    """A real till's very first start: its folders, its key and its journal are made; nothing is sold."""
    folder, record = under / "folder", under / "record"
    folder.mkdir(parents=True)
    till = till_of(config / "config.toml", config / "secrets.toml", folder / "data")
    done = Till(till.common, layer.beneath(folder, record), ON_THE_LAYER).run("open", "--resolve", "0")
    problem = f"ended with {done.code}: {done.err}" if done.code else ""
    return Recording("a first start", record, folder, real=True, problem=problem)


def of_real_till(under: Path, sandbox: Sandbox, config: Path) -> Recording:
    """One counter's first day: made, paid, killed, recovered, cancelled, a code sent; a process for each."""
    folder, record = under / "folder", under / "record"
    folder.mkdir(parents=True)
    till = till_of(config / "config.toml", config / "secrets.toml", folder / "data")
    till = Till(till.common, layer.beneath(folder, record), ON_THE_LAYER)
    problem = ""
    try:
        _first_day(till, sandbox)
    except AssertionError as error:
        problem = str(error)
    return Recording("a real till", record, folder, real=True, problem=problem)


def _first_day(till: Till, sandbox: Sandbox) -> None:
    till.run("open", "--resolve", "0")
    paying = till.start("pay", "--amount", "12.50", "--qr")
    with _ended(paying):
        sandbox.scan(paying.until(lambda said: bool(said["qr_text"]))["qr_text"])
        paying.end()
    pushing = till.start("pay", "--amount", "7.00", "--push", "+94771234567")
    with _ended(pushing):
        attempt_id = pushing.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    till.run("open", "--resolve", "20")
    cancelling = till.start("pay", "--amount", "3.00", "--qr")
    with _ended(cancelling):
        cancelling.state("WAITING")
        cancelling.send(SIGINT).end()
    till.run("otp", "send", "+94771234567")


@contextmanager
def _ended(running: Running) -> Iterator[None]:
    """Killed at the latest when we are through with it, or it with us."""
    try:
        yield
    finally:
        running.kill()


def as_left(recording: Recording, platter: Platter) -> list[str]:
    """Whether the record accounts for each byte: else something writes past the layer, and no image is true."""
    files = image(platter, Cut.KEPT, Random(0))
    return [
        f"{path.relative_to(recording.folder)} is not as the record says"
        for path in sorted(recording.folder.rglob("*"))
        if path.is_file()
        and not path.name.endswith("-shm")
        and files.get(str(path.relative_to(recording.folder))) != path.read_bytes()
    ]


def cuts(
    recording: Recording, config: Path, dice: Random, most: int = 0, ways: Sequence[Cut] = tuple(Cut)
) -> Iterator[tuple[str, Cut, Image, Examine]]:
    """Power fails before a change, in some way: each image with its place and with what examines it, at once.

    Every place in every way, or a sample of at most so many. Raises RecordError at the end.
    """
    platter = Platter(dice)
    promises: Promises | Overheard = Overheard() if recording.real else Promises()
    entries = list(_heard(recording))
    every = [(place, cut) for place, entry in enumerate(entries) if entry.what in CHANGES for cut in ways]
    chosen = set(dice.sample(every, most)) if 0 < most < len(every) else set(every)
    for place, entry in enumerate(entries):
        for cut in ways:
            if (place, cut) in chosen:
                judge = _judge(promises, config)
                yield f"{recording.title}, entry {place}", cut, image(platter, cut, dice), judge
        platter.play(entry)
        promises.play(entry)
    wrong = as_left(recording, platter)
    if wrong or recording.problem:
        raise RecordError(f"{recording.title}: {recording.problem} {', '.join(wrong)}")


def _heard(recording: Recording) -> Iterator[layer.Entry]:
    """The entries without the syncs that the disk does not hear."""
    deaf: set[int] = set()
    for entry in layer.entries(recording.record):
        if entry.what == "O" and recording.deaf:
            folder = bool(entry.flags & layer.FOLDER)
            if folder if recording.deaf == FOLDERS else entry.names[0].endswith(recording.deaf):
                deaf.add(entry.handle)
        if entry.what != "S" or entry.handle not in deaf:
            yield entry


class RecordError(AssertionError):
    """The run ended badly, or did what the record does not tell."""


def _judge(promises: Promises | Overheard, config: Path) -> Examine:
    if isinstance(promises, Overheard):
        return lambda folder: examine(partial(as_the_till, folder / "data", config), promises.promise)
    return lambda folder: [
        text
        for who, promise in promises.journals.items()
        for text in examine(partial(_as_the_simulation, folder, who), promise)
    ]


def _as_the_simulation(folder: Path, who: str) -> Journal:
    return open_journal(folder / f"{who}.db", KEY, Environment.SANDBOX, installation_id=who)


def as_the_till(data: Path, config: Path) -> Journal:
    """The journal as the till itself opens it. Raises CommandError.

    A process that another thread is just starting holds our locks until it is one of its own: that is waited for.
    """
    options = Options(config=config / "config.toml", secrets_file=config / "secrets.toml", data_dir=data)
    for last in (*[False] * 40, True):
        try:
            shop = open_shop(options)
        except CommandError as error:
            if last or "in use" not in str(error):
                raise
            threading.Event().wait(0.05)
        else:
            # The journal alone is asked for: nobody has to know of a till, and its locks would stay with us.
            shop.presence.end()
            assert shop.journal is not None
            return shop.journal
    raise AssertionError("the last try returns or raises")
