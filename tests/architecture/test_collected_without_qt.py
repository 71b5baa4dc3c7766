"""What runs without PySide6 loads none of it, seen before `make test-without-qt` has run for minutes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.without_qt import QT, ROOT, folders, left_out

LEFT_OUT = [ROOT / each.partition("=")[2] for each in left_out()]


def _tests() -> Iterator[Path]:
    for folder in folders():
        for file in sorted((ROOT / folder).rglob("*.py")):
            is_collected = file.name.startswith("test_") or file.name == "conftest.py"
            if is_collected and not any(file.is_relative_to(each) for each in LEFT_OUT):
                yield file


@cache
def _file_of(module: str) -> Path | None:
    if module.partition(".")[0] not in ("pos_app", "tests"):
        return None
    place = ROOT.joinpath(*module.split("."))
    return next((each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file()), None)


def _at_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What is carried out when a module is loaded: nothing in a function, and nothing for types alone."""
    for each in body:
        yield each
        if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test):
            continue
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _at_once(getattr(each, part, []))


def _loads(file: Path) -> Iterator[str]:
    """The modules that it names, and the packages around them."""
    for each in _at_once(ast.parse(file.read_bytes()).body):
        names: list[str] = []
        if isinstance(each, ast.Import):
            names = [one.name for one in each.names]
        elif isinstance(each, ast.ImportFrom) and each.module:
            names = [each.module, *(f"{each.module}.{one.name}" for one in each.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: end + 1]) for end in range(len(parts)))


_free: set[Path] = set()
"""Files from which no way leads to Qt."""


def _way_to_qt(file: Path) -> tuple[str, ...]:
    """From module to module to Qt, () where none leads there."""
    seen = {file}
    waiting: list[tuple[Path, tuple[str, ...]]] = [(file, (str(file.relative_to(ROOT)),))]
    while waiting:
        at, way = waiting.pop()
        for module in dict.fromkeys(_loads(at)):
            if module.partition(".")[0] in QT:
                return (*way, module)
            found = _file_of(module)
            if found is not None and not (found in seen or found in _free):
                seen.add(found)
                waiting.append((found, (*way, module)))
    _free.update(seen)
    return ()


def test_no_test_that_runs_without_qt_loads_it() -> None:
    """One that does belongs among those with a window (tests/architecture/without_qt.py)."""
    assert [way for file in _tests() if (way := _way_to_qt(file))] == []


@pytest.mark.parametrize("name", ["tests/unit/training/test_sandbox_rig.py", "tests/unit/ui/test_garbage.py"])
def test_a_way_to_qt_is_found(name: str) -> None:
    """Else the test above would prove nothing."""
    assert _way_to_qt(ROOT / name)[-1].partition(".")[0] in QT
