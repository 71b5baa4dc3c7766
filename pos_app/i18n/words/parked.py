"""What the row of parked payments says in English. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Table


class ParkedWords(Table):
    """The words; English until told otherwise."""

    ROW = "Parked payments"
    LEFT = "{state} · {time} left"
    SPOKEN = "Parked: {money}, sale {sale}, {state}"
    MORE = "+{count}"
    MORE_SAID = "{count} more, in the list of open payments"


words = ParkedWords()
