"""The table of modules and the list of survivors, in words. Decides nothing but what is too little."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from tests.verification.mutants.accepted import Page
from tests.verification.mutants.mutant import NOTICED, Mutant, Verdict

ENOUGH = 90.0
"""Per cent of an area's mutants that have to be noticed."""
_FEW = 50
"""Of so few tried ones no share is told."""


def score(mutants: Iterable[Mutant]) -> float:
    """Per cent of those tried that somebody noticed."""
    tried = [mutant for mutant in mutants if mutant.verdict is not Verdict.UNTRIED]
    return 100 * sum(mutant.verdict in NOTICED for mutant in tried) / len(tried) if tried else 100.0


def meaning(mutants: Iterable[Mutant], page: Page) -> list[Mutant]:
    """Without the survivors that change nothing."""
    return [
        mutant for mutant in mutants if mutant.verdict is not Verdict.SURVIVED or not page.explains(mutant)
    ]


def too_little(area: str, mutants: list[Mutant], page: Page) -> list[str]:
    """The finding, if there is one. Of a sample only what its size cannot explain: two standard errors."""
    left = meaning(mutants, page)
    tried = sum(mutant.verdict is not Verdict.UNTRIED for mutant in left)
    found = score(left)
    scatter = 0.0 if tried == len(left) else 2 * math.sqrt(max(found * (100 - found), 0.0) / max(tried, 1))
    if tried >= _FEW and found + scatter < ENOUGH:
        return [f"{area}: {found:.1f} % of {tried} mutants noticed, {ENOUGH:.0f} % wanted"]
    return []


def table(area: str, mutants: list[Mutant], page: Page) -> list[str]:
    """A line for each module and one for the area."""
    by_module: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_module[_module(mutant.where)].append(mutant)
    return [
        *(_row(module, some, page) for module, some in sorted(by_module.items())),
        _row(area.upper(), mutants, page),
    ]


def _module(where: str) -> str:
    """Without the function: the parts after pos_app.<package>… up to the file's name."""
    parts = where.split(".")
    depth = 4 if parts[:3] == ["pos_app", "domain", "flow"] else 3
    return ".".join(parts[:depth])


def _row(name: str, mutants: list[Mutant], page: Page) -> str:
    counts = [sum(mutant.verdict is verdict for mutant in mutants) for verdict in Verdict]
    told = ", ".join(
        f"{count} {verdict.value}" for verdict, count in zip(Verdict, counts, strict=True) if count
    )
    own = f"{score(mutants):5.1f} %, {score(meaning(mutants, page)):5.1f} % of what changes anything"
    return f"{name:<36} {own} {len(mutants):5} mutants: {told}"


def told(mutant: Mutant) -> str:
    """A survivor for a reader."""
    return f"  {mutant.where}\n    - {mutant.was}\n    + {mutant.becomes}"
