"""What the window must know of the settings, and how they dress the application."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from pos_app.bootstrap.shop import SANDBOX_NAME, letterhead_of, paper_language_of
from pos_app.domain.attempt import Environment, Kind
from pos_app.domain.money import POINT, AmountFormat, currency
from pos_app.settings import Settings
from pos_app.ui import places
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import motion


def view_config_of(settings: Settings) -> TillViewConfig:
    """The counter as the window shows it."""
    shop = settings.shop
    environment = Environment(settings.gateway.environment)
    return TillViewConfig(
        # Whoever can write a line of settings could else have a sandbox that is called as the shop is.
        shop_name=SANDBOX_NAME if environment is Environment.SANDBOX else shop.name,
        counter_id=settings.gateway.counter_id,
        currency=currency(shop.currency),
        country=shop.country,
        environment=environment,
        written=_written(settings.window.language, shop.country),
        default_method=Kind(shop.default_method),
        theme=theme_of(settings),
        text_percent=settings.window.text_percent,
        language=settings.window.language,
        max_amount=shop.max_amount,
        confirm_above=shop.confirm_above,
        lock_after_s=60 * settings.sign_in.lock_after_min,
        scan_prefix=settings.scanner.prefix,
        scan_suffix=settings.scanner.suffix,
        scan_into=settings.scanner.into,
        cashier_may_close=settings.day.cashier_may_close,
        letterhead=letterhead_of(settings),
        paper_language=paper_language_of(settings),
        paper_mm=settings.printer.width,
        prints=settings.printer.auto if settings.printer.is_there else "",
    )


def customer_face_of(settings: Settings) -> TillViewConfig:
    """The same counter for the customer's screen, which may speak a language of its own."""
    language = settings.customer_display.language or settings.window.language
    return replace(
        view_config_of(settings), language=language, written=_written(language, settings.shop.country)
    )


def apply_theme(app: QApplication, settings: Settings, *, phone: bool = False) -> None:
    """Dress the application as the settings say: colours, size of texts, motion. `phone`: one is beside the till."""
    beside = places.PHONE.width() + places.GAP if phone else 0
    theme.dress(app, theme_of(settings), settings.window.text_percent, beside=beside)
    motion.switch(app, on=settings.window.motion)


def dress_as(app: QApplication, config: TillViewConfig | None) -> None:
    """For what stands instead of the till: its language and side, colours, size of texts; None keeps what is spoken."""
    if config is not None:
        set_language(config.language)
    theme.dress(
        app,
        "light" if config is None else config.theme,
        100 if config is None else config.text_percent,
    )


def theme_of(settings: Settings) -> str:
    """ "light" or "dark"; a system that does not say is light."""
    if settings.window.theme != "system":
        return settings.window.theme
    hints = QGuiApplication.styleHints()
    return "dark" if hints.colorScheme() is Qt.ColorScheme.Dark else "light"


def _written(language: str, country: str) -> AmountFormat:
    """The separators people of this language and country write amounts with."""
    locale = QLocale(f"{language}_{country}")
    group = locale.groupSeparator()
    if locale.decimalPoint() not in (".", ","):
        # No till's keyboard has it, and the service's amounts are read aloud beside the screen's.
        return POINT
    # A no-break space cannot be typed on a till's keypad; a plain one can.
    return AmountFormat(locale.decimalPoint(), " " if group.isspace() else group)
