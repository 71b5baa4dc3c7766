"""Runs tests in a process of its own in which one module reads differently. Must not write any code to the disk."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import types
from collections.abc import Sequence
from pathlib import Path

import hypothesis.strategies
import pytest

from tests.verification.mutants.mutant import Verdict
from tests.verification.mutants.workshop import environment

_QUIET = ("-x", "-q", "-p", "no:xdist", "-p", "no:cov", "-p", "no:timeout")
_ = hypothesis.strategies
"""Loaded here once, so that each trial's process has it when it starts."""


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module in a text, and leaves the others to whoever finds them."""

    def __init__(self, name: str, text: str, path: Path) -> None:
        self._name, self._text, self._path = name, text, path

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Only the one."""
        del path, target
        if fullname != self._name:
            return None
        is_package = self._path.name == "__init__.py"
        spec = importlib.util.spec_from_loader(fullname, self, origin=str(self._path), is_package=is_package)
        if spec is not None and is_package:
            spec.submodule_search_locations = [str(self._path.parent)]
        return spec

    def get_source(self, fullname: str) -> str:
        """The text as changed."""
        del fullname
        return self._text


def attempt(place: Path, tests: Sequence[str], module: Path, text: str, limit_s: int) -> Verdict:
    """What the tests of the copy say when `module` reads `text`. The caller has loaded nothing of the till."""
    child = os.fork()
    if child == 0:
        _run(place, tests, module, text, limit_s)
    try:
        _, status = os.waitpid(child, 0)
    except BaseException:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return Verdict.TIMEOUT
    return Verdict.SURVIVED if code in (0, 5) else Verdict.KILLED


def _run(place: Path, tests: Sequence[str], module: Path, text: str, limit_s: int) -> None:
    """In the child: never returns."""
    code = 99
    try:
        os.setpgid(0, 0)
        signal.alarm(2 * limit_s)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        os.environ.update(environment())
        tempfile.tempdir = None
        os.chdir(place)
        for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "pos_app")]:
            del sys.modules[name]
        sys.path.insert(0, str(Path.cwd()))
        dotted = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
        sys.meta_path.insert(0, _Changed(dotted, text, Path.cwd() / module))
        code = int(pytest.main([*_QUIET, *tests]))
    finally:
        os._exit(code)
