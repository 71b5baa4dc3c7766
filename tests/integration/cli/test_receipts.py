"""`receipt` by the real process: a payment's paper as text and as files, and papers that are checked again."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.devices.escpos_reading import read_job
from pos_app.domain.ids import ALPHABET
from tests.integration.cli.test_closing import left_waiting, paid
from tests.integration.cli.till import Till
from tests.support.codes import codes_in_png, codes_on
from tests.support.sandbox import Sandbox


def another(sign: str) -> str:
    """Any other sign of a code."""
    return ALPHABET[(ALPHABET.index(sign) + 1) % len(ALPHABET)]


def test_a_receipt_is_told_kept_and_known_again(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    first = paid(sandbox, till)
    second = paid(sandbox, till, "1250.00")
    (told,) = till.run("receipt", second).objects
    assert (told["attempt_id"], told["amount"], told["state"]) == (second, "1250.00", "PAID")
    assert told["receipt"].startswith("SBX-T")
    assert told["receipt"].endswith("-R000002")
    assert told["environment"] == "sandbox"
    assert told["code"] == f"{second} {told['receipt']} {told['check']}"
    assert till.run("receipt", "--last").objects == [told]
    assert till.run("receipt", "--number", "2").objects == [told]
    assert till.run("receipt", "--number", told["receipt"]).objects == [told]
    (earlier,) = till.run("receipt", "--number", "1").objects
    assert (earlier["attempt_id"], earlier["amount"]) == (first, "12.50")
    plain = till.say("receipt", second)
    assert plain.code == 0
    assert plain.out.count("SANDBOX – NOT A PAYMENT") == 3
    for line in ("LKR 1,250.00", "PAID", f"Payment id: {second}", f"Receipt: {told['receipt']}"):
        assert line in plain.out.splitlines()
    # Only a printer's queue makes an original.
    assert plain.out.splitlines().count("COPY") == 2

    mirrored = till.say("--language", "ar", "receipt", second).out
    assert f"رقم العملية: {second}" in mirrored.splitlines()
    assert "\\" not in mirrored

    for width, dots in (("80", 576), ("58", 384)):
        picture = tmp_path / "receipt.png"
        assert till.run("receipt", second, "--png", str(picture), "--width", width).code == 0
        assert codes_in_png(picture.read_bytes()) == [told["code"]]
        stream = tmp_path / "receipt.bin"
        assert till.run("receipt", second, "--escpos", str(stream), "--width", width).code == 0
        printed = read_job(stream.read_bytes()).bitmap
        assert printed.width == dots
        assert codes_on(printed) == [told["code"]]
    for page in ("roll", "a4"):
        document = tmp_path / "receipt.pdf"
        assert till.run("receipt", second, "--pdf", str(document), "--page", page).code == 0
        assert document.read_bytes().startswith(b"%PDF-1.4")
        assert b"pdfaid:part" in document.read_bytes()
        assert f"Payment id: {second}" in (tmp_path / "receipt.txt").read_text("utf-8")

    ours = till.run("receipt", "--check", told["code"].lower())
    assert (ours.code, ours.last["check"], ours.last["verdict"]) == (0, True, "ours")
    assert Decimal(ours.last["amount"]) == Decimal("1250.00")
    forged = told["code"][:-1] + another(told["code"][-1])
    reused = f"{first} {told['receipt']} {told['check']}"
    for changed in (forged, reused):
        said = till.run("receipt", "--check", changed)
        assert (said.code, said.last["check"], said.last["verdict"]) == (1, False, "changed")
    never = told["code"].replace("-R000002", "-R000009")
    assert till.run("receipt", "--check", never).last["verdict"] == "missing"
    own = told["receipt"].removeprefix("SBX-T")[:8]
    other = another(own[0]) + own[1:]
    foreign = till.run("receipt", "--check", told["code"].replace(own, other))
    assert (foreign.code, foreign.last["verdict"], foreign.last["attempt_id"]) == (1, "foreign", "")
    live = till.run("receipt", "--check", told["code"].replace("SBX-", ""))
    assert (live.code, live.last["check"]) == (1, False)


def test_only_proven_money_has_a_receipt(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    waiting = left_waiting(till)
    kept = tmp_path / "receipt.pdf"
    unknown = till.run("receipt", waiting, "--pdf", str(kept))
    assert (unknown.code, unknown.out) == (4, "")
    assert not kept.exists()
    sandbox.act(waiting, "reject")
    assert till.run("open", "--resolve", "20").code == 0
    refused = till.run("receipt", waiting)
    assert (refused.code, refused.out) == (1, "")
    assert till.run("receipt", "--last").code == 1


def test_late_money_says_that_it_is_late_and_not_settled(tmp_path: Path) -> None:
    late = Till(["--sandbox", "--data-dir", str(tmp_path / "late")])
    paying = late.run("pay", "--amount", "12.50", "--qr", "--give-up-after", "1", "--customer", "late")
    assert (paying.code, paying.last["state"]) == (5, "PAID_LATE")
    (told,) = late.run("receipt", "--last").objects
    assert (told["state"], told["settled"]) == ("PAID_LATE", "")
    said = late.say("receipt", "--last").out.splitlines()
    assert "PAID LATE" in said
    assert "Not settled yet: please ask the shop." in said
    assert late.run("receipt", "--check", told["code"]).code == 0


@pytest.mark.parametrize(
    "line",
    [
        ("receipt",),
        ("receipt", "--last", "--number", "1"),
        ("receipt", "--number", "0"),
        ("receipt", "--check", "no code"),
        ("receipt", "--check", "no code", "--text"),
        ("receipt", "--last", "--text", "--png", "x.png"),
        ("receipt", "--last", "--width", "70"),
    ],
)
def test_what_cannot_be_meant_is_refused(sandbox: Sandbox, till: Till, line: tuple[str, ...]) -> None:
    paid(sandbox, till)
    assert till.run(*line).code == 2


def test_a_file_that_cannot_be_written_is_said(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    paid(sandbox, till)
    for path in (tmp_path, tmp_path / "none" / "x.png"):
        done = till.run("receipt", "--last", "--png", str(path))
        assert (done.code, "cannot be written" in done.err) == (73, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_or_a_device_stays_what_it_is(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    """A file was put in its place: what root sent to /dev/null was the end of /dev/null."""
    paid(sandbox, till)
    pipe = tmp_path / "pipe.zip"
    os.mkfifo(pipe)
    for line in (
        ["receipt", "--last", "--png", str(pipe)],
        ["receipt", "--last", "--pdf", str(pipe)],
        ["report", "x", "--escpos", str(pipe)],
        ["export", "csv", str(pipe), "--force"],
        ["diagnostics", str(pipe), "--force"],
    ):
        done = till.run(*line)
        assert (done.code, "no file" in done.err) == (73, True), line
    assert pipe.is_fifo()
    assert not (tmp_path / "pipe.txt").exists()


def test_an_x_and_a_z_have_their_paper(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    paid(sandbox, till, "0.05")
    assert "X report" in till.say("report", "x", "--text").out
    (z,) = till.run("close", "--no-reconcile").objects
    picture = tmp_path / "z.png"
    assert till.run("report", "z", "--png", str(picture)).objects == [z]
    assert codes_in_png(picture.read_bytes()) == [z["anchor"]]
    assert till.run("report", "z", "--check", codes_in_png(picture.read_bytes())[0]).code == 0
    text = till.say("report", "z", "--text").out
    assert "Z report 1" in text.splitlines()
    assert "LKR 0.05" in text
