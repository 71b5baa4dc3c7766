"""Programs, uninstaller and installer signed for Windows by a root that is made for the trial; what is signed runs."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.architecture.sources import ROOT
from tests.verification.proof.windows.wine import BUILD, LATER, Wine, built, missing

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
SIGNER = ROOT / "packaging" / "windows" / "sign.sh"
PROGRAMS = ("pos-app.exe", "pos-app.com")


class Shop(NamedTuple):
    """Who signs: the root that machines believe, and the command of whoever has the key."""

    root: Path
    command: str


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder = tmp_path_factory.mktemp("a shop's keys")
    root_key, own_key = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    root_name, own_name = (_name(each) for each in ("Trial root", "Trial shop"))
    root = _certificate(root_name, root_name, root_key, root_key, is_root=True)
    own = _certificate(own_name, root_name, own_key, root_key, is_root=False)
    (folder / "root.pem").write_bytes(root.public_bytes(Encoding.PEM))
    (folder / "shop.pem").write_bytes(own.public_bytes(Encoding.PEM))
    private = own_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "shop.key").write_bytes(private)
    named = [shlex.quote(str(folder / name)) for name in ("shop.pem", "shop.key")]
    # The commit's time, as the build says it: the same signature whenever it is made.
    command = f"osslsigncode sign -certs {named[0]} -key {named[1]} -h sha256 -n 'Wallet till' -time $SOURCE_DATE_EPOCH"
    return Shop(folder / "root.pem", command)


def _name(of: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, of)])


def _certificate(
    of: x509.Name, by: x509.Name, key: rsa.RSAPrivateKey, signer: rsa.RSAPrivateKey, *, is_root: bool
) -> x509.Certificate:
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(of).issuer_name(by).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=3_650)).not_valid_after(now + timedelta(days=30))
    made = made.add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
    if not is_root:
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
    return made.sign(signer, SHA256())


def _is_signed(file: Path, root: Path) -> bool:
    command = ["osslsigncode", "verify", "-CAfile", str(root), str(file)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.returncode == 0 and "CN=Trial shop" in said.stdout


def _listed(file: Path) -> dict[str, str]:
    """Each name with its sum."""
    lines = file.read_text("utf-8").splitlines()
    return {name: summed for summed, _, name in (line.partition("  ") for line in lines)}


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _build(shop: Shop, *words: str, **variables: str) -> None:
    environment = {**os.environ, "SIGN": shop.command, "COMPRESS": "zlib", **variables}
    subprocess.run([*BUILD, *words], check=True, stdin=subprocess.DEVNULL, env=environment)


@pytest.fixture(scope="module")
def signed(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the folder, with both programs signed."""
    folder = tmp_path_factory.mktemp("signed") / "pos-app"
    shutil.copytree(built(), folder, copy_function=shutil.copy2)
    # A folder that a release signed already: its programs would bear two signatures.
    if any(_bears_any(folder / name) for name in PROGRAMS):
        for name in PROGRAMS:
            bare = folder / f"{name}.bare"
            command = ["osslsigncode", "remove-signature", "-in", str(folder / name), "-out", str(bare)]
            subprocess.run(command, check=True, capture_output=True)
            bare.replace(folder / name)
    _build(shop, "--sign", str(folder))
    yield folder
    shutil.rmtree(folder)


def _bears_any(file: Path) -> bool:
    command = ["osslsigncode", "extract-signature", "-in", str(file), "-out", "/dev/null"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_both_programs_are_signed_and_nothing_else_changed(shop: Shop, signed: Path) -> None:
    """The folder's list is of what lies there now; what it was of before is kept beside, for whoever builds it too."""
    assert [name for name in PROGRAMS if not _is_signed(signed / name, shop.root)] == []
    assert not any(_is_signed(built() / name, shop.root) for name in PROGRAMS)
    listed, before = _listed(signed / "CONTENTS.sha256"), _listed(signed.with_name("UNSIGNED.sha256"))
    assert {name: _sum(signed / name) for name in listed} == listed
    assert {name for name in listed if listed[name] != before[name]} == set(PROGRAMS)
    assert listed.keys() == before.keys()


def test_signed_twice_it_is_the_same_and_changed_it_is_not_signed(
    shop: Shop, signed: Path, tmp_path: Path
) -> None:
    for name in PROGRAMS:
        again = tmp_path / name
        command = ["osslsigncode", "remove-signature", "-in", str(signed / name), "-out", str(again)]
        subprocess.run(command, check=True, capture_output=True)
        assert not _is_signed(again, shop.root)
        epoch = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        environment = {**os.environ, "SIGN": shop.command, "SOURCE_DATE_EPOCH": epoch.stdout.strip()}
        subprocess.run(["sh", str(SIGNER), str(again)], check=True, env=environment)
        assert _sum(again) == _sum(signed / name)
        changed = bytearray(again.read_bytes())
        changed[len(changed) // 2] ^= 1
        again.write_bytes(changed)
        assert not _is_signed(again, shop.root)


@pytest.mark.parametrize("command", ["false", "true", "no-such-program"])
def test_what_could_not_be_signed_is_told_and_stays_as_it_was(tmp_path: Path, command: str) -> None:
    """Also where the command says that all is well and has written nothing."""
    program = tmp_path / "pos-app.exe"
    program.write_bytes(b"program")
    environment = {**os.environ, "SIGN": command}
    done = subprocess.run(
        ["sh", str(SIGNER), str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pos-app.exe is not signed" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pos-app.exe"]
    assert program.read_bytes() == b"program"


def test_no_installer_comes_of_a_signature_that_failed(signed: Path, tmp_path: Path) -> None:
    setup = tmp_path / "setup.exe"
    environment = {**os.environ, "SIGN": "false", "COMPRESS": "zlib"}
    command = [*BUILD, "--installer", str(setup), str(signed)]
    done = subprocess.run(
        command, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode != 0


def test_installer_and_uninstaller_are_signed_and_what_they_lay_down_sells(
    machine: Wine, installed: Path, shop: Shop, signed: Path, tmp_path: Path
) -> None:
    """The same twice; installed, the till finds its own code behind the signature, and each file as it was packed."""
    setups = [tmp_path / name for name in ("one.exe", "two.exe")]
    for each in setups:
        _build(shop, "--installer", str(each), str(signed), VERSION=LATER)
        assert _is_signed(each, shop.root)
    assert _sum(setups[0]) == _sum(setups[1])
    assert machine.run(str(setups[0]), "/S").code == 0
    there = installed
    for name in (*PROGRAMS, "uninstall.exe"):
        assert _is_signed(there / name, shop.root), name
    program = "C:\\Program Files\\pos-app\\pos-app.com"
    sale = (
        "--sandbox",
        "--amount",
        "7",
        "--push",
        "0771234567",
        "--customer",
        "approve",
        "--data-dir",
        "C:\\signed",
    )
    sold = machine.run(program, "pay", *sale)
    assert (sold.code, "· Paid" in sold.said) == (0, True), sold.said
    assert (
        "installation: all files are as they were packed" in machine.run(program, "doctor", "--sandbox").said
    )
    gone = machine.run("C:\\Program Files\\pos-app\\uninstall.exe", "/S", "_?=C:\\Program", "Files\\pos-app")
    assert gone.code == 0
    assert not (there / "pos-app.exe").exists()
