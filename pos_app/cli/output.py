"""Standard output that may go away while money is moving: a lost reader ends no payment."""

from __future__ import annotations

import os
import sys

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import note


class Output:
    """Writes whole lines at once; after a failure nothing more is written.

    A reader that left is no error. Any other failure is said once on standard error and, unless the verb
    `goes_on`, ends it with CommandError: one that has done something ends with the code of what it did, because 73
    has a script do it once more.
    """

    def __init__(self, *, goes_on: bool) -> None:
        self._goes_on = goes_on

    def line(self, text: str) -> None:
        """One line, flushed, because somebody may be reading a pipe."""
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._give_up()
        except OSError as error:
            self._give_up()
            said = f"standard output cannot be written: {error.strerror}"
            if not self._goes_on:
                raise CommandError(Exit.CANNOT_CREATE, said) from error
            # It may be gone as well: a terminal that was closed was both.
            note(said)

    def _give_up(self) -> None:
        """What is still buffered goes nowhere, so that nothing fails once more at the end of the process."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
