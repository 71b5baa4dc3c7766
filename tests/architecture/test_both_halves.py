"""`make test` runs each test, and none twice."""

from __future__ import annotations

from pathlib import Path

from tests.architecture.without_qt import ROOT, left_out
from tests.both_halves import JUDGES, with_a_window, without

TESTS = ROOT / "tests"


def within(places: list[str]) -> set[Path]:
    """The files of tests there; a place is a folder or a file of it, all else are other arguments."""
    roots = [ROOT / each for each in places if each.split("/")[0] == "tests"]
    return {file for file in TESTS.rglob("test_*.py") if any(file.is_relative_to(each) for each in roots)}


def test_each_test_is_in_one_half() -> None:
    judges = within([f"tests/{JUDGES}"])
    here = within(with_a_window())
    below = within(without())
    below -= within([each.partition("=")[2] for each in left_out()])
    assert here | below | judges == within(["tests"])
    assert not here & below
    assert not judges & (here | below)
    assert len(here) > 100
    assert len(below) > 100
