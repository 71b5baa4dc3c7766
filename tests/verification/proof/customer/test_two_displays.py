"""A customer's payment on a second display, as a person would see it: on X with its plug pulled, and on Wayland."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.verification.proof.customer.desktops import SECOND, two_monitors, two_outputs

ROOT = Path(__file__).parents[4]
LIMIT_S = 240


def played(environment: Mapping[str, str], *options: str) -> dict[str, Any]:
    """What the program saw on this desktop."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.verification.proof.customer.play", *options],
        env=dict(environment),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_on_x_it_comes_and_goes_with_its_plug() -> None:
    with two_monitors() as there:
        seen = played(
            there,
            f"--unplug={json.dumps(['xrandr', '--delmonitor', 'HDMI-2'])}",
            f"--plug={json.dumps(['xrandr', '--setmonitor', 'HDMI-2', *SECOND])}",
        )
    assert seen["displays"] == ["TILL", "HDMI-2"]
    assert (seen["display"], seen["size"]) == ("HDMI-2", [1024, 600])
    assert seen["read"]
    assert seen["unplugged"], "the till's own screen goes on showing the code"
    assert seen["plugged"] == "HDMI-2"
    assert (seen["paid"], seen["code"]) == ("Payment Success", "")


def test_on_x_a_primary_display_that_is_named_the_customers_is_left_to_the_customer() -> None:
    with two_monitors() as there:
        seen = played({**there, "POS_APP_CUSTOMER_DISPLAY_NAME": "TILL"})
    assert (seen["till"], seen["display"], seen["size"]) == ("HDMI-2", "TILL", [1366, 768])
    assert seen["read"]


@pytest.mark.skipif(shutil.which("sway") is None, reason="no sway here")
def test_on_wayland_it_fills_its_output_and_the_keyboard_stays_with_the_till() -> None:
    with two_outputs("sway") as there:
        seen = played(
            there,
            f"--picture={json.dumps(['grim', '-o'])}",
            f"--keys={json.dumps(['wtype', '-s', '800', '-k', '7', '-s', '300', '-k', '5', '-s', '500'])}",
        )
    assert (seen["display"], seen["size"]) == ("HEADLESS-2", [1024, 600])
    assert seen["read"]
    assert seen["focus"] == "tillWindow"
    assert (seen["paid"], seen["code"]) == ("Payment Success", "")


@pytest.mark.skipif(shutil.which("cage") is None, reason="no cage here")
def test_where_windows_are_spread_over_all_displays_the_till_is_not_covered() -> None:
    with two_outputs("cage") as there:
        seen = played(there, f"--picture={json.dumps(['grim'])}", "--without")
    assert len(seen["displays"]) == 2
    assert not seen["window"]


@pytest.mark.skipif(shutil.which("sway") is None, reason="no sway here")
def test_where_windows_open_beside_the_last_one_the_till_is_not_covered() -> None:
    rule = 'for_window [title=".*Customer.*"] move container to output HEADLESS-1, focus'
    with two_outputs("sway", rule) as there:
        seen = played(there, f"--picture={json.dumps(['grim', '-o', 'HEADLESS-1'])}", "--without")
    assert not seen["window"]
