"""Runs the tour from the options to the exit code: 0 when every scene came to its end, 73 without room, else 1."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

from pos_app.app import demo_people
from pos_app.app.session import Session
from pos_app.app.view_config import view_config_of
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.sandbox_control import Control, ControlError
from pos_app.bootstrap.shop import Shop, open_shop
from pos_app.domain.people import TERMINAL
from pos_app.engine.core.config import Reconfigured
from pos_app.system.display import has_display
from pos_app.tour.customer import Across
from pos_app.tour.day import Day
from pos_app.tour.stage import Stage, TourError
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme

WIDTH, HEIGHT = 1366, 768

GIVE_UP_S = 8
"""While time is to run out: short, so that a day with two time-outs fits into a minute."""


def run_tour(options: Options, folder: Path | None, theme_name: str, say: Callable[[str], None]) -> int:
    """On this display, else off-screen; its pictures go to `folder`. Its data lies apart and is gone afterwards.

    `say` takes a line for each step.
    """
    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be made: {error.strerror}") from error
    qt = QApplication.instance() or theme.application()
    if not isinstance(qt, QApplication):
        raise CommandError(Exit.NO_DISPLAY, "the tour needs a window")
    theme.apply(qt, theme_name)
    set_language(options.language or "en")
    with tempfile.TemporaryDirectory(prefix="pos-app-tour-") as data:
        shop = open_shop(msgspec.structs.replace(options, sandbox=True, data_dir=Path(data)))
        return _toured(_for_the_tour(shop, theme_name), folder, say)


def _for_the_tour(shop: Shop, theme_name: str) -> Shop:
    """In the colours that were asked for, without motion, with the keys that a touch brings to the screen, and with a
    printer whose paper can be looked at.
    """
    replace, settings = msgspec.structs.replace, shop.settings
    shop.settings = replace(
        settings,
        window=replace(settings.window, theme=theme_name, motion=False, keyboard="always"),
        printer=replace(settings.printer, kind="virtual", auto="all"),
    )
    return shop


def _toured(shop: Shop, folder: Path | None, say: Callable[[str], None]) -> int:
    control, journal = shop.control, shop.journal
    if control is None or journal is None:
        raise CommandError(Exit.UNAVAILABLE, "the tour needs its sandbox")
    demo_people.enrol(journal)
    session = Session(shop)
    session.window.resize(WIDTH, HEIGHT)
    session.window.show()
    session.window.activateWindow()
    stage = Stage(session.window, folder, say)
    across = Across(view_config_of(shop.settings), session.window)

    def hurry(in_a_hurry: bool) -> None:
        config = shop.engine_config(sign_in_required=True)
        if in_a_hurry:
            rules = msgspec.structs.replace(config.rules, extension=0)
            config = msgspec.structs.replace(config, give_up_after_ms=GIVE_UP_S * 1000, rules=rules)
        session.bridge.post(Reconfigured(config=config, who=TERMINAL, changed=("payment.give_up_s",)))

    day = Day(stage, Control(control), across, hurry, lambda: session.paper)
    session.bridge.published.connect(day.take)
    session.start()
    try:
        start = time.monotonic()
        for name, scene in day.scenes():
            say(name)
            scene()
        say(f"done in {time.monotonic() - start:.0f} s" + (f"; pictures in {folder}" if folder else ""))
    except (TourError, ControlError) as error:
        sys.stderr.write(f"pos-app tour: {error}\n")
        return 1
    finally:
        across.stop()
        session.window.end()
        session.stop()
    return int(Exit.OK)
