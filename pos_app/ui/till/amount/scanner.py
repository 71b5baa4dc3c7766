"""Where a scanned code goes: to the invoice number, the wallet's, or the check of a paper. It charges nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from pos_app.domain.day import is_paper
from pos_app.domain.phone import number_within
from pos_app.ui.till.amount.amount_entry import Entry
from pos_app.ui.till.amount.charge import ChargeEntry
from pos_app.ui.till.window.parts import InFront, Parts
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.widgets.key_bursts import Place, TextPlace

WALLET_NUMBER = "wallet_number"


class Scanner:
    """`place` says where a key goes that is typed now, should it be a scanner's."""

    def __init__(
        self,
        config: TillViewConfig,
        parts: Parts,
        charge_entry: ChargeEntry,
        in_front: InFront,
        check_paper: Callable[[str], None],
    ) -> None:
        self._config = config
        self._pad = parts.pad
        self._panels = parts.panels
        self._charge_entry = charge_entry
        self._in_front = in_front
        self._check_paper = check_paper

    def place(self) -> Place | None:
        """None: nowhere, because a question, the lock or a list is in front."""
        focused = QApplication.focusWidget() or self._pad.window().focusWidget()
        edit = focused if isinstance(focused, LineEdit) else None
        if edit is not None and edit.objectName() != WALLET_NUMBER and not self._pad.isAncestorOf(edit):
            return TextPlace(edit)
        return None if self._in_front.covers_sale else _SalePlace(self, edit)

    def take_code(self, code: str) -> None:
        """What was scanned, without what the scanner puts around it."""
        text = code.strip(" ").removeprefix(self._config.scan_prefix).removesuffix(self._config.scan_suffix)
        if is_paper(text):
            # It is no invoice number, wherever those go: somebody wants to know whether a paper is ours.
            self._check_paper(text)
            return
        number = number_within(text, self._config.country)
        push = self._panels.push
        if push is not None and self._panels.current is push:
            push.take_scanned(number)
        elif not self._pad.take_scanned(text, self._config.scan_into) and number:
            self._charge_entry.start_push(number)

    def keep(self, edit: LineEdit | None) -> tuple[Entry, str]:
        """The amount, and the text of the field that has the keyboard, as they are now."""
        return self._pad.entry, edit.text() if edit is not None else ""

    def restore(self, edit: LineEdit | None, kept: tuple[Entry, str]) -> None:
        """As they were."""
        if self._pad.entry is not kept[0]:
            self._pad.put_back(kept[0])
        if edit is not None:
            edit.setText(kept[1])


class _SalePlace:
    """The amount, its two texts and the wallet number: one place, a code is about the sale."""

    takes_keys = False

    def __init__(self, scanner: Scanner, edit: LineEdit | None) -> None:
        self._scanner = scanner
        self._edit = edit
        self._kept = scanner.keep(edit)

    def undo(self) -> None:
        """No digit of a code is an amount."""
        self._scanner.restore(self._edit, self._kept)

    def scanned(self, text: str) -> None:
        """To where the settings say, or to the wallet number."""
        self._scanner.take_code(text)
