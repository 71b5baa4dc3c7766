"""Where the till keeps its things: one folder per environment, for its owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import platformdirs

APP = "pos-app"


class FolderError(Exception):
    """A folder cannot be made or used."""


def site_file() -> Path:
    """The fleet's settings."""
    return Path(platformdirs.site_config_dir(APP, appauthor=False)) / "config.toml"


def user_file() -> Path:
    """This user's settings."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def user_secrets_file() -> Path:
    """This user's secrets, where there is no key store."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "secrets.toml"


def data_root() -> Path:
    """The data of all environments, unless another folder is named."""
    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def data_dir(root: Path, environment: str) -> Path:
    """The environment's own folder, made 0700; live and sandbox never share one. Raises FolderError."""
    folder = root / environment
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError as error:
        raise FolderError(f"{folder} cannot be made: {error.strerror}") from error
    if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o022:
        raise FolderError(f"{folder} can be changed by others; run: chmod 700 {folder}")
    return folder


def resources() -> Path:
    """The folder of icons and the like, in a checkout, a wheel or a bundle."""
    inside = Path(__file__).parent / "resources"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "resources"
