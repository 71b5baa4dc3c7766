"""What is changed on purpose, area by area, and which tests have to notice it."""

from __future__ import annotations

from pathlib import Path

import msgspec

KEPT = Path("build/mutants")
SAMPLE = "sample"
"""Where a bounded run from the start works: what longer runs have come to is kept beside it."""

SEEDS = "120"


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """Some modules, the tests that are theirs, and slower ones for what those let through.

    `tests` are arguments of pytest. `slow` are commands of this Python; the first that fails has noticed.
    """

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    slow: tuple[tuple[str, ...], ...]
    full_minutes: float
    """What a whole run takes on one core; a bounded run from the start takes a share of the mutants."""
    folder: str = ""

    @property
    def place(self) -> Path:
        """Where its copy and its results lie."""
        return KEPT / self.folder / self.name

    def modules(self, root: Path) -> list[Path]:
        """The files that are changed, relative to `root`."""
        return sorted({path.relative_to(root) for pattern in self.files for path in root.glob(pattern)})


def _services(*names: str) -> tuple[str, ...]:
    return tuple(f"pos_app/services/{name}.py" for name in names)


def _tests(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/test_{name}.py" for name in names)


_LONG_OF_JOURNAL = (
    "--ignore=tests/unit/journal/test_processes.py",
    "--ignore=tests/unit/journal/test_tampering.py",
    "--deselect=tests/unit/journal/test_chain.py::test_a_changed_history_is_reported",
    "--deselect=tests/unit/journal/test_troubles.py::test_another_writer_is_waited_for_and_then_said",
    "--deselect=tests/unit/journal/test_projections.py::test_the_tables_equal_a_replay",
)

FLOW = Area(
    name="flow",
    files=(
        "pos_app/domain/flow/*.py",
        *(f"pos_app/domain/{name}.py" for name in ("attempt", "sale", "otp", "replies")),
    ),
    tests=(
        *_tests("tests/unit/domain", "values", "sale", "otp_limits"),
        "tests/unit/domain/flow",
        "--ignore=tests/unit/domain/flow/test_properties.py",
    ),
    # Tables that are made of functions when a module is loaded are those of a process of its own.
    slow=(
        ("-m", "pytest", "-x", "-q", "tests/unit/domain/flow/test_transitions.py"),
        ("-m", "pytest", "-x", "-q", "tests/unit/domain/flow/test_properties.py"),
        ("-m", "tests.verification.mutants.seeds", SEEDS),
    ),
    full_minutes=18,
)
JOURNAL = Area(
    name="journal",
    files=("pos_app/journal/*.py",),
    tests=("tests/unit/journal", *_LONG_OF_JOURNAL),
    slow=(("-m", "pytest", "-x", "-q", *(each.partition("=")[2] for each in _LONG_OF_JOURNAL)),),
    full_minutes=30,
)
WIRE = Area(
    name="wire",
    files=_services("strict_json", "wire", "answers", "fields", "bodies", "errors", "otp_wire"),
    # What a process loads is another thing with mutmut in it.
    tests=(
        *_tests(
            "tests/unit/services",
            "strict_json",
            "why_unreadable",
            "http_status",
            "listing",
            "otp",
            "replies",
            "requests",
            "values",
        ),
        "--deselect=tests/unit/services/test_values.py::test_the_service_layer_is_put_together_without_the_http_library",
    ),
    slow=(("-m", "pytest", "-x", "-q", "tests/unit/services/test_against_the_sandbox.py"),),
    full_minutes=12,
)
AREAS = (FLOW, JOURNAL, WIRE)
