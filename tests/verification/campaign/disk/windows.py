"""Tries the till's window on each way a disk fails, before and after a payment was sent; off-screen, a process each."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

from tests.support.sandbox import Sandbox
from tests.verification.campaign.disk import layer
from tests.verification.campaign.disk.faulty import KINDS

LIMIT_S = 90.0
FOR_GOOD = tuple(kind for kind in KINDS if kind.endswith("for good"))


WINDOWS = tuple(product(FOR_GOOD, ("BEFORE", "AFTER")))
"""Each way to fail, and when."""


def attempt_window(kind: str, when: str, folder: Path) -> list[str]:
    """What was not on the screen as docs/failure-model.md, behaviour H, says."""
    config = folder / "config"
    config.mkdir(parents=True)
    with Sandbox(config_dir=config, switches={"otp_sends": 10_000}) as sandbox:
        return _attempt(kind, when, folder, sandbox, config)


def _attempt(kind: str, when: str, folder: Path, sandbox: Sandbox, config: Path) -> list[str]:
    told = {
        "control_url": sandbox.control_url,
        "control_token": sandbox.control_token,
        "config_dir": str(config),
        "data_dir": str(folder / "data"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.verification.campaign.disk.window", KINDS[kind].format(1), when],
        input=json.dumps(told) + "\n",
        env={**layer.beneath(folder, folder / "record"), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    name = f"window, {kind}, {when.lower()} sending"
    if done.returncode:
        return [f"{name}: {done.stderr.strip()[-400:]}"]
    seen = json.loads(done.stdout.splitlines()[-1])
    found = []
    if when == "BEFORE" and (seen["sent"] or seen["pay button"]):
        found.append(f"{name}: {seen}")
    if when == "AFTER" and "PAID 71.00" not in seen["said"]:
        found.append(f"{name}: the screen said {seen['said']}")
    return found if seen["stopped"] else [*found, f"{name}: its threads did not end"]
