"""What the view of all payments says in English. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table


class History(Table):
    """The words; English until told otherwise."""

    TITLE = "All payments"
    CLOSE = "Close"
    LIST = "Payments, newest first"
    FOUND = Plural(one="One payment", other="{count} payments")
    LOOKING = Plural(one="One payment so far, looking on…", other="{count} payments so far, looking on…")
    NONE = "There is no such payment."
    NOT_HERE_YET = "Loading…"
    EXPORT = "Export what is shown"


words = History()
