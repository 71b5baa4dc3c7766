"""What a verb says on standard output: one JSON object a line, or short lines in our words."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import plain_line
from pos_app.cli import table
from pos_app.cli.output import Output
from pos_app.cli.table import Column
from pos_app.domain.attempt import Attempt
from pos_app.domain.money import format_amount
from pos_app.domain.print_job import PrintJob
from pos_app.i18n.words.terminal import words as terminal_words
from pos_app.i18n.words.till import words


def object_of(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the command line tells it; the amount is exact text."""
    return {
        "sale_id": attempt.sale_id,
        "attempt_id": attempt.attempt_id,
        "wallet_transaction_id": attempt.wallet_transaction_id,
        "kind": attempt.kind.value,
        "amount": str(attempt.amount),
        "currency": attempt.currency,
        "state": attempt.state.value,
        "reason": attempt.reason.value,
        "service_status": attempt.service_status,
        "code": attempt.code or (str(attempt.http_status) if attempt.http_status else ""),
        "qr_text": attempt.qr_text if attempt.qr_showable else "",
        "origin": attempt.origin,
        "other_origin": attempt.other_origin,
    }


def object_of_job(job: PrintJob | None) -> dict[str, Any] | None:
    """A print as the command line tells it: `copy` 0 is the original, `detail` why it is where it is; None for none."""
    if job is None:
        return None
    return {"number": job.number, "state": job.state.value, "copy": job.copy, "detail": job.why.value}


def line_of(attempt: Attempt) -> str:
    """The same for a person."""
    parts = [
        f"{attempt.currency} {format_amount(attempt.amount)}",
        words.result.sale.format(sale=attempt.sale_id),
        words.state_of(attempt),
    ]
    if attempt.is_open and attempt.service_status not in ("", "Merchant Initiated"):
        parts.append(terminal_words.said(attempt.service_status))
    because = _because(attempt)
    return " · ".join(parts) + (f" – {because}" if because else "") + f"  [{attempt.attempt_id}]"


def _because(attempt: Attempt) -> str:
    because = words.because(attempt)
    return words.code[attempt.code].said if not because and attempt.code in words.code else because


def listing() -> tuple[Column, ...]:
    """The columns of a list from the journal, in the language now spoken."""
    said = terminal_words
    return (
        Column(said.TIME, 16),
        Column(said.AMOUNT, 14, at_end=True),
        Column(said.SALE, 6),
        Column(
            said.STATE,
            table.widest(
                [*words.state.values(), words.result.signed_off_paid, words.result.signed_off_not_paid]
            ),
        ),
        Column(said.ID, 0),
    )


def row_of(attempt: Attempt) -> tuple[str, ...]:
    """A payment's cells there."""
    return (
        attempt.tapped_wall[:16].replace("T", " "),
        f"{attempt.currency} {format_amount(attempt.amount)}",
        attempt.sale_id,
        words.state_of(attempt),
        attempt.attempt_id,
    )


class Printer:
    """Says each thing once: an attempt only when something of it that is said has changed."""

    def __init__(self, *, as_json: bool, goes_on: bool = False) -> None:
        self._as_json = as_json
        self._output = Output(goes_on=goes_on)
        self._said: dict[str, str] = {}
        self._last = ""
        self._drawn: set[str] = set()

    def attempt(self, attempt: Attempt) -> None:
        """An attempt as it now is, unless that was just said; for a person with its QR code."""
        said = json.dumps(object_of(attempt)) if self._as_json else plain_line(line_of(attempt))
        if said != self._said.get(attempt.attempt_id):
            self._said[attempt.attempt_id] = self._last = said
            self._output.line(said)
        if attempt.qr_showable and attempt.qr_text not in self._drawn:
            self._drawn.add(attempt.qr_text)
            self._draw(attempt.qr_text)

    def end(self, attempt: Attempt) -> None:
        """An attempt as the verb leaves it: the last thing said, so said again unless it just was, or is open."""
        if attempt.is_final and self._last == self._said.get(attempt.attempt_id):
            self.attempt(attempt)
        else:
            self._said.pop(attempt.attempt_id, None)
            self.attempt(attempt)

    def attempts(self, attempts: Iterable[Attempt], none: str) -> None:
        """A list: an object each, or a row under headings, what is the matter below it; `none` where it is empty."""
        columns = listing()
        is_empty = True
        for attempt in attempts:
            if self._as_json:
                self._output.line(json.dumps(object_of(attempt)))
                continue
            if is_empty:
                self.note(table.heading(columns))
            is_empty = False
            self._output.line(table.line(columns, row_of(attempt)))
            if because := _because(attempt):
                self._output.line(plain_line(f"    {because}"))
        if is_empty:
            self.note(none)

    def note(self, line: str) -> None:
        """A heading, or that there is nothing: for a person alone."""
        if not self._as_json:
            self._output.line(plain_line(line))

    def value(self, value: dict[str, Any], line: str) -> None:
        """Anything else: an object, or its line."""
        self._output.line(json.dumps(value) if self._as_json else plain_line(line))

    def _draw(self, qr_text: str) -> None:
        if self._as_json:
            return
        from pos_app.cli.terminal_qr import drawn

        self._output.line(drawn(qr_text, sys.stdout.encoding))


def printer_of(options: Options, *, goes_on: bool = False) -> Printer:
    """The printer the options ask for. `goes_on`: as of Output; for each verb that does more than tell."""
    return Printer(as_json=options.json, goes_on=goes_on)
