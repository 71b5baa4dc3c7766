"""What the pictures of a day say: titles, headings, what a pattern means. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table


class PictureWords(Table):
    """The words. On paper they may be in another language than the till speaks."""

    TITLE = "Pictures of the day"
    OF_DAY = "Day of {date}"
    OPEN = "The open day"
    CLOSED = "Z {number}"
    WHICH = "Day"
    TABLE = "As tables"
    PICTURES = "As pictures"
    PRINT = "Print"
    CLOSE = "Close"
    READING = "Reading…"
    NOTHING = "Nothing yet."
    HEARD = "{title}. {rows}"

    TAKINGS = "Taken, hour by hour"
    METHODS = "By method"
    SUCCESS = "Success, hour by hour"
    WAITING = "How long it took"
    NOT_PAID = "Why not paid"
    LATE = "Late and carried over"

    HOUR = "Hour"
    TAKEN = "Taken"
    PAYMENTS = "Payments"
    WEEK_BEFORE = "A week before"
    METHOD = "Method"
    SHARE = "Share"
    WITHOUT = "Without money"
    HALF = "Half within"
    NINETY = "90 of 100 within"
    NINETY_NINE = "99 of 100 within"
    WHY = "Why"
    WHAT = "What"
    AMOUNT = "Amount"

    THIS_DAY = "this day"
    THAT_DAY = "{date}"
    OTHERS = Plural(
        one="1 payment in another currency is not in these pictures.",
        other="{count} payments in other currencies are not in these pictures.",
    )
    TOGETHER = "The day was open for long: the hours of all its days are put together."
    THOUSANDS = "{number}k"
    MILLIONS = "{number}M"
    SECONDS = "{seconds} s"


words = PictureWords()
