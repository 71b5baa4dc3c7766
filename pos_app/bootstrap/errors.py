"""The exit codes of the command line, and the one error that carries one."""

from __future__ import annotations

from enum import IntEnum

from pos_app.domain.phone import NumberError


class Exit(IntEnum):
    """What the process says to whoever started it (docs/command-line.md)."""

    OK = 0
    NOT_PAID = 1
    USAGE = 2
    NO_DISPLAY = 3
    NOT_KNOWN = 4
    PAID_LATE = 5
    LEFT = 10
    """A manager left the locked-down till: nobody is to start it again by himself."""
    UNAVAILABLE = 69
    FAULT = 70
    """It ended unasked; what it had begun is for the next start to find out. A locked-down till is started again."""
    CANNOT_CREATE = 73
    UPDATING = 75
    """An update is under way, or waits for payments that are: later it will do."""
    CONFIGURATION = 78


class CommandError(Exception):
    """The verb cannot go on; `exit_code` and the text say why."""

    def __init__(self, exit_code: Exit, text: str) -> None:
        super().__init__(text)
        self.exit_code = exit_code


def number_problem(error: NumberError, country: str) -> str:
    """What is wrong with a number that was typed: how many digits, where that is it; else an example from there."""
    from pos_app.domain.phone import example_number  # only once something is wrong
    from pos_app.i18n.words.numbers import words as number_words

    return number_words.slip(error) or f"enter a mobile number, for example {example_number(country)}"
