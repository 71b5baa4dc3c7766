"""What every text field says of itself in English. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Table


class FieldWords(Table):
    """The words; English until told otherwise."""

    EXAMPLE = "for example {example}"


words = FieldWords()
