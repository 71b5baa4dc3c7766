"""A counter of these stories: the real command line on one folder, on this machine or on one that is another to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from pos_app.system.machine import machine_id
from tests.integration.cli.till import Running, Till, till_of
from tests.support.forked import start_anew

_SYSTEM_ID = "/etc/machine-id"
_VIEW = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
_PUT = f'mount --bind "$0" {_SYSTEM_ID} && exec "$@"'
ANOTHER = "0" * 31 + "7\n"


@cache
def no_other_machine() -> str:
    """Why nothing here can be made to run on another machine; "" where it can."""
    if not machine_id() or sys.platform != "linux":
        return "the system names no machine"
    try:
        done = subprocess.run(
            [*_VIEW, "sh", "-c", _PUT, "/dev/null", "cat", _SYSTEM_ID],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    except OSError as error:
        return str(error)
    if done.returncode:
        return (done.stderr.strip() or "refused").splitlines()[-1]
    return "the view is not its own" if done.stdout else ""


class Counter(Till):
    """`elsewhere`: a file with another machine's id, seen by its processes in the place of this one's."""

    def __init__(
        self, name: str, config_dir: Path, folder: Path, *, elsewhere: Path | None, zone: str, bug: str
    ) -> None:
        common = till_of(config_dir / "config.toml", config_dir / "secrets.toml", folder).common
        super().__init__(common, {"TZ": zone} if zone else {})
        self.name = name
        self.folder = folder
        self.elsewhere = elsewhere
        self._bug = bug

    @property
    def journal(self) -> Path:
        """Its record."""
        return self.folder / "sandbox" / "journal.sqlite"

    def start_saying(self, *arguments: str | bytes) -> Running:
        """A real start, on its machine and with its fault."""
        module = ["tests.verification.campaign.copies.till", self._bug] if self._bug else ["pos_app"]
        command: list[str | bytes] = [sys.executable, "-m", *module, *self.common, *arguments]
        view = [] if self.elsewhere is None else [*_VIEW, "sh", "-c", _PUT, str(self.elsewhere)]
        return Running(start_anew([*view, *command], self.environment))


def said(running: Running, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """The first object it says that is wanted; None when it ends without."""
    try:
        return running.until(wanted)
    except AssertionError:
        return None
