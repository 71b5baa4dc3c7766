"""Files of payments from the window, once a manager's Permit for one was given; written beside the till at work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pos_app.app.background import Background
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.shop import Shop
from pos_app.domain.export import NOT_READ, STOPPED, Door, Exported, News, Wish, file_name, other_names
from pos_app.system.atomic_file import WriteTrouble, write_trouble
from pos_app.system.sticks import sticks

TELL_EVERY_S = 0.1
"""Often enough for a bar, and seldom enough for the window."""

Tell = Callable[[News], None]
"""Told of each step and of the end, on a thread of its own."""


class Exports:
    """One file at a time. `digest`: the journal's keyed hash of a number, for who looks for one."""

    def __init__(self, shop: Callable[[], Shop], digest: Callable[[str], str]) -> None:
        self._shop = shop
        self._digest = digest
        self._exporting = Background("exporting")
        self._clearing = Background("clearing exports")
        self._stopped = threading.Event()

    @property
    def door(self) -> Door:
        """For the window."""
        return Door(self.begin, self.cancel)

    @property
    def is_busy(self) -> bool:
        """Whether one is being written."""
        return self._exporting.is_busy

    def begin(self, wish: Wish, tell: Tell) -> None:
        """Writes it, unless one is being written; a million payments take a minute or two."""
        if self.is_busy:
            # One that was given up may hang at a stick that takes nothing.
            tell(News(trouble=WriteTrouble.BEING_WRITTEN.value))
            return
        self._stopped.clear()
        self._exporting.run(lambda: tell(self._written(wish, tell)))

    def cancel(self) -> None:
        """Nothing is to become of what is being written; its end is told."""
        self._stopped.set()

    def clear(self, folder: str) -> None:
        """What a kill left is taken away: in this folder, on what is plugged in, and beside the journal."""

        def clear() -> None:
            from pos_app.bootstrap.exporting import clear_parts, clear_sheets

            clear_sheets(self._shop().data_dir)
            for each in (*([Path(folder)] if folder else []), *(stick.folder for stick in sticks())):
                clear_parts(each)

        self._clearing.run(clear)

    def stop(self) -> None:
        """Ends it, bounded."""
        self.cancel()
        self._exporting.stop()
        self._clearing.stop()

    def _written(self, wish: Wish, tell: Tell) -> News:
        # Not before it is wanted: a start loads nothing of it.
        from pos_app.bootstrap.exporting import ExportError, Stopped

        told_at = 0.0

        def progress(done: int, most: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at >= TELL_EVERY_S:
                told_at = time.monotonic()
                tell(News(done=done, most=most))

        try:
            return News(exported=self._named(wish, progress))
        except Stopped:
            return News(trouble=STOPPED)
        except ExportError as error:
            return News(trouble=NOT_READ if error.trouble is None else error.trouble.value)
        except OSError as error:
            return News(trouble=write_trouble(error).value)

    def _named(self, wish: Wish, progress: Callable[[int, int], None]) -> Exported:
        """Under the first name that is free: at the window nothing is ever put in another file's place."""
        from pos_app.bootstrap.exporting import ExportError, Source, Wanted, export, numbers_of

        shop = self._shop()
        source = Source(shop.data_dir / JOURNAL, shop.environment, shop.settings.day.cutoff_time)
        wanted = Wanted(
            format=wish.format,
            span=wish.span,
            among=wish.among,
            digest=self._digest(wish.among.sought.number) if wish.among and wish.among.sought.number else "",
            numbers=numbers_of(shop.data_dir, shop.environment) if wish.numbers else None,
        )
        folder, now = Path(wish.folder), datetime.now().astimezone().isoformat()
        if folder == shop.data_dir / "papers":
            folder.mkdir(mode=0o700, exist_ok=True)
        taken = ExportError(WriteTrouble.EXISTS, "")
        called = file_name(wish.span, wish.format, source.environment, now, among=wish.among)
        for name in other_names(called):
            try:
                return export(
                    source,
                    wanted,
                    folder / name,
                    progress=progress,
                    stopped=self._stopped.is_set,
                    gentle=True,
                )
            except ExportError as error:
                if error.trouble not in (WriteTrouble.EXISTS, WriteTrouble.BEING_WRITTEN):
                    raise
                taken = error
        raise taken
