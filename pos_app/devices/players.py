"""The programs that play a sound on each system, found by name. They get a file of ours and nothing else."""

from __future__ import annotations

import importlib
import io
import os
import shutil
import struct
import subprocess
import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

LIMIT_S = 3.0
"""No sound of ours is half as long; a player that takes longer hangs on its device."""

Words = Callable[[Path, int], list[str]]


class Player(Protocol):
    """One way to play."""

    def play(self, file: Path, volume: int) -> bool:
        """Plays to the end; whether it could. `volume`: 1 to 100."""

    def end(self) -> None:
        """From another thread: the sound that plays is cut short."""


class Program:
    """A player of the system's. `takes_bytes`: it has no volume, and gets the scaled sound by its standard input."""

    def __init__(self, name: str, words: Words, *, takes_bytes: bool = False) -> None:
        self.name = name
        self._words = words
        self._takes_bytes = takes_bytes
        self._process: subprocess.Popen[bytes] | None = None

    def play(self, file: Path, volume: int) -> bool:
        """False when it is not installed, has no device, or hangs."""
        path = shutil.which(self.name)
        if path is None:
            return False
        try:
            sound = scaled(file, volume) if self._takes_bytes else b""
            with subprocess.Popen(
                [path, *self._words(file, volume)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                cwd="/",
            ) as process:
                self._process = process
                return _played(process, sound)
        except OSError:
            return False
        finally:
            self._process = None

    def end(self) -> None:
        """Kills it."""
        process = self._process
        if process is not None:
            process.kill()


def _played(process: subprocess.Popen[bytes], sound: bytes) -> bool:
    try:
        process.communicate(sound, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return False
    return process.returncode == 0


def scaled(file: Path, volume: int) -> bytes:
    """The sound of a file at so many hundredths of its volume, as a WAV file."""
    with wave.open(str(file), "rb") as read:
        shape = read.getparams()
        frames = read.readframes(shape.nframes)
    levels = struct.unpack(f"<{len(frames) // 2}h", frames)
    out = io.BytesIO()
    with wave.open(out, "wb") as written:
        written.setparams(shape)
        written.writeframes(struct.pack(f"<{len(levels)}h", *(level * volume // 100 for level in levels)))
    return out.getvalue()


def _environment() -> dict[str, str]:
    """The system's programs get the system's libraries, also from a till that brings its own."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    if os.environ.get("LD_LIBRARY_PATH_ORIG"):
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH_ORIG"]
    elif not getattr(sys, "frozen", False) and "LD_LIBRARY_PATH" in os.environ:
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return environment


class WindowsPlayer:
    """The system's own call; it plays on the thread that asks."""

    def play(self, file: Path, volume: int) -> bool:
        """False on another system, or without a device."""
        try:
            # Only there has Python this module.
            winsound: Any = importlib.import_module("winsound")
            winsound.PlaySound(scaled(file, volume), winsound.SND_MEMORY | winsound.SND_NODEFAULT)
        except (ImportError, RuntimeError, OSError):
            return False
        return True

    def end(self) -> None:
        """Its sounds are short."""


def players() -> Sequence[Player]:
    """Those of this system, the likeliest first."""
    if sys.platform == "win32":
        return (WindowsPlayer(),)
    if sys.platform == "darwin":
        return (Program("afplay", lambda file, volume: ["-v", f"{volume / 100:.2f}", str(file)]),)
    return (
        Program("pw-play", lambda file, volume: [f"--volume={volume / 100:.2f}", str(file)]),
        Program("paplay", lambda file, volume: [f"--volume={65536 * volume // 100}", str(file)]),
        Program("aplay", lambda _file, _volume: ["-q", "-"], takes_bytes=True),
    )
