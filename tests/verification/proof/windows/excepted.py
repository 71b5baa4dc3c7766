"""The unit tests that do not pass under Wine, each with its reason: a plugin of the run there (test_units.py).

Whatever is listed has to fail: one that passes, or is not there any more, ends the run as one that fails. What hangs,
and what would leave threads or files to the next test when it fails, is not begun.
"""

from __future__ import annotations

from pathlib import Path

import pytest

MODES = "modes of POSIX; what stands for them on Windows is tried in tests/unit/system/test_windows_acl.py"
LINKS = "Wine 8 makes no symbolic link, and says that it did"
PLACES = "it lays files where Linux looks for them (XDG, /etc, /proc)"
WORDS = "words of Linux for what went wrong"
SYNC = "Windows knows no syncing of folders, and is asked for none"
NO_FIFO = "Windows has no pipes with a name in a folder"
OPEN = "Windows moves no file that is open"
SIGNALS = "Windows has no signals: what is told to end there is ended at once, and says nothing"
HALF_CLOSED = (
    "it ends its half of a connection at once; whether the answer or that end is first is chance there"
)
HASTE = "it gives a fraction of a second, within which Wine does not answer on a busy machine"
STEPS = "its clock goes in steps of 16 ms, and whoever waits for less does not wait"
TOGETHER = (
    "on Linux alone all tills of a machine tell an update of themselves; an installer for Windows looks"
)
SLOW = "files of Wine are too slow for it: what the log still writes at an end is bounded to two seconds"

_S = "tests/unit/settings"
_K = "tests/unit/secrets"
_Y = "tests/unit/system"

FAILING: dict[str, tuple[str, ...]] = {
    MODES: (
        f"{_S}/test_paths.py::test_a_folder_others_can_change_is_refused",
        f"{_S}/test_paths.py::test_a_root_others_can_rename_in_is_refused",
        f"{_S}/test_write.py::test_a_first_file_is_made_with_its_folder",
        f"{_S}/test_write.py::test_a_folder_that_cannot_be_written_leaves_the_file",
        "tests/unit/services/test_tokens.py::test_a_token_file_open_to_others_or_missing_gives_none",
        f"{_K}/test_changing.py::test_secrets_that_cannot_be_stored_leave_nothing_behind",
        f"{_K}/test_files.py::test_a_file_others_can_read_or_change_is_refused",
        f"{_K}/test_files.py::test_a_file_others_can_replace_is_refused",
        f"{_K}/test_keystore.py::test_a_key_file_others_can_read_is_refused",
        f"{_Y}/test_atomic_file.py::test_it_is_private_unless_told_otherwise",
        f"{_Y}/test_updating.py::TestFlag::test_raised_and_lowered",
    ),
    LINKS: (
        f"{_S}/test_storing.py::test_both_are_stored_and_read_back",
        f"{_S}/test_storing.py::test_what_is_put_back_is_as_it_was",
        f"{_S}/test_storing.py::test_a_file_that_is_no_settings_is_left_alone",
        f"{_S}/test_write.py::test_permissions_and_links_stay",
        f"{_K}/test_changing.py::test_behind_a_link_the_file_itself_is_changed",
        f"{_K}/test_files.py::test_behind_a_link_the_file_counts",
        f"{_Y}/test_atomic_file.py::test_no_link_is_followed[True]",
        f"{_Y}/test_updating.py::TestPresence::test_a_link_is_not_followed",
        f"{_Y}/test_whole_file.py::test_a_link_in_the_parts_place_is_not_followed",
    ),
    OPEN: (
        "tests/unit/journal/test_append.py::test_a_file_moved_away_under_the_till_is_trouble",
        "tests/unit/journal/test_inspection.py::test_a_look_at_nothing_is_the_environments_failure",
    ),
    PLACES: (
        "tests/unit/engine/test_codes_for_the_machine.py::test_a_live_shop_has_the_machines_count_and_a_sandbox_none[live]",
        f"{_S}/test_picture.py::test_each_place_has_its_words",
        f"{_S}/test_storing.py::test_a_till_without_a_file_of_its_own_gets_one",
        f"{_S}/test_storing.py::test_secrets_that_cannot_be_stored_take_the_settings_back",
        f"{_S}/test_storing.py::test_a_change_that_may_be_put_back_is_no_other_windows_to_lose",
        f"{_S}/test_storing.py::test_a_change_that_met_a_fault_shuts_no_other_window_out",
        f"{_Y}/test_atomic_file.py::test_it_lasts_before_it_is_said_to_be_there",
        f"{_Y}/test_sticks.py::test_only_what_can_be_taken_away_and_written_is_a_stick",
        f"{_Y}/test_updating.py::TestFlag::test_where_it_is_looked_for",
    ),
    TOGETHER: (
        f"{_Y}/test_updating.py::TestPresence::test_a_till_is_there_until_it_ends_or_dies",
        f"{_Y}/test_updating.py::TestPresence::test_one_that_sells_no_more_is_still_there",
        f"{_Y}/test_updating.py::TestPresence::test_files_that_are_made_later_are_found",
        f"{_Y}/test_updating.py::TestPresence::test_files_that_were_taken_away_and_made_anew_are_held_again",
        f"{_Y}/test_updating.py::TestPresence::test_a_look_is_worth_its_while_after_each_change_alone",
        f"{_Y}/test_updating.py::TestPresence::test_what_somebody_kept_from_it_is_looked_for_again",
        f"{_Y}/test_updating.py::TestRequest::test_one_of_another_account_is_not_obeyed",
    ),
    WORDS: (
        f"{_S}/test_paths.py::test_a_folder_that_cannot_be_made_is_told",
        "tests/unit/engine/test_printer_line.py::test_what_the_system_refuses_is_tried_again_and_is_no_fault_of_the_drawing",
    ),
    SYNC: (
        f"{_K}/test_changing.py::test_a_change_of_secrets_outlives_a_power_cut",
        f"{_Y}/test_atomic_file.py::test_a_folder_that_knows_no_sync_is_used_and_a_broken_one_is_told[5]",
    ),
    NO_FIFO: (f"{_K}/test_files.py::test_what_is_no_plain_file_is_refused_at_once",),
}
"""By reason; a test by its name means each of its cases."""

NOT_BEGUN: dict[str, tuple[str, ...]] = {
    SLOW: (
        f"{_S}/test_log.py::test_files_rotate_and_belong_to_their_owner_alone",
        f"{_S}/test_log.py::test_a_log_that_cannot_be_renamed_loses_no_line",
        f"{_S}/test_log.py::test_a_log_that_cannot_be_renamed_does_not_grow_for_ever",
        f"{_S}/test_log.py::test_the_end_writes_what_waits_and_puts_everything_back",
    ),
    SIGNALS: (
        "tests/unit/sandbox/test_faults.py::test_waiting_calls_do_not_keep_the_sandbox_from_stopping",
        "tests/unit/sandbox/test_process.py::test_a_signal_ends_it",
        "tests/unit/journal/test_processes.py::test_a_killed_till_loses_nothing_and_frees_the_journal",
    ),
    HALF_CLOSED: (
        "tests/unit/sandbox/test_door.py::test_requests_for_a_proxy_are_refused[OPTIONS * HTTP/1.1]",
    ),
    STEPS: ("tests/unit/sandbox/test_faults.py::test_a_reply_that_drips",),
    HASTE: (
        "tests/unit/services/test_not_sent.py::test_closing_ends_what_is_under_way_and_all_that_follows",
        "tests/unit/services/test_transport.py::test_a_fault_after_sending_is_no_believable_reply",
    ),
}


NOT_READ: dict[str, tuple[str, ...]] = {
    "only Linux locks the journal's own file": ("tests/unit/journal/test_lock.py",),
    "they fill the disk by a limit of the process, and Windows has none": (
        "tests/unit/journal/test_backup.py",
        "tests/unit/journal/test_restoring.py",
        "tests/unit/journal/test_troubles.py",
        "tests/unit/journal/test_words.py",
    ),
}
"""Files that cannot be loaded there."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Those files."""
    named = [name for names in NOT_READ.values() for name in names]
    return True if any(collection_path == Path(name).absolute() for name in named) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raises UsageError for a name that no test bears, of the files that this run has."""
    files = {item.nodeid.partition("::")[0] for item in items}
    unknown = {name for names in NOT_READ.values() for name in names if not Path(name).is_file()}
    for table, begun in ((FAILING, True), (NOT_BEGUN, False)):
        for reason, names in table.items():
            for name in names:
                found = [item for item in items if name in (item.nodeid, item.nodeid.partition("[")[0])]
                for item in found:
                    item.add_marker(pytest.mark.xfail(reason=reason, strict=True, run=begun))
                if not found and name.partition("::")[0] in files:
                    unknown.add(name)
    if unknown:
        raise pytest.UsageError(f"listed as failing under Wine, and not there: {', '.join(sorted(unknown))}")
