"""Opens what is not the till itself: sign-in, open payments, settings, help. Built when first wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.views import AttemptChanged, Block, SignIn, Terminal
from pos_app.domain.wishes import SignOut, Wish
from pos_app.ui.face import Face
from pos_app.ui.till.asking import Asking
from pos_app.ui.till.desk import Desk
from pos_app.ui.widgets.overlay import OverlayHost
from pos_app.ui.words.table import Words

if TYPE_CHECKING:
    from pos_app.ui.dialogs.open_payments import OpenPayments
    from pos_app.ui.dialogs.sign_in import SignInPanel

SettingsDoor = Callable[[Callable[[], None]], QWidget]
"""Makes the settings' panel; it calls what it is given when it is to be closed."""

_WIDE = 860


class Doors(QObject):
    """One of each at a time. `attempt_wanted(attempt_id)`: the list of open payments wants its panel."""

    attempt_wanted = Signal(str)

    def __init__(
        self,
        overlay: OverlayHost,
        face: Face,
        words: Words,
        desk: Desk,
        asking: Asking,
        post: Callable[[Wish], None],
        settings: SettingsDoor | None,
    ) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._face = face
        self._words = words
        self._desk = desk
        self._asking = asking
        self._post = post
        self._settings = settings
        self._sign_in: SignInPanel | None = None
        self._payments: OpenPayments | None = None

    def take_terminal(self, terminal: Terminal) -> None:
        """Ask for sign-in when nobody is, take it away when somebody is."""
        needed = self._face.sign_in_required and terminal.signed_in is None and bool(terminal.people)
        if needed and terminal.block is not Block.STARTING:
            self.open_sign_in(closable=False)
        elif terminal.signed_in is not None and self._sign_in is not None:
            self._overlay.close_panel(self._sign_in)
        if self._sign_in is not None:
            self._sign_in.set_people(terminal.people)
        if self._payments is not None:
            self._payments.receive(terminal)

    def take_sign_in(self, seen: SignIn) -> None:
        """What the engine says of the sign-in."""
        if self._sign_in is not None:
            self._sign_in.receive(seen)

    def person_touched(self) -> None:
        """Sign in, or (asked once) out."""
        person = self._desk.person
        if person is None:
            self.open_sign_in(closable=True)
            return
        said = self._words.bar
        self._asking.ask(
            said.sign_out.format(name=person.name),
            said.sign_out_more,
            said.sign_out_yes,
            self._words.ask.go_back,
            lambda: self._post(SignOut()),
        )

    def open_sign_in(self, *, closable: bool) -> None:
        """The list of names."""
        if self._sign_in is not None:
            return
        from pos_app.ui.dialogs.sign_in import SignInPanel

        self._sign_in = SignInPanel(self._desk.terminal.people, self._post)
        self._overlay.open(self._sign_in, closable=closable, on_close=self._sign_in_closed)

    def open_settings(self) -> None:
        """For managers; the settings' dialog itself says what may be changed."""
        if self._settings is None or self._overlay.top is not None:
            return
        panel: list[QWidget] = []
        panel.append(self._settings(lambda: self._overlay.close_panel(panel[0])))
        self._overlay.open(panel[0], width=_WIDE)

    def open_details(self, attempt: Attempt) -> None:
        """One payment of the strip."""
        from pos_app.ui.till.payment_details import PaymentDetails

        details = PaymentDetails(attempt, self._face, self._words)
        details.shut.connect(lambda: self._overlay.close_panel(details))
        self._overlay.open(details)

    def open_payments(self) -> None:
        """F8: what is open and what needs a person."""
        if self._payments is not None or self._overlay.top is not None:
            return
        from pos_app.ui.dialogs.open_payments import OpenPayments

        listed = OpenPayments(self._face, self._post, self._desk.terminal)
        for change in self._desk.changes():
            listed.receive(change)
        listed.closed.connect(lambda: self._overlay.close_panel(listed))
        listed.opened.connect(self._open_listed)
        self._payments = listed
        self._overlay.open(listed, width=_WIDE, on_close=self._payments_closed)

    def open_help(self) -> None:
        """F1: the keys."""
        if self._overlay.top is not None:
            return
        from pos_app.ui.dialogs.help import Help

        shown = Help(self._words)
        shown.closed.connect(lambda: self._overlay.close_panel(shown))
        self._overlay.open(shown)

    def take_change(self, change: AttemptChanged) -> None:
        """For the list of open payments."""
        if self._payments is not None:
            self._payments.receive(change)

    def _open_listed(self, attempt_id: str) -> None:
        self._overlay.close_panel(self._payments)
        self.attempt_wanted.emit(attempt_id)

    def _payments_closed(self) -> None:
        self._payments = None

    def _sign_in_closed(self) -> None:
        self._sign_in = None
