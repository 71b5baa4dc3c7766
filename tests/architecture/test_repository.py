"""The script that signs a fleet's repository (docs/debian.md): what it does with the key, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a script for Debian")

GPG = """\
#!/bin/sh
echo private >"$GNUPGHOME/key"
echo "$GNUPGHOME" >"$BEGUN"
read -r _ <"$GO_ON"
"""
"""Takes the key, says so, and then takes its time."""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_no_key_is_left_where_it_is_broken_off(tmp_path: Path, sent: signal.Signals) -> None:
    """The shop's own, without a passphrase, lay in the folder of temporary files until somebody looked there."""
    programs, place = tmp_path / "programs", tmp_path / "place"
    programs.mkdir()
    place.mkdir()
    for name, text in {"gpg": GPG, "gpgconf": "#!/bin/sh\n"}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    begun, go_on = tmp_path / "begun", tmp_path / "go on"
    os.mkfifo(begun)
    os.mkfifo(go_on)
    own = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "TMPDIR": str(place),
        "BEGUN": str(begun),
        "GO_ON": str(go_on),
    }
    line = ["sh", "packaging/deb/repository.sh", "key.asc", str(tmp_path / "served"), "pos-app.deb"]
    with subprocess.Popen(
        line,
        cwd=ROOT,
        env=os.environ | own,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Who was begun behind an `&` passes on that Ctrl-C is nothing to it, and no shell takes that back.
        preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),
    ) as script:
        # Where the place is too long for a socket the script takes /tmp.
        home = Path(begun.read_text().strip())
        assert (home / "key").exists()
        os.killpg(script.pid, sent)
        assert script.wait(30) == 1
    assert not home.exists()
