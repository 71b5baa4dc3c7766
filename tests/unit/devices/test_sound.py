"""Sounds reach the system's player as a file of ours; whatever the player does, the till neither waits nor fails."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.devices import players, sound
from pos_app.devices.players import Program, scaled
from pos_app.devices.sound import Sound, Speaker, folder

LIMIT_S = 30.0
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="players are programs on a PATH")


class Shop:
    """A folder of players, alone on the PATH, and what they were given."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told = path / "told"

    def install(self, name: str, script: str = "") -> None:
        """A player that writes down its words, and then does what the script says."""
        file = self.path / name
        file.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.told}"\n{script}\n', "utf-8")
        file.chmod(0o755)

    def lines(self) -> list[str]:
        """What was played so far."""
        return self.told.read_text("utf-8").splitlines() if self.told.exists() else []

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what the thread does."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, self.lines()
            threading.Event().wait(0.005)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/nowhere")
    monkeypatch.setattr(sys, "platform", "linux")
    return Shop(tmp_path)


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    made = Speaker(70)
    yield made
    made.stop()


def test_a_sound_is_played_by_the_first_player_there_is(shop: Shop, speaker: Speaker) -> None:
    shop.install("paplay")
    shop.install("pw-play")
    speaker.play(Sound.PAID)
    shop.until(lambda: bool(shop.lines()))
    assert shop.lines() == [f"pw-play --volume=0.70 {folder() / 'paid.wav'}"]


def test_a_player_without_a_device_is_left_for_the_next_one_for_good(shop: Shop, speaker: Speaker) -> None:
    shop.install("pw-play", "exit 1")
    shop.install("paplay")
    speaker.play(Sound.NOT_PAID)
    shop.until(lambda: len(shop.lines()) == 2)
    speaker.play(Sound.PAID)
    shop.until(lambda: len(shop.lines()) == 3)
    assert [line.split()[0] for line in shop.lines()] == ["pw-play", "paplay", "paplay"]
    assert shop.lines()[1].split()[1] == "--volume=45875"


def test_a_player_without_a_volume_gets_the_sound_that_loud(shop: Shop, speaker: Speaker) -> None:
    shop.install("aplay", f'cd "{shop.path}"; /bin/cat > part; /bin/mv part heard')
    speaker.play(Sound.ATTENTION)
    shop.until((shop.path / "heard").exists)
    assert shop.lines() == ["aplay -q -"]
    assert (shop.path / "heard").read_bytes() == scaled(folder() / "attention.wav", 70)


def test_without_any_player_the_till_is_silent(shop: Shop, speaker: Speaker) -> None:
    for each in Sound:
        speaker.play(each)
    speaker.stop()
    assert shop.lines() == []


def test_a_player_that_hangs_holds_nobody_up(shop: Shop, speaker: Speaker) -> None:
    shop.install("pw-play", "exec /bin/sleep 60")
    begun = time.monotonic()
    for each in (*Sound, *Sound):
        speaker.play(each)
    assert time.monotonic() - begun < LIMIT_S
    shop.until(lambda: len(shop.lines()) == 1)
    speaker.stop()
    assert time.monotonic() - begun < LIMIT_S


def test_a_player_that_takes_too_long_is_ended(
    shop: Shop, speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "LIMIT_S", 0.1)
    shop.install("pw-play", "exec /bin/sleep 60")
    shop.install("paplay")
    speaker.play(Sound.PAID)
    shop.until(lambda: len(shop.lines()) == 2)


def test_nothing_is_played_at_volume_0_or_after_the_end(shop: Shop, speaker: Speaker) -> None:
    shop.install("pw-play")
    speaker.volume = 0
    speaker.play(Sound.PAID)
    speaker.volume = 70
    speaker.stop()
    speaker.play(Sound.PAID)
    assert shop.lines() == []


def test_one_thing_sounds_once(shop: Shop, speaker: Speaker) -> None:
    shop.install("pw-play")
    speaker.play(Sound.ATTENTION)
    speaker.play(Sound.ATTENTION)
    speaker.play(Sound.PAID)
    shop.until(lambda: len(shop.lines()) == 2)
    assert [Path(line.split()[-1]).stem for line in shop.lines()] == ["attention", "paid"]


def test_the_system_s_players_get_the_system_s_libraries(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle of ours puts its own before them."""
    shop.install("pw-play", f'echo "$LD_LIBRARY_PATH" >> "{shop.told}"')
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/theirs")
    player = Program("pw-play", lambda file, _volume: [str(file)])
    assert player.play(folder() / "paid.wav", 70)
    assert shop.lines()[-1] == "/theirs"


@pytest.mark.parametrize("name", [each.value for each in Sound])
def test_each_sound_is_short_plain_and_what_the_script_makes(name: str, tmp_path: Path) -> None:
    file = folder() / f"{name}.wav"
    with wave.open(str(file), "rb") as read:
        assert (read.getnchannels(), read.getsampwidth(), read.getframerate()) == (1, 2, 22_050)
        assert read.getnframes() / read.getframerate() < 0.8
    script = Path(__file__).parents[3] / "packaging" / "sounds" / "make_sounds.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=60)
    assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_half_the_volume_is_half_of_every_level() -> None:
    file = folder() / "paid.wav"
    with wave.open(str(file), "rb") as read:
        loud = struct.unpack(f"<{read.getnframes()}h", read.readframes(read.getnframes()))
    with wave.open(io.BytesIO(scaled(file, 50)), "rb") as read:
        half = struct.unpack(f"<{read.getnframes()}h", read.readframes(read.getnframes()))
    assert max(abs(level) for level in loud) > 20_000
    assert all(abs(level / 2 - heard) <= 1 for level, heard in zip(loud, half, strict=True))


def test_the_sounds_lie_where_the_till_looks() -> None:
    assert {file.stem for file in folder().glob("*.wav")} == {each.value for each in Sound}
    assert sound.WAITING > 0
