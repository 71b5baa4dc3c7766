"""Every cell of the matrix whose part is built, by name, once for each kind of payment it can meet."""

from __future__ import annotations

import pytest

from tests.verification.matrix.cells import Case, cases
from tests.verification.matrix.play import play


def _ascii(case: Case) -> str:
    return case.name.replace("×", "x").replace("→", "->")


@pytest.mark.parametrize("case", cases(), ids=_ascii)
def test_the_till_does_what_the_cell_says(case: Case) -> None:
    """The words, the buttons, the ledger, and every invariant at the end."""
    assert play(case, 0) == []
