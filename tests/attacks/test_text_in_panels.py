"""Hostile texts in every panel and widget of the windows, the phone's too: found by walking, filled by type."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import resource
import time
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

import pos_app.gallery
import pos_app.training.coach
import pos_app.training.phone
import pos_app.ui
from pos_app.app.settings.picture import sections
from pos_app.domain.attempt import State
from pos_app.domain.paper import Bitmap, Paper
from pos_app.gallery.window import Gallery
from pos_app.training.phone.news import CodeOnScreen
from pos_app.ui.dialogs.people.staff_log import Told
from pos_app.ui.dialogs.people.staff_question import QuestionForm
from pos_app.ui.dialogs.settings.values import SettingPlace, SettingsPicture
from pos_app.ui.garbage import collect_what_is_due
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.theme import theme
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.long_rows import LongRows
from pos_app.ui.widgets.rows import Rows
from pos_app.ui.widgets.ticker import Ticker
from tests.attacks.filling import Filling, hints_of
from tests.attacks.hostile import WORST, unfit
from tests.support.published import change

TIMES = 4
"""So many times the processor that harmless words take; some panels are large by themselves."""
LEAST_S = 0.5
"""Below that it is too little to compare."""
LIMIT_KB = 96 * 1024
"""All that a test makes lives to its end: seven times all pages of the settings are 64 MiB of it."""
SCREEN = QSize(700, 600)
TALLEST = 20_000
"""A panel of many lines is scrolled; it does not grow with the length of one of them."""
BREAK = "\u200b"
CLOCKS = ("clock", "cover_clock")
"""A minute may turn between two pictures that have to be the same."""
TYPED = {"part", "phone_number"}
"""Fields that a person fills: what they typed stays as they typed it."""


class _Still(PaperWorker):
    """Draws nothing: what a paper makes of a text is tested with papers (tests/unit/ui/test_paper.py)."""

    def draw(self, key: str, paper: Paper, width: int) -> None:
        pass


ELSEWHERE: dict[type[QWidget], str] = {
    Rows: "paints no row itself; each list that does is here",
    LongRows: "paints no row itself; each list that does is here",
    Gallery: "shows our own exhibits alone, for whoever draws the till; it is given no text",
}
"""What cannot be filled, and why nothing is lost."""


def classes() -> list[type[QWidget]]:
    """Every widget class of the till and of the phone; a new one is here by itself."""
    found: set[type[QWidget]] = set()
    for package in (pos_app.ui, pos_app.gallery, pos_app.training.coach, pos_app.training.phone):
        for part in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not part.name.endswith("__main__"):
                mine = vars(importlib.import_module(part.name)).values()
                found |= {one for one in mine if _is_widget(one) and one.__module__ == part.name}
    return sorted(found - ELSEWHERE.keys(), key=lambda one: (one.__module__, one.__name__))


def _is_widget(one: Any) -> bool:
    return inspect.isclass(one) and issubclass(one, QWidget)


_ASKED = ("name", "number", "role", "language")
"""As many fields as the longest question about a person has: that about somebody new."""


def _with_examples(text: str) -> dict[str, tuple[SettingPlace, ...]]:
    """The settings' screen as it is laid out: keys are ours, what stands in an empty field may be anybody's."""
    return {
        section: tuple(each._replace(example=text) for each in places)
        for section, places in sections().items()
    }


GIVEN: dict[str, Any] = {
    "ResultPanel.show_change": lambda on: {
        "change": change(
            on.attempt().__class__(**_fields(on.attempt()) | {"state": State.PAID, "ended_at": 18_000})
        )
    },
    "CounterForm.fill": lambda on: {
        "texts": dict.fromkeys(("shop_name", "counter_id", "merchant_pg_identifier", "base_url"), on.text)
    },
    "SecretPart": lambda _on: {"name": "access_token"},
    "SettingsPage": lambda on: {"section": "shop", "places": _with_examples(on.text)["shop"]},
    "SettingsForm": lambda on: {"places": _with_examples(on.text)},
    "SettingsDialog": lambda on: {
        "picture": replace(on.value(SettingsPicture, "picture"), sections=_with_examples(on.text))
    },
    "_Lines.show_lines": lambda on: {"lines": [Told(*(clean(on.text, 200),) * 3)]},
    "StaffQuestion": lambda on: {
        "form": QuestionForm(
            {name: Field(on.text, name=name) for name in _ASKED}, lambda *_: on.text, on.text
        )
    },
    "ReportView": lambda _on: {"worker": _Still()},
    "PaperStrip.show_bitmap": lambda _on: {"bitmap": Bitmap(8, 2, b"\x0f\xf0")},
    "Icon": lambda _on: {"name": "lock"},
    "_Disc": lambda _on: {"size": 28},
    "PhoneWindow.take": lambda on: {"told": CodeOnScreen(on.text)},
}
"""What is to be shown by something else than its type says."""


_SHOW_NOTHING = ("ask", "paint_contents", "take_over", "type_over")
"""They paint, hand on what a person typed, or open what was made over another."""


def _fields(of: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in of.__struct_fields__}


def _showing(one: type[QWidget]) -> list[str]:
    """Its methods that are given something and answer nothing: what it is told to show."""
    found = []
    for name, method in inspect.getmembers(one, inspect.isfunction):
        ours = method.__module__.startswith("pos_app.") and not name.startswith(("_", "set_changeable"))
        takes = len(inspect.signature(method).parameters) > 1
        shows = not name.endswith(("Event", "event")) and name not in _SHOW_NOTHING
        # A list is filled by what is its own: `show_people`, `add`; its rows are painted when it is.
        lists = (each for each in (Rows, LongRows) if issubclass(one, each))
        own = not any(name in vars(each) for each in lists)
        if ours and own and takes and shows and hints_of(method).get("return") is type(None):
            found.append(name)
    return found


def made(one: type[QWidget], text: str, qtbot: QtBot) -> tuple[QWidget, Filling]:
    """A panel full of this text, shown everything it can be shown."""
    on = Filling(text)
    widget: QWidget = on.call(one, **GIVEN.get(one.__name__, lambda _on: {})(on))
    qtbot.addWidget(widget)
    for name in _showing(one):
        for key in (f"{one.__name__}.{name}", f"{one.__name__}.{name} "):
            if key in GIVEN or not key.endswith(" "):
                on.call(getattr(widget, name), **GIVEN.get(key, lambda _on: {})(on))
    return widget, on


def put_away(widget: QWidget, on: Filling) -> None:
    """With whatever was made for it; a thread is ended first."""
    widget.close()
    widget.deleteLater()
    for each in on.kept:
        if isinstance(each, QrEncoder):
            each.stop()
    # No loop runs here that would have it done.
    collect_what_is_due()


def picture(widget: QWidget) -> QImage:
    widget.resize(SCREEN)
    for field in (widget, *widget.findChildren(QLineEdit)):
        if isinstance(field, QLineEdit):
            field.home(False)
    for name in CLOCKS:
        if clock := widget.findChild(Ticker, name):
            clock.set_text("12:00")
    # In a window the rest of a tall one is scrolled to.
    seen = QRect(QPoint(0, 0), SCREEN)
    widget.grab(seen)
    return widget.grab(seen).toImage()


@pytest.fixture(autouse=True)
def no_stray_window() -> None:
    """Each part stands alone here, and its time is measured: without the guard that looks at every event."""


@pytest.fixture(autouse=True, scope="module")
def dressed(qapp: QApplication) -> None:
    theme.apply(qapp, "light")


def told(widget: QWidget) -> list[str]:
    """All that it says to eyes and screen readers, but for what a person typed."""
    said = [widget.windowTitle(), widget.toolTip(), widget.statusTip(), widget.whatsThis()]
    for part in (widget, *widget.findChildren(QWidget)):
        said += [part.accessibleName(), part.accessibleDescription(), part.toolTip(), part.windowTitle()]
        match part:
            case QLabel():
                assert part.textFormat() is Qt.TextFormat.PlainText
                assert not part.openExternalLinks()
                said.append(part.text().replace(BREAK, ""))
            case QLineEdit() | QPlainTextEdit():
                said.append(part.placeholderText())
            case QComboBox():
                said += [part.itemText(at) for at in range(part.count())]
            case QListWidget():
                for at in range(part.count()):
                    item = part.item(at)
                    roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole)
                    said += [item.text(), item.toolTip(), *(str(item.data(role) or "") for role in roles)]
    return said


@pytest.mark.parametrize(
    "one", classes(), ids=lambda one: f"{one.__module__.removeprefix('pos_app.')}.{one.__name__}"
)
def test_a_panel_says_and_draws_no_more_than_the_clean_text(qtbot: QtBot, one: type[QWidget]) -> None:
    """Same pixels, plain text, nothing disguised in any name, no way out; bounded size, time and memory."""
    start = time.process_time()
    harmless, more = made(one, "Corner", qtbot)
    picture(harmless)
    limit_s = TIMES * max(LEAST_S, time.process_time() - start)
    ways_out(harmless)
    put_away(harmless, more)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text in WORST:
        start = time.process_time()
        attacked, kept = made(one, text, qtbot)
        seen = picture(attacked)
        taken = time.process_time() - start
        plain, too = made(one, clean(text), qtbot)
        assert seen == picture(plain), ascii(text)[:60]
        assert [what for said in told(attacked) if (what := unfit(said))] == []
        tall = attacked.heightForWidth(700) if attacked.hasHeightForWidth() else attacked.sizeHint().height()
        assert tall < TALLEST, (ascii(text)[:60], tall)
        assert taken < limit_s, (ascii(text)[:60], taken)
        for widget, on in ((attacked, kept), (plain, too)):
            put_away(widget, on)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < LIMIT_KB


def ways_out(widget: QWidget) -> None:
    """A context menu, a drop, a link: each would lead out of a till that is locked to its one window."""
    for part in (widget, *widget.findChildren(QWidget)):
        name = f"{type(part).__name__} {part.objectName()!r}"
        assert not part.acceptDrops(), name
        assert not part.actions(), name
        if isinstance(part, QLineEdit):
            assert part.contextMenuPolicy() is Qt.ContextMenuPolicy.PreventContextMenu, name
            assert not part.dragEnabled(), name
        else:
            assert part.contextMenuPolicy() in (
                Qt.ContextMenuPolicy.PreventContextMenu,
                Qt.ContextMenuPolicy.NoContextMenu,
                Qt.ContextMenuPolicy.DefaultContextMenu,
            ), name
