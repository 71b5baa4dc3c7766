"""Makes foreign text fit for a screen: no control, bidi or broken characters. Never interprets it."""

from __future__ import annotations

import re

_UNFIT = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"

DETAILS_LIMIT = 200
"""The longest foreign text on a screen (payment-rules.md, rule 14)."""


def clean(text: str, limit: int = 0) -> str:
    """The text without characters that could disguise it; line breaks stay. `limit` cuts it, 0 does not."""
    # Most texts are fit; the pattern is compiled for the first one that is not.
    fit = text if text.isprintable() else re.sub(_UNFIT, "", text)
    return fit if not limit or len(fit) <= limit else fit[: limit - 1] + "…"
