"""What an update and the tills of one machine know of each other: a flag that goes stale, and locks that cannot lie."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from pos_app.system import updating
from pos_app.system.boot_clock import boot_id, ms_since_boot
from pos_app.system.updating import (
    FLAG,
    FLAG_LASTS_S,
    FOLDER,
    REQUEST,
    SELLING,
    TILLS,
    Everybody,
    Presence,
    Request,
    is_updating,
    lower_flag,
    raise_flag,
    request_here,
)
from tests.support.unprivileged import owned_folder, somebody


def gone_process() -> int:
    """The number of a process that was."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


class TestFlag:
    """No till starts while it is there; one that was left holds nobody up."""

    def test_none(self, tmp_path: Path) -> None:
        assert not is_updating(tmp_path)
        assert not is_updating(tmp_path / "nowhere")

    def test_raised_and_lowered(self, tmp_path: Path) -> None:
        raise_flag(os.getpid(), tmp_path)
        assert is_updating(tmp_path)
        assert (tmp_path / FLAG).stat().st_mode & 0o777 == 0o644
        lower_flag(tmp_path)
        lower_flag(tmp_path)
        assert not is_updating(tmp_path)

    def test_of_a_process_that_has_gone(self, tmp_path: Path) -> None:
        raise_flag(gone_process(), tmp_path)
        assert not is_updating(tmp_path)

    @pytest.mark.skipif(os.name != "posix", reason="whose numbers they are")
    def test_of_a_process_of_another_account(self, tmp_path: Path) -> None:
        """The first process is the administrator's, and there."""
        raise_flag(1, tmp_path)
        assert is_updating(tmp_path)

    def test_of_another_start_of_the_machine(self, tmp_path: Path) -> None:
        (tmp_path / FLAG).write_text(f"00000000-0000-0000-0000-000000000000\n{os.getpid()}\n")
        assert not is_updating(tmp_path)

    @pytest.mark.parametrize("said", ["", "{boot}", "{boot}\nnobody\n", "{boot}\n" + "9" * 40])
    def test_one_that_names_nobody_holds_for_an_hour(self, said: str, tmp_path: Path) -> None:
        """Made by hand, or by `touch`."""
        flag = tmp_path / FLAG
        flag.write_text(said.format(boot=boot_id()))
        is_number = said.endswith("9")
        assert is_updating(tmp_path) is not is_number
        for age in (FLAG_LASTS_S + 5, -FLAG_LASTS_S - 5):
            os.utime(flag, (time.time() - age,) * 2)
            assert not is_updating(tmp_path)

    def test_one_from_before_the_start_of_the_machine(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / FLAG).touch()
        os.utime(tmp_path / FLAG, (time.time() - 60,) * 2)
        assert is_updating(tmp_path)
        monkeypatch.setattr(updating, "ms_since_boot", lambda: 5_000)
        assert not is_updating(tmp_path)

    def test_where_no_start_has_a_name_the_process_and_the_time_tell(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on Windows: an installer may take long, and one that was killed holds nobody up."""
        monkeypatch.setattr(updating, "boot_id", lambda: "")
        monkeypatch.setattr(updating, "ms_since_boot", lambda: 3 * FLAG_LASTS_S * 1000)
        raise_flag(os.getpid(), tmp_path)
        assert is_updating(tmp_path)
        os.utime(tmp_path / FLAG, (time.time() - 2 * FLAG_LASTS_S,) * 2)
        assert is_updating(tmp_path)
        monkeypatch.setattr(updating, "ms_since_boot", lambda: FLAG_LASTS_S * 1000)
        assert not is_updating(tmp_path), "the number is of another start of the machine"
        raise_flag(gone_process(), tmp_path)
        assert not is_updating(tmp_path)

    @pytest.mark.skipif(os.name != "posix", reason="modes")
    def test_one_that_its_writer_alone_may_read_holds_for_an_hour(self) -> None:
        """Written by root with a umask of 077, the tills are another account's."""
        with owned_folder() as folder:
            flag = folder / FLAG
            flag.write_text(f"{boot_id()}\n{os.getpid()}\n")
            flag.chmod(0)
            with somebody():
                assert is_updating(folder)
            os.utime(flag, (time.time() - FLAG_LASTS_S - 5,) * 2)
            with somebody():
                assert not is_updating(folder)

    def test_where_it_is_looked_for(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        assert not is_updating()
        raise_flag(os.getpid())
        assert is_updating()
        monkeypatch.delenv("POS_APP_RUN_DIR")
        assert updating.run_folder() == Path("/run")


def child(folder: Path, what: str) -> subprocess.Popen[str]:
    """Another till on this machine, told what to do by its input."""
    code = (
        "import sys; from pathlib import Path; from pos_app.system.updating import Presence\n"
        f"presence = Presence(Path({str(folder)!r})); presence.begin(); {what}\n"
        "print('there', flush=True); sys.stdin.readline()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "there\n"
    return started


def end(process: subprocess.Popen[str]) -> None:
    """Killed."""
    process.kill()
    process.communicate()


def _age(folder: Path) -> None:
    """As if its last change were a while ago."""
    os.utime(folder, (folder.stat().st_mtime - 3_600,) * 2)


class TestPresence:
    """Each till holds the files, whoever it belongs to."""

    def test_a_till_is_there_until_it_ends_or_dies(self, tmp_path: Path) -> None:
        everybody = Everybody(tmp_path)
        assert (everybody.is_any(TILLS), everybody.is_any(SELLING)) == (False, False)
        other = child(tmp_path, "")
        presence = Presence(tmp_path)
        presence.begin()
        assert (everybody.is_any(TILLS), everybody.is_any(SELLING)) == (True, True)
        presence.end()
        assert everybody.is_any(TILLS)
        end(other)
        assert not everybody.is_any(TILLS)

    def test_one_that_sells_no_more_is_still_there(self, tmp_path: Path) -> None:
        everybody = Everybody(tmp_path)
        presence = Presence(tmp_path)
        presence.sells(True)
        assert not everybody.is_any(SELLING)
        presence.begin()
        presence.sells(False)
        assert (everybody.is_any(TILLS), everybody.is_any(SELLING)) == (True, False)
        presence.sells(True)
        assert everybody.is_any(SELLING)
        presence.end()

    def test_files_that_are_made_later_are_found(self, tmp_path: Path) -> None:
        presence = Presence(tmp_path)
        presence.begin()
        everybody = Everybody(tmp_path)
        assert not everybody.was_there
        assert not everybody.is_any(TILLS)
        presence.look()
        assert everybody.is_any(TILLS)
        assert Everybody(tmp_path).was_there
        presence.end()

    def test_files_that_were_taken_away_and_made_anew_are_held_again(self, tmp_path: Path) -> None:
        """A lock on a name that is gone would be seen by nobody."""
        Everybody(tmp_path)
        presence = Presence(tmp_path)
        presence.begin()
        (tmp_path / FOLDER / TILLS).unlink()
        everybody = Everybody(tmp_path)
        assert not everybody.is_any(TILLS)
        presence.look()
        assert everybody.is_any(TILLS)
        presence.end()

    def test_a_look_is_worth_its_while_after_each_change_alone(self, tmp_path: Path) -> None:
        presence, folder = Presence(tmp_path), tmp_path / FOLDER
        presence.begin()
        assert not presence.has_news()
        everybody = Everybody(tmp_path)
        assert presence.has_news()
        presence.look()
        _age(folder)
        assert presence.has_news()
        assert not presence.has_news()
        everybody.ask(60_000, strict=False, end=False)
        # As just now, however long this takes.
        os.utime(folder, (time.time() + 60,) * 2)
        assert presence.has_news()
        assert presence.has_news(), "so soon after a change another may show the same time"
        _age(folder)
        assert presence.has_news()
        assert not presence.has_news()
        (folder / TILLS).unlink()
        (folder / TILLS).touch()
        assert presence.has_news()
        presence.look()
        assert everybody.is_any(TILLS)
        presence.end()

    def test_what_somebody_kept_from_it_is_looked_for_again(self, tmp_path: Path) -> None:
        Everybody(tmp_path)
        presence, folder = Presence(tmp_path), tmp_path / FOLDER
        (folder / SELLING).rename(folder / "away")
        presence.begin()
        _age(folder)
        assert presence.has_news()
        assert presence.has_news()
        (folder / "away").rename(folder / SELLING)
        presence.look()
        _age(folder)
        assert presence.has_news()
        assert not presence.has_news()
        presence.end()

    def test_a_folder_that_goes_is_news_once(self, tmp_path: Path) -> None:
        Everybody(tmp_path)
        presence, folder = Presence(tmp_path), tmp_path / FOLDER
        presence.begin()
        assert presence.has_news()
        folder.rename(tmp_path / "gone")
        assert presence.has_news()
        presence.look()
        assert not presence.has_news()
        presence.end()

    @pytest.mark.skipif(os.name != "posix", reason="the locks")
    def test_one_that_comes_in_while_somebody_looks_is_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever looks has the whole lock for a moment. A till that met it held nothing until its own next look: who
        raised the flag in that second was told that no till runs."""
        import fcntl

        Everybody(tmp_path)
        looks = [os.open(tmp_path / FOLDER / name, os.O_RDONLY) for name in (TILLS, SELLING)]
        for descriptor in looks:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        flock = fcntl.flock

        def meets(descriptor: int, operation: int) -> None:
            try:
                flock(descriptor, operation)
            finally:
                if looks:
                    os.close(looks.pop(0))

        monkeypatch.setattr(fcntl, "flock", meets)
        presence = Presence(tmp_path)
        presence.begin()
        everybody = Everybody(tmp_path)
        assert (everybody.is_any(TILLS), everybody.is_any(SELLING)) == (True, True)
        presence.end()

    @pytest.mark.skipif(os.name != "posix", reason="modes")
    @pytest.mark.parametrize("made_before", [False, True])
    def test_tills_of_other_accounts_hold_them_whatever_the_umask(self, made_before: bool) -> None:
        """Root's may be 077: a till that cannot be seen would be one that does not run."""
        with owned_folder() as folder:
            before = os.umask(0o077)
            try:
                if made_before:
                    (folder / FOLDER).mkdir()
                    for name in (TILLS, SELLING):
                        (folder / FOLDER / name).touch()
                everybody = Everybody(folder)
            finally:
                os.umask(before)
            assert not everybody.was_there
            modes = [path.stat().st_mode & 0o777 for path in (folder / FOLDER, *(folder / FOLDER).iterdir())]
            assert modes == [0o755, 0o644, 0o644]
            presence = Presence(folder)
            with somebody():
                presence.begin()
            assert (everybody.is_any(TILLS), everybody.is_any(SELLING)) == (True, True)
            presence.end()
            assert Everybody(folder).was_there

    def test_a_link_is_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / FOLDER).mkdir()
        (tmp_path / FOLDER / TILLS).symlink_to(tmp_path / "elsewhere")
        with pytest.raises(OSError, match=r"symbolic|links"):
            Everybody(tmp_path)
        assert not (tmp_path / "elsewhere").exists()


class TestRequest:
    """What the administrator asks of everybody."""

    def test_it_is_there_as_long_as_somebody_waits(self, tmp_path: Path) -> None:
        assert request_here(tmp_path) is None
        with Everybody(tmp_path) as everybody:
            everybody.ask(60_000, strict=True, end=True)
            asked = request_here(tmp_path)
            assert asked is not None
            assert (asked.strict, asked.end) == (True, True)
            assert 0 < asked.until_ms - ms_since_boot() <= 60_000
        assert request_here(tmp_path) is None

    def test_one_who_leaves_takes_away_what_they_asked_alone(self, tmp_path: Path) -> None:
        """Of two administrators' scripts the first to end took the other's request away: its tills sold on while it was
        told that they close, or while it replaced the program."""
        with Everybody(tmp_path) as first:
            first.ask(60_000, strict=False, end=False)
            with Everybody(tmp_path) as second:
                second.ask(60_000, strict=True, end=False)
                with Everybody(tmp_path):
                    pass
                first.__exit__(None, None, None)
                asked = request_here(tmp_path)
                assert asked is not None
                assert asked.strict
            assert request_here(tmp_path) is None

    @pytest.mark.skipif(os.name != "posix", reason="nothing is locked")
    def test_another_administrators_look_is_no_till(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two that drained all tills at once: one of them saw a till where there was none."""
        import fcntl

        flock, seen = fcntl.flock, list[bool]()
        first, second = Everybody(tmp_path), Everybody(tmp_path)
        other = threading.Thread(target=lambda: seen.append(second.is_any(TILLS)))

        def meanwhile(descriptor: int, how: int) -> None:
            flock(descriptor, how)
            if how & fcntl.LOCK_NB:
                monkeypatch.setattr(fcntl, "flock", flock)
                other.start()
                # It waits for this look now; one that did not would be through.
                other.join(0.3)

        monkeypatch.setattr(fcntl, "flock", meanwhile)
        assert not first.is_any(TILLS)
        other.join()
        assert seen == [False]

    @pytest.mark.skipif(os.name != "posix", reason="no folder is synced")
    def test_one_that_was_broken_off_when_it_had_its_name_is_taken_away(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By Ctrl-C, or by its disk: tills closed for nobody until the time was over."""
        fsync = os.fsync

        def broken_off(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                assert request_here(tmp_path) is not None
                raise KeyboardInterrupt
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", broken_off)
        with pytest.raises(KeyboardInterrupt), Everybody(tmp_path) as everybody:
            everybody.ask(60_000, strict=False, end=False)
        assert request_here(tmp_path) is None

    @pytest.mark.parametrize(
        "said",
        [
            Request(request_id="x", boot="another", until_ms=10**12),
            Request(request_id="x", boot=boot_id(), until_ms=0),
            {"request_id": 3},
            [],
            b'{"request_id": "\xff", "boot": "x", "until_ms": 1}',
        ],
    )
    def test_one_that_was_left_or_is_none_is_not_obeyed(self, said: object, tmp_path: Path) -> None:
        """By one that was killed, or before the machine was restarted."""
        (tmp_path / FOLDER).mkdir()
        written = said if isinstance(said, bytes) else msgspec.json.encode(said)
        (tmp_path / FOLDER / REQUEST).write_bytes(written)
        assert request_here(tmp_path) is None

    def test_one_of_another_account_is_not_obeyed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Everybody(tmp_path) as everybody:
            everybody.ask(60_000, strict=False, end=False)
            if os.geteuid() == 0:
                os.chown(tmp_path / FOLDER / REQUEST, 12345, 12345)
            else:
                monkeypatch.setattr(os, "geteuid", lambda: 12345)
            assert request_here(tmp_path) is None
