"""An update in the middle of selling: the till closes, its payments end, then it is ended; or it sells again."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtNetwork import QLocalSocket

from pos_app.app.single_instance import raise_running, socket_name
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import open_journal_of
from pos_app.bootstrap.shop import open_shop
from pos_app.journal.lock import is_held
from pos_app.system.updating import TILLS, Everybody, lower_flag, raise_flag
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.test_process import LIMIT_S, ended, options, process, wait_until_up
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import StartedTill, arguments, enrol

ENVIRONMENT = "sandbox"


@contextlib.contextmanager
def drain(config_dir: Path, tmp_path: Path, *words: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """`pos-app drain` beside a till of this process."""
    command = [sys.executable, "-m", "pos_app", "drain", *options(config_dir, tmp_path / "data"), "--json"]
    started = subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", **variables},
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def said(out: str) -> list[dict[str, Any]]:
    """Its objects."""
    return [json.loads(line) for line in out.splitlines()]


def closing(till: StartedTill) -> None:
    """The till says that it closes."""
    till.until(lambda: "Closing for an update" in till.says("block"))


class TestByTheSocket:
    """Of whoever has the same account."""

    def test_a_payment_ends_and_then_the_till(
        self, till: StartedTill, sandbox: Sandbox, config_dir: Path, tmp_path: Path
    ) -> None:
        ends: list[bool] = []
        assert till.app is not None
        till.app.updated.connect(lambda: ends.append(till.stop()))
        attempt_id = till.charge_qr("81")
        with drain(config_dir, tmp_path, "--end", "--wait", "600") as asking:
            till.until(lambda: till.session.terminal.drain.open == 1)
            assert ends == []
            sandbox.act(attempt_id, "pay")
            till.until_result("PAID")
            code, out, err = ended(asking)
        assert (code, err) == (0, "")
        assert said(out)[0]["open"] == 1
        assert ends == [True]
        assert not is_held(tmp_path / "data" / ENVIRONMENT / "journal.sqlite")

    def test_no_charge_while_it_closes_and_again_when_the_time_is_over(
        self, till: StartedTill, config_dir: Path, tmp_path: Path
    ) -> None:
        attempt_id = till.charge_qr("81")
        till.press(Qt.Key.Key_F6)
        with drain(config_dir, tmp_path, "--wait", "600"):
            closing(till)
            till.type("12")
            till.press(Qt.Key.Key_F2)
            assert not till.part("method_qr").isEnabled()
            with drain(config_dir, tmp_path, "--wait", "2") as asking:
                code, out, _ = ended(asking)
        assert code == Exit.UPDATING
        assert said(out)[-1]["open"] == 1
        till.until(lambda: till.part("method_qr").isEnabled())
        till.press(Qt.Key.Key_F2)
        till.until(lambda: len(till.sandbox.transactions()) == 2)
        assert attempt_id in {each["externalMerchantTransactionId"] for each in till.sandbox.transactions()}

    def test_whoever_hangs_up_keeps_nobody_from_selling(
        self, till: StartedTill, config_dir: Path, tmp_path: Path
    ) -> None:
        till.charge_qr("81")
        till.press(Qt.Key.Key_F6)
        with drain(config_dir, tmp_path, "--wait", "600") as asking:
            closing(till)
            asking.send_signal(signal.SIGKILL)
            ended(asking)
        till.until(lambda: till.part("method_qr").isEnabled())

    def test_clear_it_waits_for_the_update_until_the_time_is_over(
        self, till: StartedTill, config_dir: Path, tmp_path: Path
    ) -> None:
        with drain(config_dir, tmp_path, "--wait", "600") as asking:
            code, out, _ = ended(asking)
        assert (code, said(out)[-1]["step"]) == (0, "nothing_is_under_way")
        closing(till)
        # The last word counts: less time is left now.
        with drain(config_dir, tmp_path, "--wait", "1") as again:
            assert ended(again)[0] == 0
        till.until(lambda: till.part("method_qr").isEnabled())

    def test_a_manager_puts_it_off(self, till: StartedTill, config_dir: Path, tmp_path: Path) -> None:
        """By F10, with a reason that is written."""
        with drain(config_dir, tmp_path, "--wait", "600") as first:
            assert ended(first)[0] == 0
        closing(till)
        till.press(Qt.Key.Key_F10)
        till.until_seen("manager_put_off")
        till.touch("manager_put_off")
        till.until_seen("permit_reason")
        till.type("Customers are waiting")
        till.touch("permit_do")
        till.until(lambda: till.part("method_qr").isEnabled())
        with drain(config_dir, tmp_path, "--wait", "600") as second:
            code, out, _ = ended(second)
        assert (code, said(out)[-1]["step"]) == (Exit.UPDATING, "a_manager_put_it_off")

    @pytest.mark.parametrize(
        "words", [b"{}\n", b"\n", b"x" * 5_000, b'{"wait_s": "x"}\n', b'{"wait_s": 1e999}\n']
    )
    def test_what_is_no_request_closes_nothing(self, till: StartedTill, words: bytes) -> None:
        """Whoever has the account can write there; a till does not fall over it."""
        visitor = QLocalSocket()
        visitor.connectToServer(socket_name(till.session.shop.data_dir))
        assert visitor.waitForConnected(1_000)
        visitor.write(words)
        till.until(lambda: visitor.state() is QLocalSocket.LocalSocketState.UnconnectedState)
        assert till.session.terminal.drain.request_id == ""

    def test_no_till(self, qapp: object, config_dir: Path, tmp_path: Path) -> None:  # noqa: ARG002
        with drain(config_dir, tmp_path) as asking:
            assert ended(asking)[:2] == (
                Exit.UNAVAILABLE,
                json.dumps({"step": "no_till_runs", "open": 0, "busy": False}) + "\n",
            )

    @pytest.mark.parametrize("line", [["--end"], [], ["--end", "--all-users"]], ids=" ".join)
    def test_of_a_till_that_hangs_nobody_says_that_it_sells(
        self,
        make_till: MakeTill,
        config_dir: Path,
        tmp_path: Path,
        line: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        Everybody(tmp_path)
        till = make_till()
        with drain(config_dir, tmp_path, *line, "--wait", "1") as asking:
            # Nothing of this process's till lives meanwhile.
            out, err = asking.communicate(timeout=LIMIT_S)
        assert (asking.returncode, err) == (Exit.UPDATING, "")
        assert [each["step"] for each in said(out)] == ["payments_are_under_way", "nobody_answered"]
        assert all(each["open"] is None for each in said(out))
        # It is back, and whoever asked has gone.
        till.until(lambda: till.part("method_qr").isEnabled())

    def test_a_verb_that_has_the_journal_is_waited_for(
        self,
        qapp: object,  # noqa: ARG002
        config_dir: Path,
        tmp_path: Path,
    ) -> None:
        """Nobody answers the door: it may be taking a payment."""
        shop = open_shop(arguments(config_dir, tmp_path / "data"))
        with drain(config_dir, tmp_path, "--wait", "2") as asking:
            assert ended(asking)[0] == Exit.UPDATING
        shop.close()
        with drain(config_dir, tmp_path, "--wait", "2") as asking:
            assert ended(asking)[0] == Exit.UNAVAILABLE

    def test_killed_while_it_closes_the_payment_is_taken_up(
        self, make_till: MakeTill, sandbox: Sandbox, config_dir: Path, tmp_path: Path
    ) -> None:
        first = make_till()
        attempt_id = first.charge_qr("81")
        with drain(config_dir, tmp_path, "--end", "--wait", "600"):
            first.until(lambda: first.session.terminal.drain.open == 1)
            first.stop()
        second = make_till(people=False)
        second.until_seen("waiting_panel")
        sandbox.act(attempt_id, "pay")
        second.press(Qt.Key.Key_F5)
        second.until_result("PAID")


class TestByTheMachine:
    """The administrator, for every till of the machine, whoever runs it."""

    def test_every_till_is_ended(
        self, make_till: MakeTill, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        till = make_till()
        ends: list[bool] = []
        assert till.app is not None
        till.app.updated.connect(lambda: ends.append(till.stop()))
        with drain(config_dir, tmp_path, "--all-users", "--end", "--wait", "600") as asking:
            code, out, err = ended(asking)
        assert (code, err) == (0, ""), out
        assert ends == [True]
        with drain(config_dir, tmp_path, "--all-users") as asking:
            assert ended(asking)[0] == Exit.UNAVAILABLE

    def test_clear_they_sell_nothing_until_the_time_is_over(
        self, make_till: MakeTill, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        Everybody(tmp_path)
        till = make_till()
        with drain(config_dir, tmp_path, "--all-users", "--wait", "600") as asking:
            assert ended(asking)[0] == 0
        closing(till)
        with drain(config_dir, tmp_path, "--all-users", "--wait", "3") as again:
            assert ended(again)[0] == 0
        till.until(lambda: till.part("method_qr").isEnabled())

    def test_open_when_the_time_is_over(
        self, make_till: MakeTill, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        Everybody(tmp_path)
        till = make_till()
        till.charge_qr("81")
        till.press(Qt.Key.Key_F6)
        with drain(config_dir, tmp_path, "--all-users", "--end", "--wait", "600"):
            closing(till)
        with drain(config_dir, tmp_path, "--all-users", "--end", "--wait", "2") as asking:
            assert ended(asking)[0] == Exit.UPDATING
        till.until(lambda: till.part("method_qr").isEnabled())
        assert Everybody(tmp_path).is_any(TILLS)

    def test_a_verb_that_takes_a_payment_is_seen_by_the_first_update_since_the_machine_s_start(
        self,
        qapp: object,  # noqa: ARG002
        sandbox: Sandbox,
        config_dir: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Nobody had made the files when it began: "no till runs", said the update, in the middle of its payment."""
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        pay = ("pay", "--amount", "5", "--qr", "--json")
        with process(*pay, *options(config_dir, tmp_path / "data")) as pays:
            assert pays.stdout is not None
            while '"WAITING"' not in pays.stdout.readline():
                assert pays.poll() is None
            with drain(config_dir, tmp_path, "--all-users", "--end", "--wait", "6") as asking:
                code, out, _ = ended(asking)
            assert (code, said(out)[-1]["step"]) == (Exit.UPDATING, "nobody_answered")
            (paying,) = sandbox.transactions()
            sandbox.act(paying["externalMerchantTransactionId"], "pay")
            assert ended(pays)[0] == 0
        assert not Everybody(tmp_path).is_any(TILLS)

    @pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may")
    def test_only_for_the_administrator(self, qapp: object, config_dir: Path, tmp_path: Path) -> None:  # noqa: ARG002
        with drain(config_dir, tmp_path, "--all-users", POS_APP_RUN_DIR="/") as asking:
            assert ended(asking)[0] == Exit.CONFIGURATION


class TestFlag:
    """The program is being replaced: nothing of it is started."""

    def test_no_till_is_opened_and_that_is_said(
        self,
        qapp: object,  # noqa: ARG002
        config_dir: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        enrol(arguments(config_dir, tmp_path / "data"))
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        raise_flag(os.getpid(), tmp_path)
        with process("open", *options(config_dir, tmp_path / "data")) as looks:
            assert ended(looks)[0] == 0, "whoever only looks may"
        pay = ("pay", "--amount", "5", "--qr")
        with process(*pay, *options(config_dir, tmp_path / "data")) as pays:
            code, out, err = ended(pays)
        assert (code, out) == (Exit.UPDATING, "")
        assert "being updated" in err
        with process(*options(config_dir, tmp_path / "data")) as window:
            assert window.stderr is not None
            assert "being updated" in window.stderr.readline()
            assert window.poll() is None
            assert not is_held(tmp_path / "data" / ENVIRONMENT / "journal.sqlite")
            lower_flag(tmp_path)
            assert ended(window)[0] == Exit.UPDATING

    def test_started_between_the_look_and_the_update(
        self, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The flag is raised while the till opens its journal: it gives it up again, whichever came first."""
        enrol(arguments(config_dir, tmp_path / "data"))
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        everybody = Everybody(tmp_path)
        from pos_app.bootstrap import shop as bootstrap

        opens = open_journal_of

        def slowly(*given: Any) -> Any:
            journal = opens(*given)
            assert everybody.is_any(TILLS), "whoever updates now sees it"
            raise_flag(os.getpid(), tmp_path)
            return journal

        monkeypatch.setattr(bootstrap, "open_journal_of", slowly)
        with pytest.raises(CommandError) as refused:
            open_shop(arguments(config_dir, tmp_path / "data"))
        assert refused.value.exit_code is Exit.UPDATING
        assert not everybody.is_any(TILLS)
        assert not is_held(tmp_path / "data" / ENVIRONMENT / "journal.sqlite")

    def test_one_that_was_left_holds_nobody_up(
        self,
        qapp: object,  # noqa: ARG002
        config_dir: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        enrol(arguments(config_dir, tmp_path / "data"))
        monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        raise_flag(dead.pid, tmp_path)
        with process(*options(config_dir, tmp_path / "data")) as window:
            wait_until_up(tmp_path / "data" / ENVIRONMENT)
            assert raise_running(tmp_path / "data" / ENVIRONMENT)
            window.send_signal(signal.SIGTERM)
            assert ended(window)[0] == 0
