"""The manager's side of the tour's day: the menu, the people, what was done. It changes nobody."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.i18n.words.manager import words
from pos_app.tour.late_pictures import stick
from pos_app.tour.stage import Stage

Key = Qt.Key


def manager_looks_around(stage: Stage) -> None:
    """F10, and each list behind it; Nimali is signed in."""
    _choose(stage, "manager_people", "manager")
    stage.see("staff")
    stage.picture("people")
    stage.press("staff_enrol")
    stage.see("person_name")
    stage.picture("enrol")
    stage.press("person_name")
    stage.see("screen_keyboard")
    stage.picture("keys-on-the-screen")
    stage.press("board_done")
    _close(stage, "person_name")
    _close(stage, "people_panel")
    _choose(stage, "manager_settings")
    stage.see("settings")
    stage.picture("settings")
    _close(stage, "settings")
    _choose(stage, "manager_done")
    stage.see("staff_log_lines")
    stage.picture("what-was-done")
    stage.see("staff_log_who").setFocus()
    stage.key(Key.Key_Down)
    stage.wait("one person's alone", lambda: stage.text_of("staff_log_said") != words.LOG_READING)
    stage.picture("what-was-done-by-one")
    _close(stage, "staff_log")
    _close(stage, "managers_menu")
    stick(stage)


def _close(stage: Stage, name: str) -> None:
    stage.key(Key.Key_Escape)
    stage.wait(f"{name} is closed", lambda: stage.find(name) is None)


def _choose(stage: Stage, item: str, picture: str = "") -> None:
    stage.key(Key.Key_F10)
    stage.see("managers_menu")
    if picture:
        stage.picture(picture)
    stage.press(item)
