"""The countries and currencies a counter may be in, by Qt's own tables. Not asked for at start."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QLocale

from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.ui.dialogs.parts.choice import Option


@cache
def countries() -> tuple[Option, ...]:
    """ISO code and English name, by name."""
    found = {
        QLocale.territoryToCode(territory): QLocale.territoryToString(territory)
        for territory in QLocale.Country
    }
    real = [(code, name) for code, name in found.items() if len(code) == 2 and code.isalpha()]
    return tuple(sorted(real, key=lambda each: each[1]))


@cache
def currencies() -> tuple[Option, ...]:
    """Every currency the till can count in."""
    return tuple((code, code) for code in sorted(CURRENCY_DIGITS))


def currency_of(country: str) -> str:
    """The country's currency if the till can count in it, else ""."""
    territory = QLocale.codeToTerritory(country)
    code = QLocale(QLocale.Language.AnyLanguage, territory).currencySymbol(
        QLocale.CurrencySymbolFormat.CurrencyIsoCode
    )
    return code if code in CURRENCY_DIGITS else ""
