"""Jobs for the printer as pictures: laid out in the job's language, drawn on the printer's thread. Decides nothing."""

from __future__ import annotations

from typing import Any

from pos_app.domain.paper import WIDTHS, Bitmap, CannotDraw, Paper
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.receipt import Copy, Letterhead
from pos_app.engine.printing.content import PaperContent
from pos_app.i18n.papers import Papers


class PaperDrawing:
    """The line's `Draws`. `letterhead` may be set by any thread: the next paper has it. Needs a QGuiApplication."""

    def __init__(self, letterhead: Letterhead) -> None:
        self.letterhead = letterhead

    def picture(self, job: PrintJob, content: Any) -> Bitmap:
        """As in Draws."""
        # Not before the first paper is wanted: the start is not to wait for it.
        from pos_app.ui.paper.raster import bitmap_of

        return bitmap_of(paper_of(job, content, self.letterhead), WIDTHS[job.width])

    def pdf(self, job: PrintJob, content: Any) -> bytes:
        """As in Draws."""
        from pos_app.ui.paper.pdf import pdf_of

        return pdf_of(paper_of(job, content, self.letterhead), roll_mm=job.width)


def paper_of(job: PrintJob, content: PaperContent, letterhead: Letterhead) -> Paper:
    """What stands on the paper of a job. Raises CannotDraw where what it is about is not there."""
    papers = Papers(job.language, letterhead)
    copy = Copy(job.copy, content.printed, content.counter_id) if job.copy else None
    if job.paper is PaperKind.TEST:
        return papers.test_page(content.environment, WIDTHS[job.width])
    if content.receipt is not None:
        return papers.receipt(content.receipt, copy)
    if content.report is not None:
        return papers.report(content.report, content.names, copy)
    if content.note is not None:
        for_shop = job.paper is PaperKind.SHOP_SLIP
        return papers.slip(content.note, content.names, for_shop=for_shop, copy=copy)
    if content.figures is not None:
        return papers.pictures(content.figures, copy)
    raise CannotDraw(f"nothing is known of {job.paper.value} {job.about}")
