"""Paths and names that lead elsewhere, or that a database or a system would take for more than a name."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.diagnostics_bundle.archive import BundleError, Contents, pack
from pos_app.domain.attempt import Environment
from pos_app.i18n.words.terminal import words as said
from pos_app.journal import Cursor, PageFilter, open_journal, read_only
from tests.integration.cli.till import bare

INJECTIONS = (
    "'OR'1'='1",
    "x';DROP/**/TABLE/**/event;--",
    '"',
    "%",
    "_",
    "*",
    "../../x",
    "NUL",
    "CON",
    "C:",
    "--local",
)
OPTIONS = ("--config", "--secrets-file", "--data-dir")


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize(
    "path", ["", "~nobody-of-that-name/x", "/dev/null/x", "/proc/self/mem", "x" * 5_000, "\udcff"]
)
def test_a_path_that_is_none_is_one_clear_line(tmp_path: Path, option: str, path: str) -> None:
    """Exit code 2, 73 or 78; no traceback, and nothing is made."""
    rest = [] if option == "--data-dir" else ["--data-dir", str(tmp_path / "data")]
    line = [
        option.encode(),
        path.encode(errors="surrogateescape"),
        *(word.encode() for word in rest),
        b"open",
    ]
    done = bare(*line)
    assert done.code in (2, 73, 78), done
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) < 12
    assert not (tmp_path / "data").exists()


def test_a_data_folder_may_climb_only_where_it_says(tmp_path: Path) -> None:
    """`..` is resolved by the system, not by us: nothing beside the named folder is made."""
    (tmp_path / "a").mkdir()
    done = bare("--sandbox", "--data-dir", str(tmp_path / "a" / ".." / "b"), "open")
    assert done.code == 0, done
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert not list((tmp_path / "a").iterdir())


def test_a_link_in_place_of_the_environments_folder_is_judged_by_its_aim(tmp_path: Path) -> None:
    """A folder that others may write is none for a journal, whatever led to it."""
    aim = tmp_path / "aim"
    aim.mkdir()
    aim.chmod(0o777)
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "sandbox-own").symlink_to(aim)
    done = bare("--sandbox", "--data-dir", str(tmp_path / "data"), "open")
    assert done.code == 73, done
    assert "can be changed by others" in done.err
    assert not list(aim.iterdir())


@pytest.mark.parametrize("name", ["../evil.zip", "evil", "evil.zip\x00.txt", ".zip/../x", "con.txt"])
def test_diagnostics_are_a_zip_where_they_were_named(tmp_path: Path, name: str) -> None:
    """What is no name of one is refused before anything is read."""
    words = [b"--sandbox", b"diagnostics", f"{tmp_path}/sub/{name}".encode().split(b"\0")[0]]
    done = bare(*words)
    assert done.code in (2, 73), done
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("force", [True, False])
@pytest.mark.parametrize("aim", ["there", "gone"])
def test_diagnostics_follow_no_link(tmp_path: Path, force: bool, aim: str) -> None:
    """Somebody may have laid one where the next zip will go: what it leads to is not written."""
    victim = tmp_path / "victim"
    if aim == "there":
        victim.write_text("mine")
    link = tmp_path / "d.zip"
    link.symlink_to(victim)
    contents = Contents({"README.txt": "x"}, lambda _text: True)
    if force:
        pack(contents, link, force=True)
        assert not link.is_symlink()
    else:
        with pytest.raises(BundleError):
            pack(contents, link)
        assert link.is_symlink()
    assert (victim.read_text() if aim == "there" else victim.exists()) == (
        "mine" if aim == "there" else False
    )


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    open_journal(path, b"k" * 32, Environment.SANDBOX).close()
    return path


@settings(max_examples=60)
@given(st.one_of(st.text(), st.sampled_from(INJECTIONS)))
def test_any_text_asked_of_the_journal_is_a_value(journal: Path, text: str) -> None:
    """It finds nothing, harms nothing and breaks nothing: every value is bound."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    before = journal.read_bytes()
    with closing(read_only(journal)) as opened:
        assert opened.attempt(text) is None
        assert opened.sale(text) is None
        assert list(opened.page(PageFilter(), before=Cursor(1, text))) == []
    assert journal.read_bytes() == before


@pytest.mark.parametrize("text", INJECTIONS[:5])
def test_an_id_of_the_command_line_is_a_value(tmp_path: Path, text: str) -> None:
    """Refused as no id, or looked for and not found."""
    words = ("--data-dir", str(tmp_path), "transactions", "--local", f"--id={text}")
    for how, none in (((), f"{said.NO_PAYMENTS}\n"), (("--json",), "")):
        done = bare("--sandbox", *how, *words)
        assert (done.code, done.out) in ((0, none), (2, "")), done
        assert "Traceback" not in done.err
    assert not os.path.lexists(tmp_path.parent / "x")
