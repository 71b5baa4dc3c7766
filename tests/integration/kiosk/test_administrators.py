"""Who breaks out of a till may do what its account may: it is no administrator's."""

from __future__ import annotations

import os

import pytest

from tests.integration.cli.till import bare


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="asked of an administrator")
def test_the_till_alone_on_its_screen_is_not_run_as_root() -> None:
    done = bare("--kiosk")
    assert (done.code, done.out) == (2, "")
    assert "--kiosk: not as root" in done.err
