"""The till's own tests, part by part, by CPython for Windows under Wine.

What cannot pass there is listed with its reason (excepted.py).
"""

import pytest

from tests.verification.proof.windows.wine import Wine, missing, python

pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
PARTS = ("domain", "engine", "services", "sandbox", "journal", "settings", "secrets", "system")
"""What needs no window. A test that hangs ends the run of its part, and no other's."""

LIMIT_S = 3000
VARIABLES = {
    "PYTHONUTF8": "1",
    "PYTHONPYCACHEPREFIX": "C:\\compiled",
    "QT_QPA_PLATFORM": "offscreen",
}
ONE_LIMIT_S = 600
_TOLD = 20_000
"""Of a part that fails its last words are shown, so many signs of them."""


@pytest.fixture(scope="session")
def interpreter(machine: Wine) -> str:  # noqa: ARG001 - that Windows is there first
    return python()


@pytest.mark.parametrize("part", PARTS)
def test_the_units_pass(machine: Wine, interpreter: str, part: str) -> None:
    """Each test of it, but for those that are named with a reason; and those do not pass."""
    done = machine.run(
        interpreter, "-m", "pytest", f"tests/unit/{part}",
        "-q", "-n", "0", "-p", "no:randomly", "-p", "tests.verification.proof.windows.excepted",
        "-o", "cache_dir=C:\\cache", "--show-capture=no", "--tb=short",
        f"--timeout={ONE_LIMIT_S}", "--timeout-method=thread", "-o", "faulthandler_timeout=0",
        limit_s=LIMIT_S,
        variables=VARIABLES,
    )  # fmt: skip
    assert done.code == 0, done.said[-_TOLD:]
