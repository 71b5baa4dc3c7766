"""A sample of the campaign: one cell of each kind of fault, and three wrong tills that it must catch."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.views import AttemptChanged
from tests.support.builders import attempt, sale
from tests.support.figures import Figures
from tests.verification.campaign.proxy import expect, matrix
from tests.verification.campaign.proxy.campaign import summary, table
from tests.verification.campaign.proxy.case import faults_of
from tests.verification.campaign.proxy.counter import DEADLINES
from tests.verification.campaign.proxy.faults import catalogue
from tests.verification.campaign.proxy.footprint import MEMORY_MIB, SETTLED, STRETCH, Footprint
from tests.verification.campaign.proxy.planted import caught, directed
from tests.verification.campaign.proxy.proxy import Exchange, Play
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.story import play

EVIL = "127.0.0.1:9"

SAMPLE = [
    ("17/S/push", "nameless"),
    ("17/S/qr", "no_resolver for a name found before"),
    ("17/T/push", "no_resolver for a name found before"),
    ("17/C/qr", "no_resolver for a name found before"),
    ("17/G", "no_resolver"),
    ("17/O1", "no_resolver for a name found before"),
    ("19/S/qr", "for another host"),
    ("20/S/push", "closed in head"),
    ("21/S/qr", "reset in reply's body, carried out"),
    ("23/C/push", "reply number 2"),
    ("25/T/qr", "a second reply that nobody asked for"),
    ("26/C/qr", "HTML 502, carried out"),
    ("29/G", "JSON, lost"),
    ("31/S/qr", "empty 404, lost"),
    ("33/T/push", "10^9, lost"),
    ("34/C/push", "308 to another host, carried out"),
    ("36/T/push", "a bomb, lost"),
    ("38/O1", "a key twice, carried out"),
    ("38/O2", "a key twice, carried out"),
    ("40/T/push", "after it is paid"),
]


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """One sandbox for all."""
    with Shop() as shop:
        yield shop


@pytest.mark.parametrize(("cell", "fault"), SAMPLE, ids=[cell for cell, _ in SAMPLE])
def test_a_fault_does_what_its_cell_says(shop: Shop, cell: str, fault: str) -> None:
    """And the payment comes to its end, once."""
    case = directed(catalogue(shop.evil.address), cell, fault)
    assert play(shop, shop.folder / cell.replace("/", "-"), case).findings == ()
    assert shop.accidents.take() == []
    assert shop.evil.visits == 0


@pytest.mark.parametrize(("late", "is_found"), [(1, False), (99, True)])
def test_a_fault_that_once_comes_too_late_is_played_again_and_one_that_always_does_is_found(
    shop: Shop, late: int, is_found: bool
) -> None:
    """A machine that stood still for a second made a finding of what showed itself to nobody."""
    case = directed(catalogue(shop.evil.address), "26/T/push", "HTML 502, carried out")
    shown, left = case.fault.play, [None] * late
    assert shown is not None

    def act(exchange: Exchange) -> None:
        if left:
            left.pop()
            exchange.wire.pause(2 * DEADLINES.ask_s)
        shown.act(exchange)

    fault = msgspec.structs.replace(case.fault, play=Play(act))
    case = msgspec.structs.replace(
        case, fault=fault, times=1, second=None, impatient=False, customer="after", ending="pay"
    )
    findings = play(shop, shop.folder / f"late-{late}", case).findings
    assert bool(findings) is is_found
    assert all("heard as time_out" in each for each in findings)


@pytest.mark.parametrize(("code", "is_excused"), [("", True), ("a code on the screen", False)])
def test_money_is_anothers_only_while_the_code_was_nowhere(code: str, is_excused: bool) -> None:
    """A till that disputes what it has shown is found. On a machine under load the reply with the code came just
    behind the ask that told of the money: that till had to dispute it, and a code that comes later changes nothing.
    """
    chance = directed(catalogue(EVIL), "17/S/qr", "nameless")
    case = msgspec.structs.replace(chance, customer="first")
    disputed = attempt(kind=Kind.QR, state=State.DISPUTED, reason=Reason.CODE_NEVER_SHOWN, qr_text=code)
    later = msgspec.structs.replace(disputed, qr_text="a code on the screen")
    pictures = [AttemptChanged(attempt=each, sale=sale()) for each in (disputed, later)]
    assert expect.is_anothers_money(case, pictures) is is_excused


@pytest.mark.parametrize("name", ["follows redirects", "broken is not sent", "http_502_is_failed"])
def test_a_wrong_till_is_caught(shop: Shop, name: str) -> None:
    """Else the campaign would prove nothing; all of them: python -m tests.verification.campaign.proxy.planted."""
    assert next(caught(shop, name), "")


def test_every_cell_has_a_fault() -> None:
    """206 cells, rows 16 to 38 and 40, for push and QR where the step exists."""
    faults = catalogue(EVIL)
    assert all(faults_of(faults, row, column) for row, column, _ in matrix.cells())
    assert len({(fault.row, fault.name) for fault in faults}) == len(faults)


def test_the_table_shows_each_cell() -> None:
    """A count where the fault can be, a point where it cannot."""
    figures = Figures("proxy", counts={"22/S/push": 7}, worst={}, findings=[])
    row = next(line for line in table(figures) if line.startswith("22 "))
    assert row.split()[-9:] == ["7", "0", ".", ".", "0", "0", ".", "0", "0"]
    assert summary(figures).line().startswith("proxy: 7 cases, 1 of 206 cells, 0 in the least")


def footprint(*stretches: float, hashing_mib: float = 190.0) -> Footprint:
    """Of a run whose process kept so much in each stretch, and needed more in all moments of it but one."""
    made = Footprint()
    made.note(SETTLED - 20, 10.0)
    for place, mib in enumerate(stretches):
        for played in range(0, STRETCH, 20):
            made.note(SETTLED + place * STRETCH + played, mib + (hashing_mib if played != 100 else 0))
    return made


def test_what_a_moment_needs_is_no_growth() -> None:
    """Ten tills that hash a passcode at once want 190 MiB, and give them back."""
    kept = footprint(140.0, 150.0, 145.0)
    assert kept.findings() == []
    assert kept.growth_mib == 10.0
    assert kept.line() == "memory against cases (MiB): 140 at 300, 150 at 500, 145 at 700"


def test_what_is_kept_is_found_with_where_it_came() -> None:
    """The last stretch may not have had its quiet moment yet; a moment of it accuses nobody."""
    (found,) = footprint(140.0, 150.0, 141.0 + MEMORY_MIB, 150.0).findings()
    assert found.startswith("I12 the process has grown by 65 MiB; memory against cases (MiB): 140 at 300, ")
    assert footprint(140.0, 141.0 + MEMORY_MIB).findings() == []


def test_a_run_that_is_too_short_says_so() -> None:
    assert Footprint().line() == "memory against cases (MiB): fewer than 300 cases"
    assert footprint(*map(float, range(100))).line().count(" at ") == 15
