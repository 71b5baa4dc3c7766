"""A till's data folder around the journal of a million payments; a copy, so that the till may write into it."""

from __future__ import annotations

import shutil
from pathlib import Path

from pos_app.app import demo_people
from pos_app.domain.attempt import Environment
from pos_app.journal import open_journal
from tests.support.builders import KEY
from tests.verification.bench.million import million

FILE = "journal.sqlite"


def data_folder() -> Path:
    """The folder for `--data-dir`, with two people on its list."""
    journal = million().resolve()
    folder = journal.parent.with_name(journal.parent.name + "-till")
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        environment = folder / Environment.SANDBOX
        environment.mkdir(parents=True, mode=0o700)
        for part in journal.parent.glob(FILE + "*"):
            shutil.copy(part, environment)
        key = environment / "journal.key"
        key.touch(0o600)
        key.write_text(KEY.hex())
        opened = open_journal(environment / FILE, KEY, Environment.SANDBOX)
        demo_people.enrol(opened)
        opened.close()
        (folder / "done").touch()
    return folder
