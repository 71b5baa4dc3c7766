"""`pos-app store …`: the store of several counters; the till itself imports nothing of it."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import plain_line
from pos_app.cli.days import date_of
from pos_app.cli.output import Output
from pos_app.cli.parser import Parser, add_common, new_file, path, plain

if TYPE_CHECKING:
    from pos_app.store.command import Teller

_NO_LIBRARIES = (
    "the store's libraries are not installed here: it comes with the extra `store` (docs/store-service.md)"
)


def add_arguments(parser: Parser) -> None:
    """One verb for each thing that whoever runs a store does."""
    verbs = parser.add_subparsers(dest="step", required=True, metavar="VERB", parser_class=Parser)

    def verb(name: str, says: str) -> Parser:
        made: Parser = verbs.add_parser(name, help=says, given=parser.given)
        add_common(made, data_dir=False, sandbox=False)
        made.add_argument("--data", type=path, default=None, metavar="DIR", help="the store's folder")
        return made

    init = verb("init", "makes a store: its PostgreSQL, its key, its first shop")
    init.add_argument("--name", required=True, metavar="NAME", help="what the owner calls it")
    init.add_argument(
        "--shop", type=_some("Main street"), metavar="NAME", help="its first shop; else called as the store"
    )
    init.add_argument(
        "--dsn",
        type=_some("host=db.example dbname=pos_store user=pos_app"),
        metavar="DSN",
        help="another PostgreSQL than one of its own",
    )
    run = verb("run", "serves it until it is told to stop")
    run.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="else this machine alone")
    run.add_argument("--port", type=_port, default=0, metavar="N", help="0 takes a free one")
    run.add_argument("--tls-cert", type=path, default=None, metavar="FILE", help="certificate, as PEM")
    run.add_argument("--tls-key", type=path, default=None, metavar="FILE", help="its key, as PEM")
    run.add_argument("--behind-proxy", action="store_true", help="a proxy on the way ends TLS")
    run.add_argument(
        "--metrics-port",
        type=_port,
        default=None,
        metavar="N",
        help="Prometheus' figures, this machine alone",
    )
    check = verb("check", "looks it over: 1 with a finding")
    check.add_argument("--deep", action="store_true", help="each signature, and all figures told anew")
    verb("rebuild", "tells all figures anew from the batches")
    for name, says in (
        ("backup", "a copy of all but the key, tried"),
        ("restore", "puts a backup in its place"),
    ):
        verb(name, says).add_argument("file", type=path, metavar="FILE", help="the backup")
    verb("counters", "who joined, and how they do")
    verb("revoke", "refuses a counter's key from now on").add_argument(
        "installation", type=plain, metavar="ID", help="as store counters has it"
    )
    verb("code", "a code with which one counter joins a shop").add_argument(
        "shop", metavar="SHOP", help="number or name"
    )
    link = verb("link", "a link with which an owner chooses a password for the page, once")
    link.add_argument(
        "name", nargs="?", default="owner", type=plain, metavar="NAME", help="sign-in name; else owner"
    )
    link.add_argument(
        "--shop", type=_some("Main street"), metavar="SHOP", help="number or name; else the first"
    )
    link.add_argument(
        "--shown", type=_some("Nimali Perera"), metavar="NAME", help="what a new owner is called on the page"
    )
    shop = verb("shop", "lists the shops, makes or changes one")
    shop.add_argument(
        "shop",
        nargs="?",
        type=_some("Main street"),
        metavar="SHOP",
        help="number or name; a new name makes one",
    )
    shop.add_argument("--cutoff", type=_some("04:00"), metavar="HH:MM", help="when its day begins")
    days = verb("days", "the Zs of each day, and who has none")
    export = verb("export", "the payments of all counters as a file")
    formats = ("csv", "xlsx", "jsonl")
    export.add_argument("format", choices=formats, metavar="|".join(formats), help="what kind of file")
    export.add_argument("file", type=new_file, metavar="FILE", help="the file, which is not there yet")
    export.add_argument("--force", action="store_true", help="in the place of a file that has the name")
    for spanned in (days, export):
        spanned.add_argument(
            "--shop", type=_some("Main street"), metavar="SHOP", help="number or name; else all of them"
        )
        spanned.add_argument(
            "--from",
            dest="first",
            type=date_of,
            default=None,
            metavar="DATE",
            help="from this business date on",
        )
        spanned.add_argument(
            "--to", dest="last", type=date_of, default=None, metavar="DATE", help="up to this one"
        )
    shop.add_argument("--rename", type=_some("Main street"), metavar="NAME", help="what it is called now")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """The exit code (docs/store-service.md)."""
    if options.sandbox:
        raise CommandError(Exit.USAGE, "--sandbox: the store knows no sandbox; its counters do")
    try:
        from pos_app.store.command import Teller
        from pos_app.store.errors import StoreError
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("psycopg", "starlette", "uvicorn"):
            raise
        raise CommandError(Exit.CONFIGURATION, _NO_LIBRARIES) from error
    _end_in_order()
    try:
        output = Output(goes_on=arguments.step not in _TELLING)
        return _STEPS[arguments.step](arguments, Teller(output.line, plain_line, as_json=options.json))
    except StoreError as error:
        raise CommandError(Exit(error.exit_code), str(error)) from error


def _end_in_order() -> None:
    """A verb that is told to end, or whose terminal is closed, takes its own PostgreSQL and what it copied along.

    Else both stay: a PostgreSQL on a scratch copy that nothing ever ends. `run` has its own answer once it serves.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Of one that nohup started the terminal may be closed.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def _init(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.init(arguments.data, arguments.dsn or "", arguments.name, arguments.shop or "", tell)


def _run(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command
    from pos_app.store.running import Listening

    listening = Listening(
        host=arguments.host,
        port=arguments.port,
        certificate=arguments.tls_cert,
        key=arguments.tls_key,
        behind_proxy=arguments.behind_proxy,
        metrics_port=arguments.metrics_port,
    )
    return command.serve(arguments.data, listening, tell)


def _check(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.check(arguments.data, tell, deep=arguments.deep)


def _rebuild(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.rebuild(arguments.data, tell)


def _backup(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.save(arguments.data, arguments.file, tell)


def _restore(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.put_back(arguments.data, arguments.file, tell)


def _counters(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.counters(arguments.data, tell)


def _revoke(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.revoke(arguments.data, arguments.installation, tell)


def _code(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.code(arguments.data, arguments.shop, tell)


def _link(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    return command.link(arguments.data, arguments.name, arguments.shop or "", arguments.shown or "", tell)


def _shop(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store import command

    given = (each or "" for each in (arguments.shop, arguments.cutoff, arguments.rename))
    return command.shops(arguments.data, tell, *given)


def _days(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.store.day_command import tell_days

    shop, first, last = (each or "" for each in (arguments.shop, arguments.first, arguments.last))
    return tell_days(arguments.data, shop, first, last, tell)


def _export(arguments: argparse.Namespace, tell: Teller) -> int:
    from pos_app.cli.store_export import export

    return export(arguments, tell)


_STEPS: dict[str, Callable[[argparse.Namespace, Teller], int]] = {
    "init": _init,
    "run": _run,
    "check": _check,
    "rebuild": _rebuild,
    "backup": _backup,
    "restore": _restore,
    "counters": _counters,
    "revoke": _revoke,
    "code": _code,
    "link": _link,
    "shop": _shop,
    "days": _days,
    "export": _export,
}


_TELLING = frozenset({"check", "counters", "code", "link", "days"})
"""Steps of which nothing is left where nobody can read what they say."""


def _some(example: str) -> Callable[[str], str]:
    """A text that is not empty: a script's variable that was never set would mean all shops, or the first one."""

    def read(text: str) -> str:
        if not text.strip():
            raise argparse.ArgumentTypeError(
                f"nothing stands there; leave it out or write one, for example {example!r}"
            )
        return text

    return read


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port; it is a number from 0 to 65535, for example 8600"
        )
    return int(text)
