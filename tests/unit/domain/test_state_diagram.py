"""The drawing in the docs is the table in the code."""

from pos_app.domain.attempt import State
from pos_app.domain.flow import TRANSITIONS
from tests.unit.domain.state_diagram import PAGE, page


def test_the_drawing_is_up_to_date() -> None:
    """Change the table, and the page has to be drawn again."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_drawing_holds_every_pair_that_is_not_a_rule_for_all() -> None:
    """An arrow that is missing from the drawing is missing from the reader's head."""
    drawn = page()
    for before, afters in TRANSITIONS.items():
        for after in afters - {State.PAID_LATE, State.DISPUTED}:
            assert f"    {before} --> {after}\n" in drawn
    assert "every state but DISPUTED and PAID → PAID_LATE" in drawn
    assert "every state → DISPUTED" in drawn
