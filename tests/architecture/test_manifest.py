"""The list of a finished folder as its builder writes and signs it and the doctor reads it; the bill of its parts."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pos_app.doctor.installation import folder_finding, installation_finding
from pos_app.system.release_key import PUBLIC_KEY
from tests.architecture.bundle_parts import part
from tests.architecture.sources import ROOT

PARTS = """Python 3.11.7  PSF-2.0
PySide6_Essentials 6.11.0  LGPL-3.0-only OR GPL-2.0-only
pyinstaller 6.16.0  GPL-2.0-or-later WITH Bootloader-exception (its starter alone is inside)
libstdc++6 12.2.0-14+deb12u1  Debian's: see its text
libssl3 1:3.0.19-1~deb12u2  Debian's: see its text
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished one, with its list."""
    made = tmp_path / "till"
    (made / "_internal" / "deep").mkdir(parents=True)
    (made / "pos-app").write_bytes(b"program")
    (made / "_internal" / "deep" / "part").write_bytes(b"part")
    (made / "_internal" / "a link").symlink_to("deep/part")
    (made / "THIRD-PARTY.txt").write_text(PARTS)
    part("manifest")["write_list"](made)
    return made


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return _key(tmp_path / "key.pem")


def _key(file: Path) -> Path:
    private = Ed25519PrivateKey.generate()
    file.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file


def test_a_folder_as_it_was_packed(folder: Path, key: Path) -> None:
    """Signed by the release's key it is as released; without a signature, or a key to judge by, it is said."""
    public = part("manifest")["public"](key)
    assert _judged(folder, public) == (
        "warning",
        "all files are as they were packed (4); nobody has signed the list of them",
    )
    part("manifest")["sign"](key, folder / "CONTENTS.sha256")
    assert _judged(folder, public) == ("ok", "all files are as they were packed (4) and released")
    assert _judged(folder, "")[0] == "warning"


def _judged(folder: Path, key: str) -> tuple[str, str]:
    finding = folder_finding(folder, key)
    return finding.verdict, finding.text


def test_who_may_change_the_folder_cannot_sign_its_list(folder: Path, key: Path, tmp_path: Path) -> None:
    """A new list over a changed file is right in itself; the signature is of the old one, or of another key."""
    manifest = part("manifest")
    public = manifest["public"](key)
    manifest["sign"](key, folder / "CONTENTS.sha256")
    kept = (folder / "CONTENTS.sha256.sig").read_bytes()
    (folder / "pos-app").write_bytes(b"another program")
    manifest["write_list"](folder)
    assert not (folder / "CONTENTS.sha256.sig").exists()
    (folder / "CONTENTS.sha256.sig").write_bytes(kept)
    assert _judged(folder, public)[0] == "problem"
    manifest["sign"](_key(tmp_path / "theirs.pem"), folder / "CONTENTS.sha256")
    assert _judged(folder, public)[0] == "problem"
    (folder / "CONTENTS.sha256.sig").write_bytes(b"")
    assert "is not the release's" in _judged(folder, public)[1]


def _changed(folder: Path) -> None:
    (folder / "pos-app").write_bytes(b"Program")


def _missing(folder: Path) -> None:
    (folder / "_internal" / "deep" / "part").unlink()


def _another_aim(folder: Path) -> None:
    (folder / "_internal" / "a link").unlink()
    (folder / "_internal" / "a link").symlink_to("/etc/passwd")


def _a_link_in_place_of_a_file(folder: Path) -> None:
    (folder / "pos-app").rename(folder.parent / "pos-app")
    (folder / "pos-app").symlink_to("../pos-app")


def _extra(folder: Path) -> None:
    (folder / "_internal" / "sitecustomize.pyc").write_bytes(b"")


def _extra_link_to_a_folder(folder: Path) -> None:
    (folder / "_internal" / "more").symlink_to(folder.parent)


def _a_second_list(folder: Path) -> None:
    (folder / "_internal" / "CONTENTS.sha256").write_bytes(b"")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_changed, "changed: pos-app;"),
        (_missing, "missing: _internal/deep/part;"),
        (_another_aim, "changed: _internal/a link;"),
        (_a_link_in_place_of_a_file, "changed: pos-app;"),
        (_extra, "extra: _internal/sitecustomize.pyc;"),
        (_extra_link_to_a_folder, "extra: _internal/more;"),
        (_a_second_list, "extra: _internal/CONTENTS.sha256;"),
    ],
)
def test_what_is_not_as_it_was_packed_is_named(folder: Path, harm: Any, said: str) -> None:
    harm(folder)
    verdict, text = _judged(folder, "")
    assert verdict == "problem"
    assert said in text


def test_of_many_the_first_are_named_and_the_rest_counted(folder: Path) -> None:
    for number in range(12):
        (folder / f"extra-{number:02}").touch()
    assert "extra: extra-00, extra-01, extra-02, extra-03, extra-04 and 7 more;" in _judged(folder, "")[1]


@pytest.mark.parametrize("listed", [None, b"no list\n", b"\xff\xfe", b"# a link\n"])
def test_a_list_that_cannot_be_read_is_told(folder: Path, listed: bytes | None) -> None:
    (folder / "CONTENTS.sha256").unlink()
    if listed is not None:
        (folder / "CONTENTS.sha256").write_bytes(listed)
    verdict, text = _judged(folder, "")
    assert verdict == "problem"
    assert "cannot be read" in text


def test_what_runs_from_its_sources_is_compared_with_nothing() -> None:
    assert installation_finding().verdict == "ok"


def test_the_release_s_key_is_one_or_there_is_none() -> None:
    assert re.fullmatch(r"([0-9a-f]{64})?", PUBLIC_KEY)


@pytest.mark.skipif(os.name != "posix", reason="the tools of a Linux machine")
def test_others_read_the_list_and_the_signature_too(folder: Path, key: Path) -> None:
    """sha256sum and openssl judge from outside, as docs/debian.md tells."""
    part("manifest")["sign"](key, folder / "CONTENTS.sha256")
    lines = (folder / "CONTENTS.sha256").read_text().splitlines(keepends=True)
    listed = "".join(line for line in lines if not line.startswith("#"))
    subprocess.run(
        ["sha256sum", "-c", "--strict", "--quiet", "-"], input=listed, text=True, cwd=folder, check=True
    )
    public = folder.parent / "release.pub"
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    asked = [
        "openssl",
        "pkeyutl",
        "-verify",
        "-rawin",
        "-pubin",
        "-inkey",
        str(public),
        "-in",
        "CONTENTS.sha256",
    ]
    asked += ["-sigfile", "CONTENTS.sha256.sig"]
    subprocess.run(asked, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def test_the_bill_names_each_part_and_each_file(folder: Path) -> None:
    """CycloneDX 1.6, the same twice; names as registries spell them, every reference there once."""
    bill = runpy.run_path(str(ROOT / "packaging" / "sbom.py"))["bill"]
    made = bill(folder, "0.2.0+1")
    assert json.dumps(made) == json.dumps(bill(folder, "0.2.0+1"))
    assert (made["bomFormat"], made["specVersion"], made["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made["serialNumber"])
    parts = {each["purl"]: each for each in made["components"] if each["type"] == "library"}
    assert set(parts) == {
        "pkg:generic/python@3.11.7",
        "pkg:pypi/pyside6-essentials@6.11.0",
        "pkg:pypi/pyinstaller@6.16.0",
        "pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1",
        "pkg:deb/debian/libssl3@1%3A3.0.19-1~deb12u2",
    }
    assert parts["pkg:generic/python@3.11.7"]["licenses"] == [{"expression": "PSF-2.0"}]
    assert "name" in parts["pkg:pypi/pyinstaller@6.16.0"]["licenses"][0]["license"]
    files = {
        each["name"]: each["hashes"][0]["content"] for each in made["components"] if each["type"] == "file"
    }
    assert set(files) == {"pos-app", "_internal/deep/part", "THIRD-PARTY.txt"}
    assert all(re.fullmatch(r"[0-9a-f]{64}", total) for total in files.values())
    references = [each["bom-ref"] for each in made["components"]]
    assert len(references) == len(set(references))
    assert made["dependencies"] == [
        {"ref": made["metadata"]["component"]["bom-ref"], "dependsOn": list(parts)}
    ]
