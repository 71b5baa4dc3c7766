"""Every part within the time, two lanes side by side.

python -m tests.verification.campaign [--minutes 24] [--resume] [PART…]
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import msgspec


class Part(msgspec.Struct, frozen=True):
    """One campaign: a module with --minutes and --resume that prints its lines of figures last."""

    module: str
    share: float
    """Of the minutes of its lane."""
    lines: int = 1


LANES: tuple[tuple[Part, ...], ...] = (
    (
        Part("tests.verification.campaign.kills", 0.6),
        Part("tests.verification.campaign.printing", 0.2),
        Part("tests.verification.campaign.stores", 0.2),
    ),
    (
        Part("tests.verification.campaign.proxy", 0.24, lines=2),
        Part("tests.verification.campaign.disk.power", 0.16),
        Part("tests.verification.campaign.disk.faults", 0.16),
        Part("tests.verification.campaign.tampering", 0.16),
        Part("tests.verification.campaign.copies", 0.2),
        Part("tests.verification.campaign.guessing", 0.08),
    ),
)
GRACE_S = 180.0
"""A part that is over its time by so much is asked to end; what it had finished counts. Its last lives may take two
minutes (kills/career.py, LAST_S) on a machine that is slow."""


def main() -> int:
    """0 when no part found anything."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign", description=__doc__)
    wanted.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help="kills, printing, stores, proxy, power, faults, tampering, copies, guessing",
    )
    wanted.add_argument("--minutes", type=float, default=24.0, help="for all parts together (default: 24)")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    names = [_name(part) for lane in LANES for part in lane]
    unknown = set(options.parts) - set(names)
    if unknown:
        wanted.error(f"PART {', '.join(sorted(unknown))} is unknown; there are {', '.join(names)}")
    lanes = [[part for part in lane if not options.parts or _name(part) in options.parts] for lane in LANES]
    with ThreadPoolExecutor(len(lanes)) as pool:
        ended = list(pool.map(lambda lane: _lane(lane, options.minutes, options.resume), lanes))
    lines = [line for lane in ended for _, line in lane]
    print(*lines, sep="\n", flush=True)
    return max((code for lane in ended for code, _ in lane), default=0)


def _name(part: Part) -> str:
    return part.module.rpartition(".")[2]


def _lane(parts: list[Part], minutes: float, resume: bool) -> list[tuple[int, str]]:
    whole = sum(part.share for part in parts)
    return [_run(part, minutes * part.share / whole, resume) for part in parts]


def _run(part: Part, minutes: float, resume: bool) -> tuple[int, str]:
    """The exit code and the last lines of a part."""
    command = [sys.executable, "-m", part.module, "--minutes", f"{minutes:.2f}", *(["--resume"] * resume)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said, _ = process.communicate(timeout=minutes * 60 + GRACE_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=GRACE_S)
    lines = said.strip().splitlines() or [f"{_name(part)}: said nothing"]
    if process.returncode:
        print(said, flush=True)
        lines.append(f"{lines.pop()} (exit {process.returncode})")
    return process.returncode, "\n".join(lines[-part.lines :])


if __name__ == "__main__":
    sys.exit(main())
