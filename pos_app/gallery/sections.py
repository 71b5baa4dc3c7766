"""What the gallery shows, in its order: each section is built anew when it is looked at."""

from __future__ import annotations

from pos_app.gallery.day import day
from pos_app.gallery.dialogs import dialogs
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.panels import before, reasons, results, waiting
from pos_app.gallery.papers import papers
from pos_app.gallery.parts import parts
from pos_app.gallery.windows import windows
from pos_app.ui.till.payment.qr_encoder import QrEncoder


def sections(encoder: QrEncoder) -> dict[str, list[Exhibit]]:
    """The exhibits by section; the section's name is an id, fit for a folder."""
    return {
        "parts": parts(),
        "before": before(encoder),
        "waiting": waiting(encoder),
        "results": results(encoder),
        "reasons": reasons(encoder),
        "dialogs": dialogs(),
        "windows": windows(),
        "papers": papers(),
        "day": day(),
    }
