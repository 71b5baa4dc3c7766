"""The page of survivors speaks of code that is there, and gives a reason for each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest

from tests.verification.mutants.accepted import Accepted, accepted
from tests.verification.mutants.areas import AREAS, Area
from tests.verification.mutants.mutant import Mutant, Verdict, change
from tests.verification.mutants.outsides import outsides_of
from tests.verification.mutants.telling import meaning, score, too_little
from tests.verification.mutants.workshop import environment, prepare

PAGE = accepted()
MODULES = [module for area in AREAS for module in area.modules(Path())]


@pytest.mark.parametrize("survivor", PAGE.survivor, ids=lambda each: each.key)
def test_a_survivor_is_of_code_that_is_there(survivor: Accepted) -> None:
    """Once its line has changed, it has to be looked at again."""
    dotted = {".".join(module.with_suffix("").parts): module for module in MODULES}
    module = next(path for name, path in dotted.items() if survivor.where.startswith(f"{name}"))
    text = " ".join(line.strip() for line in module.read_text().splitlines())
    assert survivor.was.removeprefix("def ") in text or survivor.was.startswith("def (")
    assert len(survivor.reason) > 20


def test_each_survivor_stands_there_once() -> None:
    """Or one would be forgotten."""
    keys = [each.key for each in PAGE.survivor]
    assert len(keys) == len(set(keys))


def test_a_change_of_capitals_counts_only_where_they_mean_nothing() -> None:
    """SQL yes, the name of a status no."""
    sql = Mutant("", "m", 'execute("BEGIN")', 'execute("begin")', Verdict.SURVIVED)
    name = Mutant("", "m", 'PAID = "Payment Success"', 'PAID = "payment success"', Verdict.SURVIVED)
    other = Mutant("", "m", 'execute("BEGIN")', 'execute("XXBEGINXX")', Verdict.SURVIVED)
    assert [PAGE.explains(each) for each in (sql, name, other)] == [True, False, False]
    assert meaning([sql, name, other], PAGE) == [name, other]
    assert PAGE.unexplained([sql, name, other]) == [name, other]


def test_too_little_is_told_of_enough_mutants() -> None:
    """Nine of ten, of those that were tried."""
    killed = [Mutant("", "m", "a", str(number), Verdict.KILLED) for number in range(45)]
    survived = [Mutant("", "m", "b", str(number), Verdict.SURVIVED) for number in range(6)]
    untried = [Mutant("", "m", "c", str(number)) for number in range(50)]
    assert score([*killed, *survived[:5], *untried]) == 90
    assert not too_little("flow", [*killed, *survived[:5], *untried], PAGE)
    assert too_little("flow", [*killed, *survived], PAGE) == [
        "flow: 88.2 % of 51 mutants noticed, 90 % wanted"
    ]
    assert not too_little("flow", [*killed[:3], *survived], PAGE)


def test_a_sample_is_too_little_when_its_size_does_not_explain_it() -> None:
    """176 of a thousand, 20 of them unseen: the whole may well hold; 40 unseen: it does not."""
    untried = [Mutant("", "m", "c", str(number)) for number in range(824)]
    killed = [Mutant("", "m", "a", str(number), Verdict.KILLED) for number in range(176)]
    survived = [Mutant("", "m", "b", str(number), Verdict.SURVIVED) for number in range(40)]
    assert not too_little("journal", [*killed[:156], *survived[:20], *untried], PAGE)
    assert too_little("journal", [*killed[:136], *survived, *untried], PAGE)
    assert too_little("journal", [*killed[:156], *survived[:20]], PAGE)


def test_a_change_is_told_on_one_line() -> None:
    """The lines that went, and the lines that came."""
    assert change(["def f():", "    a = 1", "    return a"], ["def f():", "    a = 2", "    return a"]) == (
        "a = 1",
        "a = 2",
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_the_slow_tests_find_all_they_need_in_the_copy(area: Area) -> None:
    """Else they fail without any change, and say nothing of any. A test that has another name by now is none."""
    # Not where the canaries are looked for: the copy has the tests' own numbers in it.
    with tempfile.TemporaryDirectory(prefix="pos-app-mutants-") as folder:
        copied = msgspec.structs.replace(area, folder=folder)
        prepare(copied, resume=False)
        commands = [
            (*command, "--collect-only") if "pytest" in command else (*command[:-1], "2")
            for command in (*copied.slow, ("-m", "pytest", *copied.tests))
        ]
        for command in commands:
            done = subprocess.run(
                [sys.executable, *command],
                cwd=copied.place,
                env=environment(PYTHONPATH=str(copied.place.absolute())),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr


def _tests_named(area: Area) -> list[str]:
    words = [word for command in (*area.slow, area.tests) for word in command]
    return [word.rpartition("=")[2] for word in words if "tests/" in word]


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_each_test_an_area_names_is_there(area: Area) -> None:
    """What is left out of the quick ones by a name nobody has any more is not left out."""
    for name in _tests_named(area):
        path, _, test = name.partition("::")
        assert Path(path).exists(), name
        assert not test or f"def {test}(" in Path(path).read_text(), name


def test_tables_and_properties_are_changed_outside_functions(tmp_path: Path) -> None:
    """What mutmut leaves alone: values, defaults, members of sets, properties; no types, no docstrings."""
    text = '"""What it is for."""\nNames = dict[str, int]\nCODES = frozenset({"1", "2"})\n'
    text += "class A:\n    n: int = 1\n    @property\n    def p(self) -> bool:\n        return self.n > 0\n"
    text += "    def f(self) -> int:\n        return 5\n"
    (tmp_path / "m.py").write_text(text)
    made = {(mutant.where, mutant.becomes) for mutant, _ in outsides_of(tmp_path, Path("m.py"))}
    assert ("m", 'CODES = frozenset({"1", })') in made
    assert ("m", "CODES = None") in made
    assert ("m.A", "n: int = 2") in made
    assert ("m.A.p", "return self.n >= 0") in made
    assert not any("return 6" in becomes or "Names" in becomes for _, becomes in made)
