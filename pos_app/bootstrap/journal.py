"""Opens a data folder's journal for a till at work; what a damaged or lost one still says goes into a fresh one."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import plain_line
from pos_app.domain.attempt import Environment
from pos_app.domain.ids import is_installation
from pos_app.journal import (
    Journal,
    JournalDamaged,
    JournalError,
    JournalInUse,
    left_behind,
    open_journal,
    set_aside,
)
from pos_app.secrets import SecretsError, end_first_start, is_first_start, journal_key
from pos_app.secrets.journal_key import FILE as KEY_FILE
from pos_app.secrets.journal_key import MARK
from pos_app.system.machine import machine_id
from pos_app.system.standard_error import tell

JOURNAL = "journal.sqlite"
LOG_FOLDER = "log"
_AN_ID = re.compile(rb'"(?:attempt_id": "(?:SBX-)?T|installation_id": ")([0-9A-Z]{8})["-]')
_LOG_BYTES = 8 << 20


class InUseError(CommandError):
    """Another process holds the journal."""


def open_journal_of(folder: Path, environment: Environment) -> Journal:
    """The journal of a data folder, locked; rebuilt from damaged ones when it is fresh. Raises CommandError.

    A folder in which anything lies that only a till leaves there (docs/journal-files.md), or whose key the key
    store has, once had a journal: where it is gone, it is a damaged one and no first start (rule 12).
    """
    path = folder / JOURNAL
    try:
        left = bool(left_behind(path)) or bool(_logs(folder))
        live = environment is Environment.LIVE
        key = journal_key(folder, environment.value, use_keystore=live, fresh=not left)
        is_first = is_first_start(folder, key) and not (set_aside(path) or _logs(folder))
        try:
            journal = open_journal(path, key, environment, machine_id=machine_id(), expected=not is_first)
        except JournalDamaged as damaged:
            # The fresh one asks the service for what the old one knew; nothing of that one is deleted.
            tell(
                f"pos-app: the journal is damaged: {plain_line(str(damaged))}; a fresh one is begun, and the "
                "service is asked what it knows\n"
            )
            journal = open_journal(path, key, environment, machine_id=machine_id())
        journal = rebuilt(journal, key)
        with contextlib.suppress(OSError):
            # It says nothing any more: with the journal's anchor beside it, a first start is over.
            end_first_start(folder)
        return journal
    except JournalInUse as error:
        raise InUseError(Exit.CANNOT_CREATE, f"{folder} is in use by another till: {error}") from error
    except (JournalError, SecretsError) as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    except OSError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be used: {error.strerror}") from error


GONE = "the journal is gone, though there was one: the next start takes up what is left of it, and asks the service"


def is_gone(folder: Path) -> bool:
    """Whether this folder had a journal and has none; for who only looks. The key store is not asked."""
    path = folder / JOURNAL
    if path.exists():
        return False
    has_key = (folder / KEY_FILE).exists() and not (folder / MARK).exists()
    return has_key or bool(left_behind(path)) or bool(_logs(folder))


def rebuilt(journal: Journal, key: bytes) -> Journal:
    """An empty journal beside damaged ones takes over what they say, in one transaction."""
    if journal.head()[0]:
        return journal
    try:
        damaged = set_aside(journal.path)
        if damaged:
            from pos_app.engine.core.rebuild import records_of
            from pos_app.journal.salvage import salvage_all

            found = salvage_all(damaged, key, journal.environment)
            found.claimed += [each for each in _in_logs(journal.path.parent) if each not in found.claimed]
            now = datetime.now().astimezone()
            journal.append(records_of(found, damaged[0].name, int(now.timestamp() * 1000), now))
    except BaseException:
        journal.close()
        raise
    return journal


def _logs(folder: Path) -> list[Path]:
    """The logs of a till that has worked here, the newest first."""
    try:
        found = [each for each in (folder / LOG_FOLDER).glob("*.log*") if each.is_file()]
        return sorted(found, key=lambda each: each.stat().st_mtime, reverse=True)
    except OSError:
        return []


def _in_logs(folder: Path) -> list[str]:
    """Installations whose payments a log names. Anybody who may write there may have named them."""
    named: dict[str, None] = {}
    for log in _logs(folder):
        with contextlib.suppress(OSError), log.open("rb") as file:
            for found in _AN_ID.findall(file.read(_LOG_BYTES)):
                named[found.decode("ascii")] = None
    return [each for each in named if is_installation(each)]
