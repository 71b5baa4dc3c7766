"""Requests that schemathesis makes out of the sandbox's OpenAPI file, by the thousand; its findings are ours."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pos_app.sandbox
from tests.support.sandbox import Sandbox

SCHEMA = Path(pos_app.sandbox.__file__).with_name("openapi.json")
CONFIG = Path(__file__).with_name("schemathesis.toml")
SWITCHES = {"failure_http_status": 404, "otp_wrong_pin_http_status": 404}
"""The tool tells a failure from a success by its HTTP status alone."""

EXAMPLES_A_SECOND = 2
LIMIT_S = 300


def by_schema(seconds: float) -> tuple[Counter[str], list[str]]:
    """As many examples for each operation as fit into the time, roughly; new ones each time."""
    examples = max(10, int(seconds * EXAMPLES_A_SECOND))
    with Sandbox(switches=SWITCHES) as sandbox, tempfile.TemporaryDirectory() as folder:
        headers = {
            "Authorization": f"Bearer {sandbox.access_token}",
            "X-MERCHANT-SECRETCODE": sandbox.merchant_secret_code,
            "X-MERCHANT-PSW": sandbox.merchant_password,
        }
        options = [option for name, value in headers.items() for option in ("-H", f"{name}: {value}")]
        tool = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", str(SCHEMA)]
        limits = ["--url", sandbox.base_url, "--max-examples", str(examples), "--no-color"]
        seed = ["--seed", str(time.time_ns() % 2**31)]
        try:
            done = subprocess.run(
                [*tool, *limits, *seed, *options],
                cwd=folder,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=seconds + LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Counter(), [f"sandbox: schemathesis did not end within {seconds + LIMIT_S:.0f} s"]
        seen = len(sandbox.calls())
    findings = [f"sandbox: schemathesis: {done.stdout[-1_500:]}"] if done.returncode else []
    return Counter(requests=seen, requests_by_schema=seen), findings
