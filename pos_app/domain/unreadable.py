"""What decoding bytes that are not as they should be fails with: one name for all that msgspec raises then."""

from __future__ import annotations

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""For a text in them that is no UTF-8, and for brackets without an end, msgspec raises Python's own errors."""
