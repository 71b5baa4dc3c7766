"""Which version this is, as it was installed; loads nothing of it."""

from __future__ import annotations

import importlib.metadata

NOT_INSTALLED = "not installed as a package"


def version(name: str, otherwise: str = NOT_INSTALLED) -> str:
    """Of a package by its name in the registry; `otherwise` where it was not installed as one."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return otherwise
