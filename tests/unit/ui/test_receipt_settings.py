"""What the settings say of receipts reaches every paper, of the window and of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.app.view_config import view_config_of
from pos_app.bootstrap.shop import SANDBOX_NAME, letterhead_of, paper_language_of
from pos_app.domain.paper import text_of
from pos_app.domain.receipt import Letterhead
from pos_app.i18n.papers import Papers
from tests.support import receipts
from tests.unit.settings.files import LIVE, loaded

SHOP = """
[receipt]
header = ["12 Galle Road", "Tel. 1"]
footer = ["Goodbye"]
tax_id = "7 7"
cashier = "number"
size = 36
"""


@pytest.mark.usefixtures("qapp")
def test_what_the_shop_says_stands_on_its_papers(tmp_path: Path) -> None:
    settings = loaded(tmp_path, LIVE + SHOP)
    head = letterhead_of(settings)
    assert head == Letterhead(
        shop="Corner Shop",
        header=("12 Galle Road", "Tel. 1"),
        footer=("Goodbye",),
        tax_id="7 7",
        cashier="number",
        size=36,
    )
    assert view_config_of(settings).letterhead == head
    paper = Papers("en", head).receipt(receipts.receipt())
    assert paper.body == 36
    for line in ("12 Galle Road", "Tel. 1", "Goodbye", "Tax no. 7\u00a07", "Cashier: 3"):
        assert line in text_of(paper).splitlines()


@pytest.mark.usefixtures("qapp")
def test_a_paper_speaks_the_customers_language(tmp_path: Path) -> None:
    assert paper_language_of(loaded(tmp_path)) == "en"
    settings = loaded(tmp_path, LIVE + '[window]\nlanguage = "si"\n[customer_display]\nlanguage = "ta"\n')
    assert paper_language_of(settings) == view_config_of(settings).paper_language == "ta"
    assert paper_language_of(loaded(tmp_path, LIVE + '[window]\nlanguage = "si"\n')) == "si"


def test_no_sandboxs_paper_is_headed_as_a_shop(tmp_path: Path) -> None:
    play = LIVE.replace('"live"', '"sandbox"').replace("https://gateway.example", "http://127.0.0.1:8000")
    assert letterhead_of(loaded(tmp_path, play.replace("Corner Shop", "Harbour Shop"))).shop == SANDBOX_NAME
