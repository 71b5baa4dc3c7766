"""Runs the tour from the arguments to the exit code: 0 when every scene came to its end, else 1."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

from pos_app.app import demo_people
from pos_app.app.faces import face_of
from pos_app.app.run import HEIGHT, WIDTH
from pos_app.app.session import Session
from pos_app.commands.display import has_display
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.opening import Shop, open_shop
from pos_app.domain.people import TERMINAL
from pos_app.engine.site import Reconfigured
from pos_app.sandbox_control import Control, ControlError
from pos_app.tour.customer import Across
from pos_app.tour.day import Day
from pos_app.tour.stage import Stage, TourError
from pos_app.ui.design import theme
from pos_app.ui.language import set_language

GIVE_UP_S = 8
"""While time is to run out: short, so that a day with two time-outs fits into a minute."""


def run_tour(arguments: argparse.Namespace) -> int:
    """On this display, else off-screen. Its data lies in a folder of its own and is gone afterwards."""
    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    folder = arguments.screenshots
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be made: {error.strerror}") from error
    qt = QApplication.instance() or theme.application()
    if not isinstance(qt, QApplication):
        raise CommandError(Exit.NO_DISPLAY, "the tour needs a window")
    theme.apply(qt, arguments.theme)
    set_language(arguments.language or "en")
    with tempfile.TemporaryDirectory(prefix="pos-app-tour-") as data:
        arguments.sandbox, arguments.data_dir = True, data
        return _toured(_for_the_tour(open_shop(arguments), arguments.theme), folder)


def _for_the_tour(shop: Shop, theme_name: str) -> Shop:
    """In the colours that were asked for, and without motion."""
    replace, settings = msgspec.structs.replace, shop.settings
    shop.settings = replace(settings, window=replace(settings.window, theme=theme_name, motion=False))
    return shop


def _toured(shop: Shop, folder: Path | None) -> int:
    control, book = shop.control, shop.book
    if control is None or book is None:
        raise CommandError(Exit.UNAVAILABLE, "the tour needs its sandbox")
    demo_people.enrol(book)
    session = Session(shop)
    session.window.resize(WIDTH, HEIGHT)
    session.window.show()
    session.window.activateWindow()
    stage = Stage(session.window, folder, _say)
    across = Across(face_of(shop.settings), session.window)

    def hurry(in_a_hurry: bool) -> None:
        site = shop.site(sign_in_required=True)
        if in_a_hurry:
            rules = msgspec.structs.replace(site.rules, extension=0)
            site = msgspec.structs.replace(site, give_up_after_ms=GIVE_UP_S * 1000, rules=rules)
        session.bridge.post(Reconfigured(site=site, who=TERMINAL, changed=("payment.give_up_s",)))

    day = Day(stage, Control(control), across, hurry)
    session.bridge.published.connect(day.take)
    session.start()
    try:
        start = time.monotonic()
        for name, scene in day.scenes():
            _say(name)
            scene()
        _say(f"done in {time.monotonic() - start:.0f} s" + (f"; pictures in {folder}" if folder else ""))
    except (TourError, ControlError) as error:
        sys.stderr.write(f"pos-app tour: {error}\n")
        return 1
    finally:
        across.stop()
        session.window.end()
        session.stop()
    return int(Exit.OK)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
