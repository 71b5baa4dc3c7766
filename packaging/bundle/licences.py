"""The list of everything in the bundle, and the licences of it; decides nothing of what goes in."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

COMMON = Path("/usr/share/common-licenses")
# Qt for Python's wheels bring no text of their own; these are the ones it is offered under and used under here.
QT_TEXTS = ("LGPL-3", "GPL-3")
QT_WORD = (
    "Qt and Qt for Python are used under the GNU Lesser General Public License, version 3. Their libraries are "
    "the files of PySide6/ and shiboken6/ in this folder, unchanged from the packages named above: "
    "they may be replaced by others of the same interface, and the source of both is offered by The Qt Company."
)
_TEXTS = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_LINE = "=" * 100
_USR = re.compile(r"^/(lib|bin|sbin)")


def collected(modules: Iterable[str], libraries: Iterable[str], others: Iterable[str]) -> tuple[str, str]:
    """The list of what is inside and the licences of it; `libraries` and `others` are files of the system."""
    parts = [*_python(), *_distributions(set(modules)), *_debian(libraries, others)]
    listed = "\n".join(f"{name} {version}  {licence}" for name, version, licence, _ in parts)
    texts = "\n\n".join(f"{_LINE}\n{name} {version}\n{_LINE}\n{text}" for name, version, _, text in parts)
    qt = ((name, (COMMON / name).read_text(encoding="utf-8")) for name in QT_TEXTS)
    common = "\n\n".join(f"{_LINE}\n{name}\n{_LINE}\n{text}" for name, text in qt)
    return listed + "\n", f"{texts}\n\n{common}"


Part = tuple[str, str, str, str]
"""Name, version, the licence's name, its text."""


def _python() -> Iterator[Part]:
    version = ".".join(map(str, sys.version_info[:3]))
    for place in (
        Path(sys.base_prefix) / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/LICENSE.txt",
        Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
        Path(sys.base_prefix) / "LICENSE.txt",  # of the one for Windows
    ):
        if place.is_file():
            yield "Python", version, "PSF-2.0", place.read_text(encoding="utf-8")
            return
    raise FileNotFoundError("Python's own licence was not found beside it")


def _distributions(modules: set[str]) -> Iterator[Part]:
    """Each package one of whose modules is inside, and PyInstaller for its starter."""
    of_module = importlib.metadata.packages_distributions()
    names = {name for module in modules for name in of_module.get(module, ())} - {"pos-app"}
    for name in sorted(names | {"pyinstaller"}, key=str.lower):
        package = importlib.metadata.distribution(name)
        texts = [
            file.read_text(encoding="utf-8")
            for file in sorted(package.files or (), key=str)
            if _TEXTS.search(file.name) and not file.name.endswith((".py", ".pyc", ".json"))
        ]
        if not texts:
            texts = [QT_WORD if "PySide" in name or "shiboken" in name else _said(package)]
        yield package.name, package.version, _licence(package), "\n\n".join(texts)


def _licence(package: importlib.metadata.Distribution) -> str:
    if package.name.lower() == "pyinstaller":
        return "GPL-2.0-or-later WITH Bootloader-exception (its starter alone is inside)"
    named = _field(package, "License-Expression")
    classified = [
        each.rpartition(":: ")[2]
        for each in package.metadata.get_all("Classifier") or ()
        if "License ::" in each
    ]
    return named or "; ".join(classified) or (_field(package, "License") or "see its text").splitlines()[0]


def _said(package: importlib.metadata.Distribution) -> str:
    return f"{_licence(package)}; {_field(package, 'Author') or _field(package, 'Author-email')}"


def _field(package: importlib.metadata.Distribution, name: str) -> str:
    return "".join((package.metadata.get_all(name) or [""])[:1])


def _debian(libraries: Iterable[str], others: Iterable[str]) -> Iterator[Part]:
    """The packages of the system whose files are inside; elsewhere than on Debian the files are named alone."""
    owned: dict[str, str] = {}
    if sys.platform == "win32":
        # Under Wine no program of the system can be asked; who started it has (packaging/windows/build.sh).
        for line in os.environ["BUNDLE_FROM_DEBIAN"].splitlines():
            name, version = line.split()
            yield name, version, "Debian's: see its text", _copyright_of(name)
        return
    for file in {str(Path(each).resolve()) for each in libraries} | set(others):
        owner = _owner(file)
        if owner:
            owned[owner.partition(":")[0]] = owner
    for name in sorted(owned):
        version = _asked("dpkg-query", "-W", "-f=${Version}", owned[name])
        # It lists those of the tests and the packaging too: which is the library's own, only its reader can tell.
        yield name, version, "Debian's: see its text", _copyright_of(name)


def _copyright_of(name: str) -> str:
    file = Path("/usr/share/doc") / name / "copyright"
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _owner(file: str) -> str:
    """Debian knows files by the place they had before /lib became a link."""
    for place in (file, file.removeprefix("/usr"), _USR.sub(r"/usr/\1", file)):
        owner = _asked("dpkg-query", "-S", place).partition(": ")[0]
        if owner:
            return owner.partition(",")[0]
    return ""


def _asked(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""
