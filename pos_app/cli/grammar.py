"""The whole command line as data, read off its parser: for the manual page and for a shell's completion."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from pos_app.cli.parser import Parser

FILE, FOLDER = "FILE", "DIR"
"""What a metavar begins with where a path is wanted."""


class Option(NamedTuple):
    """One option: `value` is what stands behind it, "" for none; `choices` where it is one of a few."""

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    says: str

    @property
    def wants_file(self) -> bool:
        """Whether the name of a file follows."""
        return self.value.startswith(FILE)

    @property
    def wants_folder(self) -> bool:
        """Whether the name of a folder follows."""
        return self.value == FOLDER


class Operand(NamedTuple):
    """What stands on the line without a name of its own."""

    value: str
    choices: tuple[str, ...]
    says: str
    is_needed: bool


class Command(NamedTuple):
    """A verb, or the line without one. `path`: "" or "otp send". `common`: the options that every verb takes."""

    path: str
    says: str
    epilog: str
    options: tuple[Option, ...]
    common: tuple[Option, ...]
    operands: tuple[Operand, ...]
    verbs: tuple[Command, ...]


def described(parser: Parser) -> Command:
    """All of it, the options that load late among them."""
    return _command(parser, "")


def _command(parser: Parser, path: str) -> Command:
    parser.whole()
    options: list[Option] = []
    common: list[Option] = []
    operands: list[Operand] = []
    verbs: list[Command] = []
    for group in parser._action_groups:
        is_common = group.title == "common options"
        for action in group._group_actions:
            if isinstance(action, argparse._SubParsersAction):
                verbs += _verbs(action, path)
            elif action.option_strings:
                (common if is_common else options).append(_option(action))
            else:
                operands.append(_operand(action))
    said = (parser.description or "", parser.epilog or "")
    return Command(path, *said, tuple(options), tuple(common), tuple(operands), tuple(verbs))


def _verbs(action: argparse._SubParsersAction[Parser], path: str) -> Iterator[Command]:
    says = {each.dest: each.help or "" for each in action._choices_actions}
    for name, parser in action.choices.items():
        made = _command(parser, f"{path} {name}".strip())
        yield made._replace(says=made.says or says.get(name, ""))


def _option(action: argparse.Action) -> Option:
    return Option(tuple(action.option_strings), _value(action), _choices(action), _says(action))


def _operand(action: argparse.Action) -> Operand:
    return Operand(_value(action), _choices(action), _says(action), action.nargs != "?")


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.metavar is not None:
        return str(action.metavar)
    return "|".join(_choices(action)) or action.dest.upper()


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(map(str, action.choices or ()))


def _says(action: argparse.Action) -> str:
    return "" if action.help in (None, argparse.SUPPRESS) else str(action.help)
