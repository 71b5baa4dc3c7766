"""The two files with which a till talks to a sandbox belong together, also where two sandboxes write them at once."""

import os
import tomllib
from pathlib import Path
from threading import Thread

import pytest

from pos_app.sandbox.configuration import write_configuration
from pos_app.sandbox.parts import put_together
from pos_app.sandbox.switches import from_texts


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_of_two_that_write_at_once_both_files_are_the_last_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A till had one's address and the other's token: each of its payments was refused."""
    sandboxes = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        sandboxes.append(put_together(tmp_path / str(number), number, from_texts([])))
    first, other = (each.accounts for each in sandboxes)
    to = tmp_path / "till"
    writes = Thread(target=write_configuration, args=(to, "http://127.0.0.1:2", other))
    replace = Path.replace

    def overtaken(fresh: Path, path: Path) -> None:
        monkeypatch.setattr(Path, "replace", replace)
        replace(fresh, path)
        writes.start()
        writes.join(0.2)  # unless it waits for its turn

    monkeypatch.setattr(Path, "replace", overtaken)
    write_configuration(to, "http://127.0.0.1:1", first)
    writes.join()
    for each in sandboxes:
        each.store.close()
    config = tomllib.loads((to / "config.toml").read_text())
    secrets = tomllib.loads((to / "secrets.toml").read_text())
    assert config["gateway"]["base_url"] == "http://127.0.0.1:2"
    assert secrets["access_token"] == other.access_token
    assert sorted(each.name for each in to.iterdir()) == ["config.toml", "secrets.toml"]
