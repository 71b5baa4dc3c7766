"""Why somebody does what is recorded under their name: a field with the usual reasons as touches. Records nothing."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pos_app.domain.text import one_line
from pos_app.i18n.words.approval import words
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.in_view import bring_into_view

LONGEST = 120
LEAST = 3


class ReasonField(Field):
    """`checked()` gives the reason, or says what is wrong with it and gives ""."""

    def __init__(
        self, name: str, reasons: tuple[str, ...], *, label: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(
            label or words.REASON,
            name,
            example=for_example(reasons[0] if reasons else words.EXAMPLE),
            parent=parent,
        )
        self._example = reasons[0] if reasons else words.EXAMPLE
        self.edit.setMaxLength(LONGEST)
        if reasons:
            self.suggest(reasons)

    def checked(self) -> str:
        """At least three letters that can be read, and no figures alone; the text stays as it was typed.

        What nobody sees (marks of direction, pasted with it) is no part of it.
        """
        reason = one_line(self.text())
        if len(reason) >= LEAST and any(map(str.isalpha, reason)):
            return reason
        self.show_missing()
        return ""

    def show_missing(self) -> None:
        """Field, limit, example."""
        self.show_error(words.REASON_PROBLEM.format(example=self._example))
        bring_into_view(self.edit)
