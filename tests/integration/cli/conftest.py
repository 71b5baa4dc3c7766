"""One sandbox for the folder's tests and a counter of its own for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.devices.printers.virtual_server import PrinterServer
from tests.integration.cli.till import Till, till_of
from tests.support.sandbox import Sandbox
from tests.support.virtual_printer import mute, printer, server

__all__ = ["mute", "printer", "server"]


@pytest.fixture(scope="session")
def config_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config")


@pytest.fixture(scope="session")
def shared_sandbox(config_dir: Path) -> Iterator[Sandbox]:
    with Sandbox(config_dir=config_dir, switches={"approve_to_paid_s": 0}) as running:
        yield running


@pytest.fixture
def sandbox(shared_sandbox: Sandbox) -> Iterator[Sandbox]:
    """Without faults, and with the switches of its start, before and after."""
    switches = shared_sandbox.control("GET", "/switches")
    yield shared_sandbox
    shared_sandbox.clear_faults()
    shared_sandbox.control("POST", "/switches", switches)


@pytest.fixture
def make_till(sandbox: Sandbox, config_dir: Path, tmp_path: Path) -> Callable[[str], Till]:
    """A counter of its own by name; the same name is the same counter."""
    assert sandbox.details

    def make(name: str) -> Till:
        return till_of(config_dir / "config.toml", config_dir / "secrets.toml", tmp_path / name)

    return make


@pytest.fixture
def till(make_till: Callable[[str], Till]) -> Till:
    return make_till("counter")


@pytest.fixture
def counter(till: Till, server: PrinterServer) -> Till:
    """A counter whose settings name the printer; it prints what is asked for."""
    return with_printer(till, KIND="network", HOST="127.0.0.1", PORT=str(server.port), WIDTH="58", AUTO="off")


def with_printer(till: Till, **printer: str) -> Till:
    """The counter with these settings of its printer."""
    given = {f"POS_APP_PRINTER_{key}": value for key, value in printer.items()}
    return Till(till.common, till.environment | given)
