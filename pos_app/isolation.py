"""Keeps the environment out of the start: foreign modules, plugins, keys and roots. Call it before any other import.

What it cannot do: code that the environment has already run (LD_PRELOAD, a sitecustomize on PYTHONPATH, a runpy.py
where somebody types `python -m`) may have gone anywhere by now. It ends there: nothing of it reaches the till.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # For the eyes of the type checker: here no module may be looked for on a path that is still anybody's.
    from collections.abc import Mapping

# Everything else that begins with PYTHON can change which code runs, or what becomes of it.
_PYTHON_KEPT = frozenset(
    {
        "PYTHONCOERCECLOCALE",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONFAULTHANDLER",
        "PYTHONHASHSEED",
        "PYTHONIOENCODING",
        "PYTHONNOUSERSITE",
        "PYTHONSAFEPATH",
        "PYTHONUNBUFFERED",
        "PYTHONUTF8",
    }
)
# Not vnc: it would put the till's screen and keyboard on the network, without a password.
_PLATFORMS = frozenset(
    {"cocoa", "eglfs", "linuxfb", "minimal", "offscreen", "wayland", "wayland-egl", "windows", "xcb"}
)
# How people type Sinhala or Chinese; each is a plugin of Qt's own folder.
_INPUT = frozenset({"compose", "fcitx", "fcitx5", "ibus", "none", "simple", "xim"})
_SMALLEST, _LARGEST = 0.5, 4.0
# Whoever works by a screen reader switches its bridge on with these; they load nothing.
_SWITCHES = frozenset({"QT_ACCESSIBILITY", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"})

# SBK_EMBED has Qt for Python delete or unpack files of its own.
_LOADED_PREFIXES = ("PYSIDE", "QML", "QSG_", "QV4_", "SBK_")
# Each names code or keys to load, or whom to believe, or where to write the keys of a connection.
_LOADED = frozenset(
    {
        "CURL_CA_BUNDLE",
        "GCONV_PATH",
        "GDK_PIXBUF_MODULE_FILE",
        "GIO_EXTRA_MODULES",
        "GIO_MODULE_DIR",
        "GTK3_MODULES",
        "GTK_MODULES",
        "GTK_PATH",
        "NETRC",
        "OPENSSL_CONF",
        "OPENSSL_ENGINES",
        "OPENSSL_MODULES",
        "REQUESTS_CA_BUNDLE",
        "SSLKEYLOGFILE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
    }
)
# Desktops, offices and Qt for Python set these of themselves; that they are not taken is worth no line.
_QUIET = frozenset(
    {
        "CURL_CA_BUNDLE",
        "PYSIDE6_OPTION_PYTHON_ENUM",
        "QT_AUTO_SCREEN_SCALE_FACTOR",
        "QT_IM_MODULE",
        "QT_IM_MODULES",
        "QT_QPA_PLATFORMTHEME",
        "QT_SCREEN_SCALE_FACTORS",
        "QT_STYLE_OVERRIDE",
        "QT_WAYLAND_DECORATION",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
    }
)


def isolate() -> None:
    """Drops what must not be taken, says so, and starts Python anew where it has already been reached into."""
    changed = fitting(os.environ)
    reached = sys.flags.ignore_environment == 0 and any(name.startswith("PYTHON") for name in changed)
    for name, value in changed.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
    told = sorted(changed.keys() - _QUIET)
    if told and sys.stderr is not None:
        sys.stderr.write(f"pos-app: not taken from the environment: {', '.join(told)}\n")
    if reached and not getattr(sys, "frozen", False):
        _start_anew()
    _leave_working_folder()


def fitting(variables: "Mapping[str, str]") -> dict[str, str | None]:
    """The variables that must change, each with what is left of it; None where nothing is."""
    left = {name: _left(name, value) for name, value in variables.items()}
    return {name: value for name, value in left.items() if value != variables[name]}


def _left(name: str, value: str) -> str | None:
    if name == "QT_QPA_PLATFORM":
        # Options of a platform name files and ports; a list is tried in its order.
        names = [part.partition(":")[0] for part in value.split(";")]
        return ";".join(part for part in names if part in _PLATFORMS) or None
    if name == "QT_SCALE_FACTOR":
        return value if _is_scale(value) else None
    if name == "QT_IM_MODULE":
        return value if value in _INPUT else None
    if name in _SWITCHES:
        return value if value in ("0", "1") else None
    if name.startswith("PYTHON"):
        return value if name in _PYTHON_KEPT else None
    if name.startswith(("QT_", *_LOADED_PREFIXES)) or name in _LOADED:
        return None
    return value


def _is_scale(value: str) -> bool:
    try:
        return _SMALLEST <= float(value) <= _LARGEST
    except ValueError:
        return False


def _start_anew() -> None:
    """In place of this process, with the same words; isolated, Python looks at no variable of its own."""
    words = [sys.executable, "-I", _beside("__main__.py"), *sys.argv[1:]]
    try:
        if os.name != "posix":
            # There a new process would not take this one's place at its console.
            raise OSError("not on this system")
        sys.stderr.flush()
        os.execv(sys.executable, words)
    except (AttributeError, OSError) as error:
        raise SystemExit(f"pos-app: unset these first: Python was changed by them ({error})") from error


def _leave_working_folder() -> None:
    """`python -m` puts the folder it is typed in first: a json.py there would be ours."""
    if sys.flags.safe_path:
        return
    ran = getattr(sys.modules.get("__main__"), "__spec__", None)
    if ran is not None and sys.path and sys.path[0] == _working_folder():
        del sys.path[0]
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry)]  # noqa: PTH117 - nothing is imported here
    root = os.path.dirname(os.path.dirname(_beside("isolation")))  # noqa: PTH120
    if root not in sys.path:
        # A checkout that is not installed; last, so that nothing in it stands before the system's.
        sys.path.append(root)


def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def _beside(name: str) -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)  # noqa: PTH100, PTH118, PTH120
