"""Which payment the customer's screen shows: the one on the panel, while it is this customer's. No widget, no clock."""

from __future__ import annotations

from pos_app.domain.people import TERMINAL
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.seen import idle, see
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.view_config import TillViewConfig

End = tuple[str, Tone]
"""Which attempt ended, and how."""


class Following:
    """Told what the panel shows; `seen` is what the customer sees of it. `end`: it is one, and is to go soon.

    An end is shown of a payment alone that was seen running here: what a cashier looks up later is not for
    whoever then stands in front of the screen.
    """

    def __init__(self, config: TillViewConfig, words: CustomerWords) -> None:
        self._config = config
        self._words = words
        self._who = TERMINAL
        self._sale_id = ""
        self._let_go: End | None = None
        self.seen = idle(words)
        self.end: End | None = None

    def take(self, change: AttemptChanged | None, who: str) -> None:
        """The panel of this person shows this now."""
        if who != self._who:
            self._who = who
            self._forget()
        if change is None:
            self._sale_id = ""
            if self.end is None:
                self._clear()
            return
        seen, attempt = see(change, self._config, self._words), change.attempt
        if attempt.is_open:
            self._sale_id, self._let_go = attempt.sale_id, None
        elif attempt.sale_id != self._sale_id or (attempt.attempt_id, seen.tone) == self._let_go:
            self._clear()
            return
        self.seen = seen
        self.end = (attempt.attempt_id, seen.tone) if attempt.is_final else None

    def let_go(self) -> None:
        """The end has been seen long enough."""
        if self.end is not None:
            self._let_go = self.end
            self._clear()

    def _forget(self) -> None:
        self._sale_id, self._let_go = "", None
        self._clear()

    def _clear(self) -> None:
        self.seen = idle(self._words)
        self.end = None
