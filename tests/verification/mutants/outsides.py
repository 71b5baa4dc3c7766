"""What mutmut leaves alone: tables, defaults, names and properties, changed by its own rules. Tries nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider
from mutmut.mutation.mutators import OPERATORS_TYPE, mutation_operators

from tests.verification.mutants.mutant import Mutant, change

_LEFT = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)
_NOT_CALLS_OF = {"len", "isinstance"}


def _without_one(node: cst.Set) -> Iterator[cst.Set]:
    """mutmut has no such rule, but the tables of codes and states are sets."""
    if len(node.elements) > 1:
        for number in range(len(node.elements)):
            yield node.with_changes(elements=[*node.elements[:number], *node.elements[number + 1 :]])


_OPERATORS: OPERATORS_TYPE = [*mutation_operators, (cst.Set, _without_one)]


class _Finder(cst.CSTVisitor):
    """Collects (node, changed node, where) for everything outside the functions that mutmut takes."""

    METADATA_DEPENDENCIES = (ParentNodeProvider,)

    def __init__(self) -> None:
        self.found: list[tuple[cst.CSTNode, cst.CSTNode, str]] = []
        self._inside: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, _LEFT) or _is_text_only(node) or _is_call_left_alone(node):
            return False
        if isinstance(node, cst.FunctionDef):
            if not _is_left_by_mutmut(node):
                return False
            self._inside.append(node.name.value)
        elif isinstance(node, cst.ClassDef):
            self._inside.append(node.name.value)
        for kind, operator in _OPERATORS:
            if isinstance(node, kind):
                changes = list(operator(node))
                if isinstance(node, cst.BaseString):
                    # A name that nobody checks shows by one change; its capitals would say the same twice more.
                    del changes[1:]
                self.found += [(node, changed, ".".join(self._inside)) for changed in changes]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, (cst.FunctionDef, cst.ClassDef)) and (
            not isinstance(original_node, cst.FunctionDef) or _is_left_by_mutmut(original_node)
        ):
            self._inside.pop()


def _is_left_by_mutmut(function: cst.FunctionDef) -> bool:
    """It takes plain functions, static and class methods; properties and the like it does not."""
    names = [each.decorator.value for each in function.decorators if isinstance(each.decorator, cst.Name)]
    return bool(function.decorators) and names not in (["staticmethod"], ["classmethod"])


def _is_text_only(node: cst.CSTNode) -> bool:
    """A docstring, what the module offers to others, or a name for a type."""
    if isinstance(node, cst.Expr):
        return isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString))
    if not isinstance(node, cst.Assign):
        return False
    target, value = node.targets[0].target, node.value
    is_type = isinstance(value, cst.Subscript) or (
        isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value == "TypeVar"
    )
    return is_type or (isinstance(target, cst.Name) and target.value == "__all__")


def _is_call_left_alone(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in _NOT_CALLS_OF


def outsides_of(root: Path, module: Path) -> Iterator[tuple[Mutant, str]]:
    """Each mutant of a module's outside and the module's text with it; broken text is left out."""
    text = (root / module).read_text()
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    finder = _Finder()
    wrapper.visit(finder)
    dotted = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    for node, changed, inside in finder.found:
        becomes = wrapper.module.deep_replace(node, changed)
        assert isinstance(becomes, cst.Module)
        if becomes.code == text:
            continue
        where = f"{dotted}.{inside}" if inside else dotted
        mutant = Mutant("", where, *change(text.splitlines(), becomes.code.splitlines()))
        try:
            compile(becomes.code, str(module), "exec")
        except SyntaxError:
            continue
        yield mutant, becomes.code
