"""Where the till keeps its things: one folder per environment, for its owner alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs

from pos_app.system import windows_acl
from pos_app.system.atomic_file import sync_folder
from pos_app.system.file_permissions import is_anothers, is_open_to_all, is_there

APP = "pos-app"


class FolderError(Exception):
    """A folder cannot be made or used."""


FLEET = Path("/etc/xdg") / APP / "config.toml"
"""Where a fleet's settings lie on a system that has /etc."""


def site_file(fleet: Path = FLEET) -> Path:
    """The fleet's settings. Where they lie in their place, no variable (XDG_CONFIG_DIRS) points past their locks."""
    if os.name == "posix" and is_there(fleet):
        return fleet
    return Path(platformdirs.site_config_dir(APP, appauthor=False)) / "config.toml"


def user_file() -> Path:
    """This user's settings. Raises FolderError."""
    return _of_user(platformdirs.user_config_dir) / "config.toml"


def user_secrets_file() -> Path:
    """This user's secrets, where there is no key store. Raises FolderError."""
    return _of_user(platformdirs.user_config_dir) / "secrets.toml"


def data_root() -> Path:
    """The data of all environments, unless another folder is named. Raises FolderError."""
    return _of_user(platformdirs.user_data_dir)


def state_dir() -> Path:
    """What belongs to this machine and user, whatever data folder a till is given. Raises FolderError."""
    return _of_user(platformdirs.user_state_dir)


def _of_user(find: Callable[..., str]) -> Path:
    """Below the home of this account. One that has none has no till: a folder that depends on where it is started would
    be another one each time, with a journal that knows nothing."""
    try:
        folder = Path(find(APP, appauthor=False))
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():
        raise FolderError(
            "this account has no home folder: set HOME to one of its own, a whole path from / on"
        )
    return folder


def data_dir(root: Path, environment: str) -> Path:
    """The environment's own folder, made 0700; live and sandbox never share one. Raises FolderError."""
    folder = root / environment
    for each in (root, folder):
        try:
            made = [path for path in (each, *each.parents) if not path.exists()]
            # Not by `parents`: a folder made on the way would have everybody's permissions.
            each.parent.mkdir(parents=True, exist_ok=True)
            if sys.platform == "win32":
                windows_acl.make_private(each)
                problem = windows_acl.problem_of_place(each, shared=each == root)
            else:
                each.mkdir(mode=0o700, exist_ok=True)
                problem = _problem_of(each, each.stat(), shared=each == root)
            # A power cut must not take the folder with a journal that is itself synced.
            for path in made:
                sync_folder(path.parent)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise FolderError(f"{each} cannot be made: {reason}") from error
        if problem:
            raise FolderError(f"{each} {problem}")
    return folder


def _problem_of(folder: Path, status: os.stat_result, *, shared: bool) -> str:
    """Nobody else may put another journal in the place of ours: what lets them, in words; else "".

    `shared`: a folder like /tmp will do, where everybody may write but nobody may rename what is not theirs.
    """
    if is_anothers(status) and not (shared and os.geteuid() == 0):
        return "belongs to another user"
    # A user's private group often may write in the user's folders; in the till's own nobody else has business.
    if is_open_to_all(status) if shared else status.st_mode & 0o022:
        return f"can be changed by others; run: chmod 700 {folder}"
    return ""
