"""What the settings' own checks say, in the language of the screen. It knows their English; it checks nothing."""

from __future__ import annotations

import re
import string
from functools import cache

from pos_app.i18n.table import Table


class Checks(Table):
    """What is wrong with a value, as the end of a sentence that begins with the field's label."""

    SAID = {
        "number_or_text": "must be a text in quotes",
        "whole": "must be a whole number",
        "true_or_false": "must be true or false",
        "list": "must be a list of texts",
        "number": "must be a number",
        "spaces": "must not be empty or begin or end with a space",
        "plain": "must be plain text on one line",
        "identifier": "must be 1 to 64 letters, digits or signs",
        "store_https": "must be https (or http://127.0.0.1 for a store on this machine)",
        "fingerprint": "must be a SHA-256 fingerprint of 64 signs",
        "counter": "must be a whole number from 1 to 2147483647",
        "seconds": "must be a number of seconds from 5 to 3600",
        "extension": "must be a number of seconds from 0 to 3600",
        "amount": "must be an amount",
        "amount_range": "must be an amount above 0 and below 1,000,000,000,000",
        "limits": "must not be above the highest amount, {most}",
        "least": "must not be below the smallest amount, {least}",
        "long": "must be at most {most} characters",
        "lines": "must be at most {most} lines",
        "long_line": "must be at most {most} characters a line",
        "one_of": "must be one of {names}",
        "currency": "must be a currency's code of three letters",
        "country": "must be two capital letters",
        "language": "must be two small letters",
        "no_place": "must not contain {place}",
        "one_place": "must contain {place} exactly once",
        "parts": "must go out as at most {most} SMS (this is {parts})",
        "minutes": "must be a number of minutes from 1 to 60",
        "hours": "must be a number of hours from 1 to 24",
        "ascii": "must be plain ASCII without spaces (write a name in other letters as xn--…)",
        "no_address": "is no web address",
        "https": "must be https (or http://127.0.0.1 in sandbox)",
        "no_user": "must not contain a user name or password",
        "no_query": "must be an address alone, without query or dots in its path",
        "loopback": "must be this machine (127.0.0.1) in sandbox",
        "private": "must not be this machine or a private network in live use",
        "host_alone": "must be a name or an address alone, without port, path or user",
        "port": "must be a whole number from 1 to 65535",
        "whole_path": "must be a whole path, from / on",
        "no_dash": "must not begin with -",
        "paper_width": "must be 58 or 80",
        "no_virtual": "must not be virtual in live use",
        "of_printer": "is missing for printer kind {name}",
        "no_service": "must not be the service's address",
        "no_folder": "must be a printer's device, not a folder",
        "missing": "is missing",
        "token": "is missing for token_provider {name}",
    }

    def said(self, english: str) -> str:
        """The same in the language now spoken; as it is where this version has no words for it."""
        for name, template in type(self).SAID.items():
            match = _pattern(template).fullmatch(english)
            if match is not None:
                return self.SAID[name].format(**match.groupdict())
        return english


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = string.Formatter().parse(template)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{place}>.+)" if place else "") for text, place, *_ in parts)
    )


words = Checks()
