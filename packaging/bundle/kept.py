"""What of Qt and Python the bundle carries, as lists; knows nothing of how it is built."""

from __future__ import annotations

import sys
from pathlib import PureWindowsPath

# The modules of Qt a wallet till draws and talks with; whatever else a wheel brings stays out.
QT_MODULES = frozenset({"QtCore", "QtGui", "QtNetwork", "QtSvg", "QtTest", "QtWidgets"})

# A platform, an input method, a frame under Wayland: each is looked up by its folder and name at run time.
QT_PLUGINS = frozenset(
    {
        "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
        "platforminputcontexts/libibusplatforminputcontextplugin.so",
        "platforms/libqoffscreen.so",
        "platforms/libqwayland.so",
        "platforms/libqxcb.so",
        "wayland-decoration-client/libbradient.so",
        "wayland-shell-integration/libxdg-shell.so",
    }
)
# On Windows; what Qt draws there with the machine's 3D (opengl32sw.dll, 20 MB) no window of the till asks for.
QT_PLUGINS_WINDOWS = frozenset({"platforms/qoffscreen.dll", "platforms/qwindows.dll"})

# Qt's own words (a field's menu is ours, a spin box's are not); it has none in Sinhala or Tamil.
QT_TRANSLATIONS = frozenset({"qtbase_ar.qm", "qtbase_en.qm"})

# Licensed under the GPL alone, from the list of Qt's maker; none may lie in the folder, whoever brings it.
GPL_ONLY = (
    "Charts",
    "CoAP",
    "Coap",
    "DataVisualization",
    "Graphs",
    "GRPC",
    "Grpc",
    "HttpServer",
    "InsightTracker",
    "LanguageServer",
    "Lottie",
    "Mqtt",
    "NetworkAuth",
    "Protobuf",
    "Quick3D",
    "QuickTimeline",
    "QuickEffectMaker",
    "ShaderTools",
    "StateMachine",
    "Scxml",
    "VirtualKeyboard",
    "WaylandCompositor",
)

# Brought along by libraries that can do without: command lines, windows of another toolkit, tools, tests.
EXCLUDED_MODULES = (
    # Pillow packs the dots of papers and writes PNG: formats and fonts of its own are for other programs.
    "PIL.ImageQt",
    "PIL.ImageTk",
    "PIL._avif",
    "PIL._imagingcms",
    "PIL._imagingft",
    "PIL._imagingtk",
    "PIL._webp",
    "_pytest",
    "_tkinter",
    "babel",  # compiles the languages; the till reads them with the standard library
    "curses",
    "distutils",
    "doctest",
    "ensurepip",
    "hatchling",
    "httpx._main",
    "idlelib",
    "lib2to3",
    "pip",
    "pkg_resources",
    "pydoc_data",
    "pygments",
    "pytest",
    "rich",
    "setuptools",
    "test",
    "tkinter",
    "trio",
    "turtle",
    "unittest",
    "venv",
    "watchfiles",
    "websockets",
    "wheel",
    "wsproto",
    "yaml",
)

# uvicorn takes the first of each that is there; the till names its platform's key store (secrets/keystore.py).
LOADED_BY_NAME = (
    "uvicorn.protocols.http.httptools_impl",
    *(
        ("keyring.backends.Windows", "winsound")
        if sys.platform == "win32"
        else ("keyring.backends.SecretService", "uvicorn.loops.uvloop")
    ),
)

# Whose version or entry points are asked for at run time.
METADATA = ("pos-app", "PySide6-Essentials", "cryptography", "httpx", "keyring", "msgspec", "tomlkit")
METADATA_FILES = frozenset({"METADATA", "entry_points.txt"})

# What a shop's machine may lack and a language needs; Debian's package fonts-noto-core holds them.
FONTS = tuple(
    f"NotoSans{script}-{weight}.ttf"
    for script in ("", "Arabic", "Sinhala", "Tamil")
    for weight in ("Regular", "Bold")
)


def wanted(destination: str) -> bool:
    """Whether a file that the build found goes into the folder; libraries nobody needs are judged elsewhere."""
    path = PureWindowsPath(destination)  # takes both kinds of slash
    parts = path.parts
    if parts[:1] != ("PySide6",):
        return _wanted_metadata(path)
    # On Windows Qt lies beside its modules, elsewhere in a folder of its own.
    below = parts[2:] if parts[1] == "Qt" else parts[1:]
    if below[:1] == ("plugins",):
        return "/".join(below[1:]) in QT_PLUGINS | QT_PLUGINS_WINDOWS
    if below[:1] == ("translations",):
        return path.name in QT_TRANSLATIONS
    if below[:1] == ("qml",):
        return False
    for ending in (".abi3.so", ".pyd"):
        if len(parts) == 2 and path.name.endswith(ending):
            return path.name.removesuffix(ending) in QT_MODULES
    return True


def _wanted_metadata(path: PureWindowsPath) -> bool:
    """RECORD and direct_url.json tell of the machine the bundle was built on."""
    folder = path.parent.name
    if folder.endswith(".dist-info"):
        return path.name in METADATA_FILES
    return not any(part.endswith(".dist-info") for part in path.parts[:-1])


def gpl_only(name: str) -> bool:
    """Whether a file's name is that of a Qt module, plugin or library under the GPL alone."""
    lowered = name.lower()
    return any(
        lowered.startswith((f"libqt6{each}", f"qt6{each}", f"qt{each}"))
        or (each == "virtualkeyboard" and each in lowered)
        for each in map(str.lower, GPL_ONLY)
    )
