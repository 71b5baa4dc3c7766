"""The import contracts hold for the till; each is proved by breaking it in an empty copy of its modules."""

import configparser
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / ".importlinter"
LINT = """
import os, sys
from importlinter.cli import lint_imports

for folder in map(str.strip, sys.stdin):
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.chdir(folder)
        # First on the path: the linter reads the package in it and not an installed one.
        sys.path.insert(0, folder)
        code = lint_imports(sys.argv[1], no_cache=True, no_logo=True)
        sys.stdout.flush()
        os._exit(code)
    print("ends with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""Reads folders, and says of each what the linter does. Loading the linter took most of the time of each case."""

# The modules of the design that the cases below plant an import in or point one at.
MODULES = [
    "__main__",
    "app.run",
    "bootstrap.shop",
    "diagnostics_bundle.contents",
    "doctor.finding",
    "gallery.window",
    "cli.main",
    "cli.verbs.pay",
    "tour.run",
    "settings.model",
    "secrets.load",
    "system.paths",
    "log.start",
    "training.coach.card",
    "training.companion",
    "training.controller",
    "training.learners_file",
    "training.sandbox_rig",
    "training.phone.window",
    "training.printer.window",
    "training.course.scene",
    "domain.money",
    "i18n.table",
    "services.http",
    "services.payments",
    "journal.store",
    "journal.rows",
    "engine.core.engine",
    "devices.escpos",
    "ui.bridge",
    "ui.theme.tokens",
    "sandbox.server",
    "sandbox.store",
    "store.server",
    "store.receive",
]

BREAKS = [
    ("layers", "domain.money", "pos_app.journal.store"),
    ("layers", "services.payments", "pos_app.journal.store"),
    ("layers", "journal.store", "pos_app.services.payments"),
    ("layers", "journal.store", "pos_app.devices.escpos"),
    ("layers", "devices.escpos", "pos_app.services.http"),
    ("layers", "services.payments", "pos_app.engine.core.engine"),
    ("layers", "training.course.scene", "pos_app.journal.store"),
    ("layers", "training.course.scene", "pos_app.engine.core.engine"),
    ("layers", "engine.core.engine", "pos_app.ui.bridge"),
    ("layers", "ui.bridge", "pos_app.app.run"),
    ("layers", "ui.bridge", "pos_app.training.phone.window"),
    ("layers", "ui.bridge", "pos_app.cli.verbs.pay"),
    ("layers", "bootstrap.shop", "pos_app.cli.main"),
    ("layers", "training.course.scene", "pos_app.training.phone.window"),
    ("words-without-a-window", "i18n.table", "pos_app.ui.bridge"),
    ("window-speaks-to-the-engine", "ui.bridge", "pos_app.services.payments"),
    ("window-speaks-to-the-engine", "ui.bridge", "pos_app.journal.rows"),
    ("sandbox-is-a-stranger", "sandbox.server", "pos_app.domain.money"),
    ("sandbox-is-a-stranger", "sandbox.store", "pos_app.system.paths"),
    ("wire-is-the-only-link", "engine.core.engine", "pos_app.sandbox.server"),
    ("wire-is-the-only-link", "app.run", "pos_app.sandbox.server"),
    ("phone-is-a-stranger", "training.phone.window", "pos_app.engine.core.engine"),
    ("phone-is-a-stranger", "training.phone.window", "pos_app.settings.model"),
    ("values-come-as-arguments", "services.http", "pos_app.settings.model"),
    ("values-come-as-arguments", "ui.bridge", "pos_app.log.start"),
    ("values-come-as-arguments", "training.course.scene", "pos_app.secrets.load"),
    ("values-come-as-arguments", "journal.store", "pos_app.system.paths"),
    ("values-come-as-arguments", "engine.core.engine", "pos_app.secrets.load"),
    ("settings-build-nothing", "settings.model", "pos_app.services.http"),
    ("qt-in-the-window", "engine.core.engine", "PySide6.QtCore"),
    ("qt-in-the-window", "devices.escpos", "PySide6.QtGui"),
    ("qt-in-the-window", "cli.verbs.pay", "PySide6.QtWidgets"),
    ("httpx-in-one-module", "services.payments", "httpx"),
    ("httpx-in-one-module", "services.payments", "httpcore"),
    ("httpx-in-one-module", "cli.verbs.pay", "httpx"),
    ("sqlite-in-the-journal", "engine.core.engine", "sqlite3"),
    ("server-libraries-in-the-servers", "services.http", "starlette.applications"),
    ("server-libraries-in-the-servers", "app.run", "uvicorn"),
    ("server-libraries-in-the-servers", "journal.store", "uvicorn"),
    ("store-is-apart", "store.receive", "pos_app.journal.store"),
    ("store-is-apart", "store.server", "pos_app.sandbox.server"),
    ("store-is-started-by-a-verb", "engine.core.engine", "pos_app.store.receive"),
    ("postgresql-in-the-store", "journal.store", "psycopg"),
    ("domain-is-pure", "domain.money", "os"),
    ("domain-is-pure", "domain.money", "time"),
]

ALLOWED = [
    ("cli.main", "pos_app.cli.verbs.pay"),
    ("cli.verbs.pay", "pos_app.settings.model"),
    ("cli.verbs.pay", "pos_app.sandbox.server"),
    ("app.run", "pos_app.secrets.load"),
    ("app.run", "PySide6.QtWidgets"),
    ("tour.run", "PySide6.QtWidgets"),
    ("ui.bridge", "PySide6.QtCore"),
    ("ui.bridge", "pos_app.engine.core.engine"),
    ("training.phone.window", "PySide6.QtWidgets"),
    ("training.phone.window", "pos_app.ui.theme.tokens"),
    ("engine.core.engine", "pos_app.services.payments"),
    ("engine.core.engine", "pos_app.journal.store"),
    ("services.payments", "pos_app.services.http"),
    ("services.http", "httpx"),
    ("services.http", "httpcore"),
    ("journal.store", "sqlite3"),
    ("sandbox.store", "sqlite3"),
    ("sandbox.server", "uvicorn"),
    ("domain.money", "decimal"),
    ("store.receive", "psycopg"),
    ("store.receive", "pos_app.domain.money"),
    ("store.server", "uvicorn"),
    ("cli.verbs.pay", "pos_app.store.server"),
]


def skeleton(folder: Path, imports: list[tuple[str, str]]) -> Path:
    """An empty till with these imports, each a module and what it imports."""
    for module in MODULES:
        file = folder.joinpath("pos_app", *module.split(".")).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        for parent in file.relative_to(folder).parents[:-1]:
            (folder / parent / "__init__.py").touch()
    for module, imported in imports:
        with folder.joinpath("pos_app", *module.split(".")).with_suffix(".py").open("a") as text:
            text.write(f"import {imported}\n")
    return folder


class Report(NamedTuple):
    """What the linter says of a folder, and its exit code."""

    returncode: int
    stdout: str


Lint = Callable[[Path], Report]


@pytest.fixture(scope="module")
def lint() -> Iterator[Lint]:
    """The linter, loaded once; each folder is read by a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", LINT, str(CONTRACTS)],
        env={**os.environ, "COLUMNS": "200"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        asks, says = process.stdin, process.stdout
        assert asks is not None
        assert says is not None

        def of(folder: Path) -> Report:
            asks.write(f"{folder}\n")
            asks.flush()
            lines: list[str] = []
            for line in says:
                if line.startswith("ends with "):
                    return Report(int(line.split()[2]), "".join(lines))
                lines.append(line)
            raise AssertionError("".join(lines))

        yield of


def broken(report: str) -> set[str]:
    """The ids of the contracts the report calls broken."""
    names = {f"{name} BROKEN": contract for contract, name in contracts().items()}
    return {names[line] for line in map(str.strip, report.splitlines()) if line in names}


def contracts() -> dict[str, str]:
    parser = configparser.ConfigParser()
    parser.read(CONTRACTS)
    prefix = "importlinter:contract:"
    return {
        section.removeprefix(prefix): parser[section]["name"]
        for section in parser.sections()
        if section.startswith(prefix)
    }


def test_the_till_keeps_every_contract(lint: Lint) -> None:
    """A new import that breaks a layer fails here, with the chain of imports behind it."""
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


def test_what_the_design_allows_breaks_nothing(tmp_path: Path, lint: Lint) -> None:
    """A contract that forbade too much, or named the wrong module, would show here."""
    result = lint(skeleton(tmp_path, ALLOWED))
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(("contract", "module", "imported"), BREAKS)
def test_one_forbidden_import_breaks_its_contract(
    contract: str, module: str, imported: str, tmp_path: Path, lint: Lint
) -> None:
    """One planted import is enough, and it is this contract that notices."""
    result = lint(skeleton(tmp_path, [(module, imported)]))
    assert result.returncode == 1
    assert contract in broken(result.stdout), result.stdout


def test_every_contract_is_broken_once() -> None:
    """A contract nobody has seen fail may be one that cannot."""
    assert set(contracts()) == {contract for contract, _, _ in BREAKS}
