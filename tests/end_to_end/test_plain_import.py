"""What Qt for Python makes of Python's `import`, and that the till has none of it."""

from __future__ import annotations

import builtins
import subprocess
import sys
from typing import Any

# The last line: which import is in force, and of how many of our modules the source was read and kept.
LOADED = """
import builtins, linecache
import pos_app.app.session
ours = [name for name in linecache.cache if "pos_app" in name]
print(builtins.__import__.__name__, len(ours))
"""


def said(first: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", first + LOADED], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.split()


def test_no_module_is_read_through_for_qts_sake() -> None:
    assert said("from pos_app.app.plain_import import load_qt; load_qt()") == ["__import__", "0"]


def test_qt_for_python_would_do_so() -> None:
    """As long as it does there is something to prevent; when it no longer does, pos_app/app/plain_import.py can go."""
    name, read = said("import PySide6.QtCore")
    assert name != "__import__"
    assert int(read) > 50


def test_the_tests_themselves_are_loaded_plainly(qapp: Any) -> None:
    assert qapp is not None
    assert builtins.__import__.__name__ == "__import__"
