"""Which letters no font of this machine has; asked of fontconfig, as Qt does, so that nobody needs Qt to know."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from typing import Any

_LIBRARY = "libfontconfig.so.1"


class _FontSet(ctypes.Structure):
    _fields_ = (("nfont", ctypes.c_int), ("sfont", ctypes.c_int), ("fonts", ctypes.c_void_p))


def without_font(samples: Mapping[str, str]) -> list[str] | None:
    """The names of the samples that no single font has all letters of, in their order; None where it cannot be asked.

    Fontconfig is Linux's; elsewhere the system brings its fonts and tells nobody which. May read many files, once.
    """
    if sys.platform != "linux":
        return None
    try:
        library = _declared(ctypes.CDLL(_LIBRARY))
    except (OSError, AttributeError):
        return None
    if not library.FcInit():
        return None
    return [name for name, sample in samples.items() if not _fonts_of(library, sample)]


def _declared(library: Any) -> Any:
    """Pointers are as wide as the machine's; without a word ctypes takes them for an int."""
    for name in ("FcPatternCreate", "FcCharSetCreate", "FcObjectSetCreate"):
        getattr(library, name).restype = ctypes.c_void_p
    library.FcCharSetAddChar.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    library.FcPatternAddCharSet.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    library.FcFontList.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    library.FcFontList.restype = ctypes.POINTER(_FontSet)
    library.FcFontSetDestroy.argtypes = (ctypes.POINTER(_FontSet),)
    for name in ("FcPatternDestroy", "FcCharSetDestroy", "FcObjectSetDestroy"):
        getattr(library, name).argtypes = (ctypes.c_void_p,)
    return library


def _fonts_of(library: Any, sample: str) -> int:
    """How many have all its letters."""
    pattern, letters = library.FcPatternCreate(), library.FcCharSetCreate()
    told = library.FcObjectSetCreate()
    try:
        for letter in {*sample} - {" "}:
            library.FcCharSetAddChar(letters, ord(letter))
        library.FcPatternAddCharSet(pattern, b"charset", letters)
        found = library.FcFontList(None, pattern, told)
        if not found:
            return 0
        count = int(found.contents.nfont)
        library.FcFontSetDestroy(found)
        return count
    finally:
        library.FcObjectSetDestroy(told)
        library.FcCharSetDestroy(letters)
        library.FcPatternDestroy(pattern)
