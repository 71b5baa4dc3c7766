"""What marks the sandbox: on its windows' bands and titles, in its panels, beside its sales."""

from __future__ import annotations

from pos_app.i18n.table import Table


class Band(Table):
    """The words; English until told otherwise."""

    SANDBOX = "SANDBOX – NOT A PAYMENT"
    SHORT = "SANDBOX"

    def titled(self, title: str) -> str:
        """A window's title, the word first: a list of windows shows its beginning."""
        return f"{self.SANDBOX} · {title}"

    def beside(self, sale: str) -> str:
        """What names a sale, with the word in front."""
        return f"{self.SHORT} · {sale}"


words = Band()
