"""The session script without a screen: what it says on the console, and with what it has the screen drawn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.bootstrap.errors import Exit
from pos_app.system.service_manager import ServiceManager
from tests.support.sandbox import REPOSITORY

SESSION = REPOSITORY / "packaging" / "kiosk" / "session"
NEWS = "THE TILL CANNOT COME UP ON THIS SCREEN"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell of Linux runs it")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The service's folder, as it is when the session begins."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def session(run: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """How it ended; its console is a file beside the service's folder."""
    return subprocess.run(
        ["sh", str(SESSION), *words],
        env={
            "PATH": f"{run.parent / 'bin'}:/usr/bin:/bin",
            "RUNTIME_DIRECTORY": str(run),
            "POS_APP_CONSOLE": str(run.parent / "console"),
            "POS_APP_READING_S": "0",
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def console(run: Path) -> str:
    """What stands on it, as one line."""
    shown = run.parent / "console"
    return " ".join(shown.read_text("utf-8").split()) if shown.exists() else ""


def ended(run: Path, *, words: str = "", screen: str = "", till: str = "", code: str = "") -> None:
    """What a session that came to its end has left there."""
    for name, text in (("words", words), ("screen", screen), ("till", till), ("ended", code)):
        if text:
            (run / name).write_text(text, "utf-8")


def program(run: Path, name: str, text: str) -> None:
    """In the stead of one of this machine's, which may be missing or see another machine."""
    (run.parent / "bin").mkdir(exist_ok=True)
    file = run.parent / "bin" / name
    file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)


def cage(run: Path, text: str) -> None:
    """A compositor."""
    program(run, "cage", text)


def card(run: Path) -> None:
    """A graphics card with a node for drawing, as the session looks for it."""
    program(run, "find", "echo /dev/dri/renderD128")


@pytest.mark.parametrize(
    ("left", "variables", "says"),
    [
        ({}, {"EXIT_STATUS": "243"}, "secrets cannot be unsealed"),
        ({"till": "7"}, {"SERVICE_RESULT": "timeout"}, "did not come up in the time"),
        ({"words": "Could not connect to socket /run/seatd.sock: No such file"}, {}, "apt-get install seatd"),
        ({"words": "[ERROR] Found 0 GPUs, cannot create backend"}, {}, "No graphics card was found"),
        ({"words": "something new"}, {}, "something new"),
        ({"till": "7", "screen": "139"}, {}, "The screen was lost"),
        ({"till": "7", "screen": "0", "code": "2"}, {}, "It is not tried again"),
        (
            {"till": "7", "screen": "0", "code": f"{int(Exit.CANNOT_CREATE)}"},
            {},
            "Delete nothing in that folder",
        ),
        ({"till": "7", "screen": "0", "code": f"{int(Exit.CONFIGURATION)}"}, {}, "settings or the secrets"),
        ({"till": "7", "screen": "0", "code": "134"}, {}, "exit code 134"),
    ],
)
def test_what_kept_it_from_its_screen_stands_on_the_console(
    run: Path, left: dict[str, str], variables: dict[str, str], says: str
) -> None:
    """What is wrong, what to do, and what it means for payments."""
    cage(run, "")
    ended(run, **left)
    assert session(run, "--say", **{"SERVICE_RESULT": "exit-code", **variables}).returncode == 0
    for words in (NEWS, says, "What to do:", "No payment is lost"):
        assert words in console(run)


def test_without_a_compositor_it_says_which_package_has_one(run: Path) -> None:
    """Its own message names a program that nobody in a shop knows."""
    (run.parent / "bin").mkdir()
    for tool in ("sh", "cat", "date", "fold", "sleep", "sed", "tail", "tr", "cut", "grep"):
        (run.parent / "bin" / tool).symlink_to(f"/usr/bin/{tool}")
    session(run, "--say", SERVICE_RESULT="exit-code", PATH=str(run.parent / "bin"))
    assert "apt-get install cage xwayland" in console(run)


def test_a_till_that_stood_needs_no_words(run: Path) -> None:
    """One that crashed is back before anybody has read them; one that was left has ended well."""
    session(run, "--say", SERVICE_RESULT="success")
    manager = ServiceManager({"NOTIFY_SOCKET": str(run / "notify"), "RUNTIME_DIRECTORY": str(run)})
    manager.ready()
    manager.close()
    session(run, "--say", SERVICE_RESULT="signal")
    assert console(run) == ""


def test_without_a_service_manager_nothing_is_written(run: Path) -> None:
    """A till that somebody starts by hand leaves nothing in a folder it was told of."""
    manager = ServiceManager({"RUNTIME_DIRECTORY": str(run)})
    manager.ready()
    manager.close()
    assert list(run.iterdir()) == []


def test_other_programs_words_cannot_draw_on_the_console(run: Path) -> None:
    """They are shown without the signs by which a terminal is moved, coloured or made to answer."""
    cage(run, "")
    ended(run, words="a\033[2J\033]0;b\007 c\u0d85", till="7", screen="0", code="1")
    session(run, "--say", SERVICE_RESULT="exit-code")
    shown = (run.parent / "console").read_text("utf-8").partition("What was said:")[2]
    assert "a[2J]0;b c" in shown
    assert "\033" not in shown.removesuffix("\033[0m")


def test_where_the_card_does_not_draw_the_processor_does(run: Path) -> None:
    """cage fell before the till stood: once more, and the till's own exit code is the session's."""
    card(run)
    cage(run, 'echo "by $WLR_RENDERER"; [ "$WLR_RENDERER" = pixman ] || exit 139; shift 2; exec "$@"')
    done = session(run, "sh", "-c", "exit 10")
    assert done.returncode == 10
    assert done.stdout.splitlines() == ["by ", "by pixman"]


def test_a_till_is_told_that_the_screen_before_its_own_fell(run: Path) -> None:
    """And no longer than in the session where it did."""
    card(run)
    cage(run, '[ "$WLR_RENDERER" = pixman ] || exit 139; shift 2; exec "$@"')
    told = "import os, sys; from pos_app.system.service_manager import ServiceManager as S; "
    told += f"print(S({{'NOTIFY_SOCKET': '@none', 'RUNTIME_DIRECTORY': {str(run)!r}}}).screen_fell)"
    said = [
        session(run, sys.executable, "-c", told, PYTHONPATH=str(REPOSITORY), **drawn).stdout.splitlines()[-1]
        for drawn in ({}, {"WLR_RENDERER": "pixman"})
    ]
    assert said == ["True", "False"]


def test_where_it_stood_nothing_is_tried_behind_it(run: Path) -> None:
    """A screen that is lost under a till at work is no reason to draw otherwise: the service begins again."""
    cage(run, 'echo "drawn by $WLR_RENDERER"; : >"$RUNTIME_DIRECTORY/stood"; exit 139')
    done = session(run, "true", WLR_RENDERER="gles2")
    assert (done.returncode, done.stdout) == (70, "drawn by gles2\n")


def test_its_words_go_on_and_are_kept(run: Path) -> None:
    """All of them to the journal, the first ones for the console."""
    cage(run, 'i=0; while [ $i -lt 100 ]; do echo "line $i" >&2; i=$((i + 1)); done; exit 1')
    done = session(run, "true", WLR_RENDERER="pixman")
    assert [line for line in done.stderr.splitlines() if line.startswith("line")] == [
        f"line {at}" for at in range(100)
    ]
    assert (run / "words").read_text("utf-8").splitlines()[:2] == ["line 0", "line 1"]


@pytest.mark.parametrize(
    ("job", "result", "asks"),
    [
        ("", "success", True),
        ("231 pos-app-kiosk.service stop running", "success", True),
        ("231 pos-app-kiosk.service restart running", "success", False),
        ("231 pos-app-kiosk.service start waiting", "success", False),
        ("", "exit-code", False),
    ],
)
def test_the_console_asks_for_a_name_only_where_the_till_is_not_to_come_back(
    run: Path, job: str, result: str, *, asks: bool
) -> None:
    """Beside a till that is coming up its hang-up ends the till, and nothing begins it again."""
    asked = run.parent / "asked"
    program(run, "systemctl", f"case $1 in list-jobs) echo '{job}' ;; *) echo \"$@\" >'{asked}' ;; esac")
    assert session(run, "--over", SERVICE_RESULT=result).returncode == 0
    said = asked.read_text("utf-8").split() if asked.exists() else []
    assert said[-2:] == (["start", "getty@tty1.service"] if asks else [])
