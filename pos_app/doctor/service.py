"""Asks the payment service for today's list: line, sign-in, merchant, and whose clock is right."""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.request import getproxies

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.one_question import said, services_of, told
from pos_app.bootstrap.shop import Shop
from pos_app.doctor.finding import Finding
from pos_app.domain.replies import NoAnswer, Refused, Why
from pos_app.domain.text import clean_text

MOST_APART_S = 60


def service_findings(shop: Shop) -> Iterator[Finding]:
    """One question, what it says of line, clock, token and merchant."""
    base_url = shop.settings.gateway.base_url
    apart: list[float] = []
    try:
        with services_of(shop) as services:
            services.tell_time(lambda said_at: apart.append(time.time() - said_at / 1000))
            start = time.perf_counter()
            reply = services.payments.todays_list()
            taken = f"{base_url} answers in {(time.perf_counter() - start) * 1000:.0f} ms"
    except CommandError as error:
        yield Finding("connection", "problem", str(error), error.exit_code)
        return
    if apart:
        yield apart_finding(apart[-1])
    if isinstance(reply, NoAnswer):
        yield from _silence(reply, base_url, taken)
        return
    yield Finding("connection", "ok", taken)
    yield Finding("token", "ok", "accepted")
    if isinstance(reply, Refused):
        yield Finding(
            "merchant", "problem", f"refused with {reply.code}: check merchant, secret code and password"
        )


def _silence(reply: NoAnswer, base_url: str, taken: str) -> Iterator[Finding]:
    """Why there is no answer, as whoever can mend it needs to know: what failed, in the words of what failed."""
    if reply.why is Why.SIGN_IN and not reply.sent:
        yield Finding(
            "token",
            "problem",
            f"{clean_text(reply.detail)}: nothing can be asked without one",
            Exit.UNAVAILABLE,
        )
    elif reply.why in (Why.SIGN_IN, Why.FORBIDDEN):
        yield Finding("connection", "ok", taken)
        yield Finding("token", "problem", f"{said(reply)}: renew the access token", Exit.UNAVAILABLE)
    else:
        text = f"{base_url}: {told(reply)}{_advice(reply.why)}"
        yield Finding("connection", "problem", text, Exit.UNAVAILABLE)


def _advice(why: Why) -> str:
    if why is Why.TLS:
        return "; is the clock right? A network that opens connections needs its root in gateway.ca_file"
    if why in (Why.NAME, Why.CONNECT) and getproxies().keys() & {"http", "https", "all"}:
        return "; this machine is set to use a proxy, and the till goes by none: let it through without"
    return ""


def apart_finding(seconds: float) -> Finding:
    """The service's word is whole seconds, and some of them old."""
    about = "clock and service"
    if abs(seconds) <= MOST_APART_S:
        return Finding(about, "ok", "they agree")
    which = "ahead of" if seconds > 0 else "behind"
    return Finding(about, "problem", f"{abs(seconds):.0f} s {which} the service's: set the terminal's clock")
