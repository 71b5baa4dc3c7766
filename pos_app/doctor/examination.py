"""All parts in order, as far as each can be looked at; what cannot be opened is a finding, not an end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop, open_shop, settings_of
from pos_app.doctor.finding import Finding
from pos_app.doctor.machine import codes_finding, disk_finding, key_store_finding, machine_findings
from pos_app.doctor.records import clock_finding, journal_findings, journal_report, origin_findings
from pos_app.doctor.service import service_findings
from pos_app.doctor.setup import (
    fonts_finding,
    permission_findings,
    printer_finding,
    secrets_findings,
    settings_findings,
)
from pos_app.system.paths import FolderError


def examine(options: Options) -> Iterator[Finding]:
    """Of whatever the options name; in the sandbox it is started for it."""
    yield from machine_findings()
    try:
        if not options.sandbox:
            yield from settings_findings(settings_of(options))
        # In the sandbox the journal's lock comes first: two servers must not share one folder.
        shop = open_shop(options, journal=options.sandbox)
    except (CommandError, FolderError) as error:
        yield clock_finding(0)
        code = error.exit_code if isinstance(error, CommandError) else Exit.CANNOT_CREATE
        for line in str(error).splitlines():
            yield Finding("set-up", "problem", line, code)
        return
    try:
        if options.sandbox:
            yield from settings_findings(shop.settings)
        yield from _of_shop(shop, None)
    finally:
        shop.close()


def examine_shop(shop: Shop, report: dict[str, Any]) -> Iterator[Finding]:
    """Of a shop that is open, also while its till is at work; for any thread but the window's.

    `report`: what `journal_report` said.
    """
    yield from machine_findings()
    yield from settings_findings(shop.settings)
    yield from _of_shop(shop, report)


def _of_shop(shop: Shop, report: dict[str, Any] | None) -> Iterator[Finding]:
    yield from secrets_findings(shop.settings, shop.secrets)
    yield from permission_findings(shop.settings, shop.secrets, shop.data_dir)
    report = report or journal_report(shop.data_dir / JOURNAL, shop.environment)
    yield from journal_findings(report, shop.settings.day.cutoff_time)
    yield from origin_findings(report, shop.origin)
    yield key_store_finding(shop.secrets.source)
    yield disk_finding(shop.data_dir)
    yield printer_finding(shop.settings)
    yield fonts_finding(shop.settings)
    if shop.machine_sends is not None:
        yield codes_finding(shop.machine_sends.file)
    yield from service_findings(shop)
