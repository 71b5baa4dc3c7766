"""A till's memory is nobody else's: no core dump, no debugger of the same user; proved on real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.unprivileged import IS_ROOT, NOBODY

resource = pytest.importorskip("resource", reason="Windows has no limits of a process")

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone lets a process ask for this")

OURS = "from pos_app.system.memory import keep_to_ourselves; assert keep_to_ourselves();"
OPEN = "import ctypes; ctypes.CDLL(None).prctl(4, 1, 0, 0, 0);"
WAITS = "print('up', flush=True); import sys; sys.stdin.read()"
ATTACH = """
import ctypes, os, sys
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
attached = libc.ptrace(0x4206, int(sys.argv[1]), None, None)
print(attached, os.strerror(ctypes.get_errno()))
try:
    open(f"/proc/{{sys.argv[1]}}/mem", "rb").close(); print("mem")
except PermissionError:
    print("no mem")
"""


def _dumps(program: list[str]) -> bool:
    """Whether the kernel wrote a core when the process was aborted, though its starter allows one."""
    process = subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30)),
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGABRT)
        _, status = os.waitpid(process.pid, 0)
        process.returncode = -signal.SIGABRT
    for core in ROOT.glob("core*"):
        core.unlink()
    assert os.WTERMSIG(status) == signal.SIGABRT
    return os.WCOREDUMP(status)


def test_an_aborted_process_leaves_no_core() -> None:
    """Neither a plain one with our wish, nor the command line's own."""
    try:
        dumps = _dumps([sys.executable, "-c", WAITS])
    except subprocess.SubprocessError:
        # An earlier test has run the till in this process, which nobody but root undoes.
        dumps = False
    if not dumps:
        pytest.skip("this machine writes no core dumps at all")
    assert not _dumps([sys.executable, "-c", OURS + WAITS])
    assert not _dumps([sys.executable, "-m", "pos_app", "sandbox", "--stop-with-parent"])


@pytest.mark.skipif(not IS_ROOT, reason="only root can start two processes of another user")
def test_a_debugger_of_the_same_user_is_kept_out() -> None:
    """The process before our wish can be read by its user's other processes, and after it cannot."""
    results = []
    for command in ("", OURS):
        drop = f"import os; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY});"
        program = f"import pos_app.system.memory, ctypes, resource; {drop} {OPEN} {command} {WAITS}"
        with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
            attack = [sys.executable, "-c", ATTACH.format(nobody=NOBODY), str(process.pid)]
            told = subprocess.run(attack, capture_output=True, text=True, check=True, cwd=ROOT)
            results.append(told.stdout.split("\n")[:2])
            process.kill()
    if results[0][0].startswith("-1"):
        pytest.skip("this machine lets nobody attach to anything")
    assert results == [["0 Success", "mem"], ["-1 Operation not permitted", "no mem"]]


def test_a_till_limits_its_cores_before_its_secrets_are_read(tmp_path: Path) -> None:
    """As the kernel tells it of the running process."""
    line = [sys.executable, "-m", "pos_app", "sandbox", "--stop-with-parent", "--data-dir", str(tmp_path)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        process.terminate()
    row = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert row.split()[4:6] == ["0", "0"]
