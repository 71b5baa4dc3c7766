"""On Windows, where a file that is open gets no other name: one at a time, by a name that goes with the process."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.platform == "win32":
    import ctypes

    _ALREADY_EXISTS, _ACCESS_DENIED = 183, 5

    @contextlib.contextmanager
    def alone_with(path: Path) -> Iterator[None]:
        """Whoever asks for the same path meanwhile gets a BlockingIOError, also in another process or session."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateEventW.restype = ctypes.c_void_p
        whose = os.path.normcase(os.path.abspath(path)).encode("utf-8", "surrogatepass")  # noqa: PTH100
        name = f"Global\\pos-app-{hashlib.sha256(whose).hexdigest()}"
        held = kernel.CreateEventW(None, True, False, name)
        error = ctypes.get_last_error()
        try:
            # Nobody waits for the event: that there is one is what counts.
            if error in (_ALREADY_EXISTS, _ACCESS_DENIED):
                raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), os.fspath(path))
            if not held:
                raise ctypes.WinError(error)
            yield
        finally:
            if held:
                kernel.CloseHandle(ctypes.c_void_p(held))
