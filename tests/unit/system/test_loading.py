"""Libraries are loaded without what they load of their own accord."""

from __future__ import annotations

import subprocess
import sys


def run(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_msgspec_takes_what_python_has() -> None:
    said = run(
        """
import sys
from pos_app.system.loading import load_msgspec
load_msgspec()
print("msgspec" in sys.modules, "typing_extensions" in sys.modules)
from typing import Annotated, NotRequired, TypedDict
import msgspec
class Taken(TypedDict):
    amount: Annotated[int, msgspec.Meta(ge=1)]
    note: NotRequired[str]
print(msgspec.json.decode(b'{"amount": 5}', type=Taken) == {"amount": 5})
try:
    msgspec.json.decode(b'{"amount": 0}', type=Taken)
except msgspec.ValidationError:
    print("refused")
import typing_extensions
print(typing_extensions.__name__)
"""
    )
    assert said == ["True", "False", "True", "refused", "typing_extensions"]


def test_it_would_load_the_other() -> None:
    """As long as it does there is something to prevent; when it no longer does, loading.py can go."""
    assert run("import sys, msgspec; print('typing_extensions' in sys.modules)") == ["True"]


def test_whoever_has_the_other_already_keeps_it() -> None:
    said = run(
        """
import sys, typing_extensions
from pos_app.system.loading import load_msgspec
load_msgspec()
print(sys.modules["typing_extensions"] is typing_extensions)
"""
    )
    assert said == ["True"]
