"""F10: the menu, what was done, diagnostics, leaving the till; for a manager, and beside a cashier."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.app.diagnostics import Diagnostics
from pos_app.domain.people import Role
from pos_app.domain.rights import Act
from pos_app.domain.staff import Approve, Permit, ReadStaffLog
from pos_app.domain.views import Block, StaffAnswered, StaffLine, StaffLog, StaffProblem
from pos_app.system.sticks import Stick, can_be_seen
from pos_app.ui.dialogs.people.saved_file import SavedFile
from pos_app.ui.widgets.button import Button
from tests.support.published import NIMALI, RUWAN, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import faults

F10, ESC = Qt.Key.Key_F10, Qt.Key.Key_Escape
BOSS = replace(RUWAN, passcode_set=True)
PEOPLE = (NIMALI, BOSS)


class Doors:
    """What the till has beside itself."""

    def __init__(self) -> None:
        self.left = 0
        self.asked: list[Callable[[str, str], None]] = []

    def leave(self) -> None:
        self.left += 1


def menu(qtbot: Any, dialogs: Doors, **told: Any) -> Stage:
    on = Stage(qtbot, diagnostics=dialogs.asked.append, leave=dialogs.leave)
    on.receive(terminal(people=PEOPLE, **told))
    on.press(F10)
    return on


def test_the_cog_and_f10_open_the_menu_and_esc_closes_it(qtbot: Any) -> None:
    on = menu(qtbot, Doors(), signed_in=BOSS)
    assert faults(on.part("managers_menu")) == []
    assert on.window.focusWidget() is on.part("manager_day")
    on.press(ESC)
    assert on.window.overlay.top is None
    on.part("settings_button").click()
    assert on.part("managers_menu").isVisible()


def test_a_till_without_kiosk_or_diagnostics_does_not_offer_them(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(people=PEOPLE, signed_in=BOSS))
    on.press(F10)
    assert not on.seen("manager_leave")
    assert not on.seen("manager_diagnostics")


def test_an_update_is_put_off_by_a_manager_while_the_till_closes_for_it(qtbot: Any) -> None:
    on = menu(qtbot, Doors(), signed_in=BOSS)
    assert not on.seen("manager_put_off")
    on.press(ESC)
    on.receive(terminal(people=PEOPLE, signed_in=BOSS, block=Block.UPDATING))
    assert "Closing for an update" in on.part("block").text()
    on.press(F10)
    on.part("manager_put_off").click()
    on.part("permit_reason").setText("Customers are waiting")
    on.part("permit_do").click()
    asked = on.commands(Permit)[-1]
    assert (asked.act, asked.reason) == (Act.PUT_OFF_UPDATE, "Customers are waiting")


def test_leaving_needs_a_managers_passcode_beside_a_cashier(qtbot: Any) -> None:
    dialogs = Doors()
    on = menu(qtbot, dialogs)
    on.part("manager_leave").click()
    on.part("approval_reason").setText("Service")
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    asked = on.commands(Approve)[-1]
    assert isinstance(asked.command, Permit)
    assert (asked.command.act, asked.command.reason, asked.request_id) == (
        Act.LEAVE_KIOSK,
        "Service",
        asked.command.request_id,
    )
    assert dialogs.left == 0
    on.receive(StaffAnswered(request_id=asked.request_id))
    assert dialogs.left == 1


def test_diagnostics_are_made_after_the_leave_and_say_where_they_are(qtbot: Any) -> None:
    dialogs = Doors()
    on = menu(qtbot, dialogs, signed_in=BOSS)
    on.part("manager_diagnostics").click()
    on.part("permit_reason").setText("For the help desk")
    on.part("permit_do").click()
    assert dialogs.asked == []
    on.receive(StaffAnswered(request_id=on.commands(Permit)[-1].request_id))
    assert len(dialogs.asked) == 1
    path = "/var/lib/shop/" + "a-long-folder/" * 12 + "pos-app-diagnostics-20251121.zip"
    thread = threading.Thread(target=dialogs.asked[0], args=(path, ""))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: on.part("saved_file_path").text().replace("\u200b", "") == path)
    on.settle()
    assert faults(on.part("saved_file")) == []


def test_a_leave_that_is_refused_stays_on_the_question(qtbot: Any) -> None:
    dialogs = Doors()
    on = menu(qtbot, dialogs, signed_in=BOSS)
    on.part("manager_leave").click()
    on.part("permit_reason").setText("Service")
    on.part("permit_do").click()
    refused = StaffAnswered(request_id=on.commands(Permit)[-1].request_id, problem=StaffProblem.CANNOT_RECORD)
    on.receive(refused)
    assert "cannot record it" in on.part("permit_problem").text()
    assert dialogs.left == 0


def test_what_was_done_is_asked_for_and_read_with_the_arrows(qtbot: Any) -> None:
    on = menu(qtbot, Doors(), signed_in=BOSS)
    on.part("manager_done").click()
    assert on.part("staff_log_said").text() == "Reading the record…"
    asked = on.commands(ReadStaffLog)[-1]
    one = StaffLine(kind="PERSON_ENROLLED", wall="2025-11-21T14:07:14+05:30", who="p2", whom="p1")
    on.receive(StaffLog(request_id="another", lines=()))
    assert on.part("staff_log_said").text() == "Reading the record…"
    on.receive(StaffLog(request_id=asked.request_id, lines=(one,) * 30))
    lines = on.part("staff_log_lines")
    assert lines.count() == 30
    assert on.window.focusWidget() is lines
    on.press(Qt.Key.Key_Return)
    on.press(ESC)
    assert on.seen("managers_menu"), "one step back"
    assert on.window.focusWidget() is on.part("manager_done")
    on.press(ESC)
    assert on.window.overlay.top is None


@pytest.mark.parametrize("problem", [StaffProblem.CANNOT_READ, StaffProblem.LOCKED])
def test_a_record_that_cannot_be_read_is_said(qtbot: Any, problem: StaffProblem) -> None:
    on = menu(qtbot, Doors(), signed_in=BOSS)
    on.part("manager_done").click()
    on.receive(StaffLog(request_id=on.commands(ReadStaffLog)[-1].request_id, problem=problem))
    assert on.part("staff_log_said").text() != "Reading the record…"
    assert not on.seen("staff_log_lines")


def test_the_panels_go_when_somebody_else_is_at_the_till(qtbot: Any) -> None:
    on = menu(qtbot, Doors(), signed_in=BOSS)
    on.part("manager_people").click()
    on.receive(terminal(people=PEOPLE, signed_in=NIMALI))
    assert on.window.overlay.top is None
    on.press(F10)
    assert not on.part("manager_people").isEnabled()


def test_the_people_go_when_their_manager_is_none_any_more(qtbot: Any) -> None:
    """Who made a cashier of themselves still had the list, and buttons that did nothing."""
    on = menu(qtbot, Doors(), signed_in=BOSS)
    on.part("manager_people").click()
    now = replace(BOSS, role=Role.CASHIER)
    on.receive(terminal(people=(NIMALI, now), signed_in=now))
    assert not on.seen("people_panel")
    assert not on.part("manager_people").isEnabled()


def test_the_file_for_the_help_desk_goes_onto_a_stick(qtbot: Any, tmp_path: Path) -> None:
    """Its path alone helps nobody at a till that has no file manager."""
    saved = tmp_path / "pos-app-diagnostics-20251121.zip"
    saved.write_bytes(b"zip")
    plugged: list[Stick] = []
    panel = SavedFile(find=lambda: plugged, can_be_seen=lambda: True)
    qtbot.addWidget(panel)
    panel.show()
    diagnostics = Diagnostics(lambda: pytest.fail("it is made already"))
    copied: list[tuple[str, str]] = []
    panel.stick_wanted.connect(lambda path, to: diagnostics.copy(path, to, lambda *said: copied.append(said)))
    panel.show_outcome(str(saved), "")
    assert "Plug in a USB stick" in panel.along.text()
    folder = tmp_path / "KINGSTON"
    folder.mkdir()
    plugged.append(Stick("KINGSTON", folder))
    qtbot.waitUntil(lambda: bool(panel.findChildren(Button, "saved_file_stick_0")))
    panel.findChildren(Button, "saved_file_stick_0")[0].click()
    qtbot.waitUntil(lambda: bool(copied))
    diagnostics.stop()
    assert copied == [(str(folder / saved.name), "")]
    assert (folder / saved.name).read_bytes() == b"zip"
    panel.show_copied("")
    assert panel.along.text() == "It is on KINGSTON now. The stick can be pulled out."


def test_nobody_is_asked_for_a_stick_that_would_not_be_seen(qtbot: Any, tmp_path: Path) -> None:
    """In a kiosk the service hides where sticks are mounted: whoever plugged one in waited before the panel."""
    hidden = tmp_path / "media"
    panel = SavedFile(find=list, can_be_seen=lambda: can_be_seen([str(hidden)]))
    qtbot.addWidget(panel)
    panel.show()
    panel.show_outcome("/home/till/diagnostics.zip", "")
    assert (panel.path.isVisible(), panel.along.text()) == (True, "")
    hidden.mkdir()
    panel.show_outcome("/home/till/diagnostics.zip", "")
    assert "Plug in a USB stick" in panel.along.text()


def test_a_stick_that_was_pulled_out_is_said(tmp_path: Path) -> None:
    saved = tmp_path / "pos-app-diagnostics-20251121.zip"
    saved.write_bytes(b"zip")
    told: list[tuple[str, str]] = []
    diagnostics = Diagnostics(lambda: pytest.fail("it is made already"))
    diagnostics.copy(str(saved), str(tmp_path / "gone"), lambda *said: told.append(said))
    diagnostics.stop()
    assert told == [("", f"{tmp_path / 'gone'}: No such file or directory")]
