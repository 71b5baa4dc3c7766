"""A test goes in by the front door: no reach into what another object keeps to itself, but for the few named here."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DOCUMENTED = frozenset({"_asdict", "_fields", "_make", "_replace", "_exit", "_getframe"})
"""Public for all their underscore: of named tuples, `os._exit`, `sys._getframe`."""

ALLOWED = {
    "end_to_end/test_course.py": (1, "a sandbox that ends under its till: nobody at the till can end it"),
    "end_to_end/test_lost_people.py": (
        3,
        "the form takes no service on this machine: what it saves is handed on here",
    ),
    "guards/leaks.py": (2, "a QThread's shadow and what a thread runs are told by nothing else"),
    "unit/engine/gate_standings.py": (
        2,
        "somebody disabled who still stands there: the till would show them out first",
    ),
    "unit/engine/test_closing.py": (1, "where the pool's lock is held nothing can come between"),
    "unit/engine/test_people_list.py": (1, "behind the gate, which would refuse the command before"),
    "unit/journal/test_salvage.py": (1, "sealed with another journal's key, in this one"),
    "unit/journal/test_troubles.py": (
        1,
        "SQLite's own limit on its connection is the one full disk without a small disk",
    ),
    "unit/journal/test_words.py": (1, "the connection itself must refuse to write, whoever would use it"),
    "unit/services/test_not_sent.py": (1, "as long as this lock is held the library is being loaded"),
    "unit/ui/training_stage.py": (1, "each step of an exercise is shown without playing those before it"),
    "verification/campaign/copies/till.py": (1, "a wrong till, planted inside the engine"),
    "verification/campaign/disk/shop.py": (
        1,
        "how often SQLite writes back is set on the journal's own connection",
    ),
    "verification/campaign/proxy/planted.py": (1, "a wrong transport, planted inside the library's"),
}
"""How often each file does, and why. Fewer than 20 in all; who needs one more looks for the door first: an object
name, an accessible name, a signal, a public property. Bugs planted by name (`Planter.put`, `monkeypatch.setattr`)
are inside by their nature.
"""


def touches(source: str) -> list[str]:
    """`other._name` and `from module import _name`; not what a class or module keeps for its own kind.

    So `self`, `cls`, `super()`, and names that the file itself gives, as in a copy made of an object of its own class.
    """
    nodes = list(ast.walk(ast.parse(source)))
    own = {each.name for node in nodes if isinstance(node, ast.ClassDef) for each in _methods(node)}
    own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and _is_given(node)}
    found = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            if not _is_own(node.value) and node.attr not in own:
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{each.name}" for each in node.names if _is_private(each.name)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr"):
            names = [each.value for each in node.args[1:2] if isinstance(each, ast.Constant)]
            found += [ast.unparse(node) for name in names if _is_private(str(name)) and name not in own]
    return found


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [each for each in node.body if isinstance(each, ast.FunctionDef)]


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def _is_own(value: ast.expr) -> bool:
    return ast.unparse(value) in ("self", "cls", "super()")


def _is_given(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and _is_own(node.value)


def found() -> Counter[str]:
    """How often each file of the tests does."""
    files = sorted(TESTS.rglob("*.py"))
    return Counter(
        path.relative_to(TESTS).as_posix() for path in files for _ in touches(path.read_text("utf-8"))
    )


def test_no_test_reaches_into_another_object() -> None:
    assert found() == {name: many for name, (many, _why) in ALLOWED.items()}


def test_they_are_few() -> None:
    assert sum(many for many, _why in ALLOWED.values()) < 20
    assert all(why for _many, why in ALLOWED.values())


@pytest.mark.parametrize(
    ("line", "many"),
    [
        ("till._session", 1),
        ("till.window._controller._state", 2),
        ("from pos_app.journal.opening import _open", 1),
        ("getattr(thread, '_target', None)", 1),
        ("setattr(till, '_window', other)", 1),
        ("place._replace(example=1)", 0),
        ("os._exit(1)", 0),
        ("class A:\n  def __init__(self, other):\n    self._at = other._at", 0),
        ("class A(B):\n  def go(self):\n    super()._go()", 0),
        ("self._one._other", 1),
    ],
)
def test_a_touch_is_found(line: str, many: int) -> None:
    assert len(touches(line)) == many
