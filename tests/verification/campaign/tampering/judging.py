"""Opens a harmed journal as a till would: what was told of the harm, and whether there was any. Harms nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.journal import JournalError, JournalTrouble, open_journal
from tests.verification.campaign.tampering.logical import Dump, dump
from tests.verification.campaign.tampering.specimens import PARTS, Files, Specimen, put

BESIDE = (*PARTS, "-shm", ".lock", ".found")


class Verdict(msgspec.Struct, frozen=True):
    """`told` is empty when nothing was said; `touched`: whether what the files say is another than before."""

    told: str
    touched: bool
    finding: str = ""


class Bench:
    """One specimen after the other in one folder; knows what each said while it was whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._whole: dict[str, Dump | None] = {}

    def whole(self, specimen: Specimen) -> Dump | None:
        """What it says unharmed. Raises AssertionError when something is told of it then."""
        if specimen.name not in self._whole:
            told = self._opened(specimen.files, specimen.key, specimen.environment)
            if told:
                raise AssertionError(f"{specimen.name}: told of an unharmed journal: {told}")
            self._whole[specimen.name] = self._dumped(specimen.files)
        return self._whole[specimen.name]

    def judge(self, specimen: Specimen, harmed: Files, key: bytes | None = None) -> Verdict:
        """What a till says of the harmed files, at its start or while it looks them over."""
        whole = self.whole(specimen)
        try:
            told = self._opened(harmed, key or specimen.key, specimen.environment)
        except Exception as error:
            return Verdict("", touched=True, finding=f"uncaught {error!r}")
        if told:
            return Verdict(told, touched=True)
        touched = self._dumped(harmed) != whole
        return Verdict("", touched, "changed, and nothing was told" if touched else "")

    def _opened(self, files: Files, key: bytes, environment: Environment) -> str:
        path = self._lay(files)
        try:
            journal = open_journal(path, key, environment)
        except JournalTrouble as trouble:
            return "" if trouble.detail == "" else str(trouble)
        except JournalError as error:
            return str(error)
        try:
            found = [*journal.mended, *journal.inspection().findings()]
            return "; ".join(map(str, found))
        finally:
            journal.close()

    def _dumped(self, files: Files) -> Dump | None:
        return dump(self._lay(files))

    def _lay(self, files: Files) -> Path:
        for left in self._folder.iterdir():
            left.unlink()
        return put(files, self._folder)
