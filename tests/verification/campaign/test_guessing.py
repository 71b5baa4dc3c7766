"""A few evenings of guessing, and tills that would give more: each is found out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.otp import OtpLimits
from pos_app.engine.staff import passcodes
from pos_app.engine.staff.codes import Codes
from pos_app.engine.staff.passcodes import Passcodes
from tests.unit.engine.staff_steps import SIGNED
from tests.verification.campaign.guessing import victim
from tests.verification.campaign.guessing.attack import evening

EVENINGS = 20


def test_no_evening_gives_more_than_the_limits() -> None:
    """Some of them kill the passcode with its tenth wrong try."""
    longest = 0
    for seed in range(3):
        attack = evening(seed)
        assert attack.oracle.wrong == []
        longest = max(longest, *(len(row) for row in attack.oracle.looks.values()), 0)
    assert longest >= 3


def _never(*_: Any) -> int:
    return 0


def _uncounted(self: Any, *_: Any) -> bool:
    del self
    return True


@pytest.mark.parametrize(
    ("where", "name", "instead"),
    [
        (Passcodes, "_count", _uncounted),
        (Passcodes, "_wait", _never),
        (passcodes, "is_dead", lambda *_: False),
        (Codes, "count", _uncounted),
        (victim, "SIGNED", replace(SIGNED, otp_limits=OtpLimits(tries_per_reference=9))),
    ],
    ids=[
        "uncounted tries",
        "no waits",
        "never dead",
        "uncounted codes",
        "nine tries at a code",
    ],
)
def test_a_till_that_gives_more_is_found_out(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, instead: Any
) -> None:
    """Within a few evenings."""
    monkeypatch.setattr(where, name, instead)
    assert any(evening(seed).oracle.wrong for seed in range(EVENINGS))
