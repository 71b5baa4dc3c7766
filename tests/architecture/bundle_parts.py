"""Reads the modules that build the bundle: they stand in no package, and one named `packaging` is somebody else's."""

import runpy
import sys
from typing import Any

from tests.architecture.sources import ROOT

BUNDLE = ROOT / "packaging" / "bundle"


def part(name: str) -> dict[str, Any]:
    """What a module of packaging/bundle defines."""
    sys.path.insert(0, str(BUNDLE))
    try:
        return runpy.run_path(str(BUNDLE / f"{name}.py"), run_name=name)
    finally:
        sys.path.remove(str(BUNDLE))
        for module in ("kept", "manifest", "needed"):
            sys.modules.pop(module, None)
