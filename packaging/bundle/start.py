"""The bundle's first module: undoes what its starter did to the environment, then runs the till."""

import os
import sys

# Set by PyInstaller over whatever was there; Qt finds its own plugins beside its libraries.
_SET_BY_STARTER = frozenset({"QML2_IMPORT_PATH", "QT_PLUGIN_PATH"})


def undo_starter() -> None:
    """Its library path is for this process: a token command of the shop must find the system's libraries.

    One that was there before comes back, to be seen, named and left behind by the isolation.
    """
    for name in [name for name in os.environ if name.startswith("_PYI_") or name in _SET_BY_STARTER]:
        del os.environ[name]
    if sys.platform == "win32":
        forget_folder()
        return
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def forget_folder() -> None:
    """On Windows: what we start would look for its libraries in our folder before its own system's.

    An empty text takes the working folder out of that search as well, for us and for them.
    """
    import ctypes

    inside = os.path.normcase(getattr(sys, "_MEIPASS", ""))
    left = [
        place for place in os.environ.get("PATH", "").split(os.pathsep) if os.path.normcase(place) != inside
    ]
    os.environ["PATH"] = os.pathsep.join(left)
    ctypes.windll.kernel32.SetDllDirectoryW("")  # type: ignore[attr-defined, unused-ignore]


def show_fonts() -> None:
    """A bare machine has no Sinhala, Tamil or Arabic, and maybe no font at all: the bundle's own are always there.

    (Windows has no fontconfig: pos_app/ui/theme/theme.py.)
    """
    inside = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib comes later
    os.environ["FONTCONFIG_FILE"] = os.path.join(inside, "pos_app", "resources", "fonts", "fonts.conf")  # noqa: PTH118


def main() -> int:
    """The exit code."""
    undo_starter()
    show_fonts()
    from pos_app.__main__ import main as till

    return till()


if __name__ == "__main__":
    sys.exit(main())
