"""No module reads a table's words while it is imported: what was read then would stay English for ever."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TABLES = "pos_app.i18n.words."


def early_reads(source: str) -> list[int]:
    """The lines on which a table is read at import time, or once for all as a default argument."""
    if TABLES not in source:
        return []
    tree = ast.parse(source)
    tables = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(TABLES)
        for name in node.names
        if name.name == "words"
    }
    return [
        node.lineno
        for node in _at_import(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in tables
    ]


def _at_import(tree: ast.AST) -> Iterator[ast.AST]:
    ahead = [tree]
    while ahead:
        node = ahead.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            ahead += [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
            ahead += getattr(node, "decorator_list", [])
        else:
            ahead += ast.iter_child_nodes(node)


def test_the_rule_sees_what_it_is_for() -> None:
    head = "from pos_app.i18n.words.people import words as said\n"
    for early in (
        "X = said.TITLE",
        "class A:\n    x = {1: said.TITLE}",
        "def f(x=said.TITLE): pass",
        "def f(*, x=(1, said.TITLE)): pass",
        "@deco(said.TITLE)\ndef f(): pass",
        "class A:\n    def f(self, x=said.A.b): pass",
    ):
        assert early_reads(head + early), early
    for late in (
        "def f(): return said.TITLE",
        "X = lambda: said.TITLE",
        "class A:\n    def f(self): self.x = said.TITLE",
        "X = said",
    ):
        assert not early_reads(head + late), late


@pytest.mark.parametrize("package", ["app", "bootstrap", "cli", "gallery", "tour", "training", "ui"])
def test_words_are_read_when_they_are_shown(package: str) -> None:
    early = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "pos_app" / package).rglob("*.py"))
        for line in early_reads(path.read_text("utf-8"))
    ]
    assert early == []
