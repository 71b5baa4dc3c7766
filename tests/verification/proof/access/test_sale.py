"""A whole sale by the accessibility bus alone, and what is announced on the way."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guards.canaries import PASSCODE
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import arguments, enrol
from tests.verification.proof.access.bus import AccessBus
from tests.verification.proof.access.reader import Reader
from tests.verification.proof.display import display

NUMBER = "94770000010"


@pytest.fixture
def bus() -> Iterator[AccessBus]:
    """A desktop with its screen reader on."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        display() as screen,
        AccessBus(Path(folder), screen) as made,
    ):
        made.listen("Announcement")
        yield made


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    """The services."""
    with Sandbox(config_dir=tmp_path / "config") as made:
        yield made


@pytest.fixture
def reader(bus: AccessBus, sandbox: Sandbox, tmp_path: Path) -> Iterator[Reader]:
    """Somebody before a till that runs, signed in by nothing but the bus."""
    config = tmp_path / "config"
    enrol(arguments(config, tmp_path / "data"))
    till = subprocess.Popen(
        [
            *(sys.executable, "-m", "pos_app", f"--config={config / 'config.toml'}"),
            *(f"--secrets-file={config / 'secrets.toml'}", f"--data-dir={tmp_path / 'data'}"),
        ],
        env=bus.environment,
        cwd=REPOSITORY,
    )
    try:
        person = Reader(bus)
        _sign_in(person, sandbox)
        yield person
    finally:
        till.terminate()
        till.wait(20)


def _sign_in(reader: Reader, sandbox: Sandbox) -> None:
    reader.press("list item", "Nimali")
    reader.until(lambda: bool(sandbox.sms(NUMBER)), "the code")
    reader.find("text", "Code from the SMS")
    reader.write("Code from the SMS", str(sandbox.sms(NUMBER)[0]["code"]))
    reader.press("push button", "Sign in")
    for field in ("New passcode", "The same once more"):
        reader.until(lambda wanted=field: wanted in reader.names(), field)  # type: ignore[misc]
        reader.write(field, PASSCODE)
        reader.press("push button", "Next" if field == "New passcode" else "Save")
    reader.find("push button", "Show a QR code")


def _heard(reader: Reader, bus: AccessBus, words: str) -> list[str]:
    said: list[str] = []

    def there() -> bool:
        said.extend(bus.heard())
        return any(words in each for each in said)

    reader.until(there, f"“{words}” said aloud")
    return said


def _amount(reader: Reader, digits: str) -> None:
    for digit in digits:
        reader.press("push button", digit)


def test_a_sale_by_qr_is_charged_announced_and_paid(reader: Reader, bus: AccessBus, sandbox: Sandbox) -> None:
    _amount(reader, "1250")
    reader.until(lambda: any("1,250" in name for name in reader.names()), "the amount")
    reader.press("push button", "Show a QR code")
    _heard(reader, bus, "scan the code")
    sandbox.act(str(sandbox.transactions()[0]["externalMerchantTransactionId"]), "pay")
    said = _heard(reader, bus, "PAID")
    assert any(each.startswith("PAID. LKR 1,250.00.") for each in said), said


def test_a_request_to_the_phone_that_is_rejected_is_announced_as_not_paid(
    reader: Reader, bus: AccessBus, sandbox: Sandbox
) -> None:
    _amount(reader, "80")
    reader.press("push button", "Send to their phone")
    reader.find("text", "Wallet number")
    reader.write("Wallet number", "077")
    reader.press("push button", "Send request")
    _heard(reader, bus, "too short")
    reader.write("Wallet number", "+94771234567")
    reader.press("push button", "Send request")
    _heard(reader, bus, "approve")
    sandbox.act(str(sandbox.transactions()[0]["externalMerchantTransactionId"]), "reject")
    said = _heard(reader, bus, "NOT PAID")
    assert any("Nothing was charged" in each or "rejected" in each for each in said), said
