"""What the row of parked payments says in English. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Table


class ParkedWords(Table):
    """The words; English until told otherwise."""

    ROW = "Parked payments"
    LEFT = "{state} · {time} left"
    SPOKEN_NOTED = "Parked: {note}, {money}, sale {sale}, {state}"
    SPOKEN = "Parked: {money}, sale {sale}, {state}"
    MORE = "+{count}"
    NOTE = "Note"
    NOTE_SAID = "Note whose the payment parked last is"
    NOTE_TITLE = "Whose is {money}, sale {sale}?"
    NOTE_FIELD = "A word or two, for you alone"
    NOTE_EXAMPLE = "for example: red cap"
    NOTE_SAVE = "Save"
    MORE_SAID = "{count} more, in the list of open payments"


words = ParkedWords()
