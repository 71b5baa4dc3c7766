"""The gallery's own few words; all else it shows is the till's."""

from __future__ import annotations

from pos_app.i18n.table import Table


class GalleryWords(Table):
    """For whoever looks at the design."""

    TITLE = "Gallery"
    OTHER_THEME = "Light or dark"
    TEXT_SIZE = "Text {percent} %"
    SECTION = {
        "parts": "Parts",
        "before": "Before a payment",
        "waiting": "Waiting",
        "results": "Results",
        "reasons": "Reasons",
        "dialogs": "Panels",
        "windows": "Windows",
        "papers": "Papers",
        "day": "The day",
    }


words = GalleryWords()
