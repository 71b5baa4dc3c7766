"""What the keys on the screen are called in English, for whoever hears them. The letters are the scripts' own."""

from __future__ import annotations

from pos_app.i18n.table import Table


class Keyboard(Table):
    """The words; English until told otherwise."""

    TITLE = "Keyboard on the screen"
    SPACE = "Space"
    BACKSPACE = "Delete the last letter"
    SHIFT = "More letters"
    LETTERS = "Letters"
    SIGNS = "Digits and signs"
    SCRIPT = "Letters: {name}"
    NEXT = "Next field"
    DONE = "Put the keyboard away"


words = Keyboard()
