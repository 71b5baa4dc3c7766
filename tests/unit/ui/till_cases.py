"""Published values for the window's tests: those that the gallery shows."""

from __future__ import annotations

from pos_app.gallery.samples import KASUN, NIMALI, QR_TEXT, RUWAN, attempt, change, config, recent, terminal

__all__ = ["KASUN", "NIMALI", "QR_TEXT", "RUWAN", "attempt", "change", "config", "recent", "terminal"]
