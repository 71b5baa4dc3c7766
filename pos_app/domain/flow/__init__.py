"""The flow of a payment as a table and pure functions: `begin` and `step`. It decides and does nothing."""

from pos_app.domain.flow.rules import Rules
from pos_app.domain.flow.step import begin, step
from pos_app.domain.flow.transitions import TRANSITIONS, IllegalTransitionError
from pos_app.domain.flow.watch import Live, Outcome, Watch

__all__ = ["TRANSITIONS", "IllegalTransitionError", "Live", "Outcome", "Rules", "Watch", "begin", "step"]
