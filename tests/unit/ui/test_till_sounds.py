"""Sounds: off in one touch and on again in another, and tried in the settings. Players are the system's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.app.sound_notifier import SoundNotifier
from pos_app.domain.attempt import State
from pos_app.i18n.languages import NAMES
from pos_app.i18n.words.till import words as till_words
from pos_app.settings.model import Sound as SoundSettings
from pos_app.ui.language import set_language
from tests.support.published import RUWAN, attempt, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.settings_cases import Elsewhere, opened

LOUD = SoundSettings(on=True, volume=70)
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="players are programs on a PATH")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the one player there is was told."""
    told = tmp_path / "told"
    player = tmp_path / "pw-play"
    player.write_text(f'#!/bin/sh\necho "$*" >> "{told}"\n')
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/nowhere")
    monkeypatch.setattr(sys, "platform", "linux")
    return told


class Till:
    """A window and its sounds, as the session joins them."""

    def __init__(self, qtbot: Any, settings: SoundSettings = LOUD) -> None:
        self.settings = settings
        self.on = Stage(qtbot)
        self.sounds = SoundNotifier(lambda: self.settings, self.on.window)
        self.sounds.listen_to(self.on.window)

    def touch(self) -> None:
        """The button on the bar."""
        QTest.mouseClick(self.on.part("mute_button"), Qt.MouseButton.LeftButton)


@pytest.fixture
def till(qtbot: Any) -> Iterator[Till]:
    made = Till(qtbot)
    yield made
    made.sounds.stop()


def _lines(told: Path) -> list[str]:
    return told.read_text().splitlines() if told.exists() else []


def test_one_touch_silences_the_till_and_another_lets_it_sound(qtbot: Any, till: Till, played: Path) -> None:
    button = till.on.part("mute_button")
    assert button.accessibleName() == till_words.bar.mute
    till.touch()
    assert button.accessibleName() == till_words.bar.unmute
    till.on.window.result_shown.emit("paid")
    till.touch()
    till.on.window.attention_wanted.emit()
    qtbot.waitUntil(lambda: bool(_lines(played)))
    assert len(_lines(played)) == 1
    assert _lines(played)[0].endswith("attention.wav")


def test_another_window_in_its_place_is_as_silent(qtbot: Any, till: Till) -> None:
    till.touch()
    other = Stage(qtbot)
    till.sounds.listen_to(other.window)
    assert other.part("mute_button").accessibleName() == till_words.bar.unmute


def test_a_till_without_sounds_has_nothing_to_silence(qtbot: Any) -> None:
    assert Till(qtbot).on.seen("mute_button")
    assert not Till(qtbot, replace(LOUD, on=False)).on.seen("mute_button")


def test_the_volume_is_tried_as_it_is_typed_and_says_of_no_payment_that_it_is_paid(
    qtbot: Any, till: Till, played: Path
) -> None:
    tried: list[int] = []

    def try_out(volume: int) -> None:
        tried.append(volume)
        till.sounds.try_out(volume)

    class Heard(Elsewhere):
        def calls(self) -> Any:
            return super().calls()._replace(try_sound=try_out)

    dialog = opened(qtbot, Heard(), section="window")
    part: Any = dialog.form.part("sound.volume")
    part.part.set_text("200")
    part.try_it.click()
    assert tried == []
    assert "1 to 100" in part.part.error.text()
    part.part.set_text("35")
    part.try_it.click()
    assert tried == [35]
    qtbot.waitUntil(lambda: bool(_lines(played)))
    assert _lines(played)[0].startswith("--volume=0.35")
    assert _lines(played)[0].endswith("attention.wav")


@pytest.mark.parametrize("language", sorted(NAMES))
def test_the_smallest_bar_has_room_for_it_beside_all_else(qtbot: Any, language: str) -> None:
    set_language(language)
    on = Stage(qtbot, size=(1024, 768), language=language)
    late = attempt(state=State.UNRESOLVED)
    on.receive(terminal(signed_in=RUWAN, open=(late,), attention=(late,), recent=recent()))
    on.window.show_sounds(heard=True, muted=True)
    on.settle()
    assert on.window.size().toTuple() == (1024, 768)
    bar = on.part("top_bar")
    for name in ("open_badge", "person", "mute_button", "lock_button", "settings_button", "help_button"):
        assert on.part(name).text_fits(), name
    assert on.part("connection").text_fits()
    assert on.part("connection").accessibleName()
    assert bar.width() == 1024
