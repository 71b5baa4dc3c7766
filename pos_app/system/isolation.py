"""Keeps the environment out of the start: foreign modules, plugins, keys and roots. Call it before any other import.

What it cannot do: code that the environment has already run (LD_PRELOAD, a sitecustomize on PYTHONPATH, a runpy.py
where somebody types `python -m`) may have gone anywhere by now. So the till does not go on in that process: it starts
anew in a clean environment, and asks the system, not this process, what it was started with: a sitecustomize that
takes PYTHONPATH out again is seen all the same. What was written against this very till can keep it from starting
anew, as it could start another program in its place (docs/search-places.md).
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
        "PYTHON",  # none of Python's own: by it packaging/bootstrap.sh is told which one to take
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
# KEYRING_ sets properties of a key store; the last two name drivers of screens and their layers.
_LOADED_PREFIXES = ("KEYRING_", "PYSIDE", "QML", "QSG_", "QV4_", "SBK_", "VK_", "__EGL_", "__GLX_")

# The loader's: libraries to load first, or instead, or watch by. The starter of the bundle sets one itself (start.py).
_LOADER_PREFIXES = ("LD_", "DYLD_")
# Set for the second start: what brings them back at each start would otherwise start for ever.
_ANEW = "POS_APP_STARTED_ANEW"
# Where a desktop's bus is: a socket of this machine. Other transports start a program, or go over the network.
_BUSES = frozenset(
    {"AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "IBUS_ADDRESS"}
)
_TRANSPORTS = ("unix:path=", "unix:abstract=", "unix:runtime=", "launchd:env=")
# Each names code or keys to load, or whom to believe, or where to write the keys of a connection.
_LOADED = frozenset(
    {
        "CURL_CA_BUNDLE",
        "GBM_BACKENDS_PATH",
        "GCONV_PATH",
        "GDK_PIXBUF_MODULE_FILE",
        "GIO_EXTRA_MODULES",
        "GIO_MODULE_DIR",
        "GTK3_MODULES",
        "GTK_MODULES",
        "GTK_PATH",
        "GTK_EXE_PREFIX",
        "HOSTALIASES",
        "KEYCHAIN_PATH",
        "LIBGL_DRIVERS_PATH",
        "LIBVA_DRIVERS_PATH",
        "LOCPATH",
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
    """Drops what must not be taken, says so, and starts anew where this process has already been reached into."""
    changed = fitting(os.environ)
    begun = fitting(_begun_with())
    frozen = bool(getattr(sys, "frozen", False))
    reached = _loader_was_told(begun, changed) or (not frozen and _python_was_told(begun, changed))
    for name, value in changed.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
    told = sorted((changed.keys() | begun.keys() if reached else changed.keys()) - _QUIET)
    if told and _ANEW not in os.environ:
        # Of the package that this lies in: it is not looked for on any path.
        from pos_app.system.standard_error import tell

        tell(f"pos-app: not taken from the environment: {', '.join(told)}\n")
    if reached:
        _start_anew(frozen=frozen)
    os.environ.pop(_ANEW, None)
    _leave_working_folder()


def _begun_with() -> dict[str, str]:
    """The environment that this process was started with, whatever has become of `os.environ` since."""
    try:
        with open("/proc/self/environ", "rb", buffering=0) as file:  # noqa: PTH123 - nothing is imported here
            given = file.readall()
    except OSError:
        return dict(os.environ)
    pairs = (os.fsdecode(each).partition("=") for each in given.split(b"\0") if each)
    found = {name: value for name, _, value in pairs}
    own = getattr(sys, "_MEIPASS", "")
    if own and "LD_LIBRARY_PATH_ORIG" not in found and _is_same(found.get("LD_LIBRARY_PATH", ""), own):
        # The bundle's starter set it for this one process; with _ORIG it put its own before somebody's.
        del found["LD_LIBRARY_PATH"]
    return found


def _is_same(path: str, other: str) -> bool:
    return bool(path) and os.path.realpath(path) == os.path.realpath(other)


def _loader_was_told(*environments: "Mapping[str, str | None]") -> bool:
    return any(name.startswith(_LOADER_PREFIXES) for each in environments for name in each)


def _python_was_told(*environments: "Mapping[str, str | None]") -> bool:
    """Whether something of the user's may have run before our first line; isolated, Python looked at nothing."""
    if not sys.flags.ignore_environment and any(
        name.startswith("PYTHON") for each in environments for name in each
    ):
        return True
    site = sys.modules.get("site")
    # A folder in the home: what lies there is run by every start of Python, without any variable.
    return (
        not sys.flags.no_user_site
        and bool(getattr(site, "ENABLE_USER_SITE", False))
        and getattr(site, "USER_SITE", "") in sys.path
    )


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
    if name in _BUSES:
        return ";".join(part for part in value.split(";") if part.startswith(_TRANSPORTS)) or None
    if name.startswith("PYTHON"):
        return value if name in _PYTHON_KEPT else None
    if name.startswith(("QT_", *_LOADED_PREFIXES, *_LOADER_PREFIXES)) or name in _LOADED:
        return None
    return value


def _is_scale(value: str) -> bool:
    try:
        return _SMALLEST <= float(value) <= _LARGEST
    except ValueError:
        return False


def _start_anew(*, frozen: bool) -> None:
    """In place of this process, with the same words; isolated, Python looks at no variable of its own."""
    words = (
        [sys.executable, *sys.argv[1:]]
        if frozen
        else [sys.executable, "-I", _in_package("__main__.py"), *sys.argv[1:]]
    )
    try:
        if os.name != "posix":
            # There a new process would not take this one's place at its console.
            raise OSError("not on this system")
        if _ANEW in os.environ:
            raise OSError("they were there again at the second start")
        # What this process knows of its environment alone: more may have been put behind its back.
        os.execve(sys.executable, words, {**os.environ, _ANEW: "1"})
    except (AttributeError, OSError) as error:
        raise SystemExit(f"pos-app: unset these first: the till was changed by them ({error})") from error


def _leave_working_folder() -> None:
    """`python -m` puts the folder it is typed in first: a json.py there would be ours."""
    if sys.flags.safe_path:
        return
    ran = getattr(sys.modules.get("__main__"), "__spec__", None)
    if ran is not None and sys.path and sys.path[0] == _working_folder():
        del sys.path[0]
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry)]  # noqa: PTH117 - nothing is imported here
    root = os.path.dirname(os.path.dirname(_in_package("__main__.py")))  # noqa: PTH120
    if root not in sys.path:
        # A checkout that is not installed; last, so that nothing in it stands before the system's.
        sys.path.append(root)


def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def _in_package(name: str) -> str:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    return os.path.join(package, name)  # noqa: PTH118
