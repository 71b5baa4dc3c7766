"""The sandbox's till never passes for the shop's: not by its name, not by its picture of a payment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app.settings.texts import flat
from pos_app.app.view_config import customer_face_of, view_config_of
from pos_app.bootstrap.shop import SANDBOX_NAME
from pos_app.i18n.words.band import words
from pos_app.settings import load_settings
from pos_app.ui.widgets.band import SandboxMark
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments
from tests.unit.settings.files import LIVE

REAL = "Harbour Fish and Sons"


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """A real shop's settings."""
    file = tmp_path / "live.toml"
    text = LIVE.replace('"Corner Shop"', f'"{REAL}"').replace("[shop]", "[shop]\nmax_amount = 60")
    file.write_text(text + '[scanner]\nprefix = "~"\n')
    return file


@pytest.fixture
def own(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    live: Path,
    tmp_path: Path,
) -> Iterator[StartedTill]:
    """`pos-app --sandbox --config live.toml`."""
    asked = arguments(tmp_path, tmp_path / "data", config=live, secrets_file=None, sandbox=True)
    front = StartedTill(sandbox, asked)
    front.meet_own_sandbox()
    yield front
    assert front.stop()


def everything() -> str:
    """All that any window of ours says."""
    every: list[Any] = [
        part for window in QApplication.topLevelWidgets() for part in (window, *window.findChildren(QWidget))
    ]
    texts = [f"{part.accessibleName()} {part.windowTitle()} {part.toolTip()}" for part in every]
    texts += [str(part.text()) for part in every if callable(getattr(part, "text", None))]
    return " ".join(texts)


def test_a_sale_on_a_real_shops_settings_does_not_look_like_one(own: StartedTill, live: Path) -> None:
    own.sign_in()
    assert own.window.windowTitle().startswith(words.SANDBOX)
    assert own.says("shop") == SANDBOX_NAME
    waiting = own.charge_qr("40")
    own.sandbox.act(waiting, "pay")
    own.until_result("PAID")
    (mark,) = [each for each in own.window.findChildren(SandboxMark) if each.isVisible()]
    assert own.part("result_panel").isAncestorOf(mark)
    assert words.SHORT in own.says("result_facts")
    assert REAL not in everything()
    assert own.session.shop.settings.shop.max_amount == 60
    played, real = (
        {name: value for name, value in flat(each).items() if not name.startswith(("gateway.", "shop.name"))}
        for each in (own.session.shop.settings, load_settings(live, {}))
    )
    assert played == real, "all else of them is tried as it is"
    assert own.session.shop.settings.source_of("shop.name") == "sandbox"


@pytest.mark.parametrize("variable", [False, True])
@pytest.mark.usefixtures("qapp")
def test_nor_does_a_till_whose_settings_say_sandbox(live: Path, variable: bool) -> None:
    """A line in a file of one's own, or a variable, beside the shop's settings."""
    own = {"gateway.environment": "sandbox", "gateway.base_url": "http://127.0.0.1:1"}
    given = {f"POS_APP_{name.replace('.', '_').upper()}": value for name, value in own.items()}
    played = load_settings(live, given) if variable else load_settings(live, {}, own)
    assert played.shop.name == REAL
    assert view_config_of(played).shop_name == customer_face_of(played).shop_name == SANDBOX_NAME
    assert view_config_of(load_settings(live, {})).shop_name == REAL
