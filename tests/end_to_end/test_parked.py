"""Several customers at once: parked payments run on in sight, end while another is served, and are heard."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read


def chips(till: StartedTill) -> list[str]:
    """What the row of parked payments says."""
    return [
        f"{part.accessibleName()} | {part.line()}" for at in range(6) for part in till.parts(f"parked_{at}")
    ]


def test_two_are_parked_and_a_third_is_served(till: StartedTill, sandbox: Sandbox) -> None:
    first = till.charge_push("50")
    till.press(Qt.Key.Key_F6)
    till.until(lambda: len(chips(till)) == 1)
    second = till.charge_qr("60")
    shown = read(till.picture("qr"))
    till.press(Qt.Key.Key_F6)
    till.until(lambda: len(chips(till)) == 2)
    till.charge_qr("70")
    assert all(" left" in chip for chip in chips(till))
    till.type("8")
    sandbox.act(first, "reject")
    till.until(lambda: "Not paid" in chips(till)[1])
    assert till.part("qr").is_shown
    assert "8" in till.says("amount"), "the next amount is left alone"
    till.touch("parked_0")
    till.until(lambda: till.seen("qr") and read(till.picture("qr")) == shown)
    till.until(lambda: any("70.00" in chip for chip in chips(till)))
    assert "8" in till.says("amount")
    sandbox.act(second, "pay")
    till.until_result("PAID")
    assert "60.00" in till.says("result_panel")
    till.touch("parked_1")
    till.until_result("NOT PAID")
    assert "50.00" in till.says("result_panel")


@pytest.mark.skipif(sys.platform != "linux", reason="players are programs on a PATH")
def test_each_end_is_heard_and_a_parked_one_not_as_a_result(
    make_till: MakeTill, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's player is a script here; it writes down what it was given."""
    player, heard = tmp_path / "players" / "pw-play", tmp_path / "heard"
    player.parent.mkdir()
    player.write_text(f'#!/bin/sh\necho "$*" >> "{heard}"\n', "utf-8")
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{player.parent}{os.pathsep}{os.environ['PATH']}")
    till = make_till(settings="\n[sound]\nvolume = 40\n")

    def sounds() -> list[str]:
        lines = heard.read_text("utf-8").splitlines() if heard.exists() else []
        return [f"{Path(line.split()[-1]).stem} {line.split()[0]}" for line in lines]

    parked = till.charge_push("50")
    till.press(Qt.Key.Key_F6)
    till.until(lambda: len(chips(till)) == 1)
    served = till.charge_qr("60")
    sandbox.act(parked, "pay")
    till.until(lambda: sounds() == ["attention --volume=0.40"])
    sandbox.act(served, "reject")
    till.until_result("NOT PAID")
    till.until(lambda: sounds()[1:] == ["not_paid --volume=0.40"])
