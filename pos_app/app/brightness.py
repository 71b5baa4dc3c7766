"""A code is shown on a screen as bright as it gets. Loaded with the first code; nothing waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pos_app.devices.backlight import Backlight


class Brightness:
    """Told which code can be scanned from the till's screen."""

    def __init__(self) -> None:
        self._backlight: Backlight | None = None

    def follow(self, code: str) -> None:
        """Bright for a code; "" as it was before."""
        if self._backlight is None:
            if not code:
                return
            from pos_app.devices.backlight import Backlight

            self._backlight = Backlight()
        self._backlight.want(full=bool(code))

    def stop(self) -> None:
        """As it was before."""
        if self._backlight is not None:
            self._backlight.stop()
