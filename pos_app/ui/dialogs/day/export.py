"""Payments as a file: which, what kind, and where to; a bar while it is written. It asks, and writes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QTimer, Signal

from pos_app.domain.day import date_in
from pos_app.domain.export import Format, News, Span, Wish, month
from pos_app.domain.search import Meant
from pos_app.i18n.words.export import words
from pos_app.system.sticks import Stick, sticks
from pos_app.ui.dialogs.day.closed_days import closed_days
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.parts.lines import LeftByEsc, button_row, column, heading, title_row
from pos_app.ui.theme.tokens import S3, TICK_MS
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.progress import Progress

MONTHS = 13
"""So many can be chosen here, this one first; of others the days are typed."""

_ALL, _DATES, _SHOWN = "all", "dates", "shown"
_LONGEST_NAME = 24


class ExportPanel(LeftByEsc):
    """`wanted(Wish)` when it is to be written, `stop_wanted` when not any more, `left` to go away.

    `show_news` what becomes of it. `find`: what is plugged in now, looked for as long as the panel stands.
    """

    wanted = Signal(object)
    stop_wanted = Signal()

    def __init__(
        self,
        folder: str,
        last_z: int,
        today: date,
        *,
        shown: Meant | None = None,
        which: str = "",
        find: Callable[[], list[Stick]] | None = None,
    ) -> None:
        """`folder`: the till's own for files. `shown`: what a view shows, to be chosen, too. `which`: a Z's number."""
        super().__init__()
        self.setObjectName("export")
        self._folder = folder
        self._find = find or sticks
        self._found: list[Stick] = []
        self._shown = shown
        self._today = today
        self._writing = False
        self.what = Choice(words.WHAT, "export_what", _options(last_z, today, has_shown=shown is not None))
        self.first = Field(words.FROM, "export_from", example=words.DATE_EXAMPLE)
        self.last = Field(words.TO, "export_to", example=words.DATE_EXAMPLE)
        self.kind = Choice(words.KIND, "export_kind", [(each.value, words.FORMAT[each]) for each in Format])
        self.where = Choice(words.WHERE, "export_where", self._places([]))
        self.numbers = Button(words.NUMBERS, name="export_numbers", role="chip")
        self.numbers.setCheckable(True)
        self.said = Label("", "body", "muted", wrap=True, name="export_said")
        self.path = Label("", "strong", wrap=True, name="export_path")
        self.bar = Progress("export_bar", words.WRITING)
        self.write = Button(words.WRITE, name="export_write", kind="primary")
        self.stop = Button(words.CANCEL, name="export_stop")
        self.close_button = Button(words.CLOSE, name="export_close", keycap="Esc")
        title = title_row(heading(words.TITLE, "export_title"), self.close_button)
        choices = (self.what, self.first, self.last, self.kind, self.where, self.numbers)
        column(
            self,
            title,
            *choices,
            self.said,
            self.path,
            self.bar,
            button_row(self.stop, self.write),
            spacing=S3,
        )
        if which:
            self.what.set_text(which)
        elif shown is not None:
            self.what.set_text(_SHOWN)
        self.what.edited.connect(self._choose)
        self.kind.edited.connect(self._choose)
        self.first.entered.connect(self.last.setFocus)
        self.last.entered.connect(self._want)
        self.numbers.clicked.connect(self._pick_numbers)
        self.write.clicked.connect(self._want)
        self.stop.clicked.connect(self.stop_wanted)
        self.close_button.clicked.connect(self.left)
        self.setFocusProxy(self.what.box)
        self._look = QTimer(self)
        self._look.setInterval(TICK_MS)
        self._look.timeout.connect(self._look_for_sticks)
        self._look.start()
        self._look_for_sticks()
        self._choose()
        self._show_writing(is_writing=False)

    def begin(self) -> None:
        """It is being written from now on."""
        self._tell(words.WRITING)
        self.path.hide()
        self.bar.show_share(0, 0)
        self._show_writing(is_writing=True)
        self.stop.setFocus()

    def show_news(self, news: News) -> None:
        """How far it is, or what became of it."""
        if not news.is_over:
            self.bar.show_share(news.done, news.most)
            return
        self._show_writing(is_writing=False)
        if news.exported is None:
            self._tell(words.TROUBLE.get(news.trouble, words.TROUBLE["other"]), "bad")
        else:
            told = words.DONE.of(news.exported.rows, sha=news.exported.sha256[:16])
            is_away = not news.exported.file.startswith(self._folder)
            self._tell(f"{told} {words.PULL_OUT}" if is_away else told, "ok")
            self.path.setText(clean(news.exported.file, DETAILS_LIMIT))
            self.path.show()
        self.close_button.setFocus()

    def _want(self) -> None:
        span = self._span()
        if span is None or self._writing:
            return
        self.wanted.emit(
            Wish(
                format=Format(self.kind.text()),
                folder=self.where.text(),
                span=span,
                among=self._shown if self.what.text() == _SHOWN else None,
                numbers=self.numbers.isChecked() and self.kind.text() != Format.LEDGER.value,
            )
        )

    def _span(self) -> Span | None:
        """What is chosen; None where a day that was typed is none."""
        what = self.what.text()
        if what == _DATES:
            return self._dates()
        if what in (_ALL, _SHOWN):
            return Span()
        return Span(z=int(what)) if what.isdecimal() else month(what)

    def _dates(self) -> Span | None:
        found = []
        for field in (self.first, self.last):
            field.clear_error()
            text = field.text().strip()
            try:
                found.append(date_in(text).isoformat() if text else "")
            except ValueError:
                field.show_error(words.BAD_DATE)
                return None
        if all(found) and found[0] > found[1]:
            self.last.show_error(words.BAD_ORDER)
            return None
        return Span(first=found[0], last=found[1])

    def _choose(self) -> None:
        for field in (self.first, self.last):
            field.setVisible(self.what.text() == _DATES)
        self._offer_kinds()
        self.numbers.setVisible(self.kind.text() != Format.LEDGER.value)

    def _offer_kinds(self) -> None:
        """A ledger is of whole days: what is left out of a view would be missing in the books."""
        kinds = [each for each in Format if each is not Format.LEDGER or self.what.text() != _SHOWN]
        if len(kinds) != self.kind.box.count():
            chosen = self.kind.text()
            self.kind.set_options([(each.value, words.FORMAT[each]) for each in kinds])
            self.kind.set_text(chosen if chosen in kinds else kinds[0])

    def _pick_numbers(self) -> None:
        self.numbers.set_kind("picked" if self.numbers.isChecked() else "plain")

    def _show_writing(self, *, is_writing: bool) -> None:
        self._writing = is_writing
        for part in (self.what, self.first, self.last, self.kind, self.where, self.numbers, self.write):
            part.setEnabled(not is_writing)
        self.bar.setVisible(is_writing)
        self.stop.setVisible(is_writing)
        if not is_writing:
            self.path.setVisible(False)

    def _look_for_sticks(self) -> None:
        found = self._find()
        if found != self._found and not self._writing:
            self._found = found
            chosen = self.where.text()
            places = self._places(found)
            self.where.set_options(places)
            self.where.set_text(chosen if chosen in dict(places) else places[0][0])

    def _places(self, found: Sequence[Stick]) -> list[Option]:
        own = (self._folder, words.HERE.format(folder=clean(self._folder, DETAILS_LIMIT)))
        return [
            own,
            *((str(each.folder), words.STICK.format(name=clean(each.name, _LONGEST_NAME))) for each in found),
        ]

    def _tell(self, text: str, tone: str = "muted") -> None:
        self.said.set_tone(tone)
        self.said.setText(text)


def _options(last_z: int, today: date, *, has_shown: bool) -> list[Option]:
    months = []
    year, number = today.year, today.month
    for _ in range(MONTHS):
        text = f"{year:04d}-{number:02d}"
        months.append((text, words.MONTH.format(month=text)))
        year, number = (year, number - 1) if number > 1 else (year - 1, 12)
    zs = closed_days(last_z, words.Z)
    shown = [(_SHOWN, words.SHOWN)] if has_shown else []
    return [*shown, *months, *zs, (_DATES, words.DATES), (_ALL, words.ALL)]
