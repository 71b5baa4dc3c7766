"""An X display of its own for one test, on a number that is free."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT_S = 20


@contextmanager
def display(*, size: str = "1366x768") -> Iterator[str]:
    """Its name (":7") while it is there."""
    told, tell = os.pipe()
    with os.fdopen(told) as line:
        # It would begin anew whenever its last program goes, and who has just come then ends: the registry of the
        # accessibility bus did, once in twenty times.
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(tell), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
            stderr=subprocess.DEVNULL,
            pass_fds=(tell,),
        )
        os.close(tell)
        try:
            number = line.readline().strip()
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            server.terminate()
            server.wait(LIMIT_S)
