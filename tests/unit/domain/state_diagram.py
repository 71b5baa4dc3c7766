"""Draws docs/states.md from the table of transitions: `python -m tests.unit.domain.state_diagram`. Decides nothing."""

from __future__ import annotations

from pathlib import Path

from pos_app.domain.attempt import ATTENTION, OPEN, State
from pos_app.domain.flow import TRANSITIONS

PAGE = Path(__file__).parents[3] / "docs" / "states.md"

_OPENING = """\
# The states of an attempt

Drawn from `pos_app/domain/flow/transitions.py`; a test fails when this page is not up to date
(`python -m tests.unit.domain.state_diagram` writes it). What leads from one state to the next is decided in
`pos_app/domain/flow` alone: open the module that is named like what happened.
"""

_CLOSING = """\
Two rules hold for every state and are left out of the drawing:

{rules}

Open: {open}. A person is needed: {attention}. Every other state is final: an older or contradicting reply
is flagged, and moves it only along the arrows above.
"""


def _everywhere(state: State) -> set[State]:
    return {State.PAID_LATE, State.DISPUTED} & TRANSITIONS[state]


def _rule(target: State) -> str:
    without = sorted(state for state in State if target not in TRANSITIONS[state] and state is not target)
    but = f" but {' and '.join(without)}" if without else ""
    return f"- every state{but} → {target}"


def page() -> str:
    """The whole page."""
    arrows = ["    [*] --> INTENT"]
    for before in State:
        for after in State:
            if after in TRANSITIONS[before] - _everywhere(before):
                arrows.append(f"    {before} --> {after}")
    drawing = "\n".join(["```mermaid", "stateDiagram-v2", "    direction TB", *arrows, "```"])
    closing = _CLOSING.format(
        rules="\n".join([_rule(State.PAID_LATE), _rule(State.DISPUTED)]),
        open=", ".join(state for state in State if state in OPEN),
        attention=", ".join(state for state in State if state in ATTENTION),
    )
    return "\n".join([_OPENING, drawing, "", closing])


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
