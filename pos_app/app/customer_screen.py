"""The customer's screen beside a till: made of the settings, and anew when they change. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pos_app.app.view_config import customer_face_of
from pos_app.settings import Settings
from pos_app.ui.view_config import TillViewConfig

if TYPE_CHECKING:
    from pos_app.ui.customer.screen import CustomerScreen
    from pos_app.ui.till.window.main_window import MainWindow


class CustomerScreens:
    """`begin` with the window that is on, once it is shown; again with another window or other settings."""

    def __init__(self) -> None:
        self.screen: CustomerScreen | None = None
        self._made_of: tuple[TillViewConfig, str, MainWindow] | None = None

    def make_room(self, settings: Settings, window: MainWindow) -> None:
        """Before the till is shown for the first time: a display that is named the customer's is not the till's."""
        wanted = settings.customer_display.name
        if wanted:
            from pos_app.ui.customer.displays import display_for_till

            window.setScreen(display_for_till(wanted))

    def begin(self, settings: Settings, window: MainWindow) -> None:
        """Follows this window; what is shown stays where nothing of it has changed."""
        # Loaded here: the till's own first paint does not wait for it.
        from pos_app.i18n.languages import words_in
        from pos_app.i18n.words.customer import CustomerWords
        from pos_app.ui.customer.screen import CustomerScreen

        config, wanted = customer_face_of(settings), settings.customer_display.name
        made_of = (msgspec.structs.replace(config, theme=""), wanted, window)
        if made_of == self._made_of:
            return
        last = self.screen.last if self.screen is not None else None
        self.stop()
        self._made_of = made_of
        self.screen = CustomerScreen(config, words_in(CustomerWords, config.language), wanted, window)
        if last is not None:
            self.screen.take(*last)

    def stop(self) -> None:
        """The screen goes, and its window with it."""
        screen, self.screen, self._made_of = self.screen, None, None
        if screen is not None:
            screen.stop()
            screen.deleteLater()
