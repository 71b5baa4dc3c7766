"""Asks the payment service for today's list: line, sign-in, merchant, and whose clock is right."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.one_question import said, services_of
from pos_app.bootstrap.shop import Shop
from pos_app.doctor.finding import Finding
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, Refused, Why

MOST_APART_S = 60


def service_findings(shop: Shop) -> Iterator[Finding]:
    """One question, what it says of line, clock, token and merchant."""
    base_url = shop.settings.gateway.base_url
    apart: list[float] = []
    try:
        with services_of(shop) as services:
            services.tell_time(lambda said_at: apart.append(time.time() - said_at / 1000))
            start = time.perf_counter()
            reply = services.payments.query(QueryFilter(from_date=f"{datetime.now():%Y-%m-%d} 00:00:00"))
            taken = f"{base_url} answers in {(time.perf_counter() - start) * 1000:.0f} ms"
    except CommandError as error:
        yield Finding("connection", "problem", str(error), error.exit_code)
        return
    if apart:
        yield apart_finding(apart[-1])
    if isinstance(reply, NoAnswer) and reply.why not in (Why.SIGN_IN, Why.FORBIDDEN):
        yield Finding("connection", "problem", f"{base_url}: {said(reply)}", Exit.UNAVAILABLE)
        return
    yield Finding("connection", "ok", taken)
    if isinstance(reply, NoAnswer):
        yield Finding("token", "problem", f"{said(reply)}: renew the access token", Exit.UNAVAILABLE)
    elif isinstance(reply, Refused):
        yield Finding("token", "ok", "accepted")
        yield Finding(
            "merchant", "problem", f"refused with {reply.code}: check merchant, secret code and password"
        )
    else:
        yield Finding("token", "ok", "accepted")


def apart_finding(seconds: float) -> Finding:
    """The service's word is whole seconds, and some of them old."""
    about = "clock and service"
    if abs(seconds) <= MOST_APART_S:
        return Finding(about, "ok", "they agree")
    which = "ahead of" if seconds > 0 else "behind"
    return Finding(about, "problem", f"{abs(seconds):.0f} s {which} the service's: set the terminal's clock")
