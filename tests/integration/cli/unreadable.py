"""A wrong disk, planted: the journal opens, and what is open in it cannot be read any more."""

import sys
from typing import Any

from pos_app.cli.main import main
from pos_app.journal import Journal, JournalTrouble
from pos_app.journal.errors import Trouble


def fails(*_: Any) -> None:
    raise JournalTrouble(Trouble.IO, "disk I/O error")


if __name__ == "__main__":
    Journal.open_attempts = fails  # type: ignore[assignment]
    sys.exit(main())
