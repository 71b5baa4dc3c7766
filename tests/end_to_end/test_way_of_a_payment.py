"""The way of a QR payment through the code, from the key to the code on the screen, on the real till."""

from __future__ import annotations

from tests.end_to_end.conftest import MakeTill
from tests.verification.bench.hops import Trace, follow

PASSED = {
    "window": {"pos_app/ui/till/window/key_routing.py", "pos_app/ui/till/payment/panel_model.py"},
    "engine": {"pos_app/engine/core/engine.py", "pos_app/domain/flow/step.py", "pos_app/journal/store.py"},
    "call_": {"pos_app/services/payments.py", "pos_app/services/http.py"},
    "qr_encoder": {"pos_app/ui/till/payment/qr_encoder.py"},
}
"""Of each thread, files that no payment gets by: a trace without them has lost a thread."""


def test_no_call_comes_back_through_a_callback_to_who_made_it(make_till: MakeTill) -> None:
    """Whoever follows a payment reads on, never back."""
    trace = Trace()
    try:
        follow(trace, make_till())
    finally:
        trace.stop()
    files = {thread: {step.file for step in steps} for thread, steps in trace.on_the_way.items()}
    for thread, passed in PASSED.items():
        assert passed <= files[thread], thread
    assert not trace.returns
