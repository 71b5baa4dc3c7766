"""Opens a data folder's journal for a till at work; a damaged one's facts go over into a fresh one."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.plain_lines import plain_line
from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, JournalDamaged, JournalError, JournalInUse, open_journal, set_aside
from pos_app.secrets import SecretsError, journal_key
from pos_app.system.machine import machine_id

JOURNAL = "journal.sqlite"


class InUseError(CommandError):
    """Another process holds the journal."""


def open_book(folder: Path, environment: Environment) -> Journal:
    """The journal of a data folder, locked; rebuilt from damaged ones when it is fresh. Raises CommandError."""
    path = folder / JOURNAL
    try:
        key = journal_key(folder, environment.value, use_keystore=environment is Environment.LIVE)
        try:
            book = open_journal(path, key, environment, machine_id=machine_id())
        except JournalDamaged as damaged:
            # The fresh one asks the service for what the old one knew; nothing of that one is deleted.
            sys.stderr.write(
                f"pos-app: the journal is damaged: {plain_line(str(damaged))}; a fresh one is begun\n"
            )
            book = open_journal(path, key, environment, machine_id=machine_id())
        return rebuilt(book, key)
    except JournalInUse as error:
        raise InUseError(Exit.CANNOT_CREATE, f"{folder} is in use by another till: {error}") from error
    except (JournalError, SecretsError) as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    except OSError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be used: {error.strerror}") from error


def rebuilt(book: Journal, key: bytes) -> Journal:
    """An empty journal beside damaged ones takes over what they say, in one transaction; else it stays empty."""
    if book.head()[0]:
        return book
    try:
        for damaged in set_aside(book.path):
            from pos_app.engine.rebuilding import records_of
            from pos_app.journal.salvage import salvage

            found = salvage(damaged, key, book.environment)
            if found.installations or found.attempts or found.people:
                now = datetime.now().astimezone()
                book.append(records_of(found, damaged.name, int(now.timestamp() * 1000), now))
                break
    except BaseException:
        book.close()
        raise
    return book
