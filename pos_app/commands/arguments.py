"""The command line's grammar: common options before or after any verb, each once; secrets never."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LOG_LEVELS = ("debug", "info", "warning", "error")
_SECRET_LIKE = (
    "--secret",
    "--merchant-secret",
    "--password",
    "--merchant-password",
    "--token",
    "--access-token",
)


class Parser(argparse.ArgumentParser):
    """No abbreviations: a shortened option must not become another one in a later version."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(*arguments, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses a secret before anything else is said about the line."""
        for argument in args or ():
            name = str(argument).partition("=")[0]
            if name in _SECRET_LIKE or (name.startswith("--secret") and name != "--secrets-file"):
                self.error(
                    f"{name}: a secret on the command line would be visible to others; use --secrets-file FILE"
                )
        return super().parse_known_args(args, namespace)


class Once(argparse.Action):
    """An option that stands twice is a mistake, not a preference for the last one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given = namespace.__dict__.setdefault("_given", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, self.const if self.nargs == 0 else values)


class Flag(Once):
    """An option without a value."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, const=True, **options)


def _path(text: str) -> str:
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError("a file or folder is needed")
    return str(Path(text).expanduser())


def common(*, data_dir: bool = True) -> Parser:
    """The options every verb takes; without defaults, so that a verb's own parser does not undo the line's."""
    parser = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = parser.add_argument_group("common options")
    group.add_argument("--config", action=Once, type=_path, metavar="FILE", help="the settings")
    group.add_argument("--secrets-file", action=Once, type=_path, metavar="FILE", help="the secrets, 0600")
    if data_dir:
        group.add_argument("--data-dir", action=Once, type=_path, metavar="DIR", help="journal and log")
    group.add_argument("--language", action=Once, metavar="xx", help="two letters, for example en")
    group.add_argument("--log-level", action=Once, choices=LOG_LEVELS, help="how much is logged")
    group.add_argument("--json", action=Flag, help="one JSON object per line on standard output")
    return parser


DEFAULTS: dict[str, Any] = {
    "config": None,
    "secrets_file": None,
    "data_dir": None,
    "language": None,
    "log_level": "info",
    "json": False,
    "sandbox": False,
}
