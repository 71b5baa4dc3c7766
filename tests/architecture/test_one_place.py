"""What the till knows how to do, it does in one place. The sandbox is a stranger and keeps its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "pos_app"

PLACES = {
    # The anchor is overwritten in place, and the other two only ever grow: neither is a file written whole.
    "fsync": {
        "system/atomic_file.py",
        "journal/anchor.py",
        "journal/inspection.py",
        "engine/staff/machine_sends.py",
        # The store is a program of its own: it makes its key and its folder once, and writes backups.
        "store/backup.py",
        "store/cluster.py",
        "store/keys.py",
        "store/place.py",
    },
    "mkstemp": set(),
    "CLOCK_BOOTTIME": {"system/boot_clock.py"},
    "is_global": {"system/address.py"},
    "S_ISVTX": {"system/file_permissions.py"},
}


def _users(name: str, root: Path = ROOT) -> set[str]:
    """The modules that name it, by their paths in the package."""
    found = set()
    for path in root.rglob("*.py"):
        text = path.read_text("utf-8")
        if name in text and "sandbox" not in path.relative_to(root).parts:
            nodes = list(ast.walk(ast.parse(text)))
            attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
            names = {node.id for node in nodes if isinstance(node, ast.Name)}
            texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
            if name in attributes | names | texts:
                found.add(path.relative_to(root).as_posix())
    return found


@pytest.mark.parametrize("name", PLACES)
def test_it_is_done_in_its_place_alone(name: str) -> None:
    assert _users(name) == PLACES[name]


@pytest.mark.parametrize(
    "line", ["os.fsync(1)", "from os import fsync\nfsync(1)", 'getattr(os, "fsync")(1)', "sync = os.fsync"]
)
def test_another_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "other.py").write_text(line)
    (tmp_path / "only_said.py").write_text('"""Who calls fsync?"""')
    assert _users("fsync", tmp_path) == {"other.py"}
