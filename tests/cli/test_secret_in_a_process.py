"""A secret before any verb, as the process itself reads its line: refused by name, not repeated."""

import subprocess
import sys

import pytest

from tests.cli.till import REPOSITORY


@pytest.mark.parametrize("line", [["--password=canary-x7"], ["--token", "canary-x7", "open"]])
def test_a_secret_before_any_verb_is_refused_by_name(line: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pos_app", *line], cwd=REPOSITORY, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    assert "would be visible to others; use --secrets-file" in done.stderr
    assert "canary-x7" not in done.stderr + done.stdout
