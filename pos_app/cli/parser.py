"""The command line's grammar: common options before or after any verb, each once; secrets never."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pos_app.bootstrap.errors import Exit
from pos_app.system.standard_error import tell

if TYPE_CHECKING:
    from pos_app.bootstrap.options import Options

LOG_LEVELS = ("debug", "info", "warning", "error")
_SECRET_LIKE = re.compile(
    r"-{1,2}[\w-]*(?:secret|password|passwd|psw|passcode|token|api-?key|pin\b)[\w-]*", re.I
)
_NAMES_A_PLACE = "--secrets-file"
_LONGEST_LINE = 200


class Parser(argparse.ArgumentParser):
    """No abbreviations, each option once. `given` is shared by the parsers of one line; `load` adds late options."""

    def __init__(
        self,
        *arguments: Any,
        given: set[str] | None = None,
        load: Callable[[Parser], None] | None = None,
        **options: Any,
    ) -> None:
        options.setdefault("allow_abbrev", False)
        # Each sentence of argparse's own is looked for in the system's catalogues, by every parser that is made.
        options.setdefault("add_help", load is None)
        super().__init__(*arguments, **options)
        self.given = set() if given is None else given
        self._load = load
        for name, action in ((None, Once), ("store", Once), ("store_true", Flag)):
            self.register("action", name, action)

    def whole(self) -> Parser:
        """With its late options, for whoever describes it."""
        if self._load is not None:
            load, self._load = self._load, None
            self.add_argument("-h", "--help", action="help", help="show this help message and exit")
            load(self)
        return self

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses a secret before anything else is said about the line."""
        for argument in args or ():
            name = str(argument).partition("=")[0]
            if _SECRET_LIKE.fullmatch(name) and name != _NAMES_A_PLACE:
                # Whoever wrote the secret onto the option's own name does not want it repeated either.
                shown = name if re.fullmatch(r"[A-Za-z_-]{1,28}", name) else "this option"
                self.error(
                    f"{shown}: a secret on the command line would be visible to others; use --secrets-file FILE"
                )
        return super(Parser, self.whole()).parse_known_args(args, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """What was meant, where that can be told; a list of all verbs is read by nobody."""
        choices = list(action.choices or ())
        if not choices or value in choices:
            return
        import difflib  # only here: a line that is right needs none of it

        close = difflib.get_close_matches(str(value), map(str, choices), 1)
        if close:
            meant = f"did you mean {close[0]}?"
        elif isinstance(action.choices, dict):
            meant = "--help lists them"
        else:
            meant = f"choose from {', '.join(map(str, choices))}"
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}; {meant}")

    def error(self, message: str) -> NoReturn:
        """One usage line, what is wrong, exit code 2. What was typed may hold what no terminal should be sent."""
        said = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in message)
        tell(f"{self.format_usage()}{self.prog}: error: {said}\n")
        raise SystemExit(int(Exit.USAGE))


class Once(argparse.Action):
    """An option that stands twice is a mistake, not a preference for the last one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = getattr(parser, "given", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, self.const if self.nargs == 0 else values)


class Version(argparse.Action):
    """Says which version it is, from which commit and on what it runs, and ends."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_given: Any) -> NoReturn:
        from pos_app.cli.output import Output  # only here: --help loads none of it
        from pos_app.system.version import line

        Output(goes_on=False).line(line())
        parser.exit()


class Flag(Once):
    """An option without a value."""

    def __init__(
        self, option_strings: Sequence[str], dest: str, default: Any = False, **options: Any
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, const=True, default=default, **options)


def path(text: str) -> Path:
    """A file or folder, its ~ resolved; for a verb's own arguments too."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError("a file or folder is needed")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise argparse.ArgumentTypeError(f"{text!r}: no such user") from None


def new_file(text: str) -> Path:
    """A file that is to be written. A dash is none: what is written is whole under its name, or not there."""
    if text == "-":
        raise argparse.ArgumentTypeError(
            "it writes a file and no stream; name one, ./- for a file of that name"
        )
    return path(text)


def plain(text: str) -> str:
    """An id as the services write them; for a verb's own arguments."""
    if not re.fullmatch(r"[!-~]{1,64}", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no id; it is up to 64 letters, digits and signs without spaces"
        )
    return text


def whole(text: str) -> str:
    """A whole number, as text."""
    if not re.fullmatch(r"[0-9]{1,10}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, for example 1")
    return text


def seconds(least: float, most: float, example: int) -> Callable[[str], float]:
    """What reads a time of `least` to `most` seconds, to the thousandth. It raises argparse.ArgumentTypeError."""

    def read(text: str) -> float:
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) or not least <= float(text) <= most:
            raise argparse.ArgumentTypeError(
                f"{text!r} is no time; it is {least:g} to {most:g} seconds, as {example}"
            )
        return float(text)

    return read


def private(text: str) -> str:
    """What others on this machine need not read in the list of processes: `-` reads a line of standard input."""
    return sys.stdin.readline(_LONGEST_LINE).strip() if text == "-" else text


def _language(text: str) -> str:
    # As the setting that it stands in for; only once it is given, because --help loads no settings.
    from pos_app.settings.model import BY_NAME

    key = BY_NAME["window.language"]
    problem = key.check(text) if key.check is not None else ""
    if problem:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no language; it {problem}, for example {key.example.strip(chr(34))}"
        )
    return text


def add_common(parser: Parser, *, data_dir: bool = True, sandbox: bool = True) -> None:
    """The options every verb takes; without defaults, so that a verb's own parser does not undo the line's."""
    group = parser.add_argument_group("common options", argument_default=argparse.SUPPRESS)
    group.add_argument("--config", type=path, metavar="FILE", help="the settings")
    group.add_argument("--secrets-file", type=path, metavar="FILE", help="the secrets, 0600")
    if data_dir:
        group.add_argument("--data-dir", type=path, metavar="DIR", help="where the data lies")
    group.add_argument("--language", type=_language, metavar="xx", help="two letters, for example en")
    group.add_argument("--log-level", choices=LOG_LEVELS, help="how much is logged")
    group.add_argument("--json", action="store_true", help="one JSON object per line on standard output")
    if sandbox:
        group.add_argument("--sandbox", action="store_true", help="on a sandbox of its own: no money moves")


def options_of(arguments: argparse.Namespace) -> Options:
    """The common options of a line; what was not given has its default."""
    # Not for --help: it would load msgspec first.
    from pos_app.system.loading import load_msgspec

    load_msgspec()
    from pos_app.bootstrap.options import Options

    given = {name: getattr(arguments, name) for name in Options.__struct_fields__ if hasattr(arguments, name)}
    return Options(**given)
