"""The last hand on the folder for Windows: seal.py FOLDER. Checks what Wine, with libraries of its own, would hide."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "bundle")]
import finish  # noqa: E402
import kept  # noqa: E402

# What each Windows 10 has in System32. All else that a file of the folder is linked against lies in the folder.
_OF_WINDOWS = (
    "advapi32 authz bcrypt bcryptprimitives cabinet comctl32 comdlg32 combase crypt32 d3d11 d3d12 d3d9 "
    "dnsapi dwmapi dwrite dxgi gdi32 icuuc imm32 iphlpapi kernel32 mpr msi msimg32 ncrypt netapi32 "
    "normaliz ntdll ole32 oleaut32 opengl32 propsys psapi rpcrt4 secur32 setupapi shcore shell32 shlwapi "
    "synchronization ucrtbase uiautomationcore user32 userenv usp10 uxtheme version winhttp winmm "
    "winspool.drv ws2_32 wtsapi32 "
)
OF_WINDOWS = frozenset(_OF_WINDOWS.split())
_IMPORTED = re.compile(r"^\s+DLL Name: (\S+)$", re.MULTILINE)
_SUFFIXES = frozenset({".com", ".dll", ".exe", ".pyd"})
OF_WINE = (b"Wine builtin DLL", b"Wine placeholder DLL")


def main() -> None:
    folder = Path(sys.argv[1])
    # PyInstaller ends every program's name in .exe.
    (folder / "pos-app.com.exe").rename(folder / "pos-app.com")
    faults = found_wrong(folder)
    if faults:
        raise SystemExit("\n".join(faults))
    finish.make_alike(folder, int(os.environ["SOURCE_DATE_EPOCH"]))


def found_wrong(folder: Path) -> list[str]:
    """A sentence for each library that a Windows would miss, that is Wine's own, or under the GPL alone."""
    programs = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
    there = {path.name.lower() for path in programs}
    said = []
    for path in programs:
        name = path.relative_to(folder)
        if any(sign in path.read_bytes()[:4096] for sign in OF_WINE):
            said.append(f"{name} is Wine's")
        if kept.gpl_only(path.name):
            said.append(f"{name} is under the GPL alone")
        lost = sorted(each for each in imported(path) if each not in there and not _has_windows(each))
        said += [f"{name} needs {each}, which neither the folder nor each Windows has" for each in lost]
    return said


def imported(path: Path) -> set[str]:
    """The libraries it is linked against, in small letters."""
    asked = ["x86_64-w64-mingw32-objdump", "-p", str(path)]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return {name.lower() for name in _IMPORTED.findall(said)}


def _has_windows(name: str) -> bool:
    return name.startswith(("api-ms-win-", "ext-ms-win-")) or name.removesuffix(".dll") in OF_WINDOWS


if __name__ == "__main__":
    main()
