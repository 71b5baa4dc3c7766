"""The two commands do on a bare Debian 13 what README says, with its Python and with every other one there is."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.debian.machine import needs_a_bare_debian
from tests.verification.proof.versions.newcomer import (
    CLONE,
    LIMIT_S,
    NEXT_QT,
    OTHERS,
    SECOND_CLONE,
    Newcomer,
    commands,
    newcomer,
    prefix_of,
)

pytestmark = [needs_a_bare_debian(), pytest.mark.timeout(3 * LIMIT_S)]
PICTURE = re.compile(r"^picture \S+\.png$", re.MULTILINE)
PICTURES = 40
QT_TESTS = "tests/unit/ui tests/architecture tests/end_to_end"


@pytest.fixture(scope="module", params=["", *OTHERS], ids=["its own", *OTHERS])
def somebody(request: pytest.FixtureRequest) -> Iterator[Newcomer]:
    """One for each Python, with nothing set up yet; each test goes on where the one before it stopped."""
    python: str = request.param
    if python and prefix_of(python) is None:
        pytest.skip(f"this machine has no {python}, or only as a part of its system")
    with (
        tempfile.TemporaryDirectory(prefix="pos-app-versions-") as folder,
        newcomer(Path(folder), python) as who,
    ):
        yield who


def test_the_till_runs(somebody: Newcomer) -> None:
    """Without a display: on its tour, from a picture of the sign-in to one of the day's end."""
    run, _ = commands()
    assert len(PICTURE.findall(somebody.types(run))) >= PICTURES
    # README: the second time is instant, so nothing is installed.
    assert "Installing" not in somebody.types(run)


def test_the_tests_pass(somebody: Newcomer) -> None:
    """All that this command runs, warnings of a newer Python among what fails them."""
    _, test = commands()
    said = somebody.types(test)
    last = said.rstrip().splitlines()[-1]
    assert re.search(r"\d+ passed", last), said[-3000:]
    assert " failed" not in last, said[-3000:]


def test_a_journal_goes_from_one_python_to_another_and_back(somebody: Newcomer) -> None:
    """What this one wrote another reads to its last event, and writes on; and the other way round."""
    if not somebody.python:
        pytest.skip("told by the runs with another Python: theirs and Debian's own are side by side")
    somebody.types(f"git clone --quiet . {SECOND_CLONE}")
    somebody.types("make setup-run", at=SECOND_CLONE, plainly=True)
    pay = "pay --sandbox --data-dir /tmp/shared --amount 7 --push 0771234567 --customer approve"
    for clone in (CLONE, SECOND_CLONE, CLONE):
        assert "Paid" in somebody.types(f".venv-run/bin/python -m pos_app {pay}", at=clone)
    versions = {somebody.types(".venv-run/bin/python --version", at=clone) for clone in (CLONE, SECOND_CLONE)}
    assert len(versions) == 2


def test_the_next_line_of_qt(somebody: Newcomer) -> None:
    """In place of the locked one: its windows, the rules of the code and whole tills."""
    if somebody.python:
        pytest.skip("tried with Debian's own Python")
    both = f"PySide6-Essentials=={NEXT_QT} shiboken6=={NEXT_QT}"
    somebody.types(f".venv/bin/python -m pip --quiet install --no-deps {both}")
    said = somebody.types(f".venv/bin/python -m pytest -n 4 --dist worksteal -q {QT_TESTS}")
    assert re.search(r"\d+ passed", said.rstrip().splitlines()[-1]), said[-3000:]
