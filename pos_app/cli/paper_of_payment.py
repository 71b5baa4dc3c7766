"""The receipt of a payment that a verb has taken or gone on with: printed once the money was said, and told of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pos_app.bootstrap.shop import Shop
from pos_app.cli.printer import Printer, object_of, object_of_job
from pos_app.domain.attempt import Attempt
from pos_app.domain.receipt import shown_number
from pos_app.engine.core.mailbox import Post

if TYPE_CHECKING:
    from pos_app.cli.printing import LastPaper
    from pos_app.engine.printing.line import Line


class PaperOfPayment:
    """What it is printed by: `line` for the run, `last` for the payment; None where nothing can be printed here."""

    def __init__(
        self,
        shop: Shop,
        *,
        is_wanted: bool = False,
        line: Callable[[Post], Line] | None = None,
        last: LastPaper | None = None,
    ) -> None:
        """`is_wanted`: the settings print receipts at this counter."""
        self._shop = shop
        self._is_wanted = is_wanted
        self.line = line
        self.last = last

    def say(self, printer: Printer, paid: Attempt | None) -> None:
        """After the run, one line more: what became of it, and for a program the payment once more with its `job`."""
        if not self._is_wanted or paid is None:
            return
        from pos_app.cli.printing import paper_in_vain

        last, number = self.last, shown_number(paid)
        said = {**object_of(paid), "job": object_of_job(None if last is None else last.job)}
        printer.value(said, paper_in_vain(self._shop.settings, number) if last is None else last.line(number))


@contextmanager
def paper_of_payment(shop: Shop) -> Iterator[PaperOfPayment]:
    """For one payment, where the settings want it on paper; papers can be drawn inside."""
    printing = shop.settings.printer
    if not printing.is_there or printing.auto == "off" or shop.journal is None:
        yield PaperOfPayment(shop)
        return
    # Loads Qt, which the paper alone needs, before anything is sent: what fails here has taken no money.
    from pos_app.cli.printing import LastPaper, line_to_printer

    with line_to_printer(shop.settings) as line:
        last = None if line is None else LastPaper(shop.journal, offers=printing.auto == "ask")
        yield PaperOfPayment(shop, is_wanted=True, line=line, last=last)
