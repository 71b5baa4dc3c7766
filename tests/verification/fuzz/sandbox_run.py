"""Target `sandbox`: a real one on a real socket, asked by the hundred thousand; never a 500, nothing that grows."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from decimal import Decimal
from pathlib import Path

import msgspec

from tests.support.figures import Figures
from tests.support.sandbox import Sandbox
from tests.verification.fuzz.sandbox_line import Line, wrong
from tests.verification.fuzz.sandbox_races import races
from tests.verification.fuzz.sandbox_requests import Generator
from tests.verification.fuzz.sandbox_schema import by_schema

PIECE = 2_000
WARM_PIECES = 3
"""After these the sandbox has loaded all it ever loads."""

SCHEMA_FROM_S, SCHEMA_SHARE = 60.0, 0.2
"""Runs of a minute and more give a fifth of it to requests made out of the schema."""

GROWS_MB, GROWS_DESCRIPTORS = 24.0, 8


class Size(msgspec.Struct, frozen=True):
    """What a process holds."""

    memory_mb: float
    descriptors: int


def storm(seconds: float, kept: Figures) -> None:
    """Pieces of requests, each followed by races and a look at what was stored and what grew."""
    began = time.monotonic()
    ends = began + seconds
    if seconds >= SCHEMA_FROM_S:
        counts, findings = by_schema(seconds * SCHEMA_SHARE)
        kept.add(counts, findings=findings, seconds=time.monotonic() - began)
    with Sandbox() as sandbox:
        first: Size | None = None
        pieces = 0
        while time.monotonic() < ends or not pieces:
            began = time.monotonic()
            sandbox.reset()
            dice = random.Random(time.time_ns())
            counts, findings = shower(sandbox, dice, f"F{pieces}", PIECE)
            findings += stored_wrong(sandbox)
            raced, lost = races(sandbox, f"R{pieces}")
            pieces += 1
            sandbox.reset()
            size = size_of(sandbox.pid)
            worst = {"memory_mb": size.memory_mb, "descriptors": float(size.descriptors)}
            if first is not None:
                findings += grown(first, size)
            elif pieces >= WARM_PIECES:
                first = size
            fresh = [line for line in findings + lost if _kind(line) not in map(_kind, kept.findings)]
            kept.add(counts + raced, worst, fresh, time.monotonic() - began)


def _kind(line: str) -> str:
    """A finding without its example."""
    return line[: line.find(": b")]


def shower(sandbox: Sandbox, dice: random.Random, name: str, count: int) -> tuple[Counter[str], list[str]]:
    """So many requests on one line: what they came to, and what was wrong, each kind once."""
    generator, line = Generator(sandbox, dice, name), Line(sandbox.base_url)
    counts: Counter[str] = Counter()
    findings: dict[str, str] = {}
    try:
        for _ in range(count):
            sent = generator.next()
            try:
                heard = line.ask(sent)
                problem, status = wrong(sent, heard), heard.status
            except TimeoutError:
                line.close()
                problem, status = "silence", 0
            counts["requests"] += 1
            counts[f"http_{status // 100}xx" if status else "closed"] += 1
            if problem and problem not in findings:
                findings[problem] = f"sandbox: {problem}: {sent.data[:300]!r}"
    finally:
        line.close()
    counts["connections"] += line.connections
    return counts, list(findings.values())


def stored_wrong(sandbox: Sandbox) -> list[str]:
    """Whatever was asked, what is stored is a payment: an amount above zero, an id of its own."""
    listed = sandbox.transactions()
    ids = Counter(str(each["externalMerchantTransactionId"]) for each in listed)
    found = [f"sandbox: {name} is stored {count} times" for name, count in ids.items() if count > 1]
    for each in listed:
        amount = str(each["transactionAmount"])
        if not re.fullmatch(r"[0-9]{1,11}(\.[0-9]{1,3})?", amount) or Decimal(amount) <= 0:
            found.append(f"sandbox: an amount of {amount} is stored")
    return found


def size_of(pid: int) -> Size:
    """Of a process on this machine; zeros where the system does not tell."""
    process = Path(f"/proc/{pid}")
    if not process.exists():
        return Size(0.0, 0)
    resident = re.search(r"VmRSS:\s+(\d+) kB", (process / "status").read_text("ascii"))
    return Size(int(resident[1]) / 1024 if resident else 0.0, len(list((process / "fd").iterdir())))


def grown(first: Size, now: Size) -> list[str]:
    """What is more than it was once everything had been loaded."""
    found = []
    if now.memory_mb > first.memory_mb + GROWS_MB:
        found.append(f"sandbox: memory grew from {first.memory_mb:.0f} to {now.memory_mb:.0f} MB")
    if now.descriptors > first.descriptors + GROWS_DESCRIPTORS:
        found.append(f"sandbox: descriptors grew from {first.descriptors} to {now.descriptors}")
    return found
