"""The whole QPalette of a theme: every role set, because `QPalette(QColor)` leaves some wrong."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from pos_app.ui.theme.tokens import Tokens

_Role = QPalette.ColorRole
_OFF = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText, _Role.PlaceholderText)


def palette(tokens: Tokens) -> QPalette:
    """The palette; its Window colour also tells which theme is on (see theme.tokens)."""
    made = QPalette()
    for role, colour in _roles(tokens).items():
        made.setColor(role, QColor(colour))
    for role in _OFF:
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.off))
    return made


def _roles(tokens: Tokens) -> dict[QPalette.ColorRole, str]:
    return {
        _Role.Window: tokens.bg,
        _Role.WindowText: tokens.text,
        _Role.Base: tokens.field,
        _Role.AlternateBase: tokens.surface,
        _Role.Text: tokens.text,
        _Role.PlaceholderText: tokens.muted,
        _Role.Button: tokens.key,
        _Role.ButtonText: tokens.text,
        _Role.BrightText: tokens.bad,
        _Role.Light: tokens.raised,
        _Role.Midlight: tokens.line,
        _Role.Mid: tokens.keyline,
        _Role.Dark: tokens.fieldline,
        _Role.Shadow: tokens.veil,
        _Role.Highlight: tokens.primary,
        _Role.HighlightedText: tokens.onprimary,
        _Role.Accent: tokens.primary,
        _Role.Link: tokens.primary,
        _Role.LinkVisited: tokens.primary,
        _Role.ToolTipBase: tokens.raised,
        _Role.ToolTipText: tokens.text,
    }
