"""In what order and by which of several workers the proofs are run, and how long a busy machine may need for one."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

LIMIT_S = 300
"""Each test's, where it names none of its own: all wait for what happens, and other programs may have the cores."""

FIRST = (
    "bundle/test_contents.py::test_a_second_build_is_the_same_in_every_file",
    "bundle/",
    "windows/",
    "debian/",
    "kiosk/test_every_key.py",
    "course/",
    "tour/",
    "kiosk/",
    "customer/",
    "access/",
)
"""The longest first, so that no worker ends with one; the second build leaves the bundle that the others look at."""


class _Sharing(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Each proof to whichever worker is free; those of bundle, Debian and Windows to one each: built once for all.

    xdist's own groups (`--dist loadgroup`) are no groups with pytest 9.2, which knows a test's id by another name.
    """

    def _split_scope(self, nodeid: str) -> str:
        part = nodeid.partition("verification/proof/")[2].partition("/")[0]
        return part if part in ("bundle", "debian", "windows") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _Sharing:
    """As `make proof` shares them out."""
    return _Sharing(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After another plugin has shuffled them."""
    for item in items:
        if _part(item) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LIMIT_S))
    items.sort(key=_place)


def _part(item: pytest.Item) -> str:
    """Where in this folder it is; nothing for a test of another."""
    return item.nodeid.partition("verification/proof/")[2]


def _place(item: pytest.Item) -> int:
    part = _part(item)
    return next((at for at, begin in enumerate(FIRST) if part.startswith(begin)), len(FIRST))
