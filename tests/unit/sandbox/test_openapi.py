"""The OpenAPI file lists what the sandbox does; that it does so is what tests/verification/fuzz tries to disprove."""

import json
from pathlib import Path

import pos_app.sandbox
from pos_app.sandbox.routes import OPERATION_PATHS

SCHEMA = Path(pos_app.sandbox.__file__).with_name("openapi.json")


def test_the_file_lists_every_operation_and_post_alone() -> None:
    paths = json.loads(SCHEMA.read_text(encoding="utf-8"))["paths"]
    assert set(paths) == set(OPERATION_PATHS.values())
    assert all(list(methods) == ["post"] for methods in paths.values())
