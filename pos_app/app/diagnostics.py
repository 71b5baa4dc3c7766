"""Diagnostics from the window, once a manager's Permit for them was granted; made beside the till at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pos_app.app.background import Background
from pos_app.bootstrap.shop import Shop
from pos_app.system.atomic_file import write_whole

FOLDER = "diagnostics"
KEPT = 10

Done = Callable[[str, str], None]
"""Told the file's path, or what is wrong, on a thread of its own; the other one is empty."""


class Diagnostics:
    """Writes into one folder beside the journal and nowhere else; `stop` waits for it, bounded."""

    def __init__(self, shop: Callable[[], Shop]) -> None:
        self._shop = shop
        self._diagnosing = Background("diagnosing")
        self._copying = Background("copying")

    @property
    def is_busy(self) -> bool:
        """Whether one is being made."""
        return self._diagnosing.is_busy

    def save(self, done: Done) -> None:
        """Makes one, unless one is being made; takes some seconds."""
        if self.is_busy:
            return
        self._diagnosing.run(lambda: done(*self._saved()))

    def copy(self, path: str, folder: str, done: Done) -> None:
        """Puts it onto a stick, whole and synced, so that it may be pulled out; a stick may be slow."""
        self._copying.run(lambda: done(*_copied(Path(path), Path(folder))))

    def _saved(self) -> tuple[str, str]:
        from pos_app.diagnostics_bundle import BundleError, named, pack
        from pos_app.diagnostics_bundle.contents import contents_of

        shop = self._shop()
        folder = shop.data_dir / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            path = folder / named()
            # Two in one second are the same.
            pack(contents_of(shop), path, force=True)
            _forget_old(folder, path)
        except OSError as error:
            return "", f"{folder}: {error.strerror}"
        except BundleError as error:
            return "", str(error)
        return str(path), ""

    def stop(self) -> None:
        """Waits for what is under way, a little."""
        self._diagnosing.stop()
        self._copying.stop()


def _copied(path: Path, folder: Path) -> tuple[str, str]:
    try:
        write_whole(folder / path.name, path.read_bytes())
    except OSError as error:
        return "", f"{folder}: {error.strerror}"
    return str(folder / path.name), ""


def _forget_old(folder: Path, made: Path) -> None:
    """By the times in their names; the one just made stays, whatever a clock that was wrong has called it."""
    others = sorted(each for each in folder.glob("pos-app-diagnostics-*.zip") if each != made)
    for old in others[: 1 - KEPT]:
        old.unlink(missing_ok=True)
