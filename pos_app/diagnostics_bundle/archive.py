"""Writes the zip file of diagnostics: private, whole or not at all, and never over another without leave."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from pos_app.system.atomic_file import write_whole


class BundleError(Exception):
    """It could not be made; the text holds no secret."""


class Contents(msgspec.Struct, frozen=True):
    """What goes in: a fixed name each, and its text. `is_clean`: whether a text may leave the shop.

    `without_a_till`: the data folders that were looked in, where no till has left anything in any of them.
    """

    members: Mapping[str, str]
    is_clean: Callable[[str], bool]
    without_a_till: tuple[Path, ...] = ()


def named() -> str:
    """A name for a new one: the time it is made, and nothing of the shop."""
    return f"pos-app-diagnostics-{datetime.now():%Y%m%d-%H%M%S}.zip"


def pack(contents: Contents, path: Path, *, force: bool = False) -> tuple[str, ...]:
    """Writes it, 0600; the names of what is in it. A link at `path` is replaced, never followed.

    Raises BundleError, also when one of the texts is not clean after all: then nothing is written.
    """
    for name, text in contents.members.items():
        if not contents.is_clean(text):
            raise BundleError(f"{name} would hold a secret: nothing was written; tell the makers of the till")
    try:
        write_whole(path, _zipped(contents.members), new=not force)
    except FileExistsError:
        raise BundleError(f"{path} is there already; --force replaces it") from None
    except OSError as error:
        raise BundleError(f"{path} cannot be written: {error.strerror}") from error
    return tuple(contents.members)


def _zipped(members: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text.encode("utf-8", "backslashreplace"))
    return file.getvalue()
