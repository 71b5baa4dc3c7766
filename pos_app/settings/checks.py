"""What makes a value usable: each check returns the problem in words, or nothing."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.domain.otp import PLACEHOLDER
from pos_app.domain.paper import BODY, LARGE
from pos_app.domain.receipt import MOST_LINES, MOST_OF_A_LINE
from pos_app.domain.sms import size_of_message
from pos_app.domain.text import clean_text, is_plain
from pos_app.system.address import AddressError, is_loopback, is_private, parse_address

MOST_PARTS = 4
"""Longer than any sentence with a code in it; each part is paid for."""

MOST_OF_A_NAME = 64
"""Longer than the system calls any display."""

MOST_OF_A_PRINTER = 127
"""As CUPS has it."""

MOST_OF_A_SHOP = 40
"""As the first start takes it: more does not fit beside the counter's number."""

STORE_MUST_BE_HTTPS = "must be https (or http://127.0.0.1 for a store on this machine)"


def text(value: Any) -> str:
    """Something to read, on one line."""
    if not value or value != value.strip():
        return "must not be empty or begin or end with a space"
    return "" if is_plain(value) else "must be plain text on one line"


def free_text(value: Any) -> str:
    """Nothing, or something to read."""
    return text(value) if value else ""


def store_address(value: Any) -> str:
    """Nothing, or where a store is: it may stand in the shop's own network, and without TLS on this machine alone."""
    if not value:
        return ""
    try:
        address = parse_address(value, with_http=True)
    except AddressError as error:
        return str(error)
    return "" if address.scheme == "https" or is_loopback(address.host) else STORE_MUST_BE_HTTPS


def command(value: Any) -> str:
    """What a system can begin: it takes no character 0, and nothing that is no text. All else is the command's own."""
    return (
        "must be plain text on one line"
        if any(re.search("[\0\ud800-\udfff]", each) for each in value)
        else ""
    )


def fingerprint(value: Any) -> str:
    """Nothing, or a SHA-256 in hexadecimal signs."""
    is_one = not value or re.fullmatch(r"[0-9A-Fa-f]{64}", value)
    return "" if is_one else "must be a SHA-256 fingerprint of 64 signs"


def identifier(value: Any) -> str:
    """What the service knows the shop by."""
    return "" if re.fullmatch(r"[\x21-\x7e]{1,64}", value) else "must be 1 to 64 letters, digits or signs"


def counter(value: Any) -> str:
    """A counter's number."""
    return "" if 0 < value < 2**31 else "must be a whole number from 1 to 2147483647"


def seconds(value: Any) -> str:
    """A waiting time that makes sense at a counter."""
    return "" if 5 <= value <= 3600 else "must be a number of seconds from 5 to 3600"


def extension(value: Any) -> str:
    """An added waiting time; 0 for none."""
    return "" if 0 <= value <= 3600 else "must be a number of seconds from 0 to 3600"


def amount(value: Any) -> str:
    """An amount above zero."""
    if not isinstance(value, Decimal) or not value.is_finite():
        return "must be an amount"
    return "" if 0 < value < Decimal(10) ** 12 else "must be an amount above 0 and below 1,000,000,000,000"


def currency(value: Any) -> str:
    """A currency whose digits the till knows."""
    return "" if value in CURRENCY_DIGITS else "must be a currency's code of three letters"


def country(value: Any) -> str:
    """A country code, for numbers in national form."""
    return "" if re.fullmatch(r"[A-Z]{2}", value) else "must be two capital letters"


def language(value: Any) -> str:
    """A language code."""
    return "" if re.fullmatch(r"[a-z]{2}", value) else "must be two small letters"


def other_language(value: Any) -> str:
    """A language code, or nothing where it is the counter's."""
    return language(value) if value else ""


def display(value: Any) -> str:
    """The name of a display as the system calls it, "off", or nothing for the first one that is free."""
    return (
        free_text(value) if len(value) <= MOST_OF_A_NAME else f"must be at most {MOST_OF_A_NAME} characters"
    )


def around_codes(value: Any) -> str:
    """What a scanner puts before or after a code, or nothing."""
    return "" if re.fullmatch(r"[\x21-\x7e]{0,8}", value) else "must be at most 8 letters, digits or signs"


def shop_name(value: Any) -> str:
    """Something to read that fits above the till, and cannot be taken for a place to put a code."""
    if len(value) > MOST_OF_A_SHOP:
        return f"must be at most {MOST_OF_A_SHOP} characters"
    return f"must not contain {PLACEHOLDER}" if PLACEHOLDER in value else text(value)


def paper_lines(value: Any) -> str:
    """A header or a footer: no line holds what a printer takes for a command, or what nobody sees."""
    if len(value) > MOST_LINES:
        return f"must be at most {MOST_LINES} lines"
    return next((problem for each in value if (problem := paper_line(each))), "")


def paper_line(value: Any) -> str:
    """A line of the shop's own on a receipt, or nothing. The screen writes several on one line, with | between them."""
    if len(value) > MOST_OF_A_LINE:
        return f"must be at most {MOST_OF_A_LINE} characters a line"
    return "must not contain |" if "|" in value else free_text(value)


def paper_size(value: Any) -> str:
    """How high the letters are."""
    return "" if value in (BODY, LARGE) else f"must be {BODY} or {LARGE}"


def sms(value: Any) -> str:
    """The sign-in message. More than one SMS is dear, not wrong: whoever writes it is warned on the screen."""
    if value.count(PLACEHOLDER) != 1:
        return f"must contain {PLACEHOLDER} exactly once"
    # Sinhala and Persian are written with joiners that are not seen; nothing else that is not may stand there.
    bare = value.replace("\u200c", "").replace("\u200d", "")
    if clean_text(bare, len(bare)) != bare:
        return "must be plain text on one line"
    parts = size_of_message(value).parts
    return f"must go out as at most {MOST_PARTS} SMS (this is {parts})" if parts > MOST_PARTS else ""


def other_sms(value: Any) -> str:
    """The message in another language, or nothing where it is the one for all."""
    return sms(value) if value else ""


def text_percent(value: Any) -> str:
    """How large texts are, of their drawn size."""
    return "" if value in (100, 125, 150, 200) else "must be 100, 125, 150 or 200"


def idle_minutes(value: Any) -> str:
    """After how long nobody is taken to stand there."""
    return "" if 1 <= value <= 60 else "must be a number of minutes from 1 to 60"


def session_hours(value: Any) -> str:
    """How long one code by SMS carries a person."""
    return "" if 1 <= value <= 24 else "must be a number of hours from 1 to 24"


def cutoff(value: Any) -> str:
    """Until when in the night it is still the business day before."""
    return (
        ""
        if re.fullmatch(r"0[0-9]:[0-5][0-9]|1[01]:[0-5][0-9]|12:00", value)
        else "must be a time from 00:00 to 12:00"
    )


def printer_host(value: Any) -> str:
    """A printer's name or address alone: its port has a key of its own, and nobody signs in to it."""
    is_one = not value or host_of_printer(value)
    return "" if is_one else "must be a name or an address alone, without port, path or user"


def host_of_printer(value: str) -> str:
    """As it is looked up, an IPv6 address without its brackets; "" for a text that is none."""
    is_ipv6 = value.count(":") > 1
    written = f"[{value.strip('[]')}]" if is_ipv6 else value
    try:
        address = parse_address(f"http://{written}", with_http=True)
    except AddressError:
        return ""
    is_alone = not address.path and (is_ipv6 or value.lower() == address.host)
    return address.host if is_alone else ""


def host_of(value: str) -> str:
    """Of a service's address; "" for a text that is none."""
    try:
        return parse_address(value, with_http=True).host
    except AddressError:
        return ""


def port(value: Any) -> str:
    """A port of the network."""
    return "" if 0 < value < 65_536 else "must be a whole number from 1 to 65535"


def absolute_path(value: Any) -> str:
    """A place on this machine, or nothing."""
    if not value:
        return ""
    return text(value) or ("" if PurePosixPath(value).is_absolute() else "must be a whole path, from / on")


def printer_name(value: Any) -> str:
    """As the system lists it. One that begins with - would be an option of its program."""
    if len(value) > MOST_OF_A_PRINTER:
        return f"must be at most {MOST_OF_A_PRINTER} characters"
    return "must not begin with -" if value.startswith("-") else free_text(value)


def paper_width(value: Any) -> str:
    """Of a roll, in millimetres."""
    return "" if value in (58, 80) else "must be 58 or 80"


def volume(value: Any) -> str:
    """Hundredths of the loudest; none at all is `sound.on`."""
    return "" if 1 <= value <= 100 else "must be a number from 1 to 100"


def origin(value: str, *, sandbox: bool) -> str:
    """An address of the service: https, or http on this machine in the sandbox."""
    try:
        address = parse_address(value, with_http=sandbox)
    except AddressError as error:
        return str(error)
    if sandbox and not is_loopback(address.host):
        return "must be this machine (127.0.0.1) in sandbox"
    if not sandbox and is_private(address.host):
        return "must not be this machine or a private network in live use"
    return ""
