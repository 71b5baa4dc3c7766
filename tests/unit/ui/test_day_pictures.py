"""The pictures of a day on the screen: read back from what was painted, turned into tables, reached by keys."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QLocale, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from pos_app.domain.figures import DayFigures
from pos_app.domain.paper import Bar, Fill
from pos_app.domain.views import DayProblem, FiguresRead
from pos_app.ui.charts.columns import Columns
from pos_app.ui.charts.fill import filled
from pos_app.ui.charts.level import Level
from pos_app.ui.charts.picture_card import PictureTable
from pos_app.ui.dialogs.day.pictures import DayPictures
from pos_app.ui.theme.theme import tokens
from tests.support.day_figures import FIGURES
from tests.support.published import config
from tests.unit.ui.dialog_cases import Key, faults, focused, press, settle, shown

NAMES = ["takings", "methods", "success", "waiting", "not_paid", "late"]


class Look:
    """The panel over a window, and what it wanted."""

    def __init__(self, qtbot: QtBot, width: int = 1040, **stage: object) -> None:
        self.panel = DayPictures(config(), 12, has_printer=True)
        self.wanted: list[int] = []
        self.printed: list[int] = []
        self.panel.wanted.connect(self.wanted.append)
        self.panel.print_wanted.connect(self.printed.append)
        self.host = shown(qtbot, self.panel, width=width, **stage)  # type: ignore[arg-type]
        self.panel.read()

    def take(self, figures: DayFigures = FIGURES) -> None:
        """The engine's answer."""
        self.panel.take(FiguresRead(request_id="f", figures=figures))
        settle()

    @property
    def names(self) -> list[str]:
        """Of the cards, in their order."""
        return [card.picture.name for card in self.panel.wall.cards]


@pytest.mark.parametrize(
    ("size", "width"),
    [((1024, 768), 1040), ((1920, 1080), 1040), ((1920, 1080), 1600), ((360, 740), 340), ((800, 600), 760)],
)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_at_any_size(qtbot: QtBot, size: tuple[int, int], width: int, theme: str) -> None:
    """As pictures and as tables."""
    look = Look(qtbot, width=width, size=size, theme=theme)
    look.take()
    assert faults(look.panel) == []
    look.panel.table_button.click()
    settle()
    assert faults(look.panel) == []
    for table in look.panel.findChildren(PictureTable):
        across = sum(table.columnWidth(at) for at in range(table.columnCount()))
        # On a phone's width it is drawn sideways.
        assert across <= table.viewport().width() or width == 340, table.objectName()
        assert table.verticalHeader().length() <= table.viewport().height(), table.objectName()


def test_it_reads_the_open_day_first_and_then_what_is_chosen(qtbot: QtBot) -> None:
    look = Look(qtbot)
    assert (look.wanted, look.panel.said.text()) == ([0], "Reading…")
    assert not look.panel.print_button.isEnabled()
    look.take()
    assert look.names == NAMES
    assert look.panel.said.text() == "Z 12 · Day of 2025-11-21" or "21 Nov" in look.panel.said.text()
    look.panel.which.box.setFocus()
    press(Key.Key_Down)
    assert look.panel.which.text() == "12"
    assert look.wanted == [0, 12]
    look.panel.print_button.click()
    assert look.printed == [12]
    with qtbot.waitSignal(look.panel.closed):
        press(Key.Key_Escape)


def test_a_problem_is_said_and_leaves_what_is_there(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.panel.take(FiguresRead(request_id="f", problem=DayProblem.NO_SUCH_Z))
    assert look.panel.said.text() == "There is no such report."
    look.panel.take(FiguresRead(request_id="f", problem=DayProblem.CANNOT_READ))
    assert look.panel.said.text().startswith("The record cannot be read")
    assert not look.panel.print_button.isEnabled()


def test_pictures_that_did_not_come_leave_the_choice_with_those_that_stand_there(qtbot: QtBot) -> None:
    """They stood below another day's name, and it was that day's that was printed."""
    look = Look(qtbot)
    look.take(replace(FIGURES, number=0))
    look.panel.which.box.setFocus()
    press(Key.Key_Down)
    assert look.wanted == [0, 12]
    look.panel.take(FiguresRead(request_id="f", problem=DayProblem.CANNOT_READ))
    assert look.panel.said.text().startswith("The record cannot be read")
    assert look.panel.which.text() == "0"
    look.panel.print_button.click()
    assert (look.printed, look.wanted) == ([0], [0, 12])


def test_every_number_is_in_a_table_that_the_keys_walk_through(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.take()
    look.panel.table_button.click()
    settle()
    assert look.panel.table_button.text() == "As pictures"
    tables = {each.objectName(): each for each in look.panel.findChildren(PictureTable)}
    assert set(tables) == {f"table_{name}" for name in NAMES}
    takings = tables["table_takings"]
    heads = [takings.model().headerData(at, Qt.Orientation.Horizontal) for at in range(takings.columnCount())]
    assert heads == ["Hour", "Taken", "Payments", "A week\nbefore"]
    assert takings.model().index(0, 1).data() == "LKR 1,000.00"
    takings.setFocus()
    settle()
    edge = takings.viewport().grab().toImage()
    ringed = {edge.pixelColor(edge.width() // 2, at).name() for at in range(4)}
    # Its cell's own ground is a tint that few eyes tell from the paper's.
    assert tokens().focus.lower() in ringed
    press(Key.Key_Down)
    press(Key.Key_Right)
    assert focused() is takings
    assert takings.currentRow() == 1
    look.panel.table_button.click()
    settle()
    assert not takings.isVisible()


def test_another_day_takes_the_place_of_the_one_before(qtbot: QtBot) -> None:
    """And stays a table where tables are looked at; a day without a sale says so in each."""
    look = Look(qtbot)
    look.take()
    look.panel.table_button.click()
    empty = DayFigures(
        number=0, business_date="2025-11-22", currency="LKR", environment="live", began="", ended=""
    )
    look.take(empty)
    assert look.names == NAMES
    said = [each.text() for each in look.panel.findChildren(QLabel) if each.isVisible()]
    assert said.count("Nothing yet.") == 6
    look.take()
    assert all(card.table.isVisible() for card in look.panel.wall.cards)


def test_each_card_is_heard_with_its_first_numbers(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.take()
    said = look.panel.wall.cards[1].accessibleName()
    assert said == "By method. QR code LKR 26,300.50 3 99 %; Phone LKR 100.00 1 1 %"


def inked(image: QImage, at: QPoint) -> bool:
    """Whether a bar is there."""
    return image.pixelColor(at) == QColor(tokens().primary)


def runs(image: QImage, row: int) -> list[int]:
    """How many points of bars follow one another on a row, from the left."""
    found, length = [], 0
    for column in range(image.width()):
        if inked(image, QPoint(column, row)):
            length += 1
        elif length:
            found.append(length)
            length = 0
    return [*found, length] if length else found


@pytest.mark.parametrize("from_right", [False, True])
def test_columns_are_as_high_as_their_shares(qtbot: QtBot, from_right: bool) -> None:
    """Read back from the picture; where lines begin at the right the first hour stands there."""
    widget = Columns()
    qtbot.addWidget(widget)
    widget.setLocale(QLocale("en"))
    widget.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
    )
    widget.resize(QSize(400, 200))
    shares = (1.0, 0.5, 0.25, 0.0)
    widget.show_bars(tuple(Bar(f"{at:02d}", "", ((Fill.SOLID, share),)) for at, share in enumerate(shares)))
    image = widget.grab().toImage()
    slot = image.width() // 4
    heights = []
    for at in range(4):
        middle = at * slot + slot // 2
        heights.append(sum(inked(image, QPoint(middle, row)) for row in range(image.height())))
    if from_right:
        heights.reverse()
    assert heights[0] > 100 * image.devicePixelRatio()
    assert heights[1] == pytest.approx(heights[0] / 2, abs=2)
    assert heights[2] == pytest.approx(heights[0] / 4, abs=2)
    assert heights[3] == 0


def test_what_is_behind_is_seen_where_it_is_shorter_too(qtbot: QtBot) -> None:
    """Its edges stand out at both sides of the bar before it."""
    widget = Columns()
    qtbot.addWidget(widget)
    widget.resize(QSize(100, 200))
    widget.show_bars((Bar("09", "", ((Fill.BEHIND, 0.5), (Fill.SOLID, 1.0))),))
    image = widget.grab().toImage()
    lengths = runs(image, image.height() - 60)
    assert len(lengths) == 3
    assert lengths[1] > lengths[0]
    assert lengths[1] > lengths[2]


@pytest.mark.parametrize("said", ["8k", "800,000,000k"])
def test_a_number_stands_on_what_it_counts_and_not_on_what_is_behind(qtbot: QtBot, said: str) -> None:
    """It was above last week's outline, where that was higher, and read as last week's."""
    shares = ((Fill.BEHIND, 1.0), (Fill.SOLID, 0.25))
    images = []
    for text in (said, ""):
        widget = Columns()
        qtbot.addWidget(widget)
        widget.resize(QSize(60, 300))
        # Its neighbour keeps the same room for numbers above both.
        widget.show_bars((Bar("09", text, shares), Bar("10", said, ())))
        images.append(widget.grab().toImage())
    first, without = images
    rows = [
        row
        for row in range(first.height())
        if any(first.pixel(at, row) != without.pixel(at, row) for at in range(first.width() // 2))
    ]
    middle = first.width() // 4
    bar = [row for row in range(first.height() // 2, first.height()) if inked(without, QPoint(middle, row))]
    assert rows[-1] < bar[0] <= rows[-1] + 8 * first.devicePixelRatio()


def test_the_parts_of_a_whole_fill_it(qtbot: QtBot) -> None:
    """Side by side; a part of one in a thousand is still seen."""
    widget = Level(((Fill.SOLID, 0.999), (Fill.HATCHED, 0.001)), 30, side_by_side=True)
    qtbot.addWidget(widget)
    widget.resize(QSize(400, 30))
    image = widget.grab().toImage()
    assert sum(runs(image, image.height() // 2)) == pytest.approx(image.width(), abs=4)


@pytest.mark.parametrize("fill", list(Fill))
@pytest.mark.usefixtures("qtbot")
def test_fills_are_told_apart_in_black_and_white(fill: Fill) -> None:
    """By how much of them is ink: all, more or less of it inside, or the edge alone."""
    image = QImage(QSize(60, 60), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    filled(painter, QRectF(10, 10, 40, 40), fill, QColor("black"), QColor("white"))
    filled(painter, QRectF(5, 5, 0, 40), fill, QColor("black"), QColor("white"))
    painter.end()
    black = sum(image.pixelColor(x, y) == QColor("black") for x in range(14, 46) for y in range(14, 46))
    share = black / 32**2
    least, most = {
        Fill.SOLID: (1.0, 1.0),
        Fill.HATCHED: (0.1, 0.24),
        Fill.CROSSED: (0.25, 0.5),
        Fill.OPEN: (0.0, 0.0),
        Fill.BEHIND: (0.0, 0.0),
    }[fill]
    assert least <= share <= most
    assert image.pixelColor(10, 30) == QColor("black")
    assert image.pixelColor(5, 30) == QColor("white"), "without room nothing is drawn"
