"""Target `cli`: any words as the command line; understood, or one usage line, what is wrong, and exit code 2."""

from __future__ import annotations

import argparse
import contextlib
import io
import os

from pos_app.cli.main import VERBS, parser
from pos_app.cli.parser import options_of
from tests.verification.fuzz.finding import Finding

OK, USAGE = 0, 2
SECRET = "canary-secret-4417"


def play(data: bytes) -> str:
    """What became of the line, up to where a verb would begin its work. Words stand on lines of their own."""
    words = [os.fsdecode(word) for word in data.split(b"\n")] if data else []
    found = argparse.Namespace()
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            parser().parse_args(words, found)
    except SystemExit as end:
        return _ended(end.code, words, out.getvalue(), err.getvalue())
    if out.getvalue() or err.getvalue():
        raise Finding("a line that was understood is commented on")
    return _understood(found, words)


def _ended(code: object, words: list[str], out: str, err: str) -> str:
    if not err.replace("\n", "").isprintable():
        raise Finding("sends a terminal what it should not get")
    if code == OK:
        if not any(word.startswith("-") and "h" in word for word in words) or not out.startswith(
            "usage: pos-app"
        ):
            raise Finding("ended as if all were well")
        return "help"
    if code != USAGE or out or not err.startswith("usage: pos-app") or "Traceback" in err:
        raise Finding(f"ended with {code!r}")
    if "pos-app" not in err.splitlines()[-1] or "error: " not in err:
        raise Finding("does not say what is wrong")
    if SECRET in err and any(f"{name}={SECRET}" in words for name in ("--secret", "--password", "--token")):
        raise Finding("repeats a secret that was typed")
    return "usage"


def _understood(found: argparse.Namespace, words: list[str]) -> str:
    if found.verb is not None and found.verb not in words:
        raise Finding("a verb nobody typed")
    if any(
        word.startswith(("--secret=", "--password", "--token=")) for word in words[: _end_of_options(words)]
    ):
        raise Finding("a secret on the command line is taken")
    options = options_of(found)
    for name in ("config", "secrets_file", "data_dir"):
        path = getattr(options, name)
        if path is not None and (not str(path) or "\0" in str(path)):
            raise Finding(f"{name} is no path")
    return f"verb {found.verb}"


def _end_of_options(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)


def seeds() -> list[bytes]:
    """Lines that are right, and the bad-input list, F."""
    lines = [
        *([verb] for verb in VERBS),
        *([verb, "--help"] for verb in VERBS),
        [],
        ["pay", "--amount", "12.50", "--qr"],
        ["pay", "--amount=12.50", "--push", "+94771223347", "--invoice", "INV-1"],
        ["status", "SBX-T1-0001-1"],
        ["cancel", "--external-id", "A-1"],
        ["transactions", "--from", "2026-02-30", "--to", "2026-03-01"],
        ["otp", "send", "+94771223347"],
        ["sandbox", "--port", "70000", "--switch", "id_echo=number"],
        ["--sandbox", "pay", "--sandbox"],
        ["--config", "x", "--config", "y"],
        ["--secret", SECRET],
        [f"--password={SECRET}"],
        ["--data-dir", ""],
        ["--log-level", "loud", "--language", "english"],
        ["--data-dir", "~nobody-here"],
        ["--json", "--", "pay"],
        ["\udcff\udcfe"],
    ]
    return [os.fsencode("\n".join(line)) for line in lines]


WORDS = [
    *(verb.encode() for verb in VERBS),
    *(
        b"\n--amount\n",
        b"\n--amount=",
        b"\n--qr",
        b"\n--push\n",
        b"\n--port\n",
        b"\n--switch\n",
        b"\n--json",
        b"\n--",
    ),
    *(
        b"\n--config\n",
        b"\n--config=",
        b"\n--secrets-file\n",
        b"\n--data-dir\n",
        b"\n--language\n",
        b"\n--log-level\n",
    ),
    *(
        b"\n--sandbox",
        b"\n--help",
        b"\n-h",
        b"\n--from\n",
        b"\n--to\n",
        b"\n--secret=",
        b"\n--token\n",
        b"\n@file",
        b"\n",
    ),
    *(
        b"-1",
        b"0",
        b"70000",
        b"12.50",
        b"NaN",
        b"+94771223347",
        b"2026-02-30",
        b"~",
        b"~root",
        b"%s",
        b"%(prog)s",
        b"{}",
    ),
]
