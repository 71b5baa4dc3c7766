"""The project's own Python files, read once and parsed, for the tests that judge how they are written."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Source:
    """One file: its path from the root with forward slashes, and its text."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return _parse(self.text)

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of its tree; whoever judges looks at each of them, and walking to them is most of the work."""
        return _walk(self.text)

    @property
    def lines(self) -> int:
        return self.text.count("\n")


@cache
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _walk(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_parse(text)))


@cache
def sources(folder: str) -> tuple[Source, ...]:
    """Every Python file below a folder of the root, in order of path."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return tuple(
        Source(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")) for file in files
    )
