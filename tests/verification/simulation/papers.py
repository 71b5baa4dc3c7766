"""I14 and I23 judged: at most one paper without COPY, none without a durable SENDING; each as it is marked.

Looks at what lies on paper, not at what a till says of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.verification.simulation.history import History
from tests.verification.simulation.verdict import Violation

_COPY = re.compile("COPY( [0-9]+)?")
MARKING = "SANDBOX – NOT A PAYMENT"


def _root(history: History, line: str) -> str:
    """A journal that was begun beside a lost one knows that another has printed; a folder put back cannot."""
    while line in history.lines and history.lines[line].how == "lost":
        line = history.lines[line].parent
    return line


def i14(history: History) -> Iterator[Violation]:
    """Whole or part: a customer could take either for the receipt."""
    originals: set[tuple[str, str, str]] = set()
    for paper in history.papers:
        about = f"{paper.paper} {paper.number}"
        key = (_root(history, paper.line), paper.paper, paper.number)
        if not paper.copy:
            if key in originals:
                yield Violation("I14", about, f"job {paper.job} prints it a second time without COPY")
            originals.add(key)
        sending = [
            each
            for each in history.journals[paper.line]
            if each.record.kind == "PRINT_SENDING" and _job(each.record.content)["number"] == paper.job
        ]
        if not any(each.at <= paper.at for each in sending):
            yield Violation("I14", about, f"job {paper.job} was on paper before its SENDING was durable")
        if len(sending) > 1:
            yield Violation("I14", about, f"job {paper.job} was sent {len(sending)} times")


def _job(content: dict[str, Any]) -> dict[str, Any]:
    job: dict[str, Any] = content["job"]
    return job


def i23(history: History) -> Iterator[Violation]:
    """What is no payment says so at both ends, and what is one never does; a copy says that it is one, at both ends."""
    for paper in history.papers:
        said = [text for text in paper.texts if text]
        about, ends = f"{paper.paper} {paper.number}", (said[0], said[-1])
        is_sandbox = paper.environment == "sandbox"
        if [end == MARKING for end in ends] != [is_sandbox] * 2 or is_sandbox != (not history.live):
            yield Violation("I23", about, f"printed in {paper.environment}, marked {ends}")
        # A line of its own: a Z names other papers' copies, too.
        lines = [text for text in said if _COPY.fullmatch(text)]
        copies = lines.count(f"COPY {paper.copy}") if paper.copy else len(lines)
        if copies != (2 if paper.copy else 0):
            yield Violation("I14", about, f"copy {paper.copy} says so {copies} times")
