"""A few kills of the real till at its printer, wrong tills that must be caught by the paper, and the judge on trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pos_app.ui.paper.offscreen import drawing
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills.career import Outcome, prepared
from tests.verification.campaign.kills.points import Death
from tests.verification.campaign.printing import points
from tests.verification.campaign.printing.cable import Sent
from tests.verification.campaign.printing.career import Career, Printed
from tests.verification.campaign.printing.device import Device
from tests.verification.campaign.printing.paper import strips

Served = tuple[Sandbox, Device, Path]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    device = Device(folder / "printer")
    try:
        with drawing(), Sandbox(config_dir=folder / "sandbox", switches={"approve_to_paid_s": 0}) as sandbox:
            device.switch_on()
            yield sandbox, device, folder / "sandbox"
    finally:
        device.kill()


def career(served: Served, folder: Path, *deaths: Death, wrong: str = "") -> tuple[Outcome, Printed]:
    """These deaths one after the other at a printer that does as it should, then the quiet life."""
    sandbox, device, config = served
    sandbox.reset()
    own = prepared(config, folder, give_up_s=20)
    played = Career(7, sandbox, own, folder, lambda: True, device, wrong, troubled=False)
    outcome = played.run(deaths)
    assert played.printed is not None
    return outcome, played.printed


IN_A_PRINT = Death("print:half")


def test_a_till_that_is_killed_while_it_prints_prints_nothing_twice(served: Served, tmp_path: Path) -> None:
    deaths = (IN_A_PRINT, Death("commit PRINT_SENDING:after"), Death("print:written"))
    outcome, printed = career(served, tmp_path, *deaths)
    assert outcome.findings == ()
    assert outcome.deaths == Counter(death.point for death in deaths)
    assert printed.unknown == 3
    assert printed.strips > printed.whole >= 1


@pytest.mark.parametrize(
    ("wrong", "death"),
    [
        ("restart_prints_again", IN_A_PRINT),
        ("sending_written_after_the_bytes", IN_A_PRINT),
        ("z_paper_after_its_z", Death("commit Z_CLOSED:after")),
    ],
)
def test_a_wrong_till_is_caught_by_its_paper(
    served: Served, tmp_path: Path, wrong: str, death: Death
) -> None:
    outcome, _ = career(served, tmp_path, death, wrong=wrong)
    assert outcome.deaths[death.point], outcome
    assert any(" I14 " in finding for finding in outcome.findings), outcome


def test_deaths_are_drawn_at_every_point_and_again_alike() -> None:
    drawn = [points.drawn(chance) for chance in [Random(3)] for _ in range(3_000)]
    assert drawn == [points.drawn(chance) for chance in [Random(3)] for _ in range(3_000)]
    assert {death.point for death in drawn} == {"", *points.POINTS}


def test_questions_are_no_paper_and_a_half_row_is_none_either() -> None:
    asked = Sent(pieces=[(1, b"\x10\x04\x01"), (2, b"\x10\x04\x02")])
    begun = Sent(pieces=[(3, b"\x10\x04\x01"), (4, b"\x1b@"), (5, b"\x1dv0\x00\x02\x00\x02\x00\xff\xff\xff")])
    strange = Sent(pieces=[(6, b"\x1b@hello")])
    (first, second) = strips((asked, begun, strange))
    assert (first.at, first.rows, first.is_cut) == (4, [b"\xff\xff"], False)
    assert second.strange
