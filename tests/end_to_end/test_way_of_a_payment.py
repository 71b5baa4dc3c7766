"""The way of a QR payment through the code, from the key to the code on the screen, on the real till."""

from __future__ import annotations

import re

from tests.architecture.sources import ROOT
from tests.end_to_end.conftest import MakeTill
from tests.verification.bench.hops import Trace, follow

PASSED = {
    "window": {"pos_app/ui/till/window/key_routing.py", "pos_app/ui/till/payment/panel_model.py"},
    "engine": {"pos_app/engine/core/engine.py", "pos_app/domain/flow/step.py", "pos_app/journal/store.py"},
    "call_": {"pos_app/services/payments.py", "pos_app/services/http.py"},
    "qr_encoder": {"pos_app/ui/till/payment/qr_encoder.py"},
}
"""Of each thread, files that no payment gets by: a trace without them has lost a thread."""

BY_THE_CLOCK = 15
"""So many files may come and go: what a till looks at once a second, whatever it sells, and what a busy machine gets
to before the code stands."""


def test_whoever_follows_a_payment_reads_on_and_no_further_than_is_written(make_till: MakeTill) -> None:
    """No call comes back through a callback to who made it, and docs/architecture.md counts what is passed."""
    trace = Trace()
    try:
        follow(trace, make_till())
    finally:
        trace.stop()
    files = {thread: {step.file for step in steps} for thread, steps in trace.on_the_way.items()}
    for thread, passed in PASSED.items():
        assert passed <= files[thread], thread
    assert not trace.returns
    passed_in_all = len(set().union(*files.values()))
    assert abs(passed_in_all - _written_down()) <= BY_THE_CLOCK


def _written_down() -> int:
    said = re.search(r"On the way are (\d+) files", (ROOT / "docs" / "architecture.md").read_text("utf-8"))
    assert said is not None
    return int(said[1])
