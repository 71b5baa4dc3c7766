"""The countries and currencies a counter may be in, by Qt's own tables. Not asked for at start."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QLocale

from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.i18n.languages import ENGLISH
from pos_app.i18n.table import spoken
from pos_app.ui.dialogs.parts.choice import Option


def countries() -> tuple[Option, ...]:
    """ISO code and name, by name: in the language now spoken where it is a country's own, else in English."""
    return _countries(spoken())


@cache
def _countries(language: str) -> tuple[Option, ...]:
    found = {QLocale.territoryToCode(territory): territory for territory in QLocale.Country}
    real = [
        (code, _name(language, code, territory))
        for code, territory in found.items()
        if len(code) == 2 and code.isalpha()
    ]
    return tuple(sorted(real, key=lambda each: each[1]))


def _name(language: str, code: str, territory: QLocale.Country) -> str:
    locale = QLocale(f"{language}_{code}")
    is_its_own = language != ENGLISH and locale.territory() is territory
    return locale.nativeTerritoryName() if is_its_own else QLocale.territoryToString(territory)


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
