"""The built till among planted files and variables: it has a starter and libraries of its own to be misled."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unit.settings.files import LIVE
from tests.verification.proof.abilities import needs_a_view_of_its_own
from tests.verification.proof.bundle.machine import LIMIT_S, Machine

pytestmark = [pytest.mark.timeout(LIMIT_S + 60, func_only=True), needs_a_view_of_its_own()]
LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void sprung(void) {
    FILE *trace = fopen("%s", "a");
    if (trace) { fputs("x", trace); fclose(trace); }
}
"""
STORE = """
open({trace!r}, "a").write("x")
from keyring.backend import KeyringBackend
class Keyring(KeyringBackend):
    priority = 99
    def get_password(self, service, name): return None
    def set_password(self, service, name, value): print("GIVEN AWAY")
    def delete_password(self, service, name): pass
"""


def test_the_key_store_s_settings_in_the_home_are_not_read(machine: Machine, tmp_path: Path) -> None:
    """They name code, and a folder to find it in; a live till asks for secrets and for its journal's key."""
    trace = tmp_path / "trace"
    (machine.home / "evil_store.py").write_text(STORE.format(trace=str(trace)))
    settings = machine.home / ".config/python_keyring/keyringrc.cfg"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[backend]\ndefault-keyring=evil_store.Keyring\nkeyring-path={machine.home}\n")
    (tmp_path / "live.toml").write_text(LIVE)
    line = ("--config", str(tmp_path / "live.toml"), "--data-dir", str(tmp_path / "data"))
    for verb in (("doctor",), ("transactions",), ("open",)):
        done = machine.run(machine.program, *line, *verb)
        assert "GIVEN AWAY" not in done.stdout
        assert "Traceback" not in done.stderr
    assert not trace.exists()


@pytest.mark.parametrize("name", ["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"])
def test_what_the_loader_was_told_is_left_behind(machine: Machine, tmp_path: Path, name: str) -> None:
    """The till starts anew without it. Its starter begins itself twice before our first line: no more than these."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc here to build a library with")
    trace, source, library = tmp_path / "trace", tmp_path / "evil.c", tmp_path / "libevil.so"
    source.write_text(LIBRARY % trace)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    value = str(tmp_path if name == "LD_LIBRARY_PATH" else library)
    words = ["pay", "--sandbox", "--json", "--amount", "12.50", "--qr", "--customer", "approve"]
    done = machine.run("env", f"{name}={value}", machine.program, *words)
    assert done.returncode == 0, done.stderr
    assert f"not taken from the environment: {name}" in done.stderr
    assert len(trace.read_text() if trace.exists() else "") <= 2


def test_an_undisturbed_start_says_nothing(machine: Machine) -> None:
    """Nothing was given, so nothing is left behind: the till is the process that was started."""
    done = machine.run(machine.program, "--help")
    assert (done.returncode, done.stderr) == (0, "")
