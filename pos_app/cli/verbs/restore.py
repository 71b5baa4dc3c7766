"""`pos-app restore [FILE]`: puts a copy of the journal back in its place (docs/updates.md). Asks no service: the next
start does."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import data_folder, environment_of, reading_keys
from pos_app.bootstrap.updates import come_in, seen
from pos_app.cli.parser import path
from pos_app.cli.printer import Printer, printer_of
from pos_app.journal import JournalError, JournalInUse, JournalTrouble
from pos_app.journal.lock import FileLock
from pos_app.journal.restoring import Checked, Copy, checked, copies, copy_at, put_back

WHAT_IS_LOST = (
    "What people did since is lost with it (days closed, people, refunds); what was paid since, the till asks the "
    "service about when it is started."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which copy, and whether it is meant."""
    parser.add_argument(
        "file",
        nargs="?",
        type=path,
        metavar="FILE",
        help="a journal.sqlite, its folder, or a journal.before-N.sqlite; else those that lie here are listed",
    )
    parser.add_argument("--yes", action="store_true", help="puts it back; else it is only looked over")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when it was put back, or could be; 2 where FILE is none; 73 where it is damaged, newer or another till's, a
    till is at work, or there is no room; 75 during an update."""
    environment = environment_of(options)
    journal = data_folder(options, environment) / JOURNAL
    printer = printer_of(options, goes_on=arguments.yes)
    if arguments.file is None:
        if arguments.yes:
            raise CommandError(Exit.USAGE, "--yes: name the FILE that is to be put back")
        return _list(journal, printer)
    file = _file(arguments.file, journal)
    keys = reading_keys(options, environment)
    presence = come_in() if arguments.yes else None
    lock: FileLock | None = None
    try:
        if arguments.yes:
            # First of all, so that nothing is looked over for minutes beside a till at work.
            lock = _locked(journal)
        looks = seen(presence) if presence is not None else nullcontext()
        with looks, checked(file, journal, keys) as found:
            there = copy_at(journal)
            kept = put_back(found, journal, lock) if lock is not None else None
            _say(printer, found, there, kept, done=lock is not None)
    except JournalInUse as error:
        raise CommandError(
            Exit.CANNOT_CREATE, f"{error}: close the till first (pos-app drain --end); nothing was changed"
        ) from error
    except JournalTrouble as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{file} cannot be put back: {error}") from error
    except JournalError as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    finally:
        if lock is not None:
            lock.release()
        if presence is not None:
            presence.end()
    return int(Exit.OK)


def _file(named: Path, journal: Path) -> Path:
    file = (named / JOURNAL if named.is_dir() else named).absolute()
    if not file.is_file():
        raise CommandError(Exit.USAGE, f"FILE: {file} is not there")
    if journal.exists() and file.samefile(journal):
        raise CommandError(Exit.USAGE, f"FILE: {file} is the journal that a copy is to take the place of")
    return file


def _locked(journal: Path) -> FileLock:
    try:
        lock = FileLock(journal)
        try:
            if journal.exists():
                lock.hold(journal)
        except BaseException:
            lock.release()
            raise
    except OSError as error:
        raise CommandError(
            Exit.CANNOT_CREATE, f"{journal.parent} cannot be used: {error.strerror}"
        ) from error
    return lock


def _list(journal: Path, printer: Printer) -> int:
    found = copies(journal)
    for each in found:
        printer.value(_object(each), f"{each.file}: {_text(each)}")
    if not found:
        printer.note("no copy of the journal lies here; name the FILE of a backup")
    return int(Exit.OK)


def _say(printer: Printer, found: Checked, there: Copy | None, kept: Path | None, *, done: bool) -> None:
    said = _object(found.copy) | {
        "instead_of": _object(there) if there is not None else None,
        "restored": done,
        "kept": "" if kept is None else str(kept),
    }
    lines = [f"{found.copy.file}: {_text(found.copy)}; each as it was written."]
    if there is not None:
        lines.append(f"The journal that {'was' if done else 'is'} there: {_text(there)}.")
    if done:
        lines += [f"It lies in {kept} now."] if kept is not None else []
        lines.append(
            "The copy is in its place. Start the till: it finds it older than it should be, and says so."
        )
    else:
        lines += [WHAT_IS_LOST, "Nothing was changed; --yes puts it back."]
    printer.value(said, " ".join(lines))


def _object(copy: Copy) -> dict[str, Any]:
    return {"file": str(copy.file), "journal": copy.version, "events": copy.events, "last": copy.last}


def _text(copy: Copy) -> str:
    last = f", the last of {copy.last[:16].replace('T', ' ')}" if copy.last else ""
    return f"journal {copy.version}, {copy.events} events{last}"
