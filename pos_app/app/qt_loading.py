"""Loads Qt for Python, and no more of it than the till wants.

What it does of its own accord, and the till has no use for:

- It puts its own `import` in the place of Python's, for `from __feature__ import …` and for star imports: from then on
  the source of every module that is loaded is read through, to see whether it uses Qt, and kept in memory.
- It loads what explains a wrong call and what writes its type stubs: a fifth of a bare window's start. Here these
  modules are loaded when a window stands, or by whoever asks something of them before.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import sys
import threading
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType

_SIGNATURE = "shibokensupport.signature."
LATER = frozenset(
    _SIGNATURE + name
    for name in ("errorhandler", "layout", "parser", "lib.enum_sig", "lib.pyi_generator", "lib.tool")
)
"""Not `mapping`, into which the library itself looks without asking."""

_loading = threading.RLock()


class _Later(ModuleType):
    """A module of which nothing has been asked yet."""

    def __getattr__(self, name: str) -> object:
        if not name.startswith("__"):
            _load(self)
            if name in self.__dict__:
                return self.__dict__[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _load(module: ModuleType) -> None:
    """Now; for the second who asks, and while it is being loaded, nothing is left to do."""
    with _loading:
        loader: Loader | None = module.__dict__.pop("_loader_", None)
        if loader is None:
            return
        try:
            loader.exec_module(module)
        except BaseException:
            module.__dict__["_loader_"] = loader
            raise
        module.__class__ = ModuleType


class _LoadsLater(Loader):
    """In the place of a module's own loader."""

    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = _Later(spec.name)
        module.__dict__["_loader_"] = self._own
        return module

    def exec_module(self, module: ModuleType) -> None:
        """When something is asked of it."""


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in LATER:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _LoadsLater(spec.loader)
        return spec


def load_the_rest() -> None:
    """What was left for later. Not left for good: two threads that made a wrong call at once would end the process."""
    for name in sorted(LATER):
        module = sys.modules.get(name)
        if isinstance(module, _Later):
            _load(module)


def load_qt() -> None:
    """Call it before anything imports Qt; where Qt is loaded already it changes nothing."""
    plain = builtins.__import__
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        import PySide6.QtCore  # noqa: F401
    finally:
        sys.meta_path.remove(finder)
        builtins.__import__ = plain
