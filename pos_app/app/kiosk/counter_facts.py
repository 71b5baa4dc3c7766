"""What the safe screen tells of this counter, read from settings and journal whoever uses them."""

from __future__ import annotations

from datetime import datetime

from pos_app.app.faults import faults_said
from pos_app.app.view_config import view_config_of
from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.journal import is_gone
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import data_folder, in_language, open_reading, settings_ahead
from pos_app.bootstrap.unsettled import some_may_come, unsettled
from pos_app.domain.attempt import Attempt
from pos_app.journal import JournalError
from pos_app.system.version import version
from pos_app.ui.kiosk.safe_screen import Told, Updating
from pos_app.ui.view_config import TillViewConfig


def told(options: Options, *, why: str = "", updating: Updating = Updating.NO) -> Told:
    """As it is now. `why`: it cannot open; without it, it crashed too often. `updating`: it may not open now."""
    config = _config(options)
    return Told(
        stopped=not why and not updating,
        why=why,
        updating=updating,
        payments=_payments(options, config) if config is not None else None,
        config=config,
        version=version("pos-app", "?"),
        time=datetime.now().astimezone().strftime("%H:%M"),
    )


def _config(options: Options) -> TillViewConfig | None:
    try:
        # The screen is what is left where all else fails: it stands without what a fault keeps from it.
        with faults_said():
            return view_config_of(in_language(settings_ahead(options), options))
    except CommandError:
        return None


def _payments(options: Options, config: TillViewConfig) -> tuple[Attempt, ...] | None:
    try:
        with faults_said():
            return _read(options, config)
    except CommandError:
        return None


def _read(options: Options, config: TillViewConfig) -> tuple[Attempt, ...] | None:
    try:
        journal = open_reading(options, config.environment.value)
        if journal is None:
            return None if is_gone(data_folder(options, config.environment.value)) else ()
        try:
            payments = tuple(unsettled(journal))
            # That there are none is not known while the service has still to be asked.
            return payments if payments or not some_may_come(journal) else None
        finally:
            journal.close()
    except JournalError:
        return None
