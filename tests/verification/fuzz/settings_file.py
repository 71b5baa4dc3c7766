"""Target `settings`: any bytes as the settings file; settings that hold, or problems a shopkeeper can act on."""

from __future__ import annotations

import ipaddress
import os
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

from pos_app.domain.attempt import Environment
from pos_app.settings import Problem, Settings, SettingsError, load_settings, write_settings
from pos_app.settings.model import BY_NAME, KEYS
from tests.verification.fuzz.finding import Finding

SCRATCH = Path("build/fuzz/scratch")
WRITTEN_EVERY = 16
"""One input in so many is written into as well: that syncs."""

RIGHT = """\
[gateway]
environment = "live"
base_url = "https://gateway.example"
merchant_pg_identifier = "M-0001"
counter_id = 1
[shop]
name = "Corner Shop"
currency = "LKR"
country = "LK"
"""


def play(data: bytes) -> str:
    """Which it was; raises Finding when a problem does not say what it must, or settings do not hold."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    file = SCRATCH / f"{os.getpid()}.toml"
    file.write_bytes(data)
    try:
        return _played(file, data)
    finally:
        file.unlink()


def _played(file: Path, data: bytes) -> str:
    try:
        found = load_settings(file, {})
    except SettingsError as error:
        if not error.problems:
            raise Finding("refused without a problem") from error
        for problem in error.problems:
            _judge_problem(problem, data)
        return "file refused" if not error.problems[0].key else "key refused"
    _judge_settings(found)
    if sum(data) % WRITTEN_EVERY == 0:
        _judge_writing(file, found)
        return "written into"
    return "settings"


def _judge_problem(problem: Problem, data: bytes) -> None:
    said = str(problem)
    if not problem.text or not said.isprintable() or len(said) > 1_000:
        raise Finding("a problem that cannot be read in a terminal")
    if problem.source not in said and len(problem.source) < 900:
        raise Finding("a problem without its source")
    if problem.key in BY_NAME and not problem.example:
        raise Finding(f"{problem.key}: no example")
    if problem.line:
        lines = data.decode("utf-8-sig").split("\n")
        if problem.line > len(lines):
            raise Finding("a line that the file has not")
        # What is missing is told where it is asked for.
        told_at = "printer.kind" if problem.text.startswith("is missing for printer kind") else problem.key
        if told_at in BY_NAME and not _stands_on(told_at, lines[problem.line - 1]):
            raise Finding(f"{problem.key}: told of another line")


def _stands_on(key: str, line: str) -> bool:
    section, _, name = key.partition(".")
    return name in line or section in line


def _judge_settings(found: Settings) -> None:
    """What must hold whatever the file said, by other means than the till's."""
    parts = urlsplit(found.gateway.base_url)
    host = parts.hostname or ""
    if "@" in found.gateway.base_url or "?" in found.gateway.base_url or not found.gateway.base_url.isascii():
        raise Finding("an address that hides something")
    if found.gateway.environment is Environment.LIVE:
        if parts.scheme != "https" or _is_here(host):
            raise Finding("live over something else than https to elsewhere")
    elif not _is_here(host):
        raise Finding("a sandbox that is not on this machine")
    shop = found.shop
    if (
        not 0 < shop.max_amount < Decimal(10) ** 12
        or shop.currency not in {"LKR", "USD", "JPY", "BHD"} | _known()
    ):
        raise Finding("an amount or a currency without bounds")
    texts = (shop.name, shop.outlet_id, found.gateway.merchant_pg_identifier, found.otp.message)
    if not all(text.isprintable() for text in texts) or found.otp.message.count("{{code}}") != 1:
        raise Finding("a text that cannot be shown or sent")


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _known() -> set[str]:
    from pos_app.domain.money import CURRENCY_DIGITS

    return set(CURRENCY_DIGITS)


def _judge_writing(file: Path, before: Settings) -> None:
    """A changed key is read back; nothing else changes."""
    try:
        write_settings(file, {"shop.name": "Another Shop"})
    except SettingsError:
        return  # a file that only one of the two readers takes: said so, and left as it is
    after = load_settings(file, {})
    if after.shop.name != "Another Shop":
        raise Finding("a written key is read as it was")
    parts = ("gateway", "payment", "otp", "window")
    changed = [part for part in parts if getattr(before, part) != getattr(after, part)]
    if changed or before.shop.max_amount != after.shop.max_amount:
        raise Finding(f"writing one key changed {changed}")


def seeds() -> list[bytes]:
    """The bad-input list, E, and each key in its section."""
    texts = [RIGHT, "", "[gateway", RIGHT + "[shop]\n", RIGHT * 2, RIGHT.replace("live", "sandbox")]
    local = RIGHT.replace("live", "sandbox").replace("https://gateway.example", "http://127.0.0.1:8000")
    texts += [local, RIGHT.replace("\n", "\r\n"), "\ufeff" + RIGHT, RIGHT + "# \u2028\n[otp]\nmessage = 1\n"]
    for key in KEYS:
        section, _, name = key.name.partition(".")
        texts.append(f"{RIGHT}\n" if f"\n{name} =" in RIGHT else _with(section, f"{name} = {key.example}"))
        texts.append(_with(section, f"{name} = nan"))
    urls = (
        "http://gateway.example",
        "https://u:p@gateway.example",
        "https://g.example/../x?y",
        "https://g.example ",
    )
    texts += [RIGHT.replace("https://gateway.example", url) for url in urls]
    return [text.encode() for text in texts] + [RIGHT.encode("utf-16"), RIGHT.encode() + b"\xff", b"\0" * 9]


def _with(section: str, line: str) -> str:
    heading = f"[{section}]\n"
    return RIGHT.replace(heading, f"{heading}{line}\n") if heading in RIGHT else f"{RIGHT}{heading}{line}\n"


WORDS = [
    *(key.name.encode() for key in KEYS),
    *(key.example.encode() for key in KEYS),
    *(key.name.partition(".")[2].encode() + b" = " for key in KEYS),
    *(
        b"[shop]\n",
        b"[[shop]]\n",
        b"[gateway.x]\n",
        b'"""',
        b"'''",
        b"\\u0000",
        b"\\uD800",
        b"nan",
        b"inf",
        b"1e999",
    ),
    *(
        b"0x10",
        b"1979-05-27",
        b"07:32:00.999999",
        b"{a = 1}",
        b"[1, [2]]",
        b"\r",
        b"\x0c",
        b"\x85",
        b"# \xe2\x80\xa8\n",
    ),
    *(
        b"http://",
        b"https://127.0.0.1",
        b"https://[::1]",
        b"https://0x7f.1",
        b"xn--",
        b"\xef\xbb\xbf",
        b"=",
        b"." * 40,
    ),
]
