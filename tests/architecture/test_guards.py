"""Proves that each guard fails the test it is to fail and no other, by what guard_cases.py gets told."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

CASES = Path(__file__).with_name("guard_cases.py")


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Test name to what was said against it; empty where it passed."""
    folder = tmp_path_factory.mktemp("guards")
    report = folder / "report.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(CASES),
        f"--junit-xml={report}",
        "-o",
        f"cache_dir={folder}",
    ]
    subprocess.run(command, cwd=CASES.parents[2], capture_output=True, timeout=100, check=False)
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        said = "\n".join(f"{child.get('message')}\n{child.text}" for child in case)
        found[case.get("name", "")] = found.get(case.get("name", ""), "") + said
    return found


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("test_logs_a_warning", "unexpected log record: WARNING pos_app.case: tolerated by nobody"),
        ("test_logs_a_warning_that_does_not_propagate", "ERROR pos_app.quiet: kept to itself"),
        ("test_logs_an_exception", 'raise RuntimeError("who raised it")'),
        ("test_does_not_log_what_it_announced", "no log record matched 'never said'"),
        ("test_warns", "DeprecationWarning: deprecated"),
        ("test_makes_qt_warn", "QObject: not like this"),
        ("test_raises_in_a_slot", "ValueError: in a slot"),
        ("test_leaves_a_thread", "left behind: thread 'forgotten' running threading.Event.wait"),
        ("test_leaves_an_executor", "left behind: thread 'calls_0'"),
        ("test_raises_in_a_thread", "ValueError: in a thread"),
        ("test_leaves_a_socket_open", "at ('127.0.0.1', "),
        (
            "test_has_a_few_files_more_open_than_are_allowed",
            " open descriptors, by this test or those before it: ",
        ),
        ("test_drops_a_socket_unclosed", "unclosed <socket.socket"),
        ("test_leaves_a_qthread", "left behind: QThread 'poller'"),
        ("test_leaves_a_timer", "left behind: QTimer 'blink' of QApplication"),
        (
            "test_shows_a_part_as_a_window",
            "a window for a moment: Label 'lost' at pos_app/app/window_placement.py",
        ),
    ],
)
def test_guard_fails_the_test(verdicts: dict[str, str], case: str, reason: str) -> None:
    """The verdict names what was wrong, so that its author finds it."""
    assert reason in verdicts[case]


@pytest.mark.parametrize(
    "case",
    [
        "test_logs_what_it_announced",
        "test_stops_a_thread_without_waiting_for_it",
        "test_deletes_a_timer_later",
        "test_shows_a_part_by_itself",
        "test_shows_a_window_of_the_till",
    ],
)
def test_guard_lets_the_test_pass(verdicts: dict[str, str], case: str) -> None:
    """A guard that cries at proper conduct would soon be switched off."""
    assert verdicts[case] == ""
