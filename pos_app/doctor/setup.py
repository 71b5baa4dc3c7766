"""Looks at settings, secrets and who may read their files. Shows where each came from, never a secret."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pos_app.bootstrap.errors import Exit
from pos_app.doctor.finding import Finding
from pos_app.domain.phone import has_numbers
from pos_app.domain.print_job import Why
from pos_app.domain.secret import TOKENS, Secret
from pos_app.domain.sms import size_of_message
from pos_app.i18n.languages import languages
from pos_app.secrets import ShopSecrets
from pos_app.secrets.files import OF_PROVIDER
from pos_app.settings import Settings
from pos_app.settings.model import KEYS
from pos_app.system import paths, windows_acl

_HELD = {
    Why.NO_CONNECTION: "it cannot be reached: is it on, and is the address right?",
    Why.OFFLINE: "it is off line: press its key for paper, or switch it off and on",
    Why.COVER_OPEN: "its cover is open",
    Why.PAPER_OUT: "it has no paper",
    Why.BUSY: "another program has it",
    Why.NO_SUCH_PRINTER: "there is no such printer, or this account may not use it",
}

_NEEDED = ("merchant_secret_code", "merchant_password")


class Setting(msgspec.Struct, frozen=True):
    """A setting as it may be shown."""

    name: str
    value: Any
    source: str
    locked: bool


def settings_shown(settings: Settings) -> list[Setting]:
    """All of them. Of a command only its program."""
    sections: dict[str, Any] = msgspec.to_builtins(settings)
    shown = []
    for key in KEYS:
        value = sections[key.section][key.field]
        told = _program(value) if key.is_command else value
        shown.append(Setting(key.name, told, settings.source_of(key.name), key.name in settings.locked))
    return shown


def _program(command: list[str]) -> list[str]:
    return [*command[:1], "…"] if len(command) > 1 else list(command)


def settings_findings(settings: Settings) -> Iterator[Finding]:
    """Each value and where it came from; then what in them is worth a word."""
    for each in settings_shown(settings):
        locked = ", locked by the site file" if each.locked else ""
        yield Finding(each.name, "ok", f"{each.value!r} from {each.source}{locked}")
    if not settings.sandbox_allowed:
        yield Finding("sandbox", "ok", "forbidden on this machine by the site file, and the course with it")
    yield from _sms(settings)
    yield from _of_nowhere(settings)


def _of_nowhere(settings: Settings) -> Iterator[Finding]:
    """Two letters that stand for nothing: UK, where GB is meant, or sn for si. The till goes on without them."""
    country = settings.shop.country
    if not has_numbers(country):
        text = f"{country!r} is none with telephone numbers, so that each has to begin with +; for example LK, GB"
        yield Finding("country", "warning", text)
    named = {settings.window.language, settings.customer_display.language} - {""}
    for each in sorted(named - set(languages())):
        text = f"the till has none called {each!r}, and speaks English; it has {', '.join(languages())}"
        yield Finding("language", "warning", text)


def printer_finding(settings: Settings) -> Finding:
    """Whether the printer would take a job just now; nothing is printed."""
    from pos_app.bootstrap.printing import printer_of
    from pos_app.devices.printers.printer import NotReady

    kind = settings.printer.kind
    if not settings.printer.is_there:
        return Finding("printer", "ok", "none: receipts are not printed")
    printer = printer_of(settings)
    if printer is None:
        return Finding("printer", "ok", "a pretended one, beside the till's own window")
    try:
        printer.open().close()
    except NotReady as error:
        return Finding("printer", "warning", f"{kind}: {_HELD.get(error.why, error.why.value)}")
    return Finding(
        "printer", "ok", f"{kind}: ready, as far as it tells; paper of {settings.printer.width} mm"
    )


def fonts_finding(settings: Settings) -> Finding:
    """Whether there are letters for each language of screens and papers; without loading Qt."""
    from pos_app.bootstrap.shop import paper_language_of
    from pos_app.i18n.papers import SCRIPTS
    from pos_app.system.font_coverage import without_font

    missing = without_font(SCRIPTS)
    if missing is None:
        return Finding("fonts", "ok", "not looked at on this system, which brings its own")
    if not missing:
        return Finding("fonts", "ok", f"there are letters for {', '.join(SCRIPTS)}")
    own = paper_language_of(settings)
    named = [f"{each}, the language of the receipts" if each == own else each for each in missing]
    text = "no font has the letters of " + "; ".join(named)
    return Finding("fonts", "warning", f"{text}: screens and papers show boxes; install one, as Noto Sans")


def _sms(settings: Settings) -> Iterator[Finding]:
    messages = {"": settings.otp.message, **settings.otp.by_language}
    for language, message in messages.items():
        size = size_of_message(message)
        about = f"sign-in SMS {language}".strip()
        text = f"{size.used} of {size.limit} places in one SMS ({size.alphabet.value})"
        if size.is_one:
            yield Finding(about, "ok", text)
        else:
            yield Finding(about, "warning", f"{text}: it goes out as {size.parts}, each is paid for")


def secrets_findings(settings: Settings, secrets: ShopSecrets) -> Iterator[Finding]:
    """The place, and which of them are there."""
    yield Finding("secrets", "ok", f"from {secrets.source}")
    provider = settings.gateway.token_provider
    needed = {*_NEEDED, *(name for name, of in OF_PROVIDER.items() if of == provider)}
    for name in msgspec.structs.fields(ShopSecrets):
        value = getattr(secrets, name.name)
        if not isinstance(value, Secret):
            continue
        is_used = OF_PROVIDER.get(name.name, provider) == provider
        if name.name in TOKENS and is_used and " " in value.reveal():
            # A form takes none such; a file does, and the service then refuses what it reads as another token.
            text = "has a space inside: it must be the token alone, without Bearer"
            yield Finding(f"secret {name.name}", "problem", text, Exit.CONFIGURATION)
        elif value:
            yield Finding(f"secret {name.name}", "ok", "present")
        elif name.name in needed:
            text = "missing: no payment can be asked for"
            yield Finding(f"secret {name.name}", "problem", text, Exit.CONFIGURATION)
        else:
            yield Finding(f"secret {name.name}", "ok", "not given, not needed")


def permission_findings(settings: Settings, secrets: ShopSecrets, data_dir: Path) -> Iterator[Finding]:
    """Who else may read or change what must be the till's alone."""
    open_to_others = [
        str(path) for path, forbidden in _watched(settings, secrets, data_dir) if _is_open(path, forbidden)
    ]
    if open_to_others:
        text = f"others can read or change {', '.join(open_to_others)}"
        yield Finding("permissions", "problem", f"{text}: take their rights away", Exit.CONFIGURATION)
    else:
        yield Finding("permissions", "ok", "secrets, journal and settings are nobody else's to change")


def _watched(settings: Settings, secrets: ShopSecrets, data_dir: Path) -> Iterator[tuple[Path, int]]:
    """Each with the rights that others must not have; settings may be read by everybody."""
    yield data_dir, 0o022
    for name in ("journal.key", "journal.sqlite", "journal.sqlite-wal", "log"):
        yield data_dir / name, 0o022 if name == "log" else 0o077
    if Path(secrets.source).is_absolute():
        yield Path(secrets.source), 0o037
    if settings.gateway.token_provider == "file":
        yield Path(settings.gateway.token_file), 0o007
    yield paths.site_file(), 0o022
    yield from {(Path(source.rpartition(" line ")[0]), 0o022) for source in settings.sources.values()}


def _is_open(path: Path, forbidden: int) -> bool:
    """`forbidden`: as in a file's mode; on Windows, whether others may read is all that is taken from it."""
    try:
        if not path.is_absolute():
            return False
        if sys.platform == "win32":
            return windows_acl.is_open(path, secret=bool(forbidden & 0o004))
        return bool(stat.S_IMODE(path.stat().st_mode) & forbidden)
    except OSError:
        return False
