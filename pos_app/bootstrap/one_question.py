"""One question to the service without a till: opens the services, asks, closes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop, open_shop
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.domain.replies import NoAnswer
from pos_app.domain.text import clean_text
from pos_app.services.open import Services


@contextmanager
def shop_and_services(options: Options, *, journal: bool = False) -> Iterator[tuple[Shop, Services]]:
    """The shop and its services, for as long as the question takes."""
    at_work = shop_at_work(options) if journal else closing(open_shop(options, journal=False))
    with at_work as shop, services_of(shop) as services:
        yield shop, services


@contextmanager
def services_of(shop: Shop) -> Iterator[Services]:
    """The services of a shop that is open."""
    from pos_app.bootstrap.services import service_config
    from pos_app.services.open import open_services
    from pos_app.services.origin import OriginError

    try:
        services = open_services(service_config(shop))
    except OriginError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error
    try:
        yield services
    finally:
        services.close()


def said(silence: NoAnswer) -> str:
    """No answer, in words."""
    status = f" (HTTP {silence.http_status})" if silence.http_status else ""
    return silence.why.value.replace("_", " ") + status


def told(silence: NoAnswer) -> str:
    """The same with what failed, in its own words."""
    cause = clean_text(silence.detail.removeprefix(f"HTTP {silence.http_status}: "))
    return f"{said(silence)}: {cause}" if cause else said(silence)


def unavailable(silence: NoAnswer) -> CommandError:
    """No answer, as the end of a verb."""
    return CommandError(Exit.UNAVAILABLE, f"no answer from the service: {told(silence)}")
