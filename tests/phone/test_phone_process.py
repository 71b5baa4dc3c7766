"""The phone as a process: its token comes by pipe, and it goes when the till has gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sandbox import Sandbox

LIMIT_S = 20


def start(sandbox: Sandbox) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pos_app.phone", "--control-url", sandbox.control_url, "--till-lines"]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


def tell(phone: subprocess.Popen[bytes], **line: str) -> None:
    assert phone.stdin is not None
    phone.stdin.write(json.dumps(line).encode() + b"\n")
    phone.stdin.flush()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads the arguments in /proc")
def test_the_token_comes_by_pipe_and_stands_in_no_argument() -> None:
    with Sandbox() as sandbox:
        phone = start(sandbox)
        try:
            tell(phone, token=sandbox.control_token)
            assert sandbox.control_token.encode() not in Path(f"/proc/{phone.pid}/cmdline").read_bytes()
        finally:
            assert phone.stdin is not None
            phone.stdin.close()
            assert phone.wait(LIMIT_S) == 0
            assert phone.stderr is not None
            phone.stderr.close()


def test_it_ends_with_the_till_even_before_it_was_told_anything() -> None:
    with Sandbox() as sandbox:
        phone = start(sandbox)
        assert phone.stdin is not None
        phone.stdin.close()
        assert phone.wait(LIMIT_S) == 0
        assert phone.stderr is not None
        assert b"Traceback" not in phone.stderr.read()
        phone.stderr.close()


def test_a_missing_address_is_a_usage_error() -> None:
    done = subprocess.run([sys.executable, "-m", "pos_app.phone"], capture_output=True, timeout=LIMIT_S)
    assert done.returncode == 2
    assert b"--control-url" in done.stderr
