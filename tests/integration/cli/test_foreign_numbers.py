"""A service that writes the customer's number into its texts: it is in no file of the till, whatever it wrote (I8)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.cli.till import Running, Till
from tests.support.sandbox import Sandbox

NUMBER = "+94771234567"
LOCAL = "771234567"
ARABIC = "".join(chr(0x0660 + int(digit)) for digit in NUMBER[1:])
WAYS = {
    "plain": f"Wallet {NUMBER} is blocked",
    "grouped": "Wallet 077-123 4567 is blocked",
    "another script": f"المحفظة {ARABIC} محظورة",
    "in pieces nobody sees": "Wallet 94\u200b77\u00ad123\u20604567 is blocked",
    "cut in the middle": "x" * 190 + NUMBER,
}


def digits_of(text: str) -> str:
    """Its digits of whatever script, one after the other, as somebody who looks for a number would read them."""
    return "".join(str(unicodedata.digit(sign)) for sign in text if unicodedata.digit(sign, None) is not None)


def written_by(folder: Path) -> Iterator[tuple[Path, str]]:
    for file in folder.rglob("*"):
        if file.is_file():
            yield file, file.read_bytes().decode("utf-8", "ignore")


def assert_not_written(folder: Path, said: str) -> None:
    """Neither as it was sent nor in digits of any script; grouped numbers stand in one text, so look at each line."""
    texts = [*written_by(folder), (Path("said"), said)]
    assert len(texts) >= 3
    for file, text in texts:
        assert ARABIC not in text, file
        assert LOCAL not in text, file
        for piece in ("123-4567", "123 4567", "123\u20604567", "\\u0667\\u0667", "771234"):
            assert piece not in text, (file, piece)
        for chunk in text.split('"'):
            assert LOCAL not in digits_of(chunk) or len(chunk) > 500, (file, chunk)


@pytest.mark.parametrize("way", WAYS)
def test_a_refusal_that_names_the_number_leaves_none(
    make_till: Callable[[str], Till], sandbox: Sandbox, tmp_path: Path, way: str
) -> None:
    """The text stays, for whoever has to understand why."""
    body = {"response": {"status": "failure", "code": "5003", "message": WAYS[way]}}
    sandbox.fault("reply", "initiate_push", body=body)
    done = make_till("counter").run("pay", "--amount", "12.50", "--push", NUMBER)
    assert done.last["state"] == "REFUSED", done
    assert_not_written(tmp_path / "counter", done.out + done.err)
    journal = b"".join(file.read_bytes() for file in (tmp_path / "counter").rglob("journal.sqlite*"))
    assert ("x" * 190 if way.startswith("cut") else WAYS[way].split()[0]).encode() in journal


@pytest.mark.parametrize("way", WAYS)
def test_a_reply_nobody_can_read_leaves_none(
    make_till: Callable[[str], Till], sandbox: Sandbox, tmp_path: Path, way: str
) -> None:
    """A copy of it is kept, for the log and the details; JSON may have escaped every sign of it."""
    sandbox.fault("reply", "initiate_push", body={"strange": WAYS[way]})
    paying: Running = make_till("counter").start("pay", "--amount", "12.50", "--push", NUMBER)
    attempt_id = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    done = paying.end()
    assert done.last["state"] == "PAID", done
    assert_not_written(tmp_path / "counter", done.out + done.err)


def test_an_unknown_status_that_names_the_number_leaves_none(
    make_till: Callable[[str], Till], sandbox: Sandbox, tmp_path: Path
) -> None:
    """It is kept as text, and is unknown with or without the number."""
    sandbox.fault("edit", "get_status", set={"merchantTxnStatusName": f"Waiting for {NUMBER}"}, count=1)
    sandbox.fault("edit", "get_status", set={"merchantTxnStatusName": WAYS["in pieces nobody sees"]}, count=1)
    paying: Running = make_till("counter").start("pay", "--amount", "12.50", "--push", NUMBER)
    paying.until(lambda said: said["service_status"] not in ("", "Merchant Initiated"))
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    done = paying.end()
    assert done.last["state"] == "PAID", done
    assert "Waiting for …567" in {said["service_status"] for said in done.objects}
    assert_not_written(tmp_path / "counter", done.out + done.err)
