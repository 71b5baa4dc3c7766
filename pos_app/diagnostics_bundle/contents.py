"""What goes into diagnostics: versions, settings, findings, the journal's verification and counts, the log's end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.journal import JOURNAL, LOG_FOLDER
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import OWN_SANDBOX, Shop, data_root_of, open_shop
from pos_app.diagnostics_bundle.archive import Contents
from pos_app.diagnostics_bundle.cleaning import Cleaner
from pos_app.diagnostics_bundle.logs import crashes, last_lines
from pos_app.doctor import Finding, examine, examine_shop
from pos_app.doctor.finding import told
from pos_app.doctor.machine import versions
from pos_app.doctor.records import journal_report
from pos_app.doctor.setup import Setting, settings_shown
from pos_app.domain.attempt import Environment
from pos_app.domain.secret import Secret
from pos_app.journal import JournalError, read_only
from pos_app.system.paths import FolderError

README = """\
Diagnostics of a pos-app till, made at its owner's wish. Nothing was sent anywhere.

versions.json   the program, what it runs on
settings.json   each setting and where it came from
doctor.json     what `pos-app doctor` says
journal.json    whether the journal is as it was written, and how many payments and events of each kind it has
log.jsonl       the last lines of the log
crash.txt       where the process was when it died, if it ever did

Where the settings or the secrets cannot be read, only what could be looked at is here.

Secrets, sign-in codes, passcodes, phone and wallet numbers and the names of people are in none of them. The
addresses of the services, the merchant's id, the shop's name and the ids of payments are.
"""


def contents(options: Options) -> Contents:
    """Of what the options name, as far as it can be opened: diagnostics are for when something is wrong."""
    try:
        with closing(open_shop(options, journal=options.sandbox)) as shop:
            return contents_of(shop)
    except (CommandError, FolderError):
        return _of_what_is_there(options)


def _of_what_is_there(options: Options) -> Contents:
    """Without settings and secrets: what looks like a secret or a number is taken out of everything."""
    names = [OWN_SANDBOX] if options.sandbox else [each.value for each in Environment]
    try:
        folders = [data_root_of(options) / name for name in names]
    except FolderError:
        folders = []
    clean = Cleaner((), [name for folder in folders for name in _people(folder / JOURNAL)])
    findings = [Finding(each.about, each.verdict, clean.anything(each.text)) for each in examine(options)]
    members = _common(clean, findings)
    for folder in folders:
        # Not `is_dir`, which raises where it may not look.
        if os.access(folder / LOG_FOLDER, os.X_OK):
            members[f"log-{folder.name}.jsonl"] = last_lines(folder / LOG_FOLDER, clean)
            members[f"crash-{folder.name}.txt"] = crashes(folder / LOG_FOLDER, clean)
    return Contents(members, clean.is_clean, _without_a_till(folders))


def contents_of(shop: Shop) -> Contents:
    """Of a shop that is open, also while its till is at work; takes some seconds, never on the window's thread."""
    secrets = _secrets_of(shop)
    clean = Cleaner(secrets, _people(shop.data_dir / JOURNAL))
    report = journal_report(shop.data_dir / JOURNAL, shop.environment)
    log = shop.data_dir / LOG_FOLDER
    settings = [_setting(clean, each) for each in settings_shown(shop.settings)]
    findings = [
        msgspec.structs.replace(each, text=clean.anything(each.text)) if _is_free(each.about) else each
        for each in examine_shop(shop, report)
    ]
    members = _common(clean, findings) | {
        "settings.json": _json(clean, settings),
        "journal.json": _json(clean, report),
        "log.jsonl": last_lines(log, clean),
        "crash.txt": crashes(log, clean),
    }
    return Contents(members, clean.is_clean, _without_a_till([shop.data_dir]))


def _without_a_till(folders: Sequence[Path]) -> tuple[Path, ...]:
    """All of them, or none where a till has left its journal or its log, as far as this account may look."""
    left = (folder / name for folder in folders for name in (JOURNAL, LOG_FOLDER))
    return () if any(os.access(each, os.R_OK) for each in left) else tuple(folders)


def _is_free(setting: str) -> bool:
    """Whether the shop writes there what it likes: its own phone number stands on most receipts."""
    return setting.startswith(("receipt.", "otp."))


def _setting(clean: Cleaner, shown: Setting) -> dict[str, Any]:
    setting: dict[str, Any] = msgspec.to_builtins(shown)
    if _is_free(shown.name):
        setting["value"] = clean.value(shown.value, clean.anything)
    return setting


def _secrets_of(shop: Shop) -> tuple[Secret, ...]:
    """Those it was opened with, and those that stand in their place by now."""
    found = {*shop.secrets.given(), *shop.secrets_now().given()}
    if shop.control is not None:
        found.add(Secret(shop.control.control_token))
    return tuple(found)


def _common(clean: Cleaner, findings: Iterable[Finding]) -> dict[str, str]:
    return {
        "README.txt": README,
        "versions.json": _json(clean, versions()),
        "doctor.json": _json(clean, [told(each) for each in findings]),
    }


def _json(clean: Cleaner, value: Any) -> str:
    return json.dumps(clean.value(value), indent=1)


def _people(journal: Path) -> list[str]:
    names: list[str] = []
    with suppress(JournalError), closing(read_only(journal)) as records:
        names = [person.name for person in records.people()]
    return names
