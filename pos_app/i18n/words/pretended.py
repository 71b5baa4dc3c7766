"""What the pretended printer's window says in English. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Table


class Pretended(Table):
    """The words; English until told otherwise."""

    TITLE = "The printer"
    NOTHING = "Nothing was printed yet."
    BROKEN = "It was sent what no printer knows: {why}"
    WHOLE = "A sheet that was cut off"
    HANGS = "A sheet that still hangs in the printer"
    TEAR_OFF = "Tear off"
    NO_PAPER = "No paper"
    OPEN = "Cover open"
    OFF = "Switched off"
    ON = "on"
    NOT_ON = "not on"


words = Pretended()
