"""Makes the till's sounds from sines: python packaging/sounds/make_sounds.py [FOLDER]. Same bytes every time.

Told apart by rhythm and direction, not by pitch alone: two notes up, two notes down, three alike.
"""

from __future__ import annotations

import math
import struct
import sys
import wave
from pathlib import Path
from typing import NamedTuple

RATE = 22_050
FOLDER = Path(__file__).parents[2] / "resources" / "sounds"
LOUDEST = 0.8
ATTACK_S = 0.006
END_S = 0.02


class Note(NamedTuple):
    """A tone: when it begins, how high it is, how fast it fades, how loud its overtones are."""

    at_s: float
    hertz: float
    fade_s: float
    overtones: tuple[float, ...]


BELL = (1.0, 0.28, 0.10)
DULL = (1.0, 0.0, 0.16)
SOUNDS = {
    "paid": (0.55, (Note(0.0, 659.26, 0.12, BELL), Note(0.11, 987.77, 0.20, BELL))),
    "not_paid": (0.60, (Note(0.0, 370.0, 0.14, DULL), Note(0.18, 261.63, 0.20, DULL))),
    "attention": (0.62, tuple(Note(0.17 * beat, 784.0, 0.07, BELL) for beat in range(3))),
}


def samples(length_s: float, notes: tuple[Note, ...]) -> list[int]:
    """The notes added up, the loudest at LOUDEST, silent at the end."""
    count = round(length_s * RATE)
    mixed = [sum(_level(note, at / RATE) for note in notes) for at in range(count)]
    peak = max(abs(level) for level in mixed)
    ending = [min(1.0, (count - at) / RATE / END_S) for at in range(count)]
    return [round(level / peak * LOUDEST * end * 32767) for level, end in zip(mixed, ending, strict=True)]


def _level(note: Note, now_s: float) -> float:
    since = now_s - note.at_s
    if since < 0:
        return 0.0
    loud = min(1.0, since / ATTACK_S) * math.exp(-since / note.fade_s)
    tone = sum(
        part * math.sin(2 * math.pi * note.hertz * (number + 1) * since)
        for number, part in enumerate(note.overtones)
    )
    return loud * tone


def write(folder: Path) -> None:
    """One WAV file for each: mono, 16 bits."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (length_s, notes) in SOUNDS.items():
        levels = samples(length_s, notes)
        with wave.open(str(folder / f"{name}.wav"), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(struct.pack(f"<{len(levels)}h", *levels))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
