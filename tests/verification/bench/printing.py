"""A sale with a receipt beside the same sale without one: two tills in turn, the printer a socket of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import LOOPBACK, PrinterServer
from tests.verification.bench.figure import Figure, median
from tests.verification.bench.playing import playing, told

SALES = 40

FIRST_MS = 120


def measure(*, quick: bool = False) -> list[Figure]:
    """Sale by sale in turn, so that a drift of the machine meets both alike."""
    with_one: list[dict[str, Any]] = []
    without: list[dict[str, Any]] = []
    with _printer() as port:
        settings = f'\n[printer]\nkind = "network"\nhost = "{LOOPBACK}"\nport = {port}\n'
        with (
            playing("printing", quick=quick, settings=settings) as one,
            playing("printing", quick=quick) as bare,
        ):
            for _ in range(6 if quick else SALES):
                for till, said in ((one, with_one), (bare, without)):
                    till.go_on()
                    said.append(told(till))
    pictures = [took for each in with_one for took in each["picture"]]
    assert len(pictures) == len(with_one), "a sale without a receipt"
    # The first sale of a till loads what every sale needs.
    result, bare_result = (median([each["result"] for each in said[1:]]) for said in (with_one, without))
    stall, bare_stall = (median([each["stall"] for each in said[1:]]) for said in (with_one, without))
    return [
        Figure(
            name="ask to PAID painted, with a receipt",
            unit="ms",
            ours=result,
            floor=bare_result,
            goal=bare_result + 1,
            floor_is="the same sale without; goal: it and 1 ms",
            absolute=True,
            limited_by="one record more in the money's commit",
        ),
        Figure(
            name="window's stall while a receipt is drawn",
            unit="ms",
            ours=stall,
            floor=bare_stall,
            goal=2,
            floor_is="the same half second without",
            limited_by="Python's lock, which a drawing thread gives up each 5 ms",
        ),
        Figure(
            name="first receipt of a till",
            unit="ms",
            ours=pictures[0],
            floor=median(pictures[1:]),
            goal=FIRST_MS,
            floor_is="its later ones",
            absolute=True,
            limited_by="Pillow, layout and the fonts of the script are loaded by it, beside a window at work",
        ),
        Figure(
            name="modules of a paper before the first",
            unit="",
            ours=max(len(each["loaded"]) for each in (*with_one, *without)),
            floor=0,
            goal=0,
            floor_is="nothing",
            absolute=True,
        ),
    ]


@contextmanager
def _printer() -> Iterator[int]:
    server = PrinterServer(VirtualPrinter())
    server.start()
    try:
        yield server.port
    finally:
        server.stop()
