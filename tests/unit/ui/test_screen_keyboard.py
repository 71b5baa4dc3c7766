"""Keys on the screen: brought by a touch, off the field they type into, in four scripts, and without an Enter."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Kind
from pos_app.domain.text import REFERENCE
from pos_app.ui.keyboard.keyboard import BoardKey
from pos_app.ui.keyboard.layouts import LETTERS, ROWS, SIGNS
from pos_app.ui.language import set_language
from pos_app.ui.theme.tokens import TOUCH
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.widgets.touched_fields import Takes
from tests.support.published import NIMALI, RUWAN, attempt, change, recent, terminal
from tests.support.stage import Stage

SIZES = [(1024, 768), (1366, 768), (1920, 1080)]
BOSS = replace(RUWAN, passcode_set=True)


def _stage(qtbot: Any, *, wanted: Callable[[bool], bool] = lambda _by_finger: True, **told: Any) -> Stage:
    on = Stage(qtbot, keys_wanted=wanted, **told)
    on.window.activateWindow()
    on.settle()
    return on


def _touch(on: Stage, name: str) -> None:
    QTest.mouseClick(on.part(name), Qt.MouseButton.LeftButton)
    on.settle()


def _type(on: Stage, text: str) -> None:
    """By keys that can be seen; shift and script are the caller's."""
    for sign in text:
        _touch(on, "board_space" if sign == " " else f"board_{sign}")


def _keys(on: Stage) -> list[BoardKey]:
    return [each for each in on.window.findChildren(BoardKey) if each.isVisible()]


def _place(part: QWidget, on: Stage) -> QRect:
    return QRect(part.mapTo(on.window, QPoint(0, 0)), part.size())


def _invoice(on: Stage) -> LineEdit:
    _touch(on, "fold")
    _touch(on, "invoice")
    return on.part("invoice")  # type: ignore[no-any-return]


def _approval(on: Stage) -> LineEdit:
    theirs = replace(attempt(kind=Kind.PUSH), owner="p2")
    on.receive(terminal(people=(NIMALI, BOSS), open=(theirs,), recent=recent()), change(theirs))
    on.window.open_attempt(theirs.attempt_id)
    _touch(on, "waiting_cancel")
    _touch(on, "approval_reason")
    return on.part("approval_reason")  # type: ignore[no-any-return]


def _found(on: Stage) -> LineEdit:
    _touch(on, "find_button")
    _touch(on, "found_search")
    return on.part("found_search")  # type: ignore[no-any-return]


FIELDS = {"invoice": _invoice, "approval": _approval, "found": _found}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", FIELDS)
def test_a_touched_field_has_keys_and_is_seen_whole(qtbot: Any, name: str, size: tuple[int, int]) -> None:
    on = _stage(qtbot, size=size)
    edit = FIELDS[name](on)
    board, field = _place(on.part("screen_keyboard"), on), _place(edit, on)
    assert on.window.rect().contains(board)
    assert not board.intersects(field)
    # Not behind what scrolls, either.
    shown = edit.visibleRegion().boundingRect()
    assert shown.height() == edit.height(), (shown, edit.rect())
    assert edit.hasFocus()
    assert on.window.size().toTuple() == size


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LETTERS)
def test_every_key_is_a_fingers_size_and_shows_what_it_types(
    qtbot: Any, language: str, size: tuple[int, int]
) -> None:
    set_language(language)
    on = _stage(qtbot, size=size, language=language)
    _approval(on)
    for turn in (
        "",
        "board_shift",
        "board_shift",
        "board_shift",
        "board_signs",
        "board_shift",
        "board_signs",
    ):
        if turn:
            _touch(on, turn)
        keys = _keys(on)
        assert len(keys) > 30
        for key in keys:
            assert key.width() >= TOUCH, key.objectName()
            assert key.height() >= TOUCH, key.objectName()
            assert key.text_fits(), key.objectName()
            assert key.accessibleName(), key.objectName()
            assert key.focusPolicy() is Qt.FocusPolicy.NoFocus
        places = [_place(key, on) for key in keys]
        for at, place in enumerate(places):
            assert not any(place.intersects(other) for other in places[at + 1 :])


def test_the_keys_do_not_move_when_the_script_changes(qtbot: Any) -> None:
    on = _stage(qtbot, size=(1024, 768))
    _approval(on)
    before, seen = _place(on.part("board_script"), on), set()
    for _ in LETTERS:
        seen.add(on.part("screen_keyboard").script)
        _touch(on, "board_script")
        assert _place(on.part("board_script"), on) == before
    assert seen == set(LETTERS)


def test_texts_are_typed_by_touches_in_four_scripts(qtbot: Any) -> None:
    on = _stage(qtbot)
    edit = _approval(on)
    typed = {
        "en": ("qty 12", "qty 12"),
        "si": ("ලංකා", "ලංකා"),
        "ta": ("தமிழ்", "தமிழ்"),
        "ar": ("سلام", "سلام"),
    }
    for language, (keys, text) in typed.items():
        while on.part("screen_keyboard").script != language:
            _touch(on, "board_script")
        edit.clear()
        _type(on, keys)
        assert edit.text() == text
    assert on.posted == []


def test_a_joined_letter_is_one_touch_and_stays_joined(qtbot: Any) -> None:
    set_language("si")
    on = _stage(qtbot, language="si")
    edit = _approval(on)
    for key in ("ශ", "්\u200dර", "ී"):
        _touch(on, f"board_{key}")
    assert edit.text() == "ශ්\u200dරී"


def test_whoever_comes_next_begins_with_their_own_letters(qtbot: Any) -> None:
    """The keys stayed in the script of whoever had used them first."""
    on = _stage(qtbot)
    _invoice(on)
    _type(on, "ab")
    _touch(on, "board_done")
    on.receive(terminal(signed_in=replace(RUWAN, language="ta"), recent=recent()))
    _found(on)
    assert on.part("screen_keyboard").script == "ta"
    _touch(on, "board_script")
    assert on.part("screen_keyboard").script == "en"


def test_under_a_finger_that_types_the_letters_stay(qtbot: Any) -> None:
    on = _stage(qtbot)
    _invoice(on)
    on.window.speak("si")
    on.settle()
    assert on.part("screen_keyboard").script == "en"


def test_shift_is_for_one_letter_and_twice_for_all(qtbot: Any) -> None:
    on = _stage(qtbot)
    edit = _approval(on)
    _touch(on, "board_shift")
    _touch(on, "board_A")
    _touch(on, "board_b")
    _touch(on, "board_shift")
    _touch(on, "board_shift")
    _type(on, "CD")
    _touch(on, "board_shift")
    _touch(on, "board_e")
    _touch(on, "board_backspace")
    assert edit.text() == "AbCD"


def test_no_key_charges_or_confirms_and_all_of_them_are_tried(qtbot: Any) -> None:
    on = _stage(qtbot)
    _touch(on, "key_5")
    before = on.says("amount")
    _invoice(on)
    for turn in ("", "board_shift", "board_signs", "board_shift"):
        if turn:
            _touch(on, turn)
        for name in [key.objectName() for key in _keys(on)]:
            if name not in ("board_done", "board_shift", "board_signs", "board_script") and on.seen(name):
                _touch(on, name)
    assert on.posted == []
    assert not on.seen("question")
    assert on.says("amount") == before


def test_the_keys_go_when_they_are_put_away_and_come_again_at_a_touch(qtbot: Any) -> None:
    on = _stage(qtbot)
    edit = _invoice(on)
    _type(on, "a1")
    _touch(on, "board_done")
    assert not on.seen("screen_keyboard")
    assert edit.text() == "a1"
    _touch(on, "invoice")
    assert on.seen("screen_keyboard")


def test_next_goes_round_the_fields_and_the_keys_go_with_it(qtbot: Any) -> None:
    on = _stage(qtbot)
    _invoice(on)
    _touch(on, "board_next")
    _type(on, "b")
    assert on.part("reference").text() == "b"
    _touch(on, "board_next")
    _type(on, "a")
    assert on.part("invoice").text() == "a"


def test_the_keys_go_with_what_they_were_brought_for(qtbot: Any) -> None:
    on = _stage(qtbot)
    _approval(on)
    _touch(on, "approval_back")
    assert not on.seen("screen_keyboard")
    _touch(on, "fold")
    _touch(on, "invoice")
    assert on.seen("screen_keyboard")
    _touch(on, "lock_button")
    on.receive(terminal(signed_in=None))
    on.settle()
    assert not on.seen("screen_keyboard")


def test_a_panel_has_its_room_again_without_the_keys(qtbot: Any) -> None:
    on = _stage(qtbot, size=(1024, 768))
    theirs = replace(attempt(kind=Kind.PUSH), owner="p2")
    on.receive(terminal(people=(NIMALI, BOSS), open=(theirs,), recent=recent()), change(theirs))
    on.window.open_attempt(theirs.attempt_id)
    _touch(on, "waiting_cancel")
    before = on.part("overlay_card").geometry()
    _touch(on, "approval_reason")
    assert on.part("overlay_card").geometry() != before
    _touch(on, "board_done")
    assert on.part("overlay_card").geometry() == before


def test_passcodes_and_wallet_numbers_keep_their_own_keys(qtbot: Any) -> None:
    on = _stage(qtbot)
    _approval(on)
    _touch(on, "passcode")
    assert not on.seen("screen_keyboard")
    assert on.part("passcode").echoMode() is not LineEdit.EchoMode.Normal
    on = _stage(qtbot)
    for name in ("key_5", "method_push", "wallet_number"):
        _touch(on, name)
    assert not on.seen("screen_keyboard")
    _touch(on, "key_7")
    assert on.part("wallet_number").text() == "7"


def test_who_does_not_want_them_never_gets_them(qtbot: Any) -> None:
    fingers: list[bool] = []

    def never(by_finger: bool) -> bool:
        fingers.append(by_finger)
        return False

    on = _stage(qtbot, wanted=never)
    _invoice(on)
    assert not on.seen("screen_keyboard")
    assert fingers == [False]


def test_a_finger_is_told_from_a_mouse(qtbot: Any) -> None:
    fingers: list[bool] = []

    def wanted(by_finger: bool) -> bool:
        fingers.append(by_finger)
        return True

    on = _stage(qtbot, wanted=wanted)
    _touch(on, "fold")
    finger = QTest.createTouchDevice()
    edit = on.part("invoice")
    middle = edit.rect().center()
    QTest.touchEvent(edit, finger).press(0, middle, edit).commit()
    QTest.touchEvent(edit, finger).release(0, middle, edit).commit()
    on.settle()
    assert fingers == [True]
    assert on.seen("screen_keyboard")


def _all_of(language: str) -> str:
    letters = LETTERS[language]
    return "".join("".join(row) for row in (*letters.plain, *letters.shifted))


@pytest.mark.parametrize(
    ("language", "first", "last"), [("si", 0x0D82, 0x0DDF), ("ta", 0x0B83, 0x0BCC), ("ar", 0x0621, 0x0652)]
)
def test_every_letter_of_the_alphabet_has_a_key(language: str, first: int, last: int) -> None:
    # Not written any more, or only as parts of others that have a key.
    unused = {"si": "ඏඐෟඁෳ", "ta": "", "ar": "ػؼؽؾؿ"}[language]
    letters = {chr(at) for at in range(first, last + 1) if unicodedata.name(chr(at), "")} - set(unused)
    assert letters - set(_all_of(language)) == set()


def test_all_that_an_invoice_number_may_hold_has_a_key() -> None:
    assert REFERENCE == r"[A-Za-z0-9 \-/.]{0,40}"
    latin = _all_of("en") + "".join("".join(row) for row in SIGNS.plain) + " -."
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert set(letters + letters.upper() + "0123456789 -/.") <= set(latin)


def test_all_of_ascii_has_a_key() -> None:
    """Secrets, addresses and commands are written in it."""
    pages = (*LETTERS["en"].plain, *LETTERS["en"].shifted, *SIGNS.plain, *SIGNS.shifted)
    typed = {sign for row in pages for sign in row} | set(" -.")
    assert {chr(at) for at in range(0x20, 0x7F)} <= typed


@pytest.mark.parametrize("language", LETTERS)
def test_each_page_has_as_many_rows_as_the_others(language: str) -> None:
    letters = LETTERS[language]
    assert len(letters.plain) == len(letters.shifted) == ROWS
    assert [len(row) for row in letters.plain] == [len(row) for row in letters.shifted]


def test_machines_texts_begin_with_latin_letters(qtbot: Any) -> None:
    set_language("ta")
    on = _stage(qtbot, language="ta")
    assert _invoice(on).takes is Takes.LATIN
    assert on.part("screen_keyboard").script == "en"
    assert not on.part("board_script").isEnabled()
