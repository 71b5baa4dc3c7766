"""What stands on the safe screen in English: the till is not running, what that means for the money. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table


class SafeScreen(Table):
    """The words; English until told otherwise."""

    STOPPED_TITLE = "The till stopped three times"
    STOPPED_WHAT = (
        "It ended unexpectedly three times within five minutes, so it is not started again by itself. "
        "Nothing that was taken is lost: every payment is recorded before it is sent."
    )
    NOT_OPENED_TITLE = "The till cannot open"
    NOT_OPENED_WHAT = "It keeps trying by itself. Nothing that was taken is lost. Why it cannot open:"

    UPDATING_TITLE = "The till is being updated"
    UPDATING_WHAT = (
        "No till is opened while its program is being replaced. It opens by itself as soon as that is done. Nothing "
        "that was taken is lost."
    )
    UPDATING_LATER = (
        "No till is opened while its program is being replaced. Start it again in a few minutes. Nothing that was "
        "taken is lost."
    )

    MONEY_TITLE = "What this means for the money"
    NOTHING_OPEN = "No payment is open. All payments are settled."
    OPEN = (
        "These payments are not settled. Do not take any of them again: the customer may have paid. "
        "The till asks about each of them as soon as it is open."
    )
    MORE = Plural(one="and {count} more", other="and {count} more")
    UNREADABLE = (
        "The record of payments cannot be read here. Do not take the last payment again before somebody has "
        "looked it up."
    )
    SALE = "Sale {sale}"

    AGAIN = "Start again"
    STARTING = "The till is being started. This takes a moment."
    HELP = "If this comes back, call a manager or the help desk. Tell them: {facts}"
    FACTS = "{shop}, counter {counter}, version {version}, {time}"
    FACTS_WITHOUT_SHOP = "version {version}, {time}"


words = SafeScreen()
