"""`pos-app man`: the manual page on standard output, for `man -l -` or a folder of manual pages. Looks at no shop."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.output import Output


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(_options: Options, _arguments: argparse.Namespace) -> int:
    """The page, in English as all help is."""
    from pos_app.cli.grammar import described
    from pos_app.cli.main import parser
    from pos_app.cli.manual import page
    from pos_app.i18n.words.settings import Settings as SettingWords
    from pos_app.settings.model import KEYS
    from pos_app.system.version import version

    made = page(described(parser()), version("pos-app"), KEYS, SettingWords.LABEL)
    Output(goes_on=False).line(made.rstrip("\n"))
    return int(Exit.OK)
