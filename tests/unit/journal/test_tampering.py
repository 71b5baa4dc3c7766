"""What the campaign of tampering does at length, in short: each kind of harm is told with its place."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest

from tests.verification.campaign.tampering import harm
from tests.verification.campaign.tampering.judging import Bench
from tests.verification.campaign.tampering.specimens import Specimen, memory, specimens

pytestmark = pytest.mark.slow


FLIPS = 120
ROUNDS = 4

_PLACE = re.compile(
    r"events? \d+|attempt \S+|sale \d+|person \S+|otp_send \d+|other_event \d+|subject |anchor|schema|meta"
    r"|identity|file |database|another key|version|whose it is|environment|header|the journal is gone"
)


@pytest.fixture(scope="module")
def made() -> list[Specimen]:
    """Short ones, and one day that is longer than what a start looks at."""
    return specimens(days=(110,))


@pytest.fixture
def bench() -> Iterator[Bench]:
    """On memory."""
    with memory() as folder:
        yield Bench(folder)


def test_flipped_bits_are_told(bench: Bench, made: list[Specimen]) -> None:
    """Or lie where nothing is said: then every row of every table, and every index, reads as before."""
    chance = random.Random(20260302)
    told = 0
    for _ in range(FLIPS):
        specimen = chance.choice(made[:6])
        harmed = harm.flip(chance, specimen)
        verdict = bench.judge(specimen, harmed.files, harmed.key)
        assert not verdict.finding, f"{specimen.name}: {harmed.what}: {verdict.finding}"
        assert not verdict.told or _PLACE.search(verdict.told), verdict.told
        told += bool(verdict.told)
    assert told > FLIPS // 2


@pytest.mark.parametrize("blow", harm.BLOWS)
def test_every_other_harm_is_told(
    bench: Bench, made: list[Specimen], blow: Callable[[random.Random, Specimen], harm.Harm]
) -> None:
    """Deleted, swapped, doubled, changed, re-signed, cut off, an older copy, a file that is gone."""
    chance = random.Random(f"{blow.__name__}")
    for _ in range(ROUNDS):
        specimen = chance.choice(made)
        harmed = blow(chance, specimen)
        verdict = bench.judge(specimen, harmed.files, harmed.key)
        assert not verdict.finding, f"{specimen.name}: {harmed.what}: {verdict.finding}"
        assert not verdict.told or _PLACE.search(verdict.told), verdict.told


def test_an_unharmed_journal_tells_of_nothing(bench: Bench, made: list[Specimen]) -> None:
    """The campaign would be worth nothing if it did."""
    for specimen in made:
        assert bench.whole(specimen) is not None
        assert not bench.judge(specimen, specimen.files).told
