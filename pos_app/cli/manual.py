"""The manual page, made from the parser's and the settings' own declarations: it says what the program does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pos_app.cli.grammar import Command, Option
from pos_app.settings.key import REQUIRED, Key
from pos_app.settings.sources import OTHER_VARIABLES, variable_of

_TYPES = {str: "text", int: "whole number", bool: "true or false", list: "list of texts"}


def page(command: Command, version: str, keys: tuple[Key, ...], labels: dict[str, str]) -> str:
    """In the language of man(7). `labels`: what each setting is, by its name. The same whoever makes it, and when."""
    return "\n".join(_page(command, version, keys, labels)) + "\n"


def _page(command: Command, version: str, keys: tuple[Key, ...], labels: dict[str, str]) -> Iterator[str]:
    yield f'.TH POS\\-APP 1 "" "pos\\-app {plain(version)}" ""'
    yield ".SH NAME"
    yield r"pos\-app \- a till for wallet payments by QR code and by request to a phone"
    yield ".SH SYNOPSIS"
    yield r"\fBpos\-app\fR [\fIOPTIONS\fR]"
    yield ".br"
    yield r"\fBpos\-app\fR [\fIOPTIONS\fR] \fIVERB\fR [\fIOPTIONS\fR]"
    yield ".SH DESCRIPTION"
    yield plain(command.says)
    yield "Options stand before the verb or behind it, each once."
    yield ".SH OPTIONS"
    for option in (*command.common, *command.options):
        yield from _option(option)
    yield ".SH VERBS"
    for verb in command.verbs:
        yield from _verb(verb)
    yield ".SH EXIT STATUS"
    yield plain(command.epilog)
    yield ".SH SETTINGS"
    # A line with nothing but part of a fingerprint cannot be spread. To groff 1.23 each paragraph begins as AD says.
    yield ".ds AD l"
    yield ".ad l"
    yield plain(
        "In the settings file each stands under its section. A variable counts more than the file, what the "
        "command line says more than both."
    )
    for key in keys:
        yield from _setting(key, labels[key.name])
    yield ".SH ENVIRONMENT"
    for name in sorted(OTHER_VARIABLES):
        yield ".TP"
        yield rf"\fB{plain(name)}\fR"
        yield plain(_VARIABLES[name])


_VARIABLES = {
    "POS_APP_CONFIG": "the settings file, as --config",
    "POS_APP_SECRETS_FILE": "the secrets file, as --secrets-file",
    "POS_APP_DATA_DIR": "the data folder, as --data-dir",
    "POS_APP_RUN_DIR": "where updates and tills find each other, else /run",
}


def _verb(verb: Command) -> Iterator[str]:
    if verb.verbs:
        for each in verb.verbs:
            yield from _verb(each)
        return
    behind = [
        rf"\fI{plain(each.value)}\fR" if each.is_needed else rf"[\fI{plain(each.value)}\fR]"
        for each in verb.operands
    ]
    yield f".SS {' '.join([plain(verb.path), *behind])}"
    yield plain(verb.says)
    for operand in verb.operands:
        if operand.says:
            yield ".TP"
            yield rf"\fI{plain(operand.value)}\fR"
            yield plain(operand.says)
    for option in verb.options:
        if "--help" not in option.names:
            yield from _option(option)


def _option(option: Option) -> Iterator[str]:
    names = ", ".join(rf"\fB{plain(name)}\fR" for name in option.names)
    yield ".TP"
    yield f"{names} \\fI{plain(option.value)}\\fR" if option.value else names
    yield plain(option.says)


def _setting(key: Key, label: str) -> Iterator[str]:
    takes = ", ".join(key.choices) or _TYPES.get(key.type, "number")
    default = "needed" if key.default is REQUIRED else f"else {_written(key)}"
    yield ".TP"
    yield rf"\fB{plain(key.name)}\fR"
    yield plain(f"{label} ({takes}; {default}), for example {key.example}")
    yield ".br"
    yield plain(variable_of(key.name))


def _written(key: Key) -> str:
    if key.default in ("", ()):
        return "empty"
    return str(key.default).lower() if key.type is bool else str(key.default)


_LONG = re.compile(r"\w{16}(?=\w{16})")
"""Part of what no terminal of 80 signs has room for in one line beside the margin: a fingerprint, for example."""


def plain(text: str) -> str:
    """A text of ours as the text of a page: nothing in it is an order to the typesetter."""
    text = _LONG.sub("\\g<0>\0", text).replace("\\", r"\e").replace("-", r"\-").replace("\0", r"\:")
    # Not every typesetter reads anything but ASCII.
    text = "".join(sign if sign.isascii() else rf"\[u{ord(sign):04X}]" for sign in text)
    return rf"\&{text}" if text[:1] in (".", "'") else text
