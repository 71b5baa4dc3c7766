"""The band on every window of the sandbox."""

from __future__ import annotations

from pos_app.ui.words.table import Table


class Band(Table):
    """The words; English until told otherwise."""

    SANDBOX = "SANDBOX – NOT A PAYMENT"


words = Band()
