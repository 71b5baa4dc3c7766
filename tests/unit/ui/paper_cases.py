"""Every kind of paper, in a language: what is drawn, told and compared of each."""

from __future__ import annotations

from pos_app.domain.attempt import Environment
from pos_app.domain.paper import Paper
from pos_app.domain.receipt import Copy
from pos_app.i18n.papers import Papers
from tests.support import receipts
from tests.support.day_figures import FIGURES

LANGUAGES = ("en", "si", "ta", "ar")
KINDS = ("paid", "copy", "late", "note", "slip", "shop_slip", "x", "z", "pictures", "test")
COPY = Copy(2, "2026-03-01T23:14:00.000+05:30")


def paper(kind: str, language: str, dots: int = 576, body: int = 24) -> Paper:
    """A paper of this kind."""
    from msgspec.structs import replace

    made = Papers(language, replace(receipts.HEADS[language], size=body))
    match kind:
        case "paid":
            return made.receipt(receipts.receipt())
        case "copy":
            return made.receipt(receipts.sandboxed(), COPY)
        case "late":
            return made.receipt(receipts.late())
        case "note":
            return made.receipt(receipts.note())
        case "slip":
            return made.slip(receipts.refund_note(), receipts.NAMES, for_shop=False)
        case "shop_slip":
            return made.slip(receipts.refund_note(), receipts.NAMES, for_shop=True, copy=COPY)
        case "x":
            return made.report(receipts.x(), receipts.NAMES)
        case "z":
            return made.report(receipts.z(), receipts.NAMES)
        case "pictures":
            return made.pictures(replace(FIGURES, environment="sandbox"))
        case _:
            return made.test_page(Environment.SANDBOX, dots)
