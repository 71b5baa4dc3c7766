"""The phone beside the fourth counter of `make store`."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.integration.store.shop import ENVIRONMENT, REPOSITORY
from tests.support.sandbox import Sandbox


def test_it_comes_by_what_it_is_told_and_goes_with_who_started_it(sandbox: Sandbox) -> None:
    process = subprocess.Popen(
        [sys.executable, "packaging/store/phone.py"],
        stdin=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, "PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"},
        cwd=REPOSITORY,
    )
    told = {"control_url": sandbox.control_url, "control_token": sandbox.control_token}
    process.communicate(json.dumps(told) + "\n", timeout=60)
    assert process.returncode == 0
