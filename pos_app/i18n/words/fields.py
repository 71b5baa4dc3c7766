"""What every text field says of itself in English. No decisions."""

from __future__ import annotations

from pos_app.domain.secret import MAX_LENGTH, SecretError, SecretProblem
from pos_app.i18n.table import Table


class FieldWords(Table):
    """The words; English until told otherwise."""

    EXAMPLE = "for example {example}"

    SHOW = "Show: {label}"
    HIDE = "Hide: {label}"
    IS_SHOWN = "{label} (shown)"
    IS_HIDDEN = "{label} (hidden)"

    SECRET = {
        SecretProblem.LONG: "{label}: these are {count} characters, and {most} is the most. "
        "Copy the secret alone.",
        SecretProblem.FOREIGN: "{label}: character {at} of {count} belongs to another script or cannot be seen. "
        "Copy the secret anew.",
        SecretProblem.CONTROL: "{label}: character {at} of {count} is a line break or another control sign. "
        "Copy the secret anew.",
        SecretProblem.SPACE: "{label}: character {at} of {count} is a space, and this secret has none. "
        "Copy the secret alone.",
    }
    """Behind its dots nobody sees what is wrong: it is said by its place."""

    def secret_problem(self, label: str, error: SecretError) -> str:
        """What is wrong with a secret, and where; never what it is."""
        text = self.SECRET[error.problem]
        return text.format(label=label, at=error.at, count=error.length, most=MAX_LENGTH)


words = FieldWords()
