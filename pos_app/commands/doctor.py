"""`pos-app doctor`: what the till needs, and whether it has it. Shows where each setting came from, never a secret."""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from pos_app.commands.asking import said, services_of
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.opening import Shop, open_reading, open_shop, settings_of
from pos_app.commands.printing import printer_of
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, Refused, Why
from pos_app.settings import Settings

LEAST_FREE = 200 * 1024 * 1024
EARLIEST_YEAR = 2026
CLOCK_TOLERANCE_S = 300

_MARKS = {"ok": "ok     ", "warning": "note   ", "problem": "PROBLEM"}


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at: `ok`, `warning` or `problem`, and what to do about it."""

    about: str
    verdict: str
    text: str
    exit_code: Exit = Exit.NOT_PAID


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(arguments: argparse.Namespace) -> int:
    """0 when all is well, 1 with a problem, 69 without the service, 78 when the settings cannot be used."""
    printer = printer_of(arguments)
    code = Exit.OK
    for finding in _findings(arguments):
        line = f"{_MARKS[finding.verdict]}  {finding.about}: {finding.text}"
        printer.value({"about": finding.about, "verdict": finding.verdict, "text": finding.text}, line)
        if finding.verdict == "problem" and code is Exit.OK:
            code = finding.exit_code
    return int(code)


def _findings(arguments: argparse.Namespace) -> Iterator[Finding]:
    yield _user()
    try:
        if not arguments.sandbox:
            yield from _settings(settings_of(arguments))
        # In the sandbox the journal's lock comes first: two servers must not share one folder.
        shop = open_shop(arguments, journal=arguments.sandbox)
    except CommandError as error:
        yield _clock(0)
        for line in str(error).splitlines():
            yield Finding("set-up", "problem", line, error.exit_code)
        return
    try:
        if arguments.sandbox:
            yield from _settings(shop.settings)
        yield Finding("secrets", "ok", f"from {shop.secrets.source}")
        yield from _journal(arguments, shop)
        yield _key_store()
        yield _disk(shop.data_dir)
        yield from _service(shop)
    except CommandError as error:
        yield Finding("set-up", "problem", str(error), error.exit_code)
    finally:
        shop.close()


def _user() -> Finding:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Finding("user", "warning", "root; give the till a user of its own")
    return Finding("user", "ok", "not an administrator" if hasattr(os, "geteuid") else "not looked at here")


def _settings(settings: Settings) -> Iterator[Finding]:
    sections: dict[str, dict[str, Any]] = msgspec.to_builtins(settings)
    for section, values in sections.items():
        if section == "sources":
            continue
        for key, value in values.items():
            name = f"{section}.{key}"
            yield Finding(name, "ok", f"{value!r} from {settings.source_of(name)}")


def _journal(arguments: argparse.Namespace, shop: Shop) -> Iterator[Finding]:
    try:
        book = shop.book or open_reading(arguments, shop.environment.value)
    except CommandError as error:
        yield _clock(0)
        yield Finding("journal", "problem", str(error), error.exit_code)
        return
    if book is None:
        yield _clock(0)
        yield Finding("journal", "ok", "none yet; the first start makes it")
        return
    yield _clock(book.last_at())
    unsettled = len({each.attempt_id for each in [*book.open_attempts(), *book.needs_answer()]})
    waiting = f"{unsettled} payments are open or need attention: `open` lists them"
    yield Finding("journal", "warning" if unsettled else "ok", waiting if unsettled else "nothing is open")


def _clock(last_at: int) -> Finding:
    now = datetime.now().astimezone()
    text = now.isoformat(timespec="seconds")
    if now.year < EARLIEST_YEAR or now.timestamp() + CLOCK_TOLERANCE_S < last_at / 1000:
        than = "the last entry of the journal" if last_at else "this program"
        return Finding("clock", "problem", f"{text} is earlier than {than}: set the terminal's clock")
    return Finding("clock", "ok", text)


def _key_store() -> Finding:
    from pos_app.secrets import keystore

    name = keystore.available()
    if name:
        return Finding("key store", "ok", name)
    return Finding("key store", "warning", "none; secrets lie in a file of the owner's alone")


def _disk(folder: Path) -> Finding:
    if not os.access(folder, os.W_OK):
        return Finding("disk", "problem", f"{folder} cannot be written", Exit.CANNOT_CREATE)
    free = shutil.disk_usage(folder).free
    text = f"{free // (1024 * 1024)} MiB free in {folder}"
    if free < LEAST_FREE:
        return Finding("disk", "problem", f"{text}: make room", Exit.CANNOT_CREATE)
    return Finding("disk", "ok", text)


def _service(shop: Shop) -> Iterator[Finding]:
    base_url = shop.settings.gateway.base_url
    with services_of(shop) as services:
        start = time.perf_counter()
        reply = services.payments.query(QueryFilter(from_date=f"{datetime.now():%Y-%m-%d} 00:00:00"))
        taken = f"{base_url} answers in {(time.perf_counter() - start) * 1000:.0f} ms"
    if isinstance(reply, NoAnswer) and reply.why not in (Why.SIGN_IN, Why.FORBIDDEN):
        yield Finding("connection", "problem", f"{base_url}: {said(reply)}", Exit.UNAVAILABLE)
        return
    yield Finding("connection", "ok", taken)
    if isinstance(reply, NoAnswer):
        yield Finding("token", "problem", f"{said(reply)}: renew the access token", Exit.UNAVAILABLE)
    elif isinstance(reply, Refused):
        yield Finding("token", "ok", "accepted")
        yield Finding(
            "merchant", "problem", f"refused with {reply.code}: check merchant, secret code and password"
        )
    else:
        yield Finding("token", "ok", "accepted")
