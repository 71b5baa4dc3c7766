"""Runs a target's child piece by piece, adds up what each came to, and survives whatever ends a child."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from tests.support.figures import Figures
from tests.verification.fuzz.playing import Tally, replayed
from tests.verification.fuzz.targets import Target

KEPT = Path("build/fuzz")
PIECE_S = 20
GRACE_S = 60


def fuzz(target: Target, seconds: float, kept: Figures, *, guided: bool) -> None:
    """What failed in earlier runs first, then new inputs until the time is over.

    `guided`: every third piece is led by the branches it reaches and adds to the corpus; the others change what
    lies there, several times as fast.
    """
    failures = KEPT / "failures" / target.name
    kept.findings = replayed(target.name, target.play(), failures)
    kept.keep()
    ends, pieces = time.monotonic() + seconds, 0
    while (left := ends - time.monotonic()) > 1 or "runs" not in kept.counts:
        began = time.monotonic()
        tally = piece(target, max(2, min(PIECE_S, int(left))), guided=guided and pieces % 3 == 0)
        pieces += 1
        fresh = [line for line in tally.findings if not any(each.startswith(line) for each in kept.findings)]
        kept.add(
            {
                "runs": tally.runs,
                "failed": tally.outcomes.get("FAILED", 0),
                "cpu_ms": int(tally.cpu_s * 1000),
            },
            {"worst_ms": tally.worst_ms},
            fresh,
            time.monotonic() - began,
        )
        kept.counts["outcomes"] = outcomes(target, tally)
        kept.counts["runs_per_cpu_s"] = int(kept.counts["runs"] * 1000 / max(1, kept.counts["cpu_ms"]))
        kept.keep()


def outcomes(target: Target, tally: Tally) -> int:
    """How many different outcomes have been met over all runs; they are kept by name beside the figures."""
    file = KEPT / f"{target.name}.outcomes.json"
    counts = msgspec.json.decode(file.read_bytes(), type=dict[str, int]) if file.exists() else {}
    for outcome, count in tally.outcomes.items():
        counts[outcome] = counts.get(outcome, 0) + count
    file.write_bytes(msgspec.json.format(msgspec.json.encode(counts, order="sorted")))
    return len(counts)


def piece(target: Target, seconds: int, *, guided: bool) -> Tally:
    """One child for so many seconds; a child that died is a finding with its input."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{target.name}.tally.json"
    file.unlink(missing_ok=True)
    child = "tests.verification.fuzz.child" if guided else "tests.verification.fuzz.unguided"
    command = [sys.executable, "-m", child, target.name, "--seconds", str(seconds), "--tally", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, said = process.communicate(timeout=seconds + GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    tally = msgspec.json.decode(file.read_bytes(), type=Tally) if file.exists() else Tally(findings=[])
    text = said.decode("utf-8", "replace")
    if done := re.search(r"Done (\d+) runs", text):
        tally.runs = max(tally.runs, int(done[1]))
    if process.returncode:
        kept = re.search(r"Test unit written to (\S+)", text)
        reason = re.search(r"ERROR: libFuzzer: (.*)", text)
        why = reason[1] if reason else text.strip()[-300:]
        tally.findings.append(
            f"{target.name}: the process ended ({process.returncode}): {why} {kept[1] if kept else ''}"
        )
    return tally
