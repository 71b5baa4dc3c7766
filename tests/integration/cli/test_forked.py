"""A verb's process that was forked off (tests/support/forked.py) is that of a real start, seen from every side."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals

import pytest

from tests.integration.cli.till import Done, Running, Till
from tests.support.forked import TILL, Forked, start_anew, start_verb
from tests.support.hang_ups import with_a_terminal
from tests.support.sandbox import Sandbox

__all__ = ["with_a_terminal"]

PUSHED = ["pay", "--amount", "1.00", "--push"]
LINES = [
    [],
    ["--version"],
    ["--help"],
    ["pay"],
    ["nothing-like-it"],
    ["open", "\udcff"],
    ["man"],
    ["completion", "bash"],
    [*PUSHED, "+94771005005"],
    [*PUSHED, "-"],
    ["open"],
    ["transactions"],
    ["report", "x"],
    ["otp", "send", "+94770009999"],
    ["doctor", "--all"],
    ["receipt", "--last"],
    ["close"],
    ["reconcile", "--from", "2001-01-01", "--to", "2001-01-02"],
]
SAME = ("SigPnd", "SigBlk", "SigIgn", "SigCgt", "Umask", "NoNewPrivs", "Seccomp")


def started_anew(till: Till, *arguments: str) -> Running:
    """What `till.start_saying` is meant to be."""
    return Running(start_anew([*TILL, *till.common, *arguments], till.environment))


def without_chance(text: str) -> str:
    """Without what differs from one run of the same to the next: ids, times, figures, and the width of both."""
    chance = r"\bSBX-[0-9A-Z-]+|\b[0-9A-Za-z]*[0-9][0-9A-Za-z:.-]*|counter-[a-z]+"
    return re.sub(r" +", " ", re.sub(chance, "#", text))


def told(done: Done) -> tuple[int, str, str]:
    return done.code, without_chance(done.out), without_chance(done.err)


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["said", "json"])
def test_each_verb_says_and_returns_the_same(make_till: Callable[[str], Till], form: list[str]) -> None:
    forked, anew = make_till("counter-forked"), make_till("counter-anew")
    for line in LINES[1:]:
        running = started_anew(anew, *form, *line)
        assert told(forked.say(*form, *line)) == told(running.end()), line
    for files in ("journal.sqlite", "journal.key", "log"):
        modes = [next(Path(each.common[-1]).rglob(files)).stat().st_mode for each in (forked, anew)]
        assert modes[0] == modes[1], files


def _seen(pid: int) -> dict[str, object]:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in status)
    session = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[2:4]
    return {
        **{name: fields[name] for name in SAME if name in fields},
        "limits": Path(f"/proc/{pid}/limits").read_text(),
        "leads its own group and session": session == [str(pid)] * 2,
    }


@pytest.mark.usefixtures("with_a_terminal")
@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="reads /proc")
def test_the_system_sees_the_same_process(make_till: Callable[[str], Till]) -> None:
    seen = []
    for start in (make_till("a").start_saying, lambda *line: started_anew(make_till("b"), *line)):
        paying = start("--json", "pay", "--amount", "2.00", "--qr")
        paying.state("WAITING")
        seen.append(_seen(paying.pid))
        paying.send(SIGTERM).end()
    assert seen[0] == seen[1]
    assert seen[0]["leads its own group and session"]


@pytest.mark.parametrize(("number", "code"), [(SIGINT, 130), (SIGTERM, 143), (SIGKILL, -9)])
def test_a_signal_ends_both_alike(
    make_till: Callable[[str], Till], sandbox: Sandbox, number: Signals, code: int
) -> None:
    sandbox.fault("hold", "cancel", count=None)
    for start in (make_till("a").start_saying, lambda *line: started_anew(make_till("b"), *line)):
        paying = start("--json", "pay", "--amount", "2.00", "--qr")
        paying.state("WAITING")
        assert not paying.is_over
        paying.send(number)
        if number is not SIGKILL:
            paying.tells("cancelling")
            paying.group(number)
        assert paying.end().code == code
        assert paying.send(number).is_over


def test_a_start_that_is_looked_at_before_the_till_is_a_real_one(till: Till) -> None:
    for variables in (
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C"},
        {"LD_PRELOAD": ""},
        {"QT_SCALE_FACTOR": "2"},
    ):
        process = start_verb(["--version"], till.environment | variables)
        assert isinstance(process, subprocess.Popen), variables
        assert Running(process).end().code == 0
    process = start_verb(["--version"], till.environment | {"POS_APP_PAYMENT_GIVE_UP_S": "90", "TZ": "UTC"})
    assert isinstance(process, Forked) == (sys.platform == "linux")
    assert Running(process).end().code == 0
