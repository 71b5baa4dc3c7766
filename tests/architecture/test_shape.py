"""Every file is as the project writes files, and each rule is proved on one that is not."""

import pytest

from tests.architecture import shape
from tests.architecture.sources import ROOT, Source, sources

OURS = sources("pos_app")
ALL = (*OURS, *sources("tests"))


def test_every_module_opens_with_its_purpose() -> None:
    """The first line says what a module is for."""
    silent = [line for source in ALL for line in shape.opening(source)]
    assert not silent, "\n".join(silent)


def test_every_folder_of_code_is_a_package() -> None:
    """A folder without __init__.py would escape the import contracts, and the wheel's imports."""
    folders = {(ROOT / source.path).parent for source in OURS}
    assert not [folder.name for folder in folders if not (folder / "__init__.py").exists()]


def test_any_error_is_caught_at_the_doors_only() -> None:
    """Two loops, Qt's hook, a till's opening, a store's lane, the sandbox's server, the command's end; else named."""
    places = [place for source in OURS for place in shape.broad_excepts(source)]
    assert not shape.beyond_the_doors(places)


def test_the_domain_is_pure_and_frozen() -> None:
    """No library with I/O, no clock, no value that can change."""
    found = [line for source in sources("pos_app/domain") for line in shape.impurities(source)]
    assert not found, "\n".join(found)


def test_no_constructor_takes_more_than_six_parts() -> None:
    """What belongs together is given together, and what few need is said afterwards."""
    found = [line for source in OURS for line in shape.crowded_constructors(source)]
    assert not found, "\n".join(found)


def test_tests_neither_sleep_nor_mock() -> None:
    """They wait for a signal or move a fake clock; benchmarks may let real time pass.

    A played machine sends no signals: it is looked at again and again, and typed on as fast as a person does, in one
    file.
    """
    found = [
        line
        for source in sources("tests")
        if not source.path.startswith(("tests/verification/bench/", "tests/verification/machine/machine.py"))
        for line in shape.waits_and_mocks(source)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "handler",
    ["except Exception:", "except:", "except BaseException as error:", "except (OSError, Exception):"],
)
def test_a_broad_except_is_found(handler: str) -> None:
    """However it is spelt."""
    source = Source("pos_app/services/http.py", f"try:\n    f()\n{handler}\n    pass\n")
    assert shape.broad_excepts(source) == ["pos_app/services/http.py:3"]


def test_a_suppressed_exception_is_a_broad_except() -> None:
    """The short spelling swallows as much."""
    source = Source("pos_app/app.py", "with suppress(Exception):\n    f()\n")
    assert shape.broad_excepts(source) == ["pos_app/app.py:1"]


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    f()\nexcept OSError:\n    pass\n",
        "try:\n    f()\nexcept BaseException:\n    undo()\n    raise\n",
    ],
)
def test_a_named_error_or_a_raise_again_is_not_broad(text: str) -> None:
    """Cleaning up and raising again hides nothing."""
    assert shape.broad_excepts(Source("pos_app/journal/store.py", text)) == []


def test_a_door_is_used_once() -> None:
    """A second broad except behind the same door is one too many, and another place is no door."""
    places = ["pos_app/engine/loop.py:9", "pos_app/engine/loop.py:40", "pos_app/services/http.py:3"]
    assert shape.beyond_the_doors(places) == places[1:]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import httpx\n", "imports httpx"),
        ("datetime.now(UTC)\n", "reads the clock with now()"),
        ("open(path)\n", "does I/O with open()"),
        ("class Money(msgspec.Struct):\n    pass\n", "Money is a Struct that can change"),
        ("@dataclass(slots=True)\nclass Sale:\n    pass\n", "Sale is a dataclass that can change"),
        ("@dataclass\nclass Sale:\n    pass\n", "Sale is a dataclass that can change"),
    ],
)
def test_an_impurity_is_found(text: str, reason: str) -> None:
    """Each kind of it."""
    found = shape.impurities(Source("pos_app/domain/money.py", text))
    assert len(found) == 1
    assert reason in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "time.sleep(1)\n",
        "qtbot.wait(100)\n",
        "from time import sleep\n",
        "from unittest import mock\n",
        "from unittest.mock import Mock\n",
        "import unittest.mock\n",
    ],
)
def test_a_wait_or_a_mock_is_found(text: str) -> None:
    """Each spelling of it."""
    assert len(shape.waits_and_mocks(Source("tests/ui/test_screen.py", text))) == 1


@pytest.mark.parametrize("given", ["a, b, c, d, e, f, g", "a, b, /, c, d, *, e, f, g=1"])
def test_a_crowded_constructor_is_found(given: str) -> None:
    """However its seven parts are given; six are not too many."""
    text = "class Crowd:\n    def __init__(self, {}):\n        pass\n"
    assert shape.crowded_constructors(Source("pos_app/crowd.py", text.format(given))) == [
        "pos_app/crowd.py:2 Crowd"
    ]
    fewer = given.removesuffix(", g").removesuffix(", g=1")
    assert shape.crowded_constructors(Source("pos_app/crowd.py", text.format(fewer))) == []


def test_a_silent_module_is_found() -> None:
    """Code without a purpose told is found; a bare package marker is none."""
    assert shape.opening(Source("pos_app/app.py", "import os\n")) == ["pos_app/app.py: no opening line"]
    assert shape.opening(Source("pos_app/__init__.py", "")) == []
