"""Papers as they are drawn: in four scripts, on both widths, whole, mirrored where they are, and readable again."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from pos_app.domain.attempt import Environment
from pos_app.domain.paper import WIDTHS, Bitmap, Figure, Marking, Pair, Paper, text_of
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.receipt import Letterhead, code_text
from pos_app.engine.printing.content import PaperContent
from pos_app.i18n.papers import Papers
from pos_app.i18n.words.paper import words
from pos_app.ui.paper import worker as paper_worker
from pos_app.ui.paper.drawing import PaperDrawing
from pos_app.ui.paper.layout import lay, pages
from pos_app.ui.paper.pdf import Page, pdf_of
from pos_app.ui.paper.raster import bitmap_of, image_of, png_of
from pos_app.ui.paper.worker import PaperWorker
from tests.support import receipts
from tests.support.codes import codes_in_png, codes_on
from tests.support.drawn import Dice
from tests.support.patience import PATIENCE_S
from tests.unit.ui.paper_cases import KINDS, LANGUAGES, paper
from tests.unit.ui.paper_references import agreed, drawn, fonts_agreed, fonts_here

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = sorted(WIDTHS.values())
BODIES = (24, 36)


def picture(bitmap: Bitmap) -> Image.Image:
    """Black is 255: what is found by its ink."""
    return Image.frombytes("1", (bitmap.width, bitmap.height), bitmap.rows, "raw", "1").convert("L")


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("dots", BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_paper_is_whole(kind: str, language: str, dots: int, body: int) -> None:
    """No letter is missing, no word is torn, nothing is drawn beyond the edge, and nothing over something else."""
    made = paper(kind, language, dots, body)
    sheet = lay(made, dots)
    assert (sheet.missing, sheet.torn) == ((), ())
    for part, below in zip(sheet.parts, sheet.parts[1:], strict=False):
        assert part.top + part.height <= below.top + 1, part
    assert sheet.parts[-1].top + sheet.parts[-1].height <= sheet.height
    ink = picture(bitmap_of(made, dots))
    left, top, right, bottom = ink.getbbox() or (0, 0, 0, 0)
    assert (left >= 0, right <= dots, top >= 4, bottom <= sheet.height - 4) == (True,) * 4
    # As a wider paper has it: what would be cut off there is not drawn here either.
    is_marked = any(isinstance(each, Marking) for each in made.blocks)
    assert (right - left == dots) is is_marked


@pytest.mark.parametrize("dots", BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        ("paid", [code_text(receipts.receipt())]),
        ("copy", [code_text(receipts.sandboxed())]),
        ("late", [code_text(receipts.late())]),
        ("note", []),
        ("x", []),
        ("z", ["SBX-T7K3M9QRD-Z12-6123400.50-0123456789ABCDEF0123456789ABCDEF"]),
    ],
)
def test_the_code_is_read_off_the_dots(kind: str, language: str, dots: int, codes: list[str]) -> None:
    drawn = bitmap_of(paper(kind, language, dots), dots)
    assert codes_on(drawn) == codes
    assert codes_in_png(png_of(drawn)) == codes


@pytest.mark.parametrize("at", range(40))
def test_any_receipts_code_is_read_with_the_mask_of_all(at: int) -> None:
    """None is chosen for it."""
    dice = Dice(f"receipt {at}")
    made = receipts.receipt(
        number=f"T{dice(8)}-R{at:06d}", attempt_id=f"T{dice(8)}-{at:04d}-1-{dice(6)}", check=dice(10)
    )
    assert codes_on(bitmap_of(Papers("en", receipts.HEADS["en"]).receipt(made), 384)) == [code_text(made)]


def ink_of(pair: Pair, language: str, dots: int) -> tuple[int, int]:
    """Where the ink of a pair's label begins and ends: drawn once with it, and once without."""
    mirrored = language == "ar"
    both = Paper(title="", blocks=(pair,), right_to_left=mirrored)
    value = Paper(title="", blocks=(Pair(" ", pair.value, pair.is_code),), right_to_left=mirrored)
    one, other = (lay(each, dots) for each in (both, value))
    assert one.height == other.height
    label = picture(bitmap_of(both, dots)).tobytes()
    alone = picture(bitmap_of(value, dots)).tobytes()
    difference = bytes(a ^ b for a, b in zip(label, alone, strict=True))
    box = Image.frombytes("L", (dots, one.height), difference).getbbox()
    assert box is not None
    return box[0], box[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_stand_where_lines_begin(language: str) -> None:
    made = paper("paid", language)
    pair = next(each for each in made.blocks if isinstance(each, Pair))
    left, right = ink_of(pair, language, 576)
    assert (left > 288) if language == "ar" else (right < 288)


def test_ids_and_amounts_are_drawn_alike_in_every_script() -> None:
    """From the left, in the same digits: a mirrored paper has the very same ink for them."""
    block = Figure("LKR", "1,250.00")
    drawn = {
        bitmap_of(Paper(title="", blocks=(block,), right_to_left=mirrored), 576) for mirrored in (False, True)
    }
    assert len(drawn) == 1
    texts = {text_of(paper("paid", language)) for language in LANGUAGES}
    assert all("1,250.00" in text and "2026-03-01 23:07:00 +05:30" in text for text in texts)


def test_a_long_amount_stays_on_one_line() -> None:
    def high(amount: str) -> float:
        return lay(Paper(title="", blocks=(Figure("LKR", amount),)), 384).parts[0].height

    assert high("123,456,789,012.34") <= high("1.00")
    made = bitmap_of(Paper(title="", blocks=(Figure("LKR", "123,456,789,012.34"),)), 384)
    left, _, right, _ = picture(made).getbbox() or (0, 0, 0, 0)
    assert 0 < left < right < 384


def test_it_is_drawn_alike_on_both_threads() -> None:
    made = [paper("copy", language) for language in LANGUAGES]
    here = [bitmap_of(each, 384) for each in made]
    there: list[Bitmap] = []
    thread = threading.Thread(target=lambda: there.extend(bitmap_of(each, 384) for each in made))
    thread.start()
    thread.join()
    assert there == here


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", Page)
def test_a_pdf_is_of_the_kind_that_is_kept(language: str, page: Page) -> None:
    data = pdf_of(paper("z", language), page)
    assert data.startswith(b"%PDF-1.4")
    assert b'pdfaid:part="1" pdfaid:conformance="B"' in data
    assert b"/FontFile" in data or b"/FontFile2" in data


@pytest.mark.parametrize(("mm", "points"), [(58, 164), (80, 227)])
def test_the_systems_printer_gets_a_page_as_wide_as_its_paper(mm: int, points: int) -> None:
    """On narrow paper it was handed a page of the wide one: its edge was cut off, amounts first."""
    job = PrintJob(number=1, paper=PaperKind.TEST, width=mm)
    content = PaperContent(environment=Environment.LIVE, printed="")
    data = PaperDrawing(Letterhead()).pdf(job, content)
    assert f"/MediaBox [0 0 {points}.0".encode() in data


def test_a_long_report_goes_onto_several_pages_and_cuts_nothing() -> None:
    sheet = lay(paper("z", "ta"), 576)
    parted = pages(sheet, 600)
    assert len(parted) > 2
    assert sum(len(each) for each in parted) == len(sheet.parts)
    assert all(part.top + part.height <= 600 for each in parted for part in each)
    assert all(each[0].top == 0 for each in parted[1:])


def test_the_picture_on_the_screen_is_that_of_the_printer() -> None:
    drawn = bitmap_of(paper("paid", "si"), 384)
    shown = image_of(drawn).convertToFormat(image_of(drawn).Format.Format_Grayscale8)
    kept = Image.open(io.BytesIO(png_of(drawn)))
    assert (kept.size, kept.info["dpi"]) == ((384, drawn.height), pytest.approx((203, 203), abs=0.1))
    for x in range(0, 384, 7):
        for y in range(0, drawn.height, 11):
            assert (shown.pixelColor(x, y).lightness() < 128) is (kept.getpixel((x, y)) == 0)


@pytest.fixture
def worker() -> Any:
    made = PaperWorker()
    yield made
    made.stop()


def test_the_worker_draws_and_keeps_in_the_order_of_asking(
    qtbot: Any, worker: PaperWorker, tmp_path: Path
) -> None:
    made = paper("paid", "ta")
    kept = tmp_path / "papers" / "receipt.pdf"
    said: list[tuple[str, str]] = []
    worker.drawn.connect(lambda key, _bitmap: said.append(("drawn", key)))
    with qtbot.waitSignal(worker.saved) as saved:
        worker.draw("one", made, 576)
        worker.draw("two", made, 384)
        worker.save("three", made, kept)
    assert saved.args == ["three", str(kept), ""]
    assert said == [("drawn", "one"), ("drawn", "two")]
    assert kept.read_bytes().startswith(b"%PDF")
    assert kept.with_suffix(".txt").read_text("utf-8") == text_of(made)
    (tmp_path / "file").touch()
    with qtbot.waitSignal(worker.saved) as failed:
        worker.save("four", made, tmp_path / "file" / "receipt.pdf")
    assert failed.args[:2] == ["four", ""]
    assert failed.args[2]


def test_a_worker_that_was_stopped_draws_nothing_more(
    worker: PaperWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def drawn(key: str, _bitmap: Bitmap) -> None:
        said.append(key)
        begun.set()
        assert go_on.wait(PATIENCE_S)

    worker.drawn.connect(drawn, Qt.ConnectionType.DirectConnection)
    for at in range(3):
        worker.draw(str(at), paper("z", "ta"), 576)
    assert begun.wait(PATIENCE_S)
    with monkeypatch.context() as at_once:
        at_once.setattr(paper_worker, "STOP_MS", 0)
        worker.stop()
    go_on.set()
    worker.stop()
    assert not worker.isRunning()
    assert said == ["0"]


def test_the_words_of_a_paper_are_the_customers() -> None:
    """Whatever the till speaks."""
    assert text_of(Papers("ta", receipts.HEADS["ta"]).receipt(receipts.receipt())).count("பணம் கிடைத்தது") == 1
    assert words.PAID == "PAID"


@pytest.mark.parametrize("dots", BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paper_is_drawn_as_agreed(language: str, dots: int) -> None:
    """Dot for dot, where the fonts and Qt are those it was agreed with."""
    if fonts_here() != fonts_agreed():
        pytest.skip("other fonts, another Qt or FreeType than the agreed pictures were drawn with")
    with Image.open(agreed(language, dots)) as kept:
        now = drawn(language, dots)
        assert now.size == kept.size
        assert now.tobytes() == kept.convert("1").tobytes()
