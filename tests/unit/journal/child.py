"""A till in a process of its own for the tests: writes to a journal, says so, and waits to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from pos_app.domain.attempt import Environment
from pos_app.journal import JournalInUse, open_journal
from tests.support.builders import KEY, intent


def main(path: Path, payments: int) -> None:
    """One line for each commit that returned; then waits for the end of its input. 0: for ever."""
    try:
        journal = open_journal(path, KEY, Environment.SANDBOX)
    except JournalInUse as error:
        sys.stdout.write(f"in use by {error.holder}\n")
        return
    number = journal.next_sale_number()
    sys.stdout.write("open\n")
    sys.stdout.flush()
    while not payments or number <= payments:
        sys.stdout.write(f"{journal.append([intent(number)])}\n")
        sys.stdout.flush()
        number += 1
    sys.stdin.read()
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
