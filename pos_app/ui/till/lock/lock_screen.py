"""Keeps the till out of sight while it is locked or nobody is at it, and locks it when nobody touches it.

It decides nothing about who may do what: the engine does, and says so in Terminal.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.staff import Lock
from pos_app.domain.views import Block, SignIn, Terminal
from pos_app.ui.post import Post
from pos_app.ui.till.lock.idle import IdleWatch
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.sign_in.panel import SignInPanel
    from pos_app.ui.till.lock.cover import Cover


class LockScreenController(QObject):
    """`take_terminal` first, then show what is new, then `let_go`: nothing is seen of what is not meant to be.

    `changed`: the cover went up or down. `language_wanted(code)`: at the sign-in.
    """

    changed = Signal()
    language_wanted = Signal(str)

    def __init__(self, window: QWidget, body: QWidget, config: TillViewConfig, post: Post) -> None:
        super().__init__(window)
        self._window = window
        self._body = body
        self._config = config
        self._post = post
        self._terminal = Terminal()
        self._cover: Cover | None = None
        self._panel: SignInPanel | None = None
        self._panel_is_for = ""
        self._wanted = False
        self._names_first = False
        self.had_keyboard: QWidget | None = None
        """What of the till had it when that was covered: Qt forgets it where nothing may be typed."""
        self.watch = IdleWatch(config.lock_after_s, self)
        self.watch.idle.connect(self._was_idle)
        self.watch.start()

    @property
    def is_up(self) -> bool:
        """Whether the till is covered."""
        return self._panel is not None

    @property
    def overlay(self) -> OverlayHost | None:
        """What has the keyboard while the till is covered."""
        return self._cover.overlay if self._cover is not None and self.is_up else None

    def take_terminal(self, terminal: Terminal) -> None:
        """Covers the till at once where it must be."""
        self._terminal = terminal
        self._wanted = self._wanted and terminal.signed_in is None
        self.watch.hold(_waits_for_a_customer(terminal))
        if self._is_needed:
            self._put_up()
        elif not self._config.sign_in_required and self._goes_on():
            self._let_give_up()
        if self._panel is not None:
            self._panel.set_people(terminal.people, terminal.sessions)
            if self._cover is not None:
                self._cover.show_terminal(terminal)

    def let_go(self) -> None:
        """Uncovers the till where it may be."""
        if self.is_up and not self._is_needed and not self._wanted:
            self._take_down()

    def take_sign_in(self, seen: SignIn) -> None:
        """What the engine says of the sign-in."""
        if self._panel is not None:
            self._panel.receive(seen)

    def lock(self) -> None:
        """F9: whoever is signed in goes away for a moment."""
        if self._terminal.signed_in is not None and not self.is_up:
            self._post(Lock())

    def switch(self) -> None:
        """The same, and the next to come is somebody else."""
        self._names_first = True
        self.lock()

    def open_sign_in(self) -> None:
        """Nobody has to sign in just now, but somebody wants to."""
        if not self.is_up and self._terminal.signed_in is None:
            self._wanted = True
            self._put_up()
            if self._cover is not None:
                self._cover.show_terminal(self._terminal)

    def say_anew(self) -> None:
        """The language has changed: the sign-in begins again in it."""
        if self._panel is not None:
            self._put_up(anew=True)

    def stop(self) -> None:
        """The window goes."""
        self.watch.stop()

    @property
    def _is_needed(self) -> bool:
        terminal = self._terminal
        if terminal.signed_in is not None:
            return terminal.locked
        asked = self._config.sign_in_required and bool(terminal.people)
        return asked and terminal.block is not Block.STARTING

    def _goes_on(self) -> bool:
        """Whether somebody is signing in behind a lock whose session is over, and goes on with it.

        The code that is out, or the choice that is made, is theirs: another panel would lose it.
        """
        if self._panel is None or not self._panel_is_for or self._terminal.signed_in is not None:
            return False
        if not self._panel.let_go_on(self._terminal.sessions):
            return False
        self._panel_is_for = ""
        return True

    def _let_give_up(self) -> None:
        """Nobody has to sign in any more, but somebody is at it."""
        self._wanted = True
        if self._cover is not None and self._panel is not None:
            self._cover.overlay.let_close(self._panel, partial(self._was_given_up, self._panel))

    def _put_up(self, *, anew: bool = False) -> None:
        person = self._terminal.signed_in
        is_for = person.person_id if person is not None else ""
        if self._panel is not None and is_for == self._panel_is_for and not anew:
            return
        if not anew and self._goes_on():
            return
        from pos_app.ui.dialogs.sign_in.panel import SignInPanel
        from pos_app.ui.till.lock.cover import Cover

        if self._cover is None:
            self._cover = Cover(self._config)
            self._cover.hide()
            layout = self._window.layout()
            if layout is not None:
                layout.addWidget(self._cover)
        earlier = self._panel
        self._panel = SignInPanel(
            self._terminal.people, self._post, sessions=self._terminal.sessions, locked=person
        )
        # Queued: the panel is made anew then, and is in the middle of telling now.
        self._panel.language_wanted.connect(self.language_wanted, Qt.ConnectionType.QueuedConnection)
        self._panel_is_for = is_for
        if self._names_first:
            self._names_first = False
            self._panel.show_names()
        self._uncover_or_cover(covered=True)
        if earlier is not None:
            self._cover.overlay.close_panel(earlier)
        given_up = partial(self._was_given_up, self._panel) if self._wanted else None
        self._cover.overlay.open(self._panel, closable=self._wanted, on_close=given_up)
        self.changed.emit()

    def _take_down(self) -> None:
        panel, self._panel = self._panel, None
        self._names_first = False
        if self._cover is not None:
            self._cover.overlay.close_panel(panel)
        self._uncover_or_cover(covered=False)
        self.changed.emit()

    def _uncover_or_cover(self, *, covered: bool) -> None:
        # What is hidden and disabled can neither be seen nor get a key, whoever opens or focuses it meanwhile.
        if self._cover is None:
            return
        if covered and self._body.isEnabled():
            self.had_keyboard = self._body.focusWidget()
        self._body.setEnabled(not covered)
        first, then = (self._body, self._cover) if covered else (self._cover, self._body)
        first.hide()
        then.show()

    def _was_given_up(self, panel: SignInPanel) -> None:
        """Esc on a sign-in that nobody had to do; one that is made anew in another language is not given up."""
        if not self._wanted or self._panel is not panel:
            return
        self._wanted = False
        self._take_down()
        if self._is_needed:
            self._put_up()

    def _was_idle(self) -> None:
        if self._panel is not None:
            # Half a code or passcode is not left to whoever comes next.
            self._panel.begin()
        elif self._terminal.signed_in is not None:
            self._post(Lock(idle=True))


def _waits_for_a_customer(terminal: Terminal) -> bool:
    """Whether whoever is signed in has a payment under way that is not put aside; the engine judges alike."""
    person = terminal.signed_in
    return person is not None and any(
        not each.parked and each.released_at is None and each.owner == person.person_id
        for each in terminal.open
    )
