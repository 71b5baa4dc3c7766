"""Values as the engine publishes them, for what is shown: those of the gallery, so that tests and pictures agree."""

from __future__ import annotations

from pos_app.gallery.samples import KASUN, NIMALI, QR_TEXT, RUWAN, attempt, change, config, recent, terminal

__all__ = ["KASUN", "NIMALI", "QR_TEXT", "RUWAN", "attempt", "change", "config", "recent", "terminal"]
