"""How each program of these proofs begins: a till alone on its screen, with its sandbox elsewhere. Asserts nothing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pos_app.app.kiosk.run import choose_platform
from pos_app.ui.theme import theme
from tests.integration.kiosk.alone import AloneTill
from tests.support.command_line import arguments
from tests.support.sandbox import Sandbox


def _nothing() -> None:
    """Most have nothing to do before the till opens."""


def begun(
    before: Callable[[], None] = _nothing, *, signed_in: str = "Nimali"
) -> tuple[QApplication, Sandbox, AloneTill]:
    """On the folder that the command line names first; `before` is done once there is a display and no till yet."""
    folder = Path(sys.argv[1])
    choose_platform(os.environ)
    qt = QApplication(["pos-app", *theme.STYLE_ARGUMENTS])
    sandbox = Sandbox.elsewhere(**json.loads(os.environ.pop("SANDBOX")))
    before()
    till = AloneTill(sandbox, arguments(folder / "config", folder / "data", kiosk=True), folder)
    if signed_in:
        till.sign_in(signed_in)
    return qt, sandbox, till
