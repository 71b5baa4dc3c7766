"""The till's command line, with a line for each type of Qt that is made: the thread's name and the type's.

`python -m tests.support.types_of_qt FILE ARGUMENTS…`

Qt for Python makes a type when it is first needed, with the enums in it, and two threads that make one at once end the
process with a segmentation fault: the window's thread alone may.
"""

from __future__ import annotations

import enum
import sys
import threading
from pathlib import Path
from typing import Any

from pos_app.__main__ import main

MAIN = threading.main_thread().name


def note(file: Path) -> None:
    """From here on, each enum that is made by a call, as those of Qt are, gets its line in the file."""
    lines = file.open("a", encoding="utf-8", buffering=1)
    call: Any = enum.EnumType.__call__

    def noted(cls: Any, value: Any, *names: Any, **more: Any) -> Any:
        # Called with names it makes one; without, it looks for a member.
        if names or more:
            lines.write(f"{threading.current_thread().name} {value}\n")
        return call(cls, value, *names, **more)

    enum.EnumType.__call__ = noted  # type: ignore[method-assign]


def made_elsewhere(file: Path) -> list[str]:
    """The lines of other threads. Raises AssertionError where the window's made none: nothing was noted."""
    made = file.read_text("utf-8").splitlines()
    assert any(line.startswith(f"{MAIN} ") for line in made)
    return [line for line in made if not line.startswith(f"{MAIN} ")]


if __name__ == "__main__":
    note(Path(sys.argv.pop(1)))
    sys.exit(main())
