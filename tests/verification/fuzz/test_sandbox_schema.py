"""The OpenAPI file says what the sandbox does: schemathesis tries to prove the opposite, the same way each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.sandbox.routes import OPERATION_PATHS
from tests.support.sandbox import Sandbox
from tests.verification.fuzz.sandbox_schema import CONFIG, SCHEMA

# A failure must be told from a success by its HTTP status, or the tool takes it for acceptance.
SWITCHES = {"failure_http_status": 404, "otp_wrong_pin_http_status": 404}
LIMIT_S = 280.0
"""Some fifteen seconds of a core, on a machine that may have twelve other programs for each."""


@pytest.mark.timeout(LIMIT_S + 20)
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with Sandbox(switches=SWITCHES, seed=1) as sandbox:
        secrets = {
            "ACCESS_TOKEN": sandbox.access_token,
            "MERCHANT_SECRET_CODE": sandbox.merchant_secret_code,
            "MERCHANT_PASSWORD": sandbox.merchant_password,
        }
        tool = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", str(SCHEMA)]
        limits = ["--url", sandbox.base_url, "--max-examples", "25", "--seed", "1", "--no-color"]
        found = subprocess.run(
            [*tool, *limits],
            cwd=tmp_path,
            env=os.environ | secrets,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            encoding="utf-8",
        )
        seen = {call["operation"] for call in sandbox.calls()}
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    assert seen == set(OPERATION_PATHS)
