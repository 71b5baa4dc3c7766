"""The table of modules and the list of survivors, in words. Decides nothing but what is too little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tests.mutants.mutant import NOTICED, Mutant, Verdict

ENOUGH = 90.0
"""Per cent of an area's mutants that have to be noticed."""
_FEW = 50
"""Of so few tried ones no share is told."""


def score(mutants: Iterable[Mutant]) -> float:
    """Per cent of those tried that somebody noticed."""
    tried = [mutant for mutant in mutants if mutant.verdict is not Verdict.UNTRIED]
    return 100 * sum(mutant.verdict in NOTICED for mutant in tried) / len(tried) if tried else 100.0


def too_little(area: str, mutants: list[Mutant]) -> list[str]:
    """The finding, if there is one."""
    tried = sum(mutant.verdict is not Verdict.UNTRIED for mutant in mutants)
    if tried >= _FEW and score(mutants) < ENOUGH:
        return [f"{area}: {score(mutants):.1f} % of {tried} mutants noticed, {ENOUGH:.0f} % wanted"]
    return []


def table(area: str, mutants: list[Mutant]) -> list[str]:
    """A line for each module and one for the area."""
    by_module: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_module[_module(mutant.where)].append(mutant)
    return [
        *(_row(module, some) for module, some in sorted(by_module.items())),
        _row(area.upper(), mutants),
    ]


def _module(where: str) -> str:
    """Without the function: the parts after pos_app.<package>… up to the file's name."""
    parts = where.split(".")
    depth = 4 if parts[:3] == ["pos_app", "domain", "flow"] else 3
    return ".".join(parts[:depth])


def _row(name: str, mutants: list[Mutant]) -> str:
    counts = [sum(mutant.verdict is verdict for mutant in mutants) for verdict in Verdict]
    told = ", ".join(
        f"{count} {verdict.value}" for verdict, count in zip(Verdict, counts, strict=True) if count
    )
    return f"{name:<36} {score(mutants):6.1f} %  {len(mutants):5} mutants: {told}"


def unexplained(mutants: Iterable[Mutant], reasons: set[str]) -> list[str]:
    """Survivors that the page of survivors does not name."""
    return [
        f"  {mutant.where}\n    - {mutant.was}\n    + {mutant.becomes}"
        for mutant in mutants
        if mutant.verdict is Verdict.SURVIVED and mutant.key not in reasons
    ]
