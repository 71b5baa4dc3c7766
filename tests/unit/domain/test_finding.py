"""What somebody types finds the payment they mean: by amount, last digits, reference, sale, id or state."""

from decimal import Decimal

import pytest

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.money import POINT, AmountFormat
from pos_app.domain.search import Sought, amounts_meant, matches, may_be_number
from tests.support.published import attempt

COMMA = AmountFormat(",", ".")
SPACE = AmountFormat(",", " ")

ONE = attempt(
    amount=Decimal("1250.00"),
    wallet_mask="+94 •• ••• 321",
    wallet_digest="d-1",
    invoice_number="INV-77",
    payment_reference="Table 4",
    state=State.PAID,
)


def finds(text: str, of: Attempt = ONE, **more: object) -> bool:
    """Whether this text, as a till with points reads it, finds the payment."""
    sought = Sought(text=text, amounts=amounts_meant(text, POINT), **more)  # type: ignore[arg-type]
    return matches(of, sought)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1250",
        "1,250",
        "1,250.0",
        "125000",
        "12",
        "0123",
        "123",
        "321",
        "21",
        "4321",
        "inv-7",
        "table",
        "TK7M3",
    ],
)
def test_it_is_found_by_what_a_customer_or_a_slip_says(text: str) -> None:
    """Each of these."""
    assert finds(text)


@pytest.mark.parametrize(
    "text", ["250", "1,251", "1250.5", "322", "0124", "inv-8", "24", "0", "00", "7714321321"]
)
def test_it_is_not_found_by_what_is_another_s(text: str) -> None:
    """An amount is looked for from its beginning, a number from its end."""
    assert not finds(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [("8764", True), ("1250", False), ("991250", True), ("9125", False), ("1250338764", True)],
)
def test_a_few_digits_mean_the_end_of_an_id(text: str, found: bool) -> None:
    """Somewhere in sixteen digits any four may stand, and nobody would see why the payment was found."""
    one = attempt(amount=Decimal("2100.00"), wallet_transaction_id="5399125033" + "8764")
    assert finds(text, one) is found


def test_a_state_s_word_and_a_whole_number_find_it() -> None:
    """The word is the window's; the number is known by its digest alone."""
    assert finds("pai", states=frozenset({State.PAID}))
    assert not finds("pai", states=frozenset({State.FAILED}))
    sought = Sought(text="0771234321", number="+94771234321")
    assert matches(ONE, sought, "d-1")
    assert not matches(ONE, sought, "d-2")


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("12.5", POINT, ("12.5",)),
        ("1,250", POINT, ("1250",)),
        ("1,250.5", POINT, ("1250.5",)),
        ("1,2", POINT, ("1.2", "12")),
        ("12,50", COMMA, ("12.50",)),
        ("1.250", COMMA, ("1250",)),
        ("1.250,5", COMMA, ("1250.5",)),
        ("1 250,5", SPACE, ("1250.5",)),
        ("12.50", SPACE, ("12.50", "1250")),
        (".5", POINT, ("0.5",)),
        ("12.", POINT, ("12.",)),
        ("", POINT, ()),
        (".", POINT, ()),
        ("1a", POINT, ()),
        ("۱۲", POINT, ()),
    ],
)
def test_an_amount_is_read_as_the_language_writes_it(
    text: str, written: AmountFormat, meant: tuple[str, ...]
) -> None:
    """What could be either is looked for as both: nothing is paid by a search."""
    assert amounts_meant(text, written) == meant


def test_a_whole_number_is_read_only_where_it_may_be_one() -> None:
    """Reading numbers takes a library, and a while."""
    assert may_be_number("077 123 4321")
    assert not may_be_number("321")
    assert not may_be_number("0771234321x")
