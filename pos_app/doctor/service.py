"""Asks for today's list (line, sign-in, merchant, whose clock is right), and whether the SMS service takes us."""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.request import getproxies

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.one_question import said, services_of, told
from pos_app.bootstrap.shop import Shop
from pos_app.doctor.finding import Finding
from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused, OtpSubmitReply, QueryReply, Refused, Why
from pos_app.domain.text import clean_text

MOST_APART_S = 60

_NO_TOKEN = frozenset({OtpRefusal.UNAUTHENTICATED, OtpRefusal.PERMISSION_DENIED})
_OUT_OF_ORDER = frozenset(
    {OtpRefusal.TOO_MANY_REQUESTS, OtpRefusal.INTERNAL, OtpRefusal.UNAVAILABLE, OtpRefusal.TIMEOUT}
)


def service_findings(shop: Shop) -> Iterator[Finding]:
    """One question to each service, what it says of line, clock, token and merchant. Sends no SMS."""
    gateway = shop.settings.gateway
    apart: list[float] = []
    try:
        with services_of(shop) as services:
            services.tell_time(lambda said_at: apart.append(time.time() - said_at / 1000))
            start = time.perf_counter()
            reply = services.payments.todays_list()
            taken = f"{gateway.base_url} answers in {(time.perf_counter() - start) * 1000:.0f} ms"
            of_payments = apart[-1:]
            of_codes = services.otp.nobodys_code()
    except CommandError as error:
        yield Finding("connection", "problem", str(error), error.exit_code)
        return
    yield from map(apart_finding, of_payments)
    yield from _payments(reply, gateway.base_url, taken)
    yield _codes(of_codes, gateway.otp_base_url or gateway.base_url)


def _payments(reply: QueryReply, base_url: str, taken: str) -> Iterator[Finding]:
    if isinstance(reply, NoAnswer):
        yield from _silence(reply, base_url, taken)
        return
    yield Finding("connection", "ok", taken)
    yield Finding("token", "ok", "accepted")
    if isinstance(reply, Refused):
        yield Finding(
            "merchant", "problem", f"refused with {reply.code}: check merchant, secret code and password"
        )


def _codes(reply: OtpSubmitReply, address: str) -> Finding:
    """Whether a code could be asked for: without the SMS service nobody new signs in."""
    match reply:
        case NoAnswer(why=Why.SIGN_IN, sent=False):
            text = f"{clean_text(reply.detail)}: no code can be asked for without one"
        case NoAnswer():
            text = f"{address}: {told(reply)}{_advice(reply.why)}"
        case OtpRefused(refusal=refusal) if refusal in _NO_TOKEN:
            text = f"{address}: {refusal.value} (HTTP {reply.http_status}): renew its access token"
        case OtpRefused(refusal=refusal) if refusal in _OUT_OF_ORDER:
            text = f"{address}: {refusal.value} (HTTP {reply.http_status}): try again later"
        case OtpRefused(refusal=refusal) if reply.by_status or refusal is OtpRefusal.UNKNOWN:
            text = f"{address}: what answered is no SMS service (HTTP {reply.http_status})"
        case _:
            return Finding("SMS service", "ok", f"{address} takes this terminal; no SMS was sent")
    return Finding("SMS service", "problem", text, Exit.UNAVAILABLE)


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
