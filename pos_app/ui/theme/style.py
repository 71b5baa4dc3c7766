"""The one short style sheet, for parts we do not paint ourselves. Set on the overlay layer only: an
application-wide sheet would put every widget of the till through the style sheet engine at start."""

from __future__ import annotations

from pos_app.ui.theme.tokens import RADIUS_SMALL, S2, TOUCH, Tokens

_DOT = "\N{BULLET}"


def bar(tokens: Tokens) -> str:
    """A scroll bar for a finger."""
    return f"""
    QScrollBar:vertical {{ background: transparent; width: 14px; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {tokens.fieldline}; min-height: {TOUCH}px; border-radius: 5px;
        margin: 2px; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
    QScrollBar:horizontal {{ height: 0; }}
    """


def sheet(tokens: Tokens) -> str:
    """The sheet for scroll areas, lists and combo boxes inside dialogs.

    What opens from a box is a list below it with a bar to scroll by: Fusion's own covers the box, with arrows of few
    pixels. What hides a letter of a secret is a sign of the fonts that ship: Qt's own (a larger disc) is in none of
    them, and on a machine without others it is an empty box.
    """
    return f"""
    QLineEdit {{ background: transparent; border: none; lineedit-password-character: {ord(_DOT)}; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
    {bar(tokens)}
    QListView {{ background: {tokens.field}; border: 1px solid {tokens.line}; margin: 0 3px;
        border-radius: {RADIUS_SMALL}px; }}
    QListView::item {{ min-height: {TOUCH}px; padding: 0 {S2}px; }}
    QTableView {{ background: transparent; border: none; color: {tokens.text};
        selection-background-color: {tokens.primarysoft}; selection-color: {tokens.text}; }}
    QHeaderView, QHeaderView::section {{ background: transparent; color: {tokens.muted}; border: none; }}
    QHeaderView::section {{ border-bottom: 1px solid {tokens.line}; padding: 4px {S2}px; }}
    QTableView::item {{ padding: 3px {S2}px; }}
    QComboBox {{ combobox-popup: 0; background: {tokens.field}; border: 1px solid {tokens.fieldline};
        min-height: {TOUCH - 2}px; border-radius: {RADIUS_SMALL}px; padding: 0 {S2}px; color: {tokens.text}; }}
    QComboBox:focus {{ border: 2px solid {tokens.focus}; }}
    """
