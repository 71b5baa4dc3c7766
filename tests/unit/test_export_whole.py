"""An export in one process: given up half way, its leftovers, and the files it names itself."""

from __future__ import annotations

import tempfile
from datetime import time
from pathlib import Path

import pytest

from pos_app.bootstrap.exporting import (
    SCRATCH,
    ExportError,
    Source,
    Stopped,
    Wanted,
    clear_parts,
    clear_sheets,
    export,
)
from pos_app.domain.attempt import Environment, State
from pos_app.domain.export import Format, Span, file_name, month, other_names
from pos_app.domain.search import Meant, Only
from pos_app.journal import open_journal
from tests.support.builders import INSTALLATION, KEY, attempt, record, sale

PAYMENTS = 700


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "data" / "journal.sqlite"
    path.parent.mkdir()
    journal = open_journal(path, KEY, Environment.SANDBOX)
    paid = [
        attempt(number, state=State.PAID, ended_at=number * 1000, receipt=number, receipt_of=INSTALLATION)
        for number in range(1, PAYMENTS + 1)
    ]
    journal.append(
        [record(of, path=(State.WAITING, State.PAID), sale=sale(at)) for at, of in enumerate(paid, 1)]
    )
    journal.close()
    return Source(path, Environment.SANDBOX, time(4))


@pytest.mark.parametrize("kind", list(Format))
def test_stopped_half_way_nothing_is_left_and_progress_was_told(
    source: Source, tmp_path: Path, kind: Format
) -> None:
    told: list[tuple[int, int]] = []
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(Stopped):
        export(
            source,
            Wanted(format=kind),
            out / "day",
            progress=lambda done, most: told.append((done, most)),
            stopped=lambda: len(told) == 2,
            gentle=True,
        )
    assert told == [(200, PAYMENTS), (400, PAYMENTS)]
    assert list(out.iterdir()) == []
    assert not (source.journal.parent / SCRATCH).exists()


def test_a_folder_that_is_not_there_is_said_and_a_z_that_never_was(source: Source, tmp_path: Path) -> None:
    with pytest.raises(ExportError) as failed:
        export(source, Wanted(format=Format.CSV), tmp_path / "nowhere" / "day.csv")
    assert failed.value.trouble == "gone"
    with pytest.raises(ExportError, match="no Z 3"):
        export(source, Wanted(format=Format.CSV, span=Span(z=3)), tmp_path / "day.csv")


def test_what_killed_exports_left_goes_at_the_next_start_and_nothing_else(tmp_path: Path) -> None:
    scratch = tmp_path / SCRATCH
    (scratch / "sheets-left").mkdir(parents=True)
    (scratch / "notes").mkdir()
    clear_sheets(tmp_path)
    assert [each.name for each in scratch.iterdir()] == ["notes"]
    ours, theirs = tmp_path / ".sandbox-payments-z1.csv.part", tmp_path / ".film.mkv.part"
    for each in (ours, theirs):
        each.touch()
    clear_parts(tmp_path)
    assert not ours.exists()
    assert theirs.exists()


def test_an_export_that_ends_takes_no_scratch_folder_from_under_one_that_begins(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the making of the folder and of the one within, another one's end found it empty and took it away. The
    one that began ended with "its disk or folder is gone", of a folder that was there.
    """
    mkdtemp = tempfile.mkdtemp

    def overtaken(*arguments: object, **named: object) -> str:
        monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
        export(source, Wanted(format=Format.CSV), tmp_path / "other.csv")
        return mkdtemp(*arguments, **named)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(tempfile, "mkdtemp", overtaken)
    assert export(source, Wanted(format=Format.CSV), tmp_path / "day.csv").rows == PAYMENTS
    assert (tmp_path / "other.csv").exists()
    assert not (source.journal.parent / SCRATCH).exists()


def test_files_are_called_by_what_is_in_them() -> None:
    made = "2026-03-09T10:00:00+05:30"
    sandbox, live = Environment.SANDBOX, Environment.LIVE
    assert file_name(Span(z=12), Format.CSV, live, made) == "payments-z12.csv"
    assert file_name(month("2026-02"), Format.XLSX, live, made) == "payments-2026-02-01-to-2026-02-28.xlsx"
    assert file_name(Span(), Format.LEDGER, sandbox, made) == "sandbox-ledger-all-to-2026-03-09.csv"
    paid = Meant(only=Only.PAID)
    assert file_name(Span(), Format.CSV, live, made, among=paid) == "payments-shown-2026-03-09.csv"
    assert file_name(Span(), Format.CSV, live, made, among=Meant()) == "payments-all-to-2026-03-09.csv"
    assert list(other_names("a.csv", 3)) == ["a.csv", "a-2.csv", "a-3.csv"]
    for text in ("2026-13", "2026", "2026-2", "x"):
        with pytest.raises(ValueError, match=r"."):
            month(text)
