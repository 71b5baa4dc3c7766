"""Judges one till's whole history of deaths: the invariants, the sandbox as a witness, files, log and speed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills.evidence import Evidence, lefts
from tests.verification.simulation.checker import judge

BACK_S = 5.0
"""From the start of the process until the window stands and what was open has been asked about, on a machine that
goes through `_ROUNDS` in `_ROUNDS_S`."""

_ROUNDS = 300_000
_ROUNDS_S = 0.015

_INITIATES = ("initiate_push", "initiate_qr")
_TOLD = ("ERROR", "CRITICAL", "Traceback")


def violations(evidence: Evidence) -> Iterator[str]:
    """Of the invariants, in the checker's words."""
    for violation in judge(evidence.history):
        yield str(violation)
    if evidence.broken_at:
        yield f"I6 chain: record {evidence.broken_at} is not as it was written"


def unwitnessed(evidence: Evidence, sandbox: Sandbox, sent_log: Path) -> Iterator[str]:
    """What the sandbox was asked to initiate, to the byte, is what the till said that it sent."""
    said = {(left.operation, left.body) for left in lefts(sent_log) if left.operation in _INITIATES}
    for call in sandbox.calls():
        if call["operation"] in _INITIATES and (call["operation"], call["body"]) not in said:
            yield f"I4 the sandbox got an initiate that no till sent: {call['body'][:120]}"
    ids = [attempt.attempt_id for moment in evidence.history.closed for attempt in moment.attempts]
    if len(set(ids)) != len(ids):
        yield "I6 an attempt stands twice in its table"


def leaks(folder: Path, secrets: Iterable[str]) -> Iterator[str]:
    """I8: no secret and no whole wallet number in any file the till left."""
    wanted = [(secret, secret.encode()) for secret in secrets if len(secret) >= 6]
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        content = path.read_bytes()
        for secret, raw in wanted:
            if raw in content:
                yield f"I8 {path.name} holds {secret[:3]}…"


def accidents(folder: Path, complained: Iterable[str]) -> Iterator[str]:
    """I12: no error in the log, not a word on standard error."""
    for line in complained:
        yield f"I12 standard error: {line[:300]}"
    for path in sorted(folder.rglob("*.log*")):
        for line in path.read_text("utf-8", "replace").splitlines():
            if any(word in line for word in _TOLD):
                yield f"I12 {path.name}: {line[:300]}"


def slowness() -> float:
    """How many times slower than that the machine is just now, as one is that others have parts of; 1 at least."""
    began = time.thread_time()
    for _ in range(_ROUNDS):
        pass
    return max(1.0, (time.thread_time() - began) / _ROUNDS_S)


def slow(back_s: float, waited_s: float, slowness: float) -> Iterator[str]:
    """A start that took too long, and not because others had the cores: processes, machines, or nobody."""
    if back_s - waited_s > BACK_S * slowness:
        yield (
            f"back after {back_s:.1f} s, of which it waited {waited_s:.1f} s for a core or the machine, "
            f"on a machine {slowness:.1f} times slower than meant"
        )
