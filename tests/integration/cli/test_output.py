"""What a verb writes where: objects alone with --json, a code to scan on a terminal, no end over a lost reader."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import zxingcpp
from PIL import Image

from tests.integration.cli.test_closing import paid
from tests.integration.cli.till import KEYS, Done, Till, bare
from tests.support.forked import REPOSITORY
from tests.support.sandbox import Sandbox


def test_each_common_option_stands_before_or_after_the_verb(till: Till) -> None:
    pairs = list(zip(till.common[::2], till.common[1::2], strict=True))
    options = [*pairs, ("--language", "en"), ("--log-level", "debug"), ("--json",)]
    assert len(options) == 6
    for first in range(2):
        front = [word for option in options[first::2] for word in option]
        back = [word for option in options[1 - first :: 2] for word in option]
        for before, after in ((front, back), ([*front, *back], []), ([], [*front, *back])):
            assert bare(*before, "transactions", "--local", *after) == Done(0, "", "")


def test_common_options_stand_between_a_verb_and_its_step(till: Till, sandbox: Sandbox) -> None:
    for line in (["otp", "--json", "send", "+94771230001"], ["otp", "send", "+94771230002", "--json"]):
        done = till.say(*line)
        assert (done.code, done.err) == (0, "")
        said = json.loads(done.out)
        assert said["status"] == "PENDING_AUTH"
        assert sandbox.sms()[0]["serverRef"] == said["server_ref"]
        assert line[-1 if "send" in line[-2:] else -2].lstrip("+") not in done.out


def test_a_person_reads_short_lines(till: Till) -> None:
    done = till.say("pay", "--amount", "1250.00", "--push", "+94771005003")
    assert done.code == 1
    assert re.fullmatch(
        r"LKR 1,250\.00 · sale 0001 · Refused – .+  \[SBX-.+-0001-1-[2-9A-Z]{6}\]", done.out.splitlines()[-1]
    )
    assert "Traceback" not in done.err


def on_a_terminal(command: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=theirs, stdin=theirs, stderr=subprocess.PIPE, cwd=REPOSITORY)
    os.close(theirs)
    return process, ours


def picture(rows: list[str]) -> Image.Image:
    """The half blocks of a terminal, black on white, four pixels a module."""
    width = len(rows[0])
    image = Image.new("L", (width, 2 * len(rows)), 255)
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            for half, signs in enumerate(("█▀", "█▄")):
                if sign in signs:
                    image.putpixel((x, 2 * y + half), 0)
    return image.resize((4 * width, 8 * len(rows)), Image.Resampling.NEAREST)


def test_a_terminal_shows_a_code_that_a_phone_can_read(till: Till, sandbox: Sandbox) -> None:
    line = ["pay", "--amount", "12.50", "--qr"]
    process, screen = on_a_terminal([sys.executable, "-m", "pos_app", *till.common, *line])
    shown = b""
    while len(drawn := re.findall(r"\x1b\[30;107m([█▀▄ ]+)\x1b\[0m", shown.decode(errors="ignore"))) < 20:
        shown += os.read(screen, 65_536)
    (known, *_) = sandbox.transactions()
    rows = drawn
    while len(rows) * 2 < len(rows[0]):
        shown += os.read(screen, 65_536)
        rows = re.findall(r"\x1b\[30;107m([█▀▄ ]+)\x1b\[0m", shown.decode(errors="ignore"))
    (code,) = zxingcpp.read_barcodes(picture(rows))
    sandbox.scan(code.text, then="reject")
    os.set_blocking(screen, False)
    assert process.wait(30) == 1
    os.close(screen)
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b""
    assert sandbox.transaction(known["walletTransactionId"])["status"] == "Customer Reject"


def test_a_reader_that_leaves_ends_no_payment(till: Till, sandbox: Sandbox) -> None:
    command = [sys.executable, "-m", "pos_app", "--json", *till.common, "pay", "--amount", "3.00", "--qr"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=REPOSITORY) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        attempt_id = json.loads(process.stdout.readline())["attempt_id"]
        process.stdout.close()
        while not any(each["externalMerchantTransactionId"] == attempt_id for each in sandbox.transactions()):
            pass
        sandbox.act(attempt_id, "pay")
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
    (kept,) = till.run("transactions", "--local").objects
    assert (kept["attempt_id"], kept["state"], list(kept)) == (attempt_id, "PAID", KEYS)


def test_an_output_that_cannot_be_written_is_said(till: Till) -> None:
    command = [sys.executable, "-m", "pos_app", *till.common]
    with Path("/dev/full").open("wb") as full:
        listing = subprocess.run(
            [*command, "doctor"], stdout=full, stderr=subprocess.PIPE, cwd=REPOSITORY, timeout=30, check=False
        )
        paying = subprocess.run(
            [*command, "pay", "--amount", "1.00", "--push", "+94771005005"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=REPOSITORY,
            timeout=30,
            check=False,
        )
    said = b"pos-app: standard output cannot be written: No space left on device\n"
    assert (listing.returncode, listing.stderr) == (73, said)
    assert (paying.returncode, paying.stderr) == (1, said)


def test_a_version_that_nobody_takes_is_no_fault_of_the_program() -> None:
    """`--version | head -0` in a fleet's inventory ended with 70 and lines of the program's own files."""
    command = [sys.executable, "-m", "pos_app", "--version"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, cwd=REPOSITORY, timeout=30, check=False
        )
    said = b"pos-app: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (73, said)
    reading, writing = os.pipe()
    os.close(reading)
    gone = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, cwd=REPOSITORY, timeout=30, check=False
    )
    os.close(writing)
    assert (gone.returncode, gone.stderr) == (0, b"")


def test_what_was_done_is_done_where_its_output_takes_no_word(
    till: Till, sandbox: Sandbox, tmp_path: Path
) -> None:
    """73 says "in use, or not written": a script closed the day once more, and noted the money back twice."""
    attempt_id = paid(sandbox, till)
    noting = ["refund", "--note", attempt_id, "--reason", "returned", "--amount", "1.00"]
    lines = [
        noting,
        ["export", "csv", str(tmp_path / "payments.csv")],
        ["diagnostics", str(tmp_path / "told.zip")],
        ["reconcile"],
        ["close"],
    ]
    said = b"pos-app: standard output cannot be written: No space left on device\n"
    with Path("/dev/full").open("wb") as full:
        for line in lines:
            command = [sys.executable, "-m", "pos_app", *till.common, *line]
            done = subprocess.run(
                command, stdout=full, stderr=subprocess.PIPE, cwd=REPOSITORY, timeout=60, check=False
            )
            assert (done.returncode, done.stderr) == (0, said), line[0]
    assert [each["note"] for each in till.run("refund").objects] == ["N-0001"]
    assert (tmp_path / "payments.csv").exists()
    assert (tmp_path / "told.zip").exists()
    assert till.run("report", "z").last["number"] == 1


def test_a_payment_of_which_nothing_can_be_said_goes_on_as_any_other(
    till: Till, sandbox: Sandbox, tmp_path: Path
) -> None:
    """A terminal that was closed is both outputs: that neither takes a word was a fault of the engine."""
    line = [
        sys.executable,
        "-m",
        "pos_app",
        *till.common,
        "pay",
        "--amount",
        "3.50",
        "--push",
        "+94771234567",
    ]
    known = len(sandbox.transactions())
    with (
        Path("/dev/full").open("wb") as full,
        subprocess.Popen(line, stdout=full, stderr=full, cwd=REPOSITORY) as paying,
    ):
        while len(sandbox.transactions()) == known:
            assert paying.poll() is None
        sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
        assert paying.wait(60) == 0
    (log,) = tmp_path.glob("counter/**/pos-app.log")
    assert "met a bug" not in log.read_text("utf-8")


def test_a_terminal_without_our_signs_gets_the_rest(till: Till) -> None:
    plain = Till(till.common, {"PYTHONIOENCODING": "ascii"})
    done = plain.say("pay", "--amount", "1.00", "--push", "+94771005005")
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "sale 0001" in done.out


def test_help_loads_nothing_that_is_slow() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pos_app", "--help"],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        timeout=30,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    slow = (
        "httpx",
        "ssl",
        "PySide6",
        "sqlite3",
        "msgspec",
        "phonenumbers",
        "starlette",
        "asyncio",
        "logging",
    )
    assert not loaded & set(slow)
    assert "argparse" in loaded
