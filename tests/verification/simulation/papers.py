"""I14 and I23 judged: at most one paper without COPY, none without a durable SENDING; each as it is marked.

And that each money and each Z has its paper wanted with it, where the till prints by itself.

Looks at what lies on paper, not at what a till says of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pos_app.domain.people import Role
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.printer import Laid
from tests.verification.simulation.verdict import Violation

_COPY = re.compile("COPY( [0-9]+)?")
MARKING = "SANDBOX – NOT A PAYMENT"


_SLIPS = ("slip", "shop_slip")


def _root(history: History, paper: Laid) -> str:
    """A journal that was begun beside a lost one knows that another has printed; a folder put back cannot.

    But of refund notes it knows those alone that it could take over: any other is a note of its own, though it may
    have the number of one that is lost.
    """
    line = paper.line
    while line in history.lines and history.lines[line].how == "lost":
        if paper.paper in _SLIPS and not _took_over(history.journals[line], paper.about):
            return line
        line = history.lines[line].parent
    return line


def _took_over(journal: tuple[Written, ...], number: str) -> bool:
    """Whether this refund note was found in a damaged journal."""
    return any(
        each.record.kind == "REFUND_RECOVERED" and str(each.record.content["note"]["number"]) == number
        for each in journal
    )


def i14(history: History) -> Iterator[Violation]:
    """Whole or part: a customer could take either for the receipt."""
    originals: set[tuple[str, str, str]] = set()
    for paper in history.papers:
        about = f"{paper.paper} {paper.number}"
        key = (_root(history, paper), paper.paper, paper.number)
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


def wanted(history: History) -> Iterator[Violation]:
    """Of each money and each Z the paper is wanted in its own transaction: no crash comes between the two.

    But of a Z that a cashier has closed none is: what others took is a manager's to print.
    """
    if not history.printing:
        return
    for line, journal in history.journals.items():
        numbered: set[str] = set()
        cashiers: set[str] = set()
        for place, each in enumerate(journal):
            person = each.record.person
            if person is not None:
                (cashiers.discard if person.role is Role.MANAGER else cashiers.add)(person.person_id)
            about = _wants_paper(each, numbered)
            if about is None:
                continue
            is_wanted = about in _wanted_with(journal, place)
            if each.record.kind == "Z_CLOSED" and each.record.actor in cashiers:
                if is_wanted:
                    yield Violation(
                        "I13", " ".join(about), f"number {each.seq} of {line}: a cashier's to take"
                    )
            elif not is_wanted:
                yield Violation("I14", " ".join(about), f"number {each.seq} of {line} wants no paper")


def _wants_paper(each: Written, numbered: set[str]) -> tuple[str, str] | None:
    """Which paper. Late money has nobody waiting for it."""
    record, attempt = each.record, each.record.attempt
    if record.kind == "Z_CLOSED":
        return "z", str(record.content["number"])
    if attempt is None or not attempt.receipt or attempt.attempt_id in numbered:
        return None
    numbered.add(attempt.attempt_id)
    is_new = record.kind != "RECOVERED" and attempt.state.value == "PAID"
    return ("receipt", attempt.attempt_id) if is_new else None


def _wanted_with(journal: tuple[Written, ...], place: int) -> Iterator[tuple[str, str]]:
    """What one transaction may hold behind it."""
    for each in journal[place + 1 :]:
        if each.record.kind == "PRINT_QUEUED":
            job = _job(each.record.content)
            yield job["paper"], job["about"]
        elif each.record.kind != "SALE_OVERPAID":
            return


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
