"""Changes a till's settings while it works: asks the engine's leave, writes, and says what holds from now on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec
from PySide6.QtCore import QObject, Signal, Slot

from pos_app.app.background import Background
from pos_app.app.settings.dates import secrets_stored_on
from pos_app.app.settings.draft import Change, change_of, problems_with, secrets_with
from pos_app.app.settings.permit import Leave, Leaves
from pos_app.app.settings.picture import THIS_RUN, picture_of
from pos_app.app.settings.store import SettingsStore, StoreBusyError, StoreError, Undo
from pos_app.app.settings.texts import flat, problems_of, with_values
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.shop import Shop
from pos_app.domain.draining import DrainStep
from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import Act
from pos_app.domain.views import StaffAnswered, Terminal
from pos_app.engine.core.config import SettingsNotWritten
from pos_app.engine.core.mailbox import Message
from pos_app.i18n.words.settings import words
from pos_app.secrets import ShopSecrets
from pos_app.settings import Settings
from pos_app.system.updating import is_updating
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.settings.values import (
    Problems,
    ServicesSaid,
    SettingsCalls,
    SettingsDraft,
    SettingsPicture,
    SettingsSaved,
)

TellSaved = Callable[[SettingsSaved | Problems], None]


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A change that is stored, or holds for this run; `undo` as long as it may have to be taken back."""

    change: Change
    settings: Settings
    secrets: ShopSecrets
    granted: tuple[str, ...]
    who: str
    tell: TellSaved
    undo: Undo | None = None


class _Failed(msgspec.Struct, frozen=True):
    why: str
    granted: tuple[str, ...]
    who: str
    tell: TellSaved


class SettingsChanges(QObject):
    """`stored(Stored)`: whoever owns the till makes it hold, then calls `done`."""

    stored = Signal(object)
    _came = Signal(object)

    def __init__(
        self,
        shop: Shop,
        store: SettingsStore,
        post: Callable[[Message], None],
        terminal: Callable[[], Terminal],
    ) -> None:
        super().__init__()
        self._shop = shop
        self._store = store
        self._post = post
        self._terminal = terminal
        self._leaves = Leaves(post)
        self._busy = False
        self._changed_on = secrets_stored_on(shop.data_dir / JOURNAL)
        self._background = Background("settings")
        self._came.connect(self._take)

    def calls(self) -> SettingsCalls:
        """For the screen."""
        return SettingsCalls(lambda texts: problems_of(self._shop.settings, texts), self.test, self.save)

    def picture(self) -> SettingsPicture:
        """How things are now."""
        return picture_of(self._shop, self._changed_on)

    @property
    def who(self) -> str:
        """Under whose name a change that is begun now goes into the journal."""
        person = self._terminal().signed_in
        return person.person_id if person is not None else TERMINAL

    def hear(self, answer: StaffAnswered) -> None:
        """What the engine says; on the window's thread."""
        self._leaves.hear(answer)

    def save(self, draft: SettingsDraft, tell: TellSaved) -> None:
        """Checked again, allowed by the engine, then written; nothing half."""
        change = change_of(self._shop.settings, self.picture(), draft)
        busy = self._busy or self._leaves.busy
        problems = (FieldProblem("", words.BUSY),) if busy else self._problems(draft, change)
        if problems:
            tell(problems)
            return
        self._busy = True
        self._leaves.ask(change.acts(), change.reason, lambda leave: self._write(change, leave, tell))

    def _problems(self, draft: SettingsDraft, change: Change) -> Problems:
        return problems_with(self._shop.settings, draft, change, self._terminal())

    def _write(self, change: Change, leave: Leave, tell: TellSaved) -> None:
        # Whose leave it is: writing takes its time, and another may be at the till by its end.
        who = self.who
        if leave.problem:
            self._take(_Failed(words.not_permitted(leave.problem), leave.granted, who, tell))
        elif change.is_another_till and self._still_open(change):
            self._take(_Failed(words.OPENED_MEANWHILE, leave.granted, who, tell))
        elif change.is_another_till and self._is_closing:
            self._take(_Failed(words.UPDATING, leave.granted, who, tell))
        else:
            self._background.run(lambda: self._came.emit(self._written(change, leave, who, tell)))

    @property
    def _is_closing(self) -> bool:
        """Neither the new till nor this one again could be begun until the update is over; and one that was begun
        would know nothing of whoever waits for this one to close: it would sell."""
        return is_updating() or self._terminal().drain.step in (DrainStep.CLOSING, DrainStep.DRAINED)

    def _still_open(self, change: Change) -> Problems:
        """What is in its way now, whatever is typed: payments that belong to this till."""
        return self._problems(SettingsDraft(values={}, reason=change.reason), change)

    def _written(self, change: Change, leave: Leave, who: str, tell: TellSaved) -> Stored | _Failed:
        new = {name: value for name, (_, value) in change.values.items()}
        before, undo = self._shop.settings, None
        try:
            if self._shop.control is not None:
                settings = with_values(before, flat(before) | new)
                sources = settings.sources | dict.fromkeys(new, THIS_RUN)
                settings = msgspec.structs.replace(settings, sources=sources)
                secrets = self._shop.secrets
            else:
                environment = str(new.get("gateway.environment", before.gateway.environment.value))
                settings, secrets, undo = self._store.change(new, change.secrets, change.forget, environment)
        except StoreBusyError:
            return _Failed(words.BUSY, leave.granted, who, tell)
        except StoreError as error:
            return _Failed(words.NOT_SAVED.format(why=error), leave.granted, who, tell)
        return Stored(
            who=who,
            change=change,
            settings=settings,
            secrets=secrets,
            granted=leave.granted,
            tell=tell,
            undo=undo,
        )

    @Slot(object)
    def _take(self, came: Stored | _Failed) -> None:
        if isinstance(came, Stored):
            why = self._in_the_way(came)
            if why:
                self._take_back(came, why)
            else:
                self.stored.emit(came)
            return
        self._busy = False
        self._note_not_written(came)
        came.tell((FieldProblem("", came.why),))

    def done(self, stored: Stored, more: str = "") -> None:
        """It holds: the screen is told, if it is still there. `more`: what came of it otherwise than asked."""
        self._busy = False
        if stored.undo is not None:
            stored.undo.let_go()
        today = datetime.now().astimezone().date()
        self._changed_on |= dict.fromkeys(stored.change.secrets, today)
        stored.tell(SettingsSaved(self.picture(), self.said_of(stored, more)))

    def said_of(self, stored: Stored, more: str = "") -> str:
        """That it holds, in the language now spoken."""
        said = words.SAVED if stored.undo is not None else words.SAVED_FOR_THIS_RUN
        return f"{said} {more}".strip()

    def _in_the_way(self, stored: Stored) -> str:
        """Why what is stored cannot hold now, "" when it can: it makes another till of this one, by other hands in its
        file perhaps, which nobody was asked about; and writing took its time."""
        moved = stored.change.moves(self._shop.settings, stored.settings)
        if not moved:
            return ""
        if self._is_closing:
            return words.UPDATING
        problems = self._still_open(msgspec.structs.replace(stored.change, values=moved))
        return problems[0].text if problems else ""

    def _take_back(self, stored: Stored, why: str) -> None:
        """It was stored and cannot hold."""

        def work() -> None:
            if stored.undo is not None:
                stored.undo.put_back()
            self._came.emit(_Failed(why, stored.granted, stored.who, stored.tell))

        self._background.run(work)

    def _note_not_written(self, failed: _Failed) -> None:
        for request_id in failed.granted:
            self._post(SettingsNotWritten(request_id=request_id, who=failed.who, why=failed.why))

    def test(self, draft: SettingsDraft, tell: Callable[[ServicesSaid | Problems], None]) -> None:
        """Asks both services, with the engine's leave, as things would be."""
        busy = self._busy or self._leaves.busy
        problems = (FieldProblem("", words.BUSY),) if busy else problems_of(self._shop.settings, draft.values)
        if problems:
            tell(problems)
            return
        change = change_of(self._shop.settings, self.picture(), draft)

        def ask(leave: Leave) -> None:
            if leave.problem:
                tell((FieldProblem("", words.not_permitted(leave.problem)),))
            else:
                self._background.run(lambda: tell(self._tested(change)))

        self._leaves.ask([(Act.TEST_CONNECTION, change.tried())], change.reason or words.TEST, ask)

    def _tested(self, change: Change) -> ServicesSaid:
        from pos_app.app.connection_check import ask_both

        new = {name: value for name, (_, value) in change.values.items()}
        settings = with_values(self._shop.settings, flat(self._shop.settings) | new)
        secrets = secrets_with(self._shop.secrets, change)
        if self._shop.hears_of_secrets is not None:
            # No log holds a secret that is only being tried, either.
            self._shop.hears_of_secrets(secrets)
        return ask_both(settings, secrets)

    def stop(self) -> None:
        """Waits for what is under way, a little."""
        self._background.stop()
