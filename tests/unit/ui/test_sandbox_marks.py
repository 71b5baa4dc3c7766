"""A picture of the sandbox is no proof of a payment: the word stands inside it, however it is cut, moved or said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QColor, QImage, QMoveEvent
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.domain.attempt import Environment
from pos_app.gallery.exhibit import Stand
from pos_app.gallery.payments import RESULTS, WAITING
from pos_app.gallery.sections import sections
from pos_app.i18n.words.band import words
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.widgets import band
from pos_app.ui.widgets.band import MOST, KeptOnScreen, SandboxBand, SandboxMark
from pos_app.ui.widgets.label import Label
from tests.support.driver import ticking
from tests.support.published import config, terminal
from tests.unit.ui.customer_cases import VIEWS, Shown

LANGUAGES = ("en", "si", "ta", "ar")
SIZES = [(1024, 768), (1366, 768)]


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    theme.apply(qapp, "light")


def window_of(qtbot: Any, **more: Any) -> MainWindow:
    """The till's window, on which nothing is posted anywhere."""
    made = MainWindow(config(**more), lambda _command: None)
    qtbot.addWidget(made, before_close_func=lambda _window: made.objectName())
    return made


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def mark_in(part: QWidget) -> SandboxMark:
    """The one mark in it that can be seen."""
    (found,) = [each for each in part.findChildren(SandboxMark) if each.isVisible()]
    return found


def room_in(part: QWidget, around: QWidget) -> QRect:
    return QRect(part.mapTo(around, QPoint()), part.size())


def panels_of(window: MainWindow) -> Panels:
    found = window.findChild(Panels, "panel")
    assert found is not None
    return found


def named(inside: QWidget, name: str) -> Any:
    """The part with this name."""
    (found,) = inside.findChildren(QWidget, name)
    return found


def amber_share(picture: QImage, room: QRect) -> float:
    """How much of a room of a picture is painted in the mark's ground."""
    ratio = picture.devicePixelRatio()
    ground = QColor(theme.tokens().sandboxstripe).rgb()
    xs = range(round(room.left() * ratio), round((room.right() + 1) * ratio), 2)
    ys = range(round(room.top() * ratio), round((room.bottom() + 1) * ratio), 2)
    seen = [picture.pixelColor(x, y).rgb() == ground for x in xs for y in ys]
    return sum(seen) / len(seen)


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_of_the_panel_alone_says_it(
    app: QApplication, qtbot: Any, language: str, size: tuple[int, int], colours: str
) -> None:
    """What a customer would be shown: PAID and an amount, cut out of the screen without its band."""
    theme.apply(app, colours)
    set_language(language)
    window = window_of(qtbot, language=language)
    window.resize(*size)
    window.show()
    window.receive(terminal())
    panels = panels_of(window)
    for name in ("paid", "crossed", "large", "late-payment", "not-known", "rejected"):
        panels.show_change(RESULTS[name], halted=False)
        settle()
        result = panels.result
        assert result is not None
        mark = mark_in(result)
        assert mark.text_fits(), name
        assert mark.accessibleName() == words.SANDBOX
        assert mark.visibleRegion().boundingRect() == mark.rect(), f"{name}: it is covered"
        picture = panels.grab().toImage()
        assert amber_share(picture, room_in(mark, panels)) > 0.35, name
        tops = [
            room_in(part, panels)
            for part in (named(result, "result_headline"), mark, named(result, "result_amount"))
        ]
        assert tops[0].bottom() <= tops[1].top() <= tops[1].bottom() <= tops[2].top(), name
        assert words.SHORT in named(result, "result_facts").text()
        assert words.SHORT in result.accessibleName()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_running_payment_says_it_above_the_amount(app: QApplication, qtbot: Any, language: str) -> None:
    theme.apply(app, "light")
    set_language(language)
    window = window_of(qtbot, language=language)
    window.resize(1366, 768)
    window.show()
    for name in ("waiting", "waiting-push"):
        panels_of(window).show_change(WAITING[name], halted=False)
        settle()
        waiting = panels_of(window).waiting
        assert waiting is not None
        mark = mark_in(waiting)
        assert mark.text_fits()
        below = room_in(named(waiting, "waiting_amount"), waiting)
        assert 0 <= below.top() - room_in(mark, waiting).bottom() < 16
        assert named(waiting, "waiting_sale").text().endswith("0123")


@pytest.mark.usefixtures("app")
def test_a_real_till_says_nothing_of_it(qtbot: Any) -> None:
    window = window_of(qtbot, environment=Environment.LIVE)
    window.show()
    for name in ("paid", "unresolved"):
        panels_of(window).show_change(RESULTS[name], halted=False)
    panels_of(window).show_change(WAITING["waiting"], halted=False)
    settle()
    assert window.findChildren(SandboxMark) == []
    assert window.findChildren(SandboxBand) == []
    assert window.findChildren(KeptOnScreen) == []
    texts = [part.text() for part in window.findChildren(Label)]
    assert not any("SANDBOX" in text for text in (*texts, window.windowTitle()))


def test_the_title_begins_with_it_in_the_language_that_is_spoken(app: QApplication, qtbot: Any) -> None:
    window = window_of(qtbot)
    assert app is not None
    window.show()
    titles = {window.windowTitle()}
    for language in LANGUAGES[1:]:
        window.receive(terminal())
        window.speak(language)
        assert window.windowTitle().startswith(words.SANDBOX)
        titles.add(window.windowTitle())
    assert len(titles) == len(LANGUAGES)


@pytest.mark.usefixtures("app")
def test_neither_band_nor_mark_can_be_hidden(qtbot: Any) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    for part in (SandboxBand(room), SandboxMark(room)):
        part.hide()
        assert not part.isHidden()
        part.setVisible(False)
        assert not part.isHidden()


@pytest.mark.parametrize("size", [(1024, 600), (600, 1024), (1920, 1080)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_customer_sees_it_at_the_amount(
    app: QApplication, qtbot: Any, language: str, size: tuple[int, int]
) -> None:
    theme.apply(app, "light")
    set_language(language)
    on = Shown(qtbot, config(language=language), CustomerWords(), size)
    assert on.window.windowTitle().startswith(words.SANDBOX)
    for view in VIEWS:
        on.show(view)
        settle()
        mark = mark_in(on.window)
        assert mark.text_fits(), view
        assert on.window.rect().contains(mark.geometry()), view
        assert mark.visibleRegion().boundingRect() == mark.rect(), view
        seen = [each for each in on.parts() if each.text() and each is not mark]
        assert not [each.objectName() for each in seen if each.geometry().intersects(mark.geometry())], view
        amount = named(on.window, "customer_amount")
        if amount.text():
            assert amount.geometry().top() - mark.geometry().bottom() == 1, view
    assert on.cut() == []


def test_every_exhibit_of_the_gallery_says_it(app: QApplication) -> None:
    """Each by itself: a picture is made of each."""
    assert app is not None
    encoder = QrEncoder()
    try:
        for section, exhibits in sections(encoder).items():
            for exhibit in exhibits:
                stand = Stand(exhibit)
                marks = [*stand.findChildren(SandboxMark), *stand.findChildren(SandboxBand)]
                assert marks, f"{section}/{exhibit.name}"
                stand.deleteLater()
    finally:
        encoder.stop()


@pytest.fixture
def small(app: QApplication, qtbot: Any) -> QWidget:
    """A window with a band, which its screen has room for."""
    assert app is not None
    made = QWidget()
    made.setWindowTitle("small")
    SandboxBand(made).setFixedWidth(400)
    made.resize(400, 300)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("off", [(100, -28), (-60, 50), (700, 100), (100, 790), (5_000, 5_000)])
def test_a_window_moved_over_the_edge_comes_back_whole(
    qtbot: Any, small: QWidget, off: tuple[int, int]
) -> None:
    screen = small.screen().geometry()
    small.move(*off)
    qtbot.waitUntil(lambda: screen.contains(small.frameGeometry()))
    wanted = small.pos()
    small.move(wanted + QPoint(-5, -5) if wanted.x() and wanted.y() else QPoint(5, 5))
    settle()
    assert screen.contains(small.frameGeometry()), "on the screen it stands where its user puts it"


@pytest.mark.usefixtures("app")
def test_the_till_itself_moved_up_by_its_band_comes_back(qtbot: Any) -> None:
    window = window_of(qtbot)
    window.show()
    window.move(window.x(), -28)
    assert window.y() < 0
    qtbot.waitUntil(lambda: window.frameGeometry().top() >= 0)


class Stubborn(QObject):
    """A window manager that has its own opinion."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self.undone = 0
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: Any) -> bool:
        """Up again, whoever moved it down."""
        if isinstance(event, QMoveEvent) and event.pos().y() >= 0:
            self.undone += 1
            QTimer.singleShot(0, lambda: self.window.move(100, -28))
        return False


def test_no_argument_with_a_window_manager(
    qtbot: Any, small: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is brought back some times, and then stands where the other wants it: the panel's own mark is there."""
    # It is undone at once, however long the machine takes for that.
    monkeypatch.setattr(band, "AT_ONCE_S", float("inf"))
    stubborn = Stubborn(small)
    small.move(100, -28)
    (keeper,) = small.findChildren(KeptOnScreen)
    qtbot.waitUntil(lambda: stubborn.undone == MOST and small.y() < 0)
    qtbot.waitUntil(lambda: not ticking(keeper))
    assert stubborn.undone == MOST
    assert small.y() < 0
