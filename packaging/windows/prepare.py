"""Makes what the build for Windows begins with (packaging/windows/build.sh).

`prepare.py runtime SDIST FOLDER`: FOLDER/python, CPython for Windows, as python.org built and signed it.
`prepare.py dress FOLDER`: icon, manifest and version of both programs; the icon is the installer's, too.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

SIGNER = "CN=Python Software Foundation"
ROOTS = "/etc/ssl/certs/ca-certificates.crt"
# The certificate it was signed with has ended since; there is no newer 3.11 for Windows.
SIGNED_AT = 1712100000
# Microsoft signed these, and Debian has not its root; and the library in its archive nobody signs: the hash of the
# whole in runtime.txt holds them, and these sums whatever another archive brings.
UNSIGNED = {
    "vcruntime140.dll": "4d292623516f65c80482081e62d5dadb759dc16e851de5db24c3cbb57b87db83",
    "vcruntime140_1.dll": "a113f192195f245f17389e6ecbed8005990bcb2476ddad33f7c4c6c86327afe5",
    "python311.zip": "7d0f59c930e7d3d9352399ea3c95c0272489b3c09a8e95faaedfa8a23e20e5b1",
}
PROGRAMS = (".dll", ".exe", ".pyd")

PATHS = ("python311.zip", ".", "..\\..\\..", "import site")
"""What this Python looks for modules in: its own, the till, and by `site` the wheels in Lib\\site-packages."""

ICON_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)

VERSION = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers=({four}), prodvers=({four}), mask=0x3F, flags=0, OS=0x40004, fileType=1, subtype=0,
                    date=(0, 0)),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "pos-app"),
      StringStruct("FileDescription", "Wallet till"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "pos-app"),
      StringStruct("OriginalFilename", "{name}"),
      StringStruct("ProductName", "pos-app"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
  ],
)
"""


def main() -> None:
    """As its first lines say."""
    match sys.argv[1:]:
        case ["runtime", archive, folder]:
            unpack(Path(archive), Path(folder) / "python")
        case ["dress", folder]:
            dress(Path(folder))
        case _:
            sys.exit("usage: prepare.py runtime SDIST FOLDER | dress FOLDER")


def dress(folder: Path) -> None:
    """Of the version and the drawing of now: what is made once, as the runtime is, would keep those of its day."""
    folder.mkdir(parents=True, exist_ok=True)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    four = [*re.findall(r"\d+", version)[:3], "0"]
    for name in ("pos-app.exe", "pos-app.com"):
        described = VERSION.format(four=", ".join(four), version=version, name=name)
        (folder / f"{name}.version").write_text(described, encoding="utf-8")
    manifest = (HERE / "pos-app.manifest").read_text(encoding="utf-8").replace("@VERSION@", ".".join(four))
    (folder / "pos-app.manifest").write_text(manifest, encoding="utf-8")
    draw_icon(folder)


def unpack(archive: Path, to: Path) -> None:
    """The one folder inside. Raises SystemExit for a file that is neither signed nor known."""
    with tarfile.open(archive) as outer:
        inner = next(outer.extractfile(each) for each in outer if each.name.endswith("/data.zip"))
        packed = zipfile.ZipFile(io.BytesIO(inner.read() if inner else b""))
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name in packed.namelist():
        if not name.endswith("/"):
            (to / Path(name).name).write_bytes(packed.read(name))
    for path in sorted(to.iterdir()):
        if path.name in UNSIGNED:
            if hashlib.sha256(path.read_bytes()).hexdigest() != UNSIGNED[path.name]:
                raise SystemExit(f"{path}: not the file that was looked at")
        elif path.suffix in PROGRAMS and not is_signed(path):
            raise SystemExit(f"{path}: not signed by the Python Software Foundation")
    (to / "python311._pth").write_text("\n".join(PATHS) + "\n", encoding="utf-8")


def is_signed(path: Path) -> bool:
    """Whether python.org's key signed each byte of it, when that key was good."""
    without = ("-ignore-timestamp", *no_lists())
    command = ["osslsigncode", "verify", *without, "-time", str(SIGNED_AT), "-CAfile", ROOTS, str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.returncode == 0 and SIGNER in said.stdout


@cache
def no_lists() -> tuple[str, ...]:
    """What keeps osslsigncode from lists of keys taken back, on the network; Debian 12's own, 2.5, asks for none."""
    usage = subprocess.run(["osslsigncode", "verify", "--help"], capture_output=True, text=True, check=False)
    return tuple(each for each in ("-ignore-cdp", "-ignore-crl") if each in usage.stdout + usage.stderr)


def draw_icon(folder: Path) -> None:
    """pos-app.ico in every size that Windows asks for; the largest as PNG, as Windows has had it since Vista."""
    drawn = []
    for size in ICON_SIZES:
        drawn.append(str(folder / f"{size}.png"))
        of = ["-w", str(size), "-h", str(size), "-o", drawn[-1], str(HERE.parent / "bundle" / "pos-app.svg")]
        subprocess.run(["rsvg-convert", *of], check=True)
    icon = str(folder / "pos-app.ico")
    subprocess.run(["icotool", "-c", "-o", icon, *drawn[:-1], f"--raw={drawn[-1]}"], check=True)
    for each in drawn:
        Path(each).unlink()


if __name__ == "__main__":
    main()
