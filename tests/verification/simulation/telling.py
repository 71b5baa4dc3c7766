"""A story and its history as text a person can follow: what was to happen, then what did, by true seconds."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tests.verification.simulation.history import History
from tests.verification.simulation.story import Story


def told(story: Story) -> list[str]:
    """What the story says will happen."""
    lines = [
        f"{story.tills} till(s), faults stop at {story.stop_at / 1000:g} s, E1 {story.e1}, E2 {story.e2}, E3 {story.e3}"
        f"{', people sign in' if story.staffed else ''}"
        f"{', cashiers close' if story.cashiers_close else ''}"
    ]
    for place, plan in enumerate(story.sales):
        doings = " | ".join(
            (each.refused and f"refused {each.refused}")
            or ", ".join(f"+{delay / 1000:g} s {status}" for delay, status in each.steps)
            or "does nothing"
            for each in plan.customers
        )
        lines.append(
            f"{plan.at / 1000:9.1f} s till {plan.till}: sale {place}, {plan.kind} {plan.amount}: {doings}"
        )
    lines += [
        f"{act.at / 1000:9.1f} s till {act.till}: {act.verb} {act.sale if act.sale >= 0 else ''} {act.value}"
        for act in sorted(story.acts, key=lambda act: act.at)
    ]
    lines += [f"call {each.call} of till {each.till}: {each.fault} ({each.value})" for each in story.faults]
    lines += [f"{msgspec.structs.asdict(each)}" for each in (*story.windows, *story.crashes)]
    return lines


def happened(history: History, *, about: str = "") -> list[str]:
    """What left, what was written and what the service held, in the order of time."""
    lines = [(at, 0, line) for at, line in _lines(history, about)]
    return [f"{at / 1000:9.1f} s {line}" for at, _, line in sorted(lines, key=lambda each: each[:2])]


def _lines(history: History, about: str) -> Iterator[tuple[int, str]]:
    for sent in history.sent:
        if sent.attempt_id.startswith(about):
            yield sent.at, f"→ {sent.operation} {sent.attempt_id} (journal at {sent.seq})"
    for held in history.held:
        if held.external_id.startswith(about):
            for at, status in held.timeline:
                yield at, f"● {held.external_id} {status}"
    for journal in history.journals.values():
        for each in journal:
            record = each.record
            if record.subject.startswith(about) and record.kind != "TIME_CAME":
                path = " → ".join(state.value for state in record.path)
                reply = record.content.get("reply", "")
                yield each.at, f"  {each.seq:3} {record.subject} {record.kind} {path} {_brief(reply)}"
    yield history.calm_at, "— calm"
    yield history.closing_at, "— closing"


def _brief(reply: object) -> str:
    if not isinstance(reply, dict):
        return ""
    return " ".join(
        str(reply[name]) for name in ("type", "name", "code", "why", "http_status") if reply.get(name)
    )
