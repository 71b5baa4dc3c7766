"""A machine with nothing on it: the bundle copied elsewhere; no Python, no source, no fonts, hardly a variable."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.architecture.sources import ROOT
from tests.verification.proof.abilities import UNSHARE

LIMIT_S = 240
# What a machine of a shop does not have; each that is there is covered in a view of the files of its own.
_HIDDEN = ("/etc/fonts", "/usr/share/fonts", "/usr/local/lib", "/usr/lib/python3", "/usr/lib/python3.11")
_COVER = """
for place in "$@"; do
    [ "$place" != -- ] || break
    [ ! -d "$place" ] || mount -t tmpfs none "$place"
    shift
done
for python in /usr/bin/python3*; do
    [ ! -f "$python" ] || mount --bind /dev/null "$python"
done
while [ "$1" != -- ]; do shift; done
shift
cd /
exec "$@"
"""


def moved(built: Path, folder: Path) -> Path:
    """To another place and another name than it was built in, where everybody may read it."""
    folder.chmod(0o755)
    return Path(shutil.copytree(built, folder / "a till", symlinks=True))


class Machine:
    """Runs programs on it; its view of the files ends with each program."""

    def __init__(self, bundle: Path, home: Path) -> None:
        self.bundle = bundle
        self.program = str(bundle / "pos-app")
        self.home = home
        home.mkdir()

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """What it said and how it ended."""
        hidden = [*_HIDDEN, str(ROOT), str(Path(sys.base_prefix))]
        hidden = [
            each for each in hidden if each not in ("/usr", "/") and not self.bundle.is_relative_to(each)
        ]
        return subprocess.run(
            [*UNSHARE, "sh", "-eu", "-c", _COVER, "sh", *hidden, "--", *command],
            env=self.variables(more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )

    def variables(self, more: Mapping[str, str]) -> dict[str, str]:
        """All there are."""
        plain = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8"}
        return {**plain, "QT_QPA_PLATFORM": "offscreen", **more}
