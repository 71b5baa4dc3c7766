"""`pos-app doctor`: what the till needs, and whether it has it. Shows where each setting came from, never a secret."""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from pos_app.commands.arguments import Flag
from pos_app.commands.errors import Exit
from pos_app.commands.opening import Shop, open_shop
from pos_app.commands.printing import printer_of
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, Refused, Why
from pos_app.settings import Settings

LEAST_FREE = 200 * 1024 * 1024
EARLIEST_YEAR = 2026


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at: `ok`, `warning` or `problem`, and what to do about it."""

    about: str
    verdict: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """On which shop."""
    parser.add_argument("--sandbox", action=Flag, default=argparse.SUPPRESS, help="on a sandbox of its own")


def run(arguments: argparse.Namespace) -> int:
    """0 when all is well, 1 with a problem, 69 without the service, 78 when the settings cannot be used."""
    printer = printer_of(arguments)
    code = Exit.OK
    for finding in _findings(arguments):
        said = msgspec.to_builtins(finding)
        mark = {"ok": "ok     ", "warning": "note   ", "problem": "PROBLEM"}[finding.verdict]
        printer.value(said, f"{mark}  {finding.about}: {finding.text}")
        if finding.verdict == "problem" and code is Exit.OK:
            code = Exit.UNAVAILABLE if finding.about == "connection" else Exit.NOT_PAID
    return int(code)


def _findings(arguments: argparse.Namespace) -> Iterator[Finding]:
    yield _clock()
    shop = open_shop(arguments, journal=arguments.sandbox)
    try:
        yield from _settings(shop.settings)
        yield Finding("secrets", "ok", f"from {shop.secrets.source}")
        yield _key_store()
        yield _disk(shop.data_dir)
        yield from _service(shop)
    finally:
        shop.close()


def _clock() -> Finding:
    now = datetime.now().astimezone()
    text = now.isoformat(timespec="seconds")
    if now.year < EARLIEST_YEAR:
        return Finding("clock", "problem", f"{text} lies in the past: set the terminal's clock")
    return Finding("clock", "ok", text)


def _settings(settings: Settings) -> Iterator[Finding]:
    for section, values in msgspec.to_builtins(settings).items():
        if section == "sources":
            continue
        for key, value in values.items():
            name = f"{section}.{key}"
            yield Finding(name, "ok", f"{value!r} from {settings.source_of(name)}")


def _key_store() -> Finding:
    from pos_app.secrets import keystore

    name = keystore.available()
    if name:
        return Finding("key store", "ok", name)
    return Finding("key store", "warning", "none; secrets lie in a file of the owner's alone")


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    text = f"{free // (1024 * 1024)} MiB free in {folder}"
    if not os.access(folder, os.W_OK):
        return Finding("disk", "problem", f"{folder} cannot be written")
    return Finding("disk", "ok" if free >= LEAST_FREE else "problem", text)


def _service(shop: Shop) -> Iterator[Finding]:
    from pos_app.commands.wiring import service_config
    from pos_app.services.open import open_services

    services = open_services(service_config(shop))
    try:
        start = time.perf_counter()
        reply = services.payments.query(QueryFilter(from_date=f"{datetime.now():%Y-%m-%d} 00:00:00"))
        taken = f"{(time.perf_counter() - start) * 1000:.0f} ms"
    finally:
        services.close()
    base_url = shop.settings.gateway.base_url
    if isinstance(reply, NoAnswer) and reply.why is Why.SIGN_IN:
        yield Finding("connection", "ok", f"{base_url} in {taken}")
        yield Finding(
            "token", "problem", "the service refused this terminal's sign-in: renew the access token"
        )
    elif isinstance(reply, NoAnswer):
        yield Finding("connection", "problem", f"{base_url}: {reply.why.value.replace('_', ' ')}")
    elif isinstance(reply, Refused):
        yield Finding("connection", "ok", f"{base_url} in {taken}")
        yield Finding("merchant", "problem", f"refused with {reply.code}: call the service's support")
    else:
        yield Finding("connection", "ok", f"{base_url} in {taken}")
        yield Finding("token", "ok", "accepted")
